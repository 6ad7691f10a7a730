#include "analysis/launch_guess.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <filesystem>

#include "base/problem.h"
#include "base/ranges.h"
#include "base/text.h"
#include "catalogue/form.h"

namespace lab::analysis {

using lang::Parameter;

constexpr int kMostRuns = 64;  // that mend a guessed launch; then it is offered as it is

// A launch, and how a fault in its run changes it.
class LaunchRepair {
  public:
    LaunchRepair(catalogue::LaunchForm kernel, catalogue::TextFacts facts,
                 const GuessLimits& limits)
        : kernel_(std::move(kernel)), facts_(std::move(facts)), limits_(limits) {
        known_ = fit_launch(kernel_, facts_);
        for (const catalogue::ArgumentRow& row : rows_of(facts_, kernel_))
            counts_.push_back(row.value.size() > 1);
    }

    // Whether anything was changed that may help.
    bool mend(const machine::Fault& fault) {
        if (fault.kind != machine::Fault::Kind::out_of_bounds) return false;
        const std::vector<catalogue::ArgumentRow> rows = rows_of(facts_, kernel_);
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (rows[i].kind != Parameter::Kind::value && rows[i].name == fault.array &&
                fault.needed > 0 && fault.needed <= limits_.bytes)
                return !known_.rows[i] && lengthen(rows, i, fault.needed);
        return (!known_.group && halve_block(rows, fault.array)) || clear(rows);
    }

    const catalogue::LaunchForm& kernel() const { return kernel_; }
    const catalogue::HostGiven& known() const { return known_; }

  private:
    bool lengthen(const std::vector<catalogue::ArgumentRow>& rows, std::size_t place,
                  std::uint64_t bytes) {
        const std::uint64_t each =
            std::max<std::uint64_t>(1, facts_.parameters[place].element_bytes);
        catalogue::ArgumentRow row = rows[place];
        const std::uint64_t wanted = std::bit_ceil((bytes + each - 1) / each);
        if (wanted <= row.count || wanted > limits_.elements) return false;
        row.count = wanted;
        set_row(kernel_, rows, place, row);
        return true;
    }

    // A block of CUDA's has more threads than its shared array has elements.
    bool halve_block(const std::vector<catalogue::ArgumentRow>& rows, const std::string& array) {
        const bool shared = any_of(facts_.code->objects, [&](const lang::Object& each) {
            return each.space == lang::Space::local && each.name == array;
        });
        const std::uint64_t threads = kernel_.local.items();
        if (!facts_.code->is_cuda || !shared || kernel_.local.dims > 1 || threads < 2) return false;
        const bool one_block = kernel_.global == kernel_.local;
        set_local(kernel_, rows, threads / 2);
        if (one_block) set_global(kernel_, rows_of(facts_, kernel_), kernel_.local);
        return true;
    }

    // An index may come of what a buffer holds: first of what nobody wrote, then of what counts up;
    // or of a number.
    bool clear(const std::vector<catalogue::ArgumentRow>& rows) {
        return change(rows, [](catalogue::ArgumentRow& row) { return cleared(row, ""); }) ||
               change(rows, [](catalogue::ArgumentRow& row) { return cleared(row, "ramp"); }) ||
               change(rows, [](catalogue::ArgumentRow& row) { return lowered(row, "1"); }) ||
               change(
                   rows, [](catalogue::ArgumentRow& row) { return lowered(row, "0"); }, true);
    }

    static bool cleared(catalogue::ArgumentRow& row, const char* fill) {
        if (row.kind != Parameter::Kind::buffer || row.fill != fill) return false;
        row.fill = "0";
        return true;
    }
    static bool lowered(catalogue::ArgumentRow& row, const char* value) {
        if (row.kind != Parameter::Kind::value || row.each != 1 || row.value == value ||
            row.value == "0")
            return false;
        row.value = value;
        return true;
    }

    // Of the integers among the arguments; whether there was something to change.
    template <typename Change>
    bool change(const std::vector<catalogue::ArgumentRow>& rows, Change change_row,
                bool but_counts = false) {
        bool changed = false;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            std::vector<catalogue::ArgumentRow> now = rows_of(facts_, kernel_);
            const bool buffer = now[i].kind == Parameter::Kind::buffer;
            if ((but_counts && counts_[i]) || !lang::is_integer(facts_.parameters[i].type) ||
                (buffer ? known_.fills[i] : known_.rows[i]) || !change_row(now[i]))
                continue;
            set_row(kernel_, now, i, now[i]);
            changed = true;
        }
        return changed;
    }

