#include "simulation/launch_guess.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "base/problem.h"
#include "simulation/user_kernel_form.h"

namespace lab::simulation {
namespace {

using lang::Parameter;

constexpr int kMostRuns = 64;
constexpr std::uint64_t kMostGuessedBytes = std::uint64_t{1} << 24;

class Guess {
  public:
    Guess(UserKernel kernel, TextFacts facts)
        : kernel_(std::move(kernel)), facts_(std::move(facts)) {
        fit_launch(kernel_, facts_);
    }

    // Whether anything was changed that may help.
    bool mend(const machine::Fault& fault) {
        if (fault.kind != machine::Fault::Kind::out_of_bounds) return false;
        const std::vector<ArgumentRow> rows = rows_of(facts_, kernel_);
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (rows[i].kind != Parameter::Kind::value && rows[i].name == fault.array &&
                fault.needed > 0 && fault.needed <= kMostGuessedBytes)
                return lengthen(rows, i, fault.needed);
        return clear(rows);
    }

    const UserKernel& kernel() const { return kernel_; }

  private:
    bool lengthen(const std::vector<ArgumentRow>& rows, std::size_t place, std::uint64_t bytes) {
        const std::uint64_t each =
            std::max<std::uint64_t>(1, facts_.parameters[place].element_bytes);
        ArgumentRow row = rows[place];
        const std::uint64_t wanted = std::bit_ceil((bytes + each - 1) / each);
        if (wanted <= row.count) return false;
        row.count = wanted;
        set_row(kernel_, rows, place, row);
        return true;
    }

    // An index may come of what a buffer holds: first of what nobody wrote, then of what counts up;
    // or of a number.
    bool clear(const std::vector<ArgumentRow>& rows) {
        return change(rows, [](ArgumentRow& row) { return cleared(row, ""); }) ||
               change(rows, [](ArgumentRow& row) { return cleared(row, "ramp"); }) ||
               change(rows, [](ArgumentRow& row) { return lowered(row, "1"); }) ||
               change(rows, [](ArgumentRow& row) { return lowered(row, "0"); });
    }

    static bool cleared(ArgumentRow& row, const char* fill) {
        if (row.kind != Parameter::Kind::buffer || row.fill != fill) return false;
        row.fill = "0";
        return true;
    }
    static bool lowered(ArgumentRow& row, const char* value) {
        if (row.kind != Parameter::Kind::value || row.each != 1 || row.value == value ||
            row.value == "0")
            return false;
        row.value = value;
        return true;
    }

    // Of the integers among the arguments; whether there was something to change.
    template <typename Change>
    bool change(const std::vector<ArgumentRow>& rows, Change change_row) {
        bool changed = false;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            std::vector<ArgumentRow> now = rows_of(facts_, kernel_);
            if (!lang::is_integer(facts_.parameters[i].type) || !change_row(now[i])) continue;
            set_row(kernel_, now, i, now[i]);
            changed = true;
        }
        return changed;
    }

    UserKernel kernel_;
    TextFacts facts_;
};

}  // namespace

UserKernel guessed_launch(UserKernel kernel, const Options& machine) {
    const TextFacts facts = facts_of(kernel);
    if (!facts.compiles || (facts.kernels.size() > 1 && facts.kernel != kernel.kernel))
        return kernel;
    Guess guess(kernel, facts);
    try {
        for (int i = 0; i < kMostRuns; ++i) {
            machine::Job job = job_of(guess.kernel(), machine.config);
            job.budget = machine.budget;
            const machine::Run run(std::move(job), machine.order);
            if (!run.fault() || !guess.mend(*run.fault())) break;
        }
    } catch (const Problem&) {  // such a launch cannot be: whoever runs it is told
    }
    return guess.kernel();
}

std::string launch_text(const UserKernel& kernel) {
    std::string text =
        fmt::format("--global {} --local {}", size_text(kernel.global), size_text(kernel.local));
    if (kernel.offset.given()) text += " --offset " + size_text(kernel.offset);
    for (const std::string& argument : kernel.arguments) {
        const bool blank = argument.find(' ') != std::string::npos;
        text += blank ? " --arg '" + argument + "'" : " --arg " + argument;
    }
    return text;
}

}  // namespace lab::simulation
