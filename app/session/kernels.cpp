#include "session/kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/paths.h"
#include "base/ranges.h"
#include "base/text.h"
#include "catalogue/plan.h"
#include "lang/compile.h"
#include "machine/job.h"
#include "session/session.h"

namespace lab::session {
namespace {

using nlohmann::json;

// A kernel's text from a file. Throws Problem if it is missing, too large, or no text.
std::string read_kernel_file(const std::filesystem::path& file) {
    std::string text = read_file(file, kMostKernelText);
    if (!is_utf8(text) || contains(text, '\0'))
        throw Problem(fmt::format("{} is no kernel", file.filename().string()),
                      "It holds bytes that are no text in UTF-8",
                      "Open a .cl file; an editor can save it as UTF-8", file.string());
    return text;
}

// What is remembered.

// Bytes of kernels.json, with what JSON escapes; a larger one counts as damaged.
constexpr std::size_t kMostMemory = std::size_t{8} << 20U;

json json_of(const OpenedKernel& kernel) {
    json object{{"edited", kernel.edited}};
    if (kernel.choice.user_kernel) {
        catalogue::LaunchForm user_kernel = *kernel.choice.user_kernel;
        if (!kernel.edited) user_kernel.text.clear();
        object["own"] = user_kernel;
    } else {
        object["file"] = file_of(kernel.choice);
        object["variant"] = kernel.choice.variant;
        object["set"] = kernel.choice.shape.set;
        if (kernel.edited) object["text"] = text_of(kernel.choice);
    }
    return object;
}

OpenedKernel opened_of(const json& from) {
    OpenedKernel kernel;
    kernel.edited = from.at("edited").get<bool>();
    if (from.contains("own")) {
        kernel.choice.user_kernel = from.at("own").get<catalogue::LaunchForm>();
    } else {
        kernel.choice.opened =
            OpenedVariant{from.at("file").get<std::string>(), from.value("text", "")};
        kernel.choice.variant = from.at("variant").get<std::string>();
        from.at("set").get_to(kernel.choice.shape.set);
    }
    return kernel;
}

// Of a choice that is a file.
std::string& text_in(RunChoice& choice) {
    return choice.user_kernel ? choice.user_kernel->text : choice.opened->text;
}

// Whether there is a text to show: where it was moved or deleted since, nothing of it is lost here.
bool take_text(OpenedKernel& kernel) {
    return kernel.edited ||
           !thrown_by([&] { text_in(kernel.choice) = read_kernel_file(file_of(kernel.choice)); });
}

}  // namespace

std::filesystem::path kernels_file() {
    return config_folder() / "kernels.json";
}

std::string memory_text(const std::vector<OpenedKernel>& opened) {
    std::size_t first = opened.size(), bytes = 0;
    while (first > 0 && opened.size() - first < kMostRemembered) {
        const OpenedKernel& next = opened[first - 1];
        bytes += next.edited ? text_of(next.choice).size() : 0;
        if (bytes > kMostRememberedText) break;
        --first;
    }
    json kernels = json::array();
    for (std::size_t i = first; i < opened.size(); ++i)
        kernels.push_back(json_of(opened[i]));
    return json{{"schema", 1}, {"kernels", kernels}}.dump(2, ' ', false,
                                                          json::error_handler_t::replace) +
           "\n";
}

std::vector<OpenedKernel> opened_of_memory(const std::string& text) {
    std::vector<OpenedKernel> kernels;
    try {
        const json memory = json::parse(text);
        for (const json& each : memory.at("kernels")) {
            OpenedKernel kernel = opened_of(each);
            if (!file_of(kernel.choice).empty() && take_text(kernel))
                kernels.push_back(std::move(kernel));
        }
    } catch (const json::exception& damaged) {
        throw Problem("This is no memory of opened kernels", damaged.what(),
                      "Open the kernels again");
    }
    return kernels;
}

std::vector<OpenedKernel> load_opened(std::optional<Problem>& problem) {
    const std::filesystem::path file = kernels_file();
    std::error_code error;
    if (!std::filesystem::exists(file, error)) return {};
    try {
        return opened_of_memory(read_file(file, kMostMemory));
    } catch (const Problem& damaged) {
        std::filesystem::rename(file, file.string() + ".damaged", error);
        problem = Problem("The kernels that were open could not be read",
                          damaged.why.empty() ? damaged.what_happened : damaged.why,
                          "The old file is kept beside as kernels.json.damaged", file.string());
        return {};
    }
}

// The open file.

namespace {

// What a header's Problem says, at its line.
catalogue::TextFacts facts_of_header(const Problem& problem) {
    catalogue::TextFacts facts;
    catalogue::TextMark mark;
    const std::size_t colon = problem.where.rfind(':');
    if (colon != std::string::npos)
        mark.line =
            parse_number<decltype(mark.line)>(std::string_view(problem.where).substr(colon + 1))
                .value_or(mark.line);
    mark.message = problem.what_happened;
    mark.why = problem.why;
    mark.hint = problem.hint;
    facts.marks.push_back(std::move(mark));
    return facts;
}

catalogue::TextFacts facts_of_choice(const RunChoice& choice,
                                     const catalogue::Catalogue& catalogue) {
    if (choice.user_kernel) return facts_of(*choice.user_kernel);
    try {
        const catalogue::Kernel variant =
            parse_opened(catalogue, choice.opened->file, choice.opened->text);
        return catalogue::facts_of(text_of(variant, choice.shape), variant.entry);
    } catch (const Problem& problem) {
        return facts_of_header(problem);
    }
}

void watch_file(KernelEditor& editor, const std::function<void()>& wake) {
    editor.watch.reset();
    editor.disk.reset();
    editor.outside.reset();
    editor.gone = false;
    if (!editor.has_path()) return;
    editor.watch = std::make_unique<FileWatch>(editor.file, wake);
    editor.gone = thrown_by([&] { editor.disk = read_kernel_file(editor.file); }).has_value();
}

void remember(KernelEditor& editor, const RunChoice& choice) {
    put_by(editor.opened, choice, [](const RunChoice& each) { return file_of(each); });
    ++editor.memory_version;
}

void forget(KernelEditor& editor, const std::string& file) {
    std::erase_if(editor.opened, [&](const RunChoice& choice) { return file_of(choice) == file; });
    editor.edited_files.erase(file);
    ++editor.memory_version;
}

// All of them, including the current draft.
std::vector<OpenedKernel> memory_of(const KernelEditor& editor) {
    std::vector<OpenedKernel> kernels;
    for (const RunChoice& choice : editor.opened) {
        OpenedKernel& kernel =
            kernels.emplace_back(OpenedKernel{choice, editor.edited(file_of(choice))});
        if (file_of(choice) == editor.file) text_in(kernel.choice) = editor.draft;
    }
    return kernels;
}

// The current choice; if its text is another one than before, it becomes the draft.
void show(Kernels& kernels, const RunChoice& choice) {
    KernelEditor& editor = kernels.editor;
    if (file_of(choice) != editor.file) {
        if (editor.unsaved())
            editor.edited_files.insert(editor.file);
        else
            editor.edited_files.erase(editor.file);
        editor.file = file_of(choice);
        editor.good = {};
        editor.due.reset();
        editor.shown.reset();
        editor.problem.reset();
        watch_file(editor, kernels.wake);
    }
    if (!editor.is_open() || editor.shown == choice) return;
    remember(editor, choice);
    if (!editor.shown || text_of(*editor.shown) != text_of(choice)) {
        editor.due.reset();
        if (editor.draft != text_of(choice)) {
            editor.draft = text_of(choice);
            ++editor.version;
        }
    }
    editor.shown = choice;
    editor.facts = facts_of_choice(choice, kernels.catalogue);
    if (editor.facts.compiles) editor.good = editor.facts;
}

// The draft if it is due to run: after a pause, or at once.
std::optional<std::string> take_due(KernelEditor& editor, bool at_once) {
    if (!editor.due || (!at_once && Clock::now() < *editor.due)) return std::nullopt;
    editor.due.reset();
    return editor.draft;
}

// If the file was changed outside: its new text, unless edits here would be lost.
std::optional<std::string> take_outside(KernelEditor& editor) {
    if (!editor.watch || !editor.watch->changed()) return std::nullopt;
    std::string now;
    try {
        now = read_kernel_file(editor.file);
    } catch (const Problem& problem) {
        std::error_code error;
        editor.gone = !std::filesystem::exists(editor.file, error);
        editor.unreadable = !editor.gone;
        if (editor.unreadable) editor.problem = problem;
        return std::nullopt;
    }
    editor.gone = false;
    if (std::exchange(editor.unreadable, false)) editor.problem.reset();
    const bool edited = editor.unsaved();
    if (editor.disk == now || now == editor.draft) {
        editor.disk = std::move(now);
        editor.outside.reset();
        return std::nullopt;
    }
    if (edited) {
        editor.outside = std::move(now);
        return std::nullopt;
    }
    editor.disk = now;
    return now;
}

// The file's text, discarding edits.
std::optional<std::string> file_text(KernelEditor& editor) {
    if (!editor.has_path()) return std::nullopt;
    editor.problem = thrown_by([&] { editor.disk = read_kernel_file(editor.file); });
    if (editor.problem) return std::nullopt;
    editor.outside.reset();
    editor.gone = false;
    return editor.disk;
}

void save(KernelEditor& editor) {
    write_file(editor.file, editor.draft);
    ++editor.memory_version;
    editor.disk = editor.draft;
    editor.outside.reset();
    editor.gone = false;
    editor.problem.reset();
}

}  // namespace

bool KernelEditor::edited(const std::string& which) const {
    return which == file ? unsaved() : edited_files.contains(which);
}

void set_problem(KernelEditor& editor, std::optional<Problem> problem) {
    editor.problem = std::move(problem);
    editor.unreadable = false;
}

void edit_text(KernelEditor& editor, std::string text) {
    if (!editor.is_open() || text == editor.draft) return;
    editor.draft = std::move(text);
    ++editor.memory_version;
    editor.due = Clock::now() + kTypingPause;
}

std::vector<std::size_t> matches_in(std::string_view text, std::string_view sought) {
    const auto alike = [](char a, char b) {
        const auto small = [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; };
        return small(a) == small(b);
    };
    std::vector<std::size_t> matches;
    for (auto from = text.begin(); !sought.empty();) {
        from = std::search(from, text.end(), sought.begin(), sought.end(), alike);
        if (from == text.end()) break;
        matches.push_back(static_cast<std::size_t>(from - text.begin()));
        from += static_cast<long>(sought.size());
    }
    return matches;
}

std::optional<Clock::time_point> next_move(const KernelEditor& editor) {
    std::optional<Clock::time_point> next = editor.due;
    if (editor.watch)
        if (const auto look = editor.watch->next_look(); look && (!next || *look < *next))
            next = look;
    return next;
}

Kernels::Kernels(std::function<void()> wake_app)
    : wake(std::move(wake_app)), catalogue(catalogue::load_catalogue()), guesser(wake) {}

// Choosing, opening, editing and saving.

namespace {

// As the launch was when this file was open before.
catalogue::LaunchForm kernel_of(const std::vector<RunChoice>& opened, const std::string& file) {
    for (const RunChoice& choice : opened)
        if (choice.user_kernel && choice.user_kernel->file == file) return *choice.user_kernel;
    catalogue::LaunchForm kernel;
    kernel.file = file;
    return kernel;
}

std::string id_of(const catalogue::Catalogue& catalogue, const OpenedVariant& opened) {
    try {
        return parse_opened(catalogue, opened.file, opened.text).id;
    } catch (const Problem&) {
        // As a right header would make it; the run says what is wrong.
        std::string id = std::filesystem::path(opened.file).stem().string();
        std::replace(id.begin(), id.end(), '_', '-');
        return id;
    }
}

// Of `values` those that `put` makes a shape of that the chosen kernel takes; all, where it takes
// none for another reason.
template <typename Value, typename Infos, typename Get>
std::vector<Value> taken(const Session& session, const Infos& all, Value now, Get get) {
    std::vector<Value> every, fine;
    bool any = false;
    const catalogue::Kernel* variant = session.variant();
    const RunChoice& choice = session.settings().choice;
    for (const auto& each : all) {
        catalogue::Shape tried = choice.shape;
        const Value value = get(each, tried);
        every.push_back(value);
        if (variant == nullptr || choice.user_kernel) continue;
        const bool fits =
            !thrown_by([&] { (void)plan_job(*variant, tried, session.elements(), {}); });
        if (fits || value == now) fine.push_back(value);
        any = any || fits;
    }
    return any ? fine : every;
}

// What is open joins the catalogue; where its header is wrong, as it was last.
void join_catalogue(Session& session, const OpenedVariant& opened) {
    catalogue::Catalogue& catalogue = session.kernels.catalogue;
    (void)thrown_by([&] {  // whoever runs it says so
        add_opened(catalogue, parse_opened(catalogue, opened.file, opened.text));
    });
}

void show_kernel_view(Session& session) {
    const auto& views = session.options().views;
    for (std::size_t i = 0; i < views.size(); ++i)
        if (views[i]->shows_kernel) return session.show_view(i);
}

void run_text(Session& session, std::string text) {
    RunChoice choice = session.settings().choice;
    if (choice.user_kernel) {
        choice.user_kernel->text = std::move(text);
        fit_launch(*choice.user_kernel, facts_of(*choice.user_kernel));
    } else if (choice.opened) {
        choice.opened->text = std::move(text);
        choice.variant = id_of(session.kernels.catalogue, *choice.opened);
    }
    session.choose(std::move(choice));
}

// The launch that the text alone suggests.
catalogue::LaunchForm without_launch(catalogue::LaunchForm kernel) {
    kernel.global = kernel.local = kernel.offset = 0;
    kernel.arguments.clear();
    return kernel;
}

void try_launches(Session& session, bool amends) {
    const RunChoice& choice = session.settings().choice;
    if (!choice.user_kernel) return;
    try {
        const analysis::SimulatorOptions machine =
            spec_of(choice, session.kernels.catalogue).machine;
        Kernels& kernels = session.kernels;
        kernels.guessed_from = *choice.user_kernel;
        kernels.guess_amends = amends;
        kernels.guesser.start([kernel = without_launch(kernels.guessed_from), machine,
                               search = std::shared_ptr<analysis::LaunchSearch>()](
                                  const std::atomic<bool>& cancel) mutable {
            if (!search)
                search = std::make_shared<analysis::LaunchSearch>(
                    kernel, machine,
                    analysis::GuessLimits{.elements = analysis::kMostSteppedElements,
                                          .cancel = &cancel});
            return search->go_on(analysis::kPartActions);
        });
    } catch (const Problem&) {
        // Whoever runs it says so.
    }
}

void take_guess(Session& session) {
    Kernels& kernels = session.kernels;
    auto result = kernels.guesser.take();
    if (!result || !std::holds_alternative<analysis::LaunchGuess>(*result)) return;
    RunChoice choice = session.settings().choice;
    if (choice.user_kernel != kernels.guessed_from) return;
    analysis::LaunchGuess& guess =
        kernels.found.emplace(std::get<analysis::LaunchGuess>(std::move(*result)));
    // What leads astray all the same is no better than what the text suggests.
    if (!guess.in_bounds) {
        guess.kernel = kernels.guessed_from;
        guess.changed.clear();
    }
    choice.user_kernel = guess.kernel;
    if (kernels.guess_amends)
        session.amend(std::move(choice));
    else
        session.choose(std::move(choice));
}

}  // namespace

const analysis::LaunchGuess* guess_of(const Session& session) {
    const auto& found = session.kernels.found;
    const bool holds = found && found->runs > 0;
    return holds && session.settings().choice.user_kernel == found->kernel ? &*found : nullptr;
}

std::vector<catalogue::Op> ops_taken(const Session& session) {
    return taken(
        session, catalogue::ops(), session.settings().choice.shape.op,
        [](const catalogue::OpInfo& info, catalogue::Shape& shape) { return shape.op = info.op; });
}

std::vector<catalogue::Type> types_taken(const Session& session) {
    return taken(session, catalogue::types(), session.settings().choice.shape.type,
                 [](const catalogue::TypeInfo& info, catalogue::Shape& shape) {
                     return shape.type = info.type;
                 });
}

bool takes_input(const Session& session) {
    const catalogue::Kernel* variant = session.variant();
    return session.settings().choice.user_kernel || variant == nullptr ||
           variant->plan.kind != catalogue::PlanKind::iterate;
}

// A header may ask for other numbers than those that are chosen: then they are as it likes.
static void take_legal_shape(const Session& session, RunChoice& choice) {
    const catalogue::Kernel* kernel = session.catalogue().known(choice.variant);
    if (kernel == nullptr ||
        !thrown_by([&] { (void)plan_job(*kernel, choice.shape, session.elements(), {}); }))
        return;
    const std::string device = choice.shape.device;
    choice.shape = example_of(session, choice.variant);
    choice.shape.device = device;
}

void open_kernel(Session& session, const std::filesystem::path& path) {
    run_edits(session);
    std::error_code error;
    std::filesystem::path whole = std::filesystem::absolute(path, error);
    if (error) whole = path;
    whole = whole.lexically_normal();
    std::string text = read_kernel_file(whole);
    RunChoice choice = session.settings().choice;
    choice.user_kernel.reset();
    choice.opened.reset();
    bool tries = false;
    if (catalogue::has_header(text)) {
        choice.opened = OpenedVariant{whole.string(), std::move(text)};
        choice.variant = id_of(session.kernels.catalogue, *choice.opened);
        choice.shape.set.clear();
        join_catalogue(session, *choice.opened);
        take_legal_shape(session, choice);
    } else {
        catalogue::LaunchForm kernel = kernel_of(session.kernels.editor.opened, whole.string());
        kernel.text = std::move(text);
        tries = !kernel.global.given() && kernel.arguments.empty();
        const TextFacts facts = facts_of(kernel);
        fit_launch(kernel, facts);
        // Warps of CUDA are of 32.
        if (tries && facts.compiles && facts.code->is_cuda && lang::depends_on_lanes(*facts.code))
            choice.machine.lanes = machine::find_preset("nvidia").config.lanes;
        // Blocks that wait for each other must all run at once.
        if (tries && facts.compiles && any_of(facts.code->instructions, lang::is_of_grid))
            choice.machine.resident = 0;
        choice.user_kernel = std::move(kernel);
    }
    set_problem(session.kernels.editor, {});
    if (!session.shown_type().shows_kernel) show_kernel_view(session);
    session.choose(std::move(choice));
    if (tries) try_launches(session, true);
}

catalogue::Shape example_of(const Session& session, const std::string& id) {
    // n and group: of more than eight numbers, groups whose tree has more than one pass first; the
    // last are for several warps.
    struct Tried {
        std::uint64_t n, group;
    };
    constexpr std::array kShapes{Tried{8, 4},  Tried{8, 2},   Tried{16, 4},  Tried{32, 4},
                                 Tried{16, 2}, Tried{32, 2},  Tried{64, 4},  Tried{64, 2},
                                 Tried{8, 64}, Tried{16, 64}, Tried{32, 64}, Tried{64, 64}};
    const catalogue::Shape usual = Settings().choice.shape;
    const catalogue::Target target = analysis::target_of({session.settings().choice.machine});
    std::optional<catalogue::Shape> legal;
    for (const catalogue::Type type : {usual.type, catalogue::Type::float_})
        for (const auto [n, group] : kShapes)
            try {
                if (legal && legal->type != type) break;
                catalogue::Shape shape = usual;
                shape.type = type;
                shape.group = group;
                if (n > kShapes.front().n) {
                    shape.n = n;
                    shape.input = {};
                }
                const catalogue::Kernel& kernel = session.catalogue().find(id);
                const catalogue::Job job = plan_job(kernel, shape, n, target);
                if (!legal) legal = shape;
                const NDRange& range = job.launches.front().range;
                if (range.global[0] > range.local[0]) return shape;
            } catch (const Problem&) {
                continue;  // not for this number or group
            }
    return legal.value_or(usual);
}

void choose_kernel(Session& session, const std::string& id) {
    run_edits(session);
    for (const RunChoice& known : session.kernels.editor.opened)
        if (known.opened && known.variant == id) return choose_opened(session, known);
    RunChoice choice = session.settings().choice;
    choice.user_kernel.reset();
    choice.opened.reset();
    choice.variant = id;
    // Its toggles as its header has them.
    const catalogue::Shape example = example_of(session, id);
    choice.shape.input = example.input;
    choice.shape.n = example.n;
    choice.shape.group = example.group;
    choice.shape.set.clear();
    session.choose(std::move(choice));
}

void reset_kernel(Session& session) {
    run_edits(session);
    RunChoice choice = session.settings().choice;
    if (choice.user_kernel) return guess_launch(session);
    choice.machine = RunChoice().machine;
    choice.shape = example_of(session, choice.variant);
    session.choose(std::move(choice));
}

void choose_opened(Session& session, const RunChoice& known) {
    const RunChoice to = known;  // what is run now may change the list that it stands in
    run_edits(session);
    RunChoice choice = session.settings().choice;
    choice.variant = to.variant;
    choice.user_kernel = to.user_kernel;
    choice.opened = to.opened;
    choice.shape.set = to.shape.set;
    session.choose(std::move(choice));
}

void close_opened(Session& session, const RunChoice& known) {
    KernelEditor& editor = session.kernels.editor;
    const RunChoice closed = known;  // it stands in a list that changes now
    const std::string file = file_of(closed);
    // Shown once more, so that an undo brings its edits back.
    if (file != editor.file && editor.edited(file)) choose_opened(session, closed);
    run_edits(session);
    if (file == editor.file) {
        RunChoice choice = session.settings().choice;
        if (choice.opened) choice.variant = RunChoice().variant;
        choice.user_kernel.reset();
        choice.opened.reset();
        choice.shape.set.clear();
        session.choose(std::move(choice));
    }
    forget_opened(session, closed);
    say_of_file(session, "user_kernel.closed", file);
}

void forget_opened(Session& session, const RunChoice& known) {
    forget(session.kernels.editor, file_of(known));
    if (known.opened)
        std::erase_if(session.kernels.catalogue.variants, [&](const catalogue::Kernel& variant) {
            return variant.id == known.variant && variant.chapter == catalogue::kOpenedChapter;
        });
}

void set_launch(Session& session, catalogue::LaunchForm kernel) {
    RunChoice choice = session.settings().choice;
    if (!choice.user_kernel || kernel == *choice.user_kernel) return;
    // Another kernel of the text, or other macros, have other parameters.
    fit_launch(kernel, facts_of(kernel));
    choice.user_kernel = std::move(kernel);
    session.choose(std::move(choice));
}

void guess_launch(Session& session) {
    const RunChoice before = session.settings().choice;
    if (!before.user_kernel) return;
    set_launch(session, without_launch(*before.user_kernel));
    try_launches(session, !(before == session.settings().choice));
}

void run_edits(Session& session) {
    if (auto text = take_due(session.kernels.editor, true)) run_text(session, std::move(*text));
}

void take_file(Session& session) {
    if (auto text = file_text(session.kernels.editor)) run_text(session, std::move(*text));
}

void save_file(Session& session) {
    KernelEditor& editor = session.kernels.editor;
    if (!editor.is_open()) return;
    run_edits(session);
    try {
        if (editor.has_path()) {
            save(editor);
            return say_of_file(session, "user_kernel.saved", editor.file);
        }
        const std::filesystem::path name = editor.file;
        const std::filesystem::path file =
            new_file(folder_to_open(session), name.stem().string(), ".cl");
        write_file(file, editor.draft);
        RunChoice choice = session.settings().choice;
        (choice.user_kernel ? choice.user_kernel->file : choice.opened->file) = file.string();
        if (choice.opened) choice.variant = id_of(session.kernels.catalogue, *choice.opened);
        session.choose(std::move(choice));
        forget(editor, name.string());
        say_of_file(session, "user_kernel.saved", file);
    } catch (const Problem& problem) {
        set_problem(editor, problem);
    }
}

void copy_variant(Session& session, bool expanded) {
    const catalogue::Kernel* shipped = session.variant();
    if (shipped == nullptr || session.settings().choice.user_kernel) return;
    session.notices.attempt("step", [&] {
        RunChoice choice = session.settings().choice;
        if (expanded) {
            choice.user_kernel = plain_copy(*shipped, choice.shape, session.elements());
            choice.opened.reset();
        } else {
            choice.opened = OpenedVariant{shipped->id + "-copy.cl", shipped->text};
            choice.variant = id_of(session.kernels.catalogue, *choice.opened);
        }
        session.choose(std::move(choice));
    });
}

// A copy.

static std::string argument_text(const catalogue::Kernel& variant, const catalogue::Job& job,
                                 const catalogue::Shape& shape, std::size_t place) {
    const catalogue::Argument& given = job.launches.front().arguments[place];
    const catalogue::ArgumentPlan& plan = variant.plan.arguments[place];
    const catalogue::Type type = plan.type.value_or(shape.type);
    const auto number = [&](const std::vector<std::byte>& bytes) {
        return catalogue::text_of(catalogue::values_from(type, bytes), 0);
    };
    if (given.kind == catalogue::Argument::Kind::value)
        return fmt::format("{}={}", plan.name, number(given.value));
    if (given.kind == catalogue::Argument::Kind::local)
        return fmt::format("{}:local {}[{}]", plan.name, info(type).name,
                           given.bytes / info(type).bytes);
    const catalogue::Buffer& buffer = job.buffers[given.buffer];
    const std::string fill = buffer.takes_elements    ? text_of(shape.input)
                             : buffer.pattern.empty() ? std::string()
                                                      : number(buffer.pattern);
    return fmt::format("{}:{}[{}]{}{}", plan.name, info(type).name, buffer.cells(),
                       fill.empty() ? "" : "=", fill);
}

// Without the header, which is of the shipped file alone, and the blank lines that macros leave.
static std::string without_header(const std::string& text) {
    const std::size_t start = text.find("/*"), end = text.find("*/");
    std::string_view rest = text;
    if (start == text.find_first_not_of(" \t\r\n") && end != std::string::npos)
        rest.remove_prefix(end + 2);
    const std::size_t first = rest.find_first_not_of(" \t\r\n");
    return std::string(first == std::string_view::npos ? rest : rest.substr(first));
}

catalogue::LaunchForm plain_copy(const catalogue::Kernel& variant, const catalogue::Shape& shape,
                                 std::uint64_t n) {
    const catalogue::Job plan = plan_job(variant, small_shape(variant, shape, n, {}), n, {});
    if (plan.launches.empty())
        throw Problem("There is nothing to copy", "Nothing is launched for no elements",
                      "Choose at least one element");
    const catalogue::Launch& launch = plan.launches.front();
    catalogue::LaunchForm kernel;
    kernel.file = variant.id + "-plain.cl";
    const lang::Text text = text_of(variant, shape);
    kernel.text = without_header(lang::expanded(text));
    if (plan.launches.size() > 1)
        kernel.text = fmt::format("// The first of {} launches{}{}.\n", plan.launches.size(),
                                  launch.variables.empty() ? "" : ": ", launch.variables) +
                      kernel.text;
    kernel.global = launch.range.items();
    kernel.local = launch.range.group_items();
    for (std::size_t i = 0; i < launch.arguments.size(); ++i)
        kernel.arguments.push_back(argument_text(variant, plan, shape, i));
    return kernel;
}

// The devices.

std::string device_in_use(const Session& session) {
    const std::string& chosen = session.settings().choice.shape.device;
    const FoundDevices& found = session.devices;
    return chosen.empty() && found.answer ? standard_device(*found.answer) : chosen;
}

const results::DeviceInfo* info_in_use(const Session& session) {
    if (!session.devices.answer) return nullptr;
    return find_if(session.devices.answer->devices,
                   [id = device_in_use(session)](const auto& each) { return each.id == id; });
}

void look_for_devices(Session& session) {
    FoundDevices& found = session.devices;
    if (found.waiting) return;
    session.worker.send("devices", nlohmann::json::object(), handler(found));
}

// For the shell.

void kernel_chosen(Session& session) {
    const RunChoice& choice = session.settings().choice;
    if (choice.opened) join_catalogue(session, *choice.opened);
    show(session.kernels, choice);
}

void recall_kernels(Session& session) {
    if (!session.options().remember) return;
    std::optional<Problem> problem;
    KernelEditor& editor = session.kernels.editor;
    for (const OpenedKernel& kernel : load_opened(problem)) {
        editor.opened.push_back(kernel.choice);
        if (kernel.edited) editor.edited_files.insert(file_of(kernel.choice));
        if (kernel.choice.opened) join_catalogue(session, *kernel.choice.opened);
    }
    if (problem) session.notices.report("settings", *problem, true);
}

void save_kernels(Session& session) {
    Kernels& kernels = session.kernels;
    const std::uint64_t version = kernels.editor.memory_version;
    if (!session.options().remember || std::exchange(kernels.saved_version, version) == version)
        return;
    session.notices.attempt(
        "settings", [&] { write_file(kernels_file(), memory_text(memory_of(kernels.editor))); });
}

void poll_kernels(Session& session) {
    KernelEditor& editor = session.kernels.editor;
    take_guess(session);
    if (auto text = take_outside(editor)) run_text(session, std::move(*text));
    if (auto text = take_due(editor, false)) run_text(session, std::move(*text));
}

}  // namespace lab::session