    catalogue::LaunchForm kernel_;
    catalogue::TextFacts facts_;
    GuessLimits limits_;
    catalogue::HostGiven known_;  // which is not changed
    std::vector<bool> counts_;    // arguments that count elements: with none nothing would be done
};

LaunchSearch::LaunchSearch(catalogue::LaunchForm kernel, const SimulatorOptions& machine,
                           const GuessLimits& limits)
    : given_(std::move(kernel)), machine_(machine), limits_(limits) {
    catalogue::TextFacts facts = facts_of(given_);
    const bool named = facts.kernel == given_.kernel ||
                       facts.kernel.starts_with(fmt::format("{}<", given_.kernel));
    if (!facts.compiles || (facts.kernels.size() > 1 && !named)) return;
    code_ = facts.code;
    launch_ = std::make_unique<LaunchRepair>(given_, std::move(facts), limits);
    first_ = launch_->kernel().arguments;
}

LaunchSearch::~LaunchSearch() = default;

void LaunchSearch::begin_run() {
    machine::Recording recording;
    recording.cancel = limits_.cancel;
    RunSpec spec;
    spec.kernel = catalogue::kernel_of(launch_->kernel());
    spec.machine = machine_;
    run_ = machine::Run::begun(job_of(spec, code_), machine_.order, recording);
}

// After a run: whether there is another launch to try.
bool LaunchSearch::mend() {
    const auto& fault = run_->fault();
    ++found_.runs;
    found_.ended = !fault && !run_->cancelled();
    found_.in_bounds = !fault || fault->kind != machine::Fault::Kind::out_of_bounds;
    return fault && launch_->mend(*fault) && found_.runs < kMostRuns;
}

std::optional<LaunchGuess> LaunchSearch::go_on(std::uint64_t actions) {
    if (!launch_) {
        found_.kernel = given_;
        return found_;
    }
    try {
        if (!run_) begin_run();
        if (run_->go_on(actions)) return std::nullopt;
        const bool again = mend();
        run_.reset();
        if (again) return std::nullopt;
    } catch (const Problem&) {  // such a launch cannot be: whoever runs it is told
    }
    found_.kernel = launch_->kernel();
    found_.known = launch_->known();
    for (std::size_t i = 0; i < found_.kernel.arguments.size(); ++i)
        if (i >= first_.size() || found_.kernel.arguments[i] != first_[i])
            found_.changed.push_back(found_.kernel.arguments[i]);
    return found_;
}

LaunchGuess guess_launch(catalogue::LaunchForm kernel, const SimulatorOptions& machine,
                         const GuessLimits& limits) {
    LaunchSearch search(std::move(kernel), machine, limits);
    while (true)
        if (auto found = search.go_on(UINT64_MAX)) return *found;
}

catalogue::LaunchForm guessed_launch(catalogue::LaunchForm kernel,
                                     const SimulatorOptions& machine) {
    return guess_launch(std::move(kernel), machine).kernel;
}

namespace {

// The parts of a header that do not depend on which buffer is the result.
class PlanText {
  public:
    PlanText(const catalogue::LaunchForm& form, const SimulatorOptions& machine) : form_(form) {
        catalogue::LaunchForm fresh = form;
        fresh.arguments.clear();
        fresh.global = fresh.local = fresh.offset = {};
        const LaunchGuess guess = guess_launch(fresh, machine);
        const catalogue::LaunchForm& guessed = guess.kernel;
        facts_ = facts_of(guessed);
        if (!facts_.compiles || !guessed.global.given())
            (void)compile(catalogue::kernel_of(guessed), {});  // says why
        if (!guessed.global.given()) refuse("No launch of it could be guessed");
        if (guessed.global.dims > 1) refuse("It works in several dimensions");
        rows_ = rows_of(facts_, guessed);
        for (const catalogue::ArgumentRow& row : rows_)
            if (!row.same.empty())
                refuse(fmt::format("'{}' is given the buffer of '{}'", row.name, row.same));
        global_ = guessed.global.items();
        local_ = guessed.local.items();
        for (std::size_t i = 0; i < rows_.size() && input_ == SIZE_MAX; ++i)
            if (rows_[i].fill == "ramp") input_ = i;
        if (input_ == SIZE_MAX) refuse("No buffer holds the elements");
        count_ = rows_[input_].count;
        is_longer_ = contains(guess.changed, guessed.arguments[input_]);
        for (const catalogue::ArgumentRow& row : rows_)
            counts_.push_back(row.kind == Parameter::Kind::value &&
                              row.value == std::to_string(count_));
        if (!form.arguments.empty()) keep(rows_of(facts_, form));
        const auto type = std::find_if(
            catalogue::types().begin(), catalogue::types().end(),
            [&](const catalogue::TypeInfo& each) { return rows_[input_].element == each.name; });
        if (type == catalogue::types().end())
            refuse(fmt::format("Its elements are of type {}", rows_[input_].element));
        type_ = type->type;
        has_count_ = contains(counts_, true);
    }

