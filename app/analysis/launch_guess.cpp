#include "analysis/launch_guess.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/problem.h"
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
        fit_launch(kernel_, facts_);
    }

    // Whether anything was changed that may help.
    bool mend(const machine::Fault& fault) {
        if (fault.kind != machine::Fault::Kind::out_of_bounds) return false;
        const std::vector<catalogue::ArgumentRow> rows = rows_of(facts_, kernel_);
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (rows[i].kind != Parameter::Kind::value && rows[i].name == fault.array &&
                fault.needed > 0 && fault.needed <= limits_.bytes)
                return lengthen(rows, i, fault.needed);
        return clear(rows);
    }

    const catalogue::LaunchForm& kernel() const { return kernel_; }

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

    // An index may come of what a buffer holds: first of what nobody wrote, then of what counts up;
    // or of a number.
    bool clear(const std::vector<catalogue::ArgumentRow>& rows) {
        return change(rows, [](catalogue::ArgumentRow& row) { return cleared(row, ""); }) ||
               change(rows, [](catalogue::ArgumentRow& row) { return cleared(row, "ramp"); }) ||
               change(rows, [](catalogue::ArgumentRow& row) { return lowered(row, "1"); }) ||
               change(rows, [](catalogue::ArgumentRow& row) { return lowered(row, "0"); });
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
    bool change(const std::vector<catalogue::ArgumentRow>& rows, Change change_row) {
        bool changed = false;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            std::vector<catalogue::ArgumentRow> now = rows_of(facts_, kernel_);
            if (!lang::is_integer(facts_.parameters[i].type) || !change_row(now[i])) continue;
            set_row(kernel_, now, i, now[i]);
            changed = true;
        }
        return changed;
    }

    catalogue::LaunchForm kernel_;
    catalogue::TextFacts facts_;
    GuessLimits limits_;
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
