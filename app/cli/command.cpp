#include "cli/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>

#include "analysis/launch_guess.h"
#include "analysis/machine_run.h"
#include "analysis/simulate.h"
#include "base/help.h"
#include "base/paths.h"
#include "base/ranges.h"
#include "base/translations.h"
#include "catalogue/form.h"
#include "catalogue/number.h"
#include "figures/scene.h"
#include "worker/client.h"

namespace lab::cli {

void warn(const Problem& problem) {
    std::cerr << "problem: " << problem.text() << '\n';
}

OnProgress progress_line(const std::string& unit) {
    if (isatty(STDERR_FILENO) == 0) return {};
    return [unit](const nlohmann::json& object) {
        const std::size_t done = object.value("done", std::size_t{0});
        const std::size_t total = object.value("total", std::size_t{0});
        const auto left = static_cast<int>(object.value("seconds_left", 0.0));
        std::string line = fmt::format("{} of {} {}", done, total, unit);
        if (left >= 100)
            line += fmt::format(", about {} min left", (left + 30) / 60);
        else if (left >= 1)
            line += fmt::format(", about {} s left", left);
        std::cerr << fmt::format("\r{:<60}{}", line, done == total ? "\n" : "") << std::flush;
    };
}

void add_json(CLI::App& app, bool& json) {
    app.add_flag("--json", json, "Print JSON instead of text");
}

void add_look(CLI::App& app, std::string& theme, std::string& language) {
    manual::add_choice(app, "--theme", theme, figures::kThemes, "Colours of the drawing")
        ->capture_default_str();
    manual::add_choice(app, "--lang", language, kLanguages, "Language of the drawing")
        ->capture_default_str();
}

void add_delays(CLI::App& app, std::optional<std::uint32_t>& seed) {
    app.add_option("--delays", seed,
                   "Short waits before accesses, drawn by this seed, so that rare results come")
        ->type_name("SEED");
}

catalogue::Catalogue catalogue() {
    catalogue::Catalogue loaded = catalogue::load_catalogue();
    for (const Problem& problem : loaded.problems)
        warn(problem);
    if (loaded.variants.empty())
        throw Problem("There is no kernel that can be read", "",
                      "Install the program again, or fix the files",
                      (data_folder() / "kernels").string());
    return loaded;
}

std::vector<std::string> variant_ids(const std::vector<std::string>& asked,
                                     const catalogue::Catalogue& all) {
    std::vector<std::string> ids;
    for (const std::string& id : asked) {
        if (id == "all") return mapped<std::string>(all.variants, &catalogue::Kernel::id);
        (void)all.find(id);
        if (!contains(ids, id)) ids.push_back(id);
    }
    return ids;
}

Problem interrupted(const std::string& what, const std::string& kept) {
    return {what + " was interrupted", "Ctrl+C was pressed, or it was asked to end", kept, "",
            Exit::interrupted};
}

std::uint64_t parse_count(const std::string& text) {
    const std::uint64_t count = catalogue::parse_size(text, "--count");
    if (count == 0)
        throw Problem("The number of runs must be 1 or more", "", "Write --count 1000", "--count");
    return count;
}

nlohmann::json ask(const std::string& method, const nlohmann::json& parameters,
                   const OnProgress& progress, std::chrono::milliseconds limit) {
    std::mutex mutex;
    std::condition_variable arrived;
    bool waiting = false;
    worker::Client::Options options;
    options.program = program_path();
    options.wake = [&] {
        const std::lock_guard lock(mutex);
        waiting = true;
        arrived.notify_one();
    };
    worker::Client client(options);
    std::optional<nlohmann::json> result;
    std::optional<Problem> problem;
    client.send(method, parameters,
                {progress, [&](const nlohmann::json& object) { result = object; },
                 [&](const Problem& of) { problem = of; }},
                limit);
    const ScopedSignalFlag noted;
    while (!result && !problem) {
        {
            std::unique_lock lock(mutex);
            arrived.wait_for(lock, std::chrono::milliseconds(100), [&] { return waiting; });
            waiting = false;
        }
        client.poll();
        if (ScopedSignalFlag::seen() && !result && !problem)
            throw interrupted("The run", "What came until then is kept");
    }
    if (problem) throw Problem(*problem);
    return *result;
}

// The machine for a kernel whose launch the options tell.
static analysis::SimulatorOptions machine_for(const MachineOptions& options,
                                              const catalogue::LaunchForm& form) {
    const char* of_lanes = nullptr;
    try {
        const auto code = compile(catalogue::kernel_of(form), {});
        if (lang::depends_on_lanes(*code))  // warps of CUDA are of 32
            of_lanes = code->is_cuda ? "nvidia" : "classroom";
    } catch (const Problem&) {  // said where the kernel is run
    }
    return options.own_options(of_lanes);
}

static catalogue::LaunchForm kernel_of(const SubjectOptions& options, std::string text) {
    const catalogue::ShapeOptions plain;
    if (!options.shape.n.empty() || !options.shape.group.empty() || options.shape.op_is_given ||
        options.shape.type_is_given || options.shape.input != plain.input)
        throw Problem("--n, --group, --op, --type and --input are for variants",
                      "A file's launch is all told by --global, --local and --arg",
                      "Write --arg in:float[1024]=ramp and the like", options.variant);
    catalogue::LaunchForm kernel =
        options.launch.kernel_of(options.variant, std::move(text), options.shape.set);
    if (lang::is_cuda(kernel.file, kernel.text))
        for (const catalogue::TextMark& mark : catalogue::facts_of(kernel).marks)
            if (mark.kind == catalogue::TextMark::Kind::warning)
                std::cerr << fmt::format("note: {}:{}: {}. {}\n", kernel.file, mark.line,
                                         mark.message, mark.hint);
    if (!options.guesses || !kernel.arguments.empty() || kernel.global.given() ||
        kernel.local.given() || kernel.offset.given())
        return kernel;
    return guess_launch_for(std::move(kernel), options.machine);
}

// What is timed in a guessed launch may be nothing that anyone means.
static void say_races(const catalogue::LaunchForm& kernel,
                      const analysis::SimulatorOptions& options) {
    analysis::RunSpec spec;
    spec.machine = options;
    try {
        spec.kernel = catalogue::kernel_of(kernel);
        const auto run = analysis::run_on_machine(spec);
        for (const analysis::Hazard& each : run->hazards)
            if (each.severity == analysis::Hazard::Severity::race) {
                std::cerr << fmt::format(
                    "note: this launch races in line {}, as `hazards` shows: its time is that of a "
                    "wrong program\n",
                    each.sides.front().line);
                return;
            }
    } catch (const Problem&) {  // said where it is timed
    }
}

// Whose launch it is: "guessed", or "that of its host code, but the contents of x, which are
// guessed".
static std::string origin_of(const analysis::LaunchGuess& found) {
    const catalogue::HostGiven& known = found.known;
    if (!known.group) return "guessed";
    if (known.all()) return "that of its host code";
    std::vector<std::string> open;
    if (!known.sizes) open.emplace_back("the number of groups");
    const std::vector<catalogue::ArgumentRow> rows =
        rows_of(catalogue::facts_of(found.kernel), found.kernel);
    for (std::size_t i = 0; i < std::min(rows.size(), known.rows.size()); ++i)
        if (!known.rows[i])
            open.push_back(rows[i].name);
        else if (!known.fills[i])
            open.push_back("the contents of " + rows[i].name);
    return fmt::format("that of its host code, and {} guessed", fmt::join(open, ", "));
}

// Elements with which a guessed launch is held against its bounds; more are scaled up from there.
constexpr std::uint64_t kMostTried = 1 << 14;

catalogue::LaunchForm guess_launch_for(catalogue::LaunchForm kernel, const MachineOptions& machine,
                                       const std::optional<GuessedSize>& size) {
    const analysis::SimulatorOptions options = machine_for(machine, kernel);
    analysis::LaunchGuess found = analysis::guess_launch(kernel, options);
    const catalogue::LaunchForm small = found.kernel;  // which shows all that a larger one would
    if (size && found.kernel.global.dims == 1) {
        const catalogue::TextFacts facts = catalogue::facts_of(found.kernel);
        const auto with = [&](std::uint64_t n, std::uint64_t group) {
            return catalogue::resized(found.kernel, facts, n, group);
        };
        const std::uint64_t tried =
            std::max<std::uint64_t>(1, kMostTried / size->group) * size->group;
        found = analysis::guess_launch(with(std::min(size->n, tried), size->group), options);
        if (size->n > tried) found.kernel = with(size->n, found.kernel.local.items());
    }
    if (size && found.in_bounds) say_races(small, options);
    if (found.kernel != kernel)
        std::cerr << fmt::format("note: the launch is {}: {}\n", origin_of(found),
                                 analysis::launch_text(found.kernel));
    if (size && !found.in_bounds)
        throw Problem("The guessed launch leaves the bounds of its buffers", "",
                      "Write --global, --local and --arg", kernel.file);
    return found.kernel;
}

bool is_kernel_file(const std::string& subject) {
    return subject.find('/') != std::string::npos ||
           (subject.size() > 3 && subject.ends_with(".cl")) || lang::is_cuda(subject, {});
}

std::string kernel_file_text(const std::string& file) {
    return read_file(file, kMostText);
}

// With a header like those of kernels/ it is a variant; else its launch must be told.
bool needs_launch(const std::string& text, const LaunchOptions& launch) {
    return launch.any() || text.find("title:") == std::string::npos ||
           text.find("entry:") == std::string::npos;
}

void LaunchOptions::add_to(CLI::App& app) {
    app.add_option("--kernel", kernel, "Of a file: which of its kernels [the only one]");
    app.add_option("--include", folders,
                   "Of a file: a folder with files that it includes, beside its own")
        ->type_name("FOLDER");
    app.add_option("--global", global,
                   "Of a file: work-items in all, 64, or 8x4 and 4x4x4 in more dimensions");
    app.add_option("--local", local, "Of a file: work-items per group, likewise");
    app.add_option("--offset", offset, "Of a file: the first global id, likewise [0]");
    app.add_option("--arg", arguments,
                   "Of a file: the next argument, as in:float[1024]=ramp, out:float[4], "
                   "buf:local float[64], 1024, null")
        ->type_name("ARG");
}

bool LaunchOptions::any() const {
    return !arguments.empty() || !kernel.empty() || !global.empty() || !local.empty() ||
           !offset.empty();
}

catalogue::LaunchForm LaunchOptions::kernel_of(const std::string& file, std::string text,
                                               const std::vector<std::string>& defines) const {
    catalogue::LaunchForm described;
    described.file = file;
    described.text = std::move(text);
    described.kernel = kernel;
    described.defines = defines;
    described.folders = folders;
    described.arguments = arguments;
    const auto read = [](const std::string& given, const char* option, Extent& into) {
        if (given.empty()) return;
        if (const auto problem = thrown_by([&] { into = catalogue::parse_extent(given); }))
            throw problem->at(option);
    };
    read(global, "--global", described.global);
    read(local, "--local", described.local);
    read(offset, "--offset", described.offset);
    return described;
}

void SubjectOptions::add_to(CLI::App& app, bool on_device) {
    app.add_option("variant", variant,
                   "Id of a variant, which `variants` lists, or the path of a .cl or .cu file")
        ->required();
    shape.add_to(app);
    if (!on_device) machine.add_to(app);
    launch.add_to(app);
    manual::add_choice(app, "--terms", terms, kApis,
                       "Whose terms texts are in [those of the kernel's text]");
}

Api SubjectOptions::api() const {
    if (!terms.empty()) return terms == kApis[0] ? Api::opencl : Api::cuda;
    return is_file() && lang::is_cuda(variant, kernel_file_text(variant)) ? Api::cuda : Api::opencl;
}

// A line of a report. What is said may follow a label: "why:  Both are atomic".
static std::string in_terms_of(const Translations& tr, std::string_view line) {
    const std::size_t end = line.size() - (line.ends_with('\n') ? 1 : 0);
    const std::size_t colon = line.find(": ");
    std::size_t said = 0;
    if (colon < line.find(' ')) said = std::min(line.find_first_not_of(' ', colon + 1), end);
    return tr.renamed(line.substr(0, said)) + tr.message(line.substr(said, end - said)) +
           std::string(line.substr(end));
}

void print_report(const SubjectOptions& options, std::string_view text) {
    if (options.api() == Api::opencl) {  // to read the tables takes longer than a small search
        std::cout << text;
        return;
    }
    const Translations tr("en", Api::cuda);
    while (!text.empty()) {
        const std::string_view line =
            text.substr(0, std::min(text.find('\n'), text.size() - 1) + 1);
        const std::size_t bar = std::min(line.find_first_not_of(" 0123456789"), line.size());
        const std::size_t indent = std::min(line.find_first_not_of(' '), bar);
        // A line of source has its number before it: "  12 | int item = …".
        const bool source = indent < bar && line.substr(bar).starts_with("| ");
        std::cout << line.substr(0, indent)
                  << (source ? std::string(line.substr(indent))
                             : in_terms_of(tr, line.substr(indent)));
        text.remove_prefix(line.size());
    }
}

Exit in_terms(const SubjectOptions& options, const std::function<Exit()>& command) {
    try {
        return command();
    } catch (const Problem& problem) {
        throw in_terms(options, problem);
    }
}

Problem in_terms(const SubjectOptions& options, const Problem& problem) {
    if (options.api() == Api::opencl) return problem;
    const Translations tr("en", Api::cuda);
    return {tr.message(problem.what_happened), tr.message(problem.why), tr.message(problem.hint),
            problem.where, problem.exit};
}

catalogue::Kernel variant_named(const std::string& id_or_path) {
    SubjectOptions subject;
    subject.variant = id_or_path;
    return subject.is_file() ? catalogue::parse_kernel(id_or_path, read_file(id_or_path, kMostText))
                             : catalogue().find(id_or_path);
}

catalogue::Kernel choose(const SubjectOptions& options) {
    if (!options.is_file()) {
        if (options.launch.any())
            throw Problem("--kernel, --global, --local and --arg are for files",
                          fmt::format("'{}' is the id of a variant, which knows its own launch",
                                      options.variant),
                          "Write --n and --group, or the path of a .cl or .cu file",
                          options.variant);
        return catalogue().find(options.variant);
    }
    std::string text = kernel_file_text(options.variant);
    if (needs_launch(text, options.launch))
        return catalogue::kernel_of(kernel_of(options, std::move(text)));
    return catalogue::parse_kernel(options.variant, std::move(text));
}

analysis::RunSpec spec_of(const SubjectOptions& options, catalogue::Kernel kernel) {
    analysis::RunSpec spec;
    spec.shape = options.shape.shape();
    spec.machine = kernel.by_form() ? machine_for(options.machine, *kernel.plan.form)
                                    : options.machine.options();
    spec.kernel = std::move(kernel);
    return spec;
}

AskedRun asked_run(const SubjectOptions& options) {
    AskedRun asked;
    asked.spec = spec_of(options, choose(options));
    asked.job = job_of(asked.spec);
    const catalogue::Kernel& kernel = asked.spec.kernel;
    const machine::Job& job = asked.job;
    if (kernel.by_form()) {
        const catalogue::LaunchForm& form = *kernel.plan.form;
        const machine::Launch& launch = job.launches[0];
        asked.title =
            fmt::format("{} of {}, {}", launch.code->kernel, form.file, lab::text_of(launch.range));
        asked.shape = {{"variant", form.file},
                       {"kernel", launch.code->kernel},
                       {"global", form.global},
                       {"group", form.local}};
        if (form.offset.given()) asked.shape["offset"] = form.offset;
        return asked;
    }
    const auto toggles = toggle_settings(kernel, asked.spec.shape);
    std::string set;
    for (const auto& [name, value] : toggles)
        set += fmt::format(", {}={}", name, value);
    asked.title = fmt::format("{}{}, {} elements in groups of {}, {}, {}", kernel.id, set, job.n,
                              job.group, name_of(job.op), info(job.type).name);
    asked.shape = {
        {"variant", kernel.id},         {"set", toggles},        {"n", job.n},
        {"group", job.group},           {"op", name_of(job.op)}, {"type", info(job.type).name},
        {"expect", name_of(job.expect)}};
    return asked;
}

analysis::RunChoice choice_of(const SubjectOptions& options, const catalogue::Kernel& kernel) {
    analysis::RunChoice choice;
    choice.variant = kernel.by_form() ? options.variant : kernel.id;
    choice.shape = options.shape.shape();
    choice.user_kernel = kernel.plan.form;
    if (!kernel.by_form() && options.is_file())
        choice.opened = analysis::OpenedVariant{options.variant, kernel.text};
    return choice;
}

void MachineOptions::add_to(CLI::App& app) {
    app.add_option("--machine", preset,
                   "Shape of the machine: " + machine::preset_names() +
                       " [classroom; for files without a header independent, or classroom with "
                       "--lanes or sub-groups]");
    shape.add_to(app, " [as --machine has it]");
    app.add_option(
        "--order", order,
        "Who acts next: in-order | reversed | round-robin | random:SEED | a file of turns "
        "[round-robin; random:1 for one lane, in-order for the cpu]");
    app.add_option("--budget", budget, "Instructions after which a run counts as endless");
}

bool MachineOptions::any() const {
    return !preset.empty() || !order.empty() || !budget.empty() ||
           shape != catalogue::MachineShapeOptions();
}

analysis::SimulatorOptions MachineOptions::own_options(const char* of_lanes) const {
    machine::MachineShape asked{1};
    shape.apply_to(asked);
    if (of_lanes != nullptr) return options(of_lanes);
    return options(asked.lanes > 1 ? "classroom" : "independent");
}

analysis::SimulatorOptions MachineOptions::options(const char* usual) const {
    analysis::SimulatorOptions result;
    result.config = machine::find_preset(preset.empty() ? usual : preset).config;
    shape.apply_to(result.config);
    result.order =
        order.empty() ? machine::usual_order(result.config) : machine::parse_order(order);
    if (!budget.empty()) result.budget = catalogue::parse_size(budget, "--budget");
    return result;
}

}  // namespace lab::cli