    catalogue::Type type() const { return type_; }
    // Takes over how many elements a launch has, which, and its group.
    void take_sizes(const catalogue::LaunchForm& form, catalogue::Shape& shape) const {
        const catalogue::ArgumentRow row = rows_of(facts_, form).at(input_);
        shape.n = row.count;
        shape.group = form.local.items();
        const std::string each = row.fill.empty() ? "0" : row.fill;
        std::string fill = each;
        const bool number = each.find_first_of("0123456789.-") == 0 &&
                            each.find_first_of(" ,;") == std::string::npos;
        for (std::uint64_t i = 1; number && i < row.count; ++i)  // one is for all of them
            fill += "," + each;
        shape.input = catalogue::parse_input(fill);
    }
    const std::vector<catalogue::ArgumentRow>& rows() const { return rows_; }
    bool may_be_result(std::size_t row) const {
        return rows_[row].kind == Parameter::Kind::buffer && !facts_.parameters[row].read_only &&
               rows_[row].element == rows_[input_].element && rows_[row].each == 1;
    }
    bool is_input(std::size_t row) const { return rows_[row].fill == "ramp"; }

    // `cells` of the result: "groups", which come to the whole together, "1", or, where nothing is
    // known of it, as many as the guess has. Among the elements themselves the result of a group is
    // its first one: all of them come to the whole in a kernel that does nothing, too.
    std::string header(std::size_t result, const std::string& cells) const {
        std::string arguments;
        for (std::size_t i = 0; i < rows_.size(); ++i)
            arguments += (i > 0 ? ", " : "") + argument(i, i == result ? cells : std::string());
        // The last item may have fewer than each. Where that does not come to the launch it was
        // guessed from, it has as many groups for any n.
        const std::uint64_t each = std::max<std::uint64_t>(1, (count_ + global_ - 1) / global_);
        const std::uint64_t block = local_ * each;
        const bool whole_blocks = count_ % block == 0;
        const bool grows = each == 1 || ((count_ + block - 1) / block * local_ == global_ &&
                                         (has_count_ || whole_blocks));
        const std::string whole = each > 1 ? fmt::format("group * {}", each) : std::string("group");
        const std::string items = global_ == local_ ? std::string("group")
                                  : !grows          ? fmt::format("group * {}", global_ / local_)
                                  : each > 1        ? fmt::format("div_up(n, {}) * group", whole)
                                  : has_count_      ? std::string("round_up(n, group)")
                                                    : std::string("n");
        const bool exact = !has_count_ && global_ != local_;
        const std::string legal = !grows     ? fmt::format("n == {}", count_)
                                  : each > 1 ? fmt::format("n % ({}) == 0", whole)
                                             : "n % " + whole + " == 0";
        return fmt::format(
            "/* title:    {0}\n * chapter:  U 1\n * origin:   {1}\n * teaches:  {0}\n"
            " * entry:    {2}\n * plan:     once\n * args:     {3}\n * global:   {4}\n"
            " * local:    group\n * result:   {5}\n * depth:    n\n{6} * expect:   {7}\n */\n",
            facts_.kernel, std::filesystem::path(form_.file).filename().string(), facts_.kernel,
            arguments, items, rows_[result].name,
            exact ? fmt::format(" * legal:    {}\n", legal) : std::string(),
            cells != "groups" ? "correct"
                              : "partial\n * every:    " + (is_input(result) ? whole : "1"));
    }

    catalogue::Kernel kernel(const std::string& header) const {
        catalogue::Kernel made = catalogue::parse_kernel(form_.file, header);
        std::string macros;
        for (const std::string& each : form_.defines)
            macros += lang::define_line(each);
        const std::string text =
            form_.text.find("#include") == std::string::npos
                ? form_.text
                : catalogue::with_includes(
                      form_.text, catalogue::include_files(form_.file, form_.text, form_.folders));
        made.text = text;
        made.macros = macros;
        made.chapter = catalogue::kOpenedChapter;
        // All parts of a result are in its buffer; what holds the elements has n of them, unless it
        // took more to run at all.
        for (std::size_t i = 0; i < rows_.size(); ++i)
            made.plan.arguments[i].guessed =
                rows_[i].kind == Parameter::Kind::buffer &&
                (i == input_ ? is_longer_ && !has_count_
                             : rows_[i].name != made.plan.result ||
                                   made.plan.expect.kind != catalogue::Expect::partial);
        return made;
    }

  private:
    [[noreturn]] void refuse(const std::string& why) const {
        throw Problem(fmt::format("How {} is launched for other sizes is not known", form_.file),
                      why, "Give the file a header like those of the shipped kernels", form_.file);
    }

    // Takes numbers and contents over from a launch that is given. Throws Problem for contents that
    // a header cannot give: without them a kernel is another one.
    void keep(const std::vector<catalogue::ArgumentRow>& given) {
        for (std::size_t i = 0; i < std::min(given.size(), rows_.size()); ++i) {
            const catalogue::ArgumentRow& from = given[i];
            catalogue::ArgumentRow& row = rows_[i];
            if (from.kind == Parameter::Kind::value &&
                !(counts_[i] && from.value == std::to_string(given[input_].count))) {
                row.value = from.value;
                counts_[i] = false;
            }
            if (from.kind != Parameter::Kind::buffer || i == input_) continue;
            const std::vector<std::string> values = split(from.fill, ',');
            if (!values.empty() && parse_number<std::int64_t>(values[0]) &&
                std::all_of(values.begin(), values.end(),
                            [&](const std::string& each) { return each == values[0]; }))
                row.fill = values[0];
            else if (!from.fill.empty() && !is_input(i))
                refuse(fmt::format("{} begins with {}, which is meant for one size", row.name,
                                   from.fill));
        }
    }

    std::string size(std::uint64_t count) const {
        if (count == count_) return "n";
        if (count == local_) return "group";
        if (count == global_ / local_) return "groups";
        if (count % local_ == 0 && count < global_)
            return fmt::format("{} * group", count / local_);
        if (count % count_ == 0) return fmt::format("{} * n", count / count_);
        return std::to_string(count);
    }

    std::string argument(std::size_t index, const std::string& cells) const {
        const catalogue::ArgumentRow& row = rows_[index];
        const std::string type =
            row.element == rows_[input_].element ? std::string("T") : row.element;
        if (row.kind == Parameter::Kind::value)
            return fmt::format("{}: {} = {}", row.name, facts_.parameters[index].type_name,
                               counts_[index] ? "n" : row.value);
        if (row.kind == Parameter::Kind::local)
            return fmt::format("{}: local {}[{}]", row.name, type, size(row.count));
        const std::string count = cells.empty() || is_input(index) ? size(row.count) : cells;
        const std::string fill = is_input(index)    ? std::string(" = input")
                                 : row.fill.empty() ? std::string()
                                                    : " = " + row.fill;
        return fmt::format("{}: {}{}[{}]{}", row.name,
                           facts_.parameters[index].read_only ? "const " : "", type, count, fill);
    }

    const catalogue::LaunchForm& form_;
    catalogue::TextFacts facts_;
    std::vector<catalogue::ArgumentRow> rows_;
    std::uint64_t global_ = 0, local_ = 0, count_ = 0;  // of the guess; count_: elements
    std::size_t input_ = SIZE_MAX;
    std::vector<bool> counts_;  // rows that hold n
    catalogue::Type type_ = catalogue::Type::int_;
    bool has_count_ = false;
    bool is_longer_ = false;  // the input, than the text alone suggests
};

// Returns whether runs of 64 random numbers in so many groups each give what they come to.
bool reduces(const catalogue::Kernel& kernel, const catalogue::Shape& shape,
             const SimulatorOptions& machine, std::uint64_t groups) {
    try {
        RunSpec spec{kernel, shape, machine};
        spec.shape.n = catalogue::kGuessedElements;
        spec.shape.group = catalogue::kGuessedElements / groups;
        machine::Recording recording;
        recording.trace = recording.lineage = false;
        for (int row = 1; row <= kGuessRows; ++row) {
            // Small numbers alone would hide that a kernel cuts large ones off.
            spec.shape.input =
                catalogue::parse_input(fmt::format("{}:{}", row % 2 ? "random" : "bits", row));
            const Simulation simulation = simulate(spec, recording);
            if (!simulation.outcome || !simulation.outcome->verdict.right) return false;
        }
        return true;
    } catch (const Problem&) {
        return false;
    }
}

}  // namespace

PlannedKernel planned_kernel(const catalogue::LaunchForm& form, const SimulatorOptions& machine,
                             std::optional<catalogue::Op> asked) {
    const PlanText text(form, machine);
    PlannedKernel planned;
    planned.shape.type = text.type();
    if (tells_launch(form)) text.take_sizes(form, planned.shape);
    const auto finds_result = [&](std::size_t row, const char* cells, std::uint64_t groups) {
        const std::string header = text.header(row, cells);
        planned.kernel = text.kernel(header);
        for (const catalogue::OpInfo& op : catalogue::ops()) {
            planned.shape.op = op.op;
            if ((asked && op.op != *asked) ||
                !reduces(planned.kernel, planned.shape, machine, groups))
                continue;
            planned.header = header;
            planned.judged = true;
            return true;
        }
        return false;
    };
    for (const std::uint64_t groups : {4U, 1U})  // what works in one group alone is judged, too
        for (std::size_t row = 0; row < text.rows().size(); ++row) {
            if (!text.may_be_result(row)) continue;
            if (planned.header.empty()) planned.header = text.header(row, "");
            const bool in_place = text.is_input(row);  // its first element says most
            for (const char* cells : {in_place ? "1" : "groups", in_place ? "groups" : "1"})
                if (finds_result(row, cells, groups)) return planned;
        }
    if (planned.header.empty())
        throw Problem(fmt::format("No buffer of {} can hold a result", form.file),
                      "A result is of the same type as the elements",
                      "Give the file a header like those of the shipped kernels", form.file);
    if (asked)
        throw Problem(
            fmt::format("{} does not reduce by {}, as far as it is known how to launch it",
                        form.file, name_of(*asked)),
            fmt::format("{} of random numbers did not come to that",
                        counted_text(kGuessRows, "row")),
            "Give the file a header like those of the shipped kernels", form.file);
    planned.kernel = text.kernel(planned.header);
    planned.shape.op = catalogue::Op::add;
    planned.kernel.plan.expect.kind = catalogue::Expect::unknown;
    return planned;
}

PlannedRun planned_run(const PlannedKernel& planned, catalogue::Shape shape,
                       const SimulatorOptions& machine) {
    shape.type = planned.shape.type;
    shape.op = planned.shape.op;
    if (!shape.n) shape.n = planned.shape.n;
    if (shape.group == 0) shape.group = planned.shape.group;
    if (shape.input == catalogue::Input()) shape.input = planned.shape.input;
    return {{planned.kernel, std::move(shape), machine}, planned.judged};
}

bool tells_launch(const catalogue::LaunchForm& form) {
    return form.global.given() && !form.arguments.empty();
}

static bool are_same(const machine::Job& a, const machine::Job& b) {
    const machine::Launch &one = a.launches.front(), &other = b.launches.front();
    for (std::size_t i = 0; i < one.arguments.size(); ++i) {
        const machine::Argument &x = one.arguments[i], &y = other.arguments[i];
        if (x.kind != y.kind || x.bytes != y.bytes || x.components != y.components) return false;
        if (x.kind != machine::Argument::Kind::buffer) continue;
        const machine::Buffer &from = a.buffers[x.buffer], &to = b.buffers[y.buffer];
        if (from.bytes != to.bytes || from.initial != to.initial) return false;
    }
    return one.range == other.range;
}

bool varies_as_told(const PlannedKernel& planned, const catalogue::LaunchForm& form,
                    const SimulatorOptions& machine) {
    const auto& arguments = planned.kernel.plan.arguments;
    if (std::count_if(arguments.begin(), arguments.end(), [](const auto& each) {
            return each.fill == catalogue::ArgumentPlan::Fill::input;
        }) != 1)
        return false;
    if (!tells_launch(form)) return true;
    try {
        const machine::Job job = job_of(planned_run(planned, {}, machine).spec);
        return !job.launches.empty() &&
               are_same(job, job_of({catalogue::kernel_of(form), {}, machine}));
    } catch (const Problem&) {  // the header does not allow that
        return false;
    }
}

std::string launch_text(const catalogue::LaunchForm& kernel) {
    std::string text =
        fmt::format("--global {} --local {}", size_text(kernel.global), size_text(kernel.local));
    if (kernel.offset.given()) text += " --offset " + size_text(kernel.offset);
    for (const std::string& argument : kernel.arguments) {
        const bool blank = argument.find(' ') != std::string::npos;
        text += blank ? " --arg '" + argument + "'" : " --arg " + argument;
    }
    return text;
}

}  // namespace lab::analysis
