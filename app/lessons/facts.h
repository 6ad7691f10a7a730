// Facts of a run are the numbers that lessons ask for, worked out when they are asked for.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/barriers.h"
#include "analysis/lineage.h"
#include "analysis/machine_run.h"
#include "analysis/memory_traffic.h"
#include "analysis/outcomes.h"
#include "analysis/simulate.h"
#include "lessons/show.h"
namespace lab::lessons {

// One run and what follows from it. Every function throws Problem if the kernel cannot run so.
class Facts {
  public:
    explicit Facts(analysis::RunSpec spec, bool in_lockstep = false)
        : spec_(std::move(spec)), in_lockstep_(in_lockstep) {}

    const analysis::RunSpec& spec() const { return spec_; }
    // Returns the plan of a variant, for any n; empty for a kernel without a header.
    const catalogue::Job* plan();
    std::uint64_t elements();
    // For up to 4096 elements.
    const analysis::MachineRun& run();
    // The same without what follows from its trace, races and lanes, until somebody calls run().
    const analysis::MachineRun& plain_run();
    const analysis::StepTable& table() { return plain_run().table; }
    // Returns what came out; of a kernel without a header what is in the buffers that it writes,
    // each with its name where there are several. Empty after a fault.
    std::string result();
    // Rows after the start, with those that the table of a long run leaves out.
    std::size_t passes();
    // The row after that many passes. Throws Problem: there is none, or it was left out.
    const analysis::Row& row(std::size_t passes);
    const analysis::Traffic& traffic();
    // Inputs that are missing in the result, or in it more than once; of a variant.
    const analysis::InputCoverage& account();
    // How the result was made; of a variant.
    const analysis::Work& work();
    // Over all schedules, within bounds that take about a second: of independent items, unless it
    // is asked of lanes in lockstep or the kernel asks for sub-groups. Their turns are some that
    // lead there.
    const analysis::Outcomes& outcomes();
    // The same of the subject's own machine, each with its shortest turns, which takes longer.
    const analysis::Outcomes& shortest_outcomes();
    // Judges which barriers and fences the kernel needs, in the shapes that `barriers` tries.
    const analysis::BarrierReport& barriers();
    // Barriers of each group that are certainly passed when group 0 begins a row's pass: those
    // that are passed if group 0 goes ahead of all others.
    std::uint64_t certainly_passed(std::uint32_t group, std::size_t row);

    // Work-items by what they do in a row's pass.
    enum class Activity : std::uint8_t { active, idle, waiting, done, diverged, stale };
    std::set<std::uint64_t> items(std::size_t row, Activity activity);
    // Cells of a row by what happens to them in its pass.
    enum class CellUse : std::uint8_t { missing, doubled, read, written, stale, raced };
    std::set<std::uint64_t> cells(std::size_t row, CellUse use);

  private:
    std::uint64_t budget();
    analysis::Outcomes search(bool shortest);

    analysis::RunSpec spec_;
    bool in_lockstep_ = false;
    std::optional<catalogue::Job> plan_;
    std::shared_ptr<analysis::MachineRun> run_;
    std::optional<analysis::Traffic> traffic_;
    std::optional<analysis::InputCoverage> account_;
    std::optional<analysis::Work> work_;
    std::optional<analysis::Outcomes> outcomes_, shortest_;
    std::optional<analysis::BarrierReport> barriers_;
    std::shared_ptr<analysis::MachineRun> ahead_;  // with group 0 ahead
};

// The runs of a lesson, each made once. Not thread-safe.
class Runs {
  public:
    explicit Runs(Library library) : library_(std::move(library)) {}

    const Library& library() const { return library_; }
    Facts& facts(const Show& show);
    void forget() { facts_.clear(); }  // the lesson's files have changed

  private:
    Library library_;
    // The newest last; a lesson's page needs few, a grade by many shapes some dozens.
    std::vector<std::pair<Show, std::unique_ptr<Facts>>> facts_;
};

// The run of what is shown, with what the panel beside it needs.
const analysis::MachineRun& shown_run(const Show& show, Runs& runs);

// The value of a named fact of the run that is shown, or of plain arithmetic. Throws Problem: no
// such fact, a wrong number of arguments, or a run that cannot be made.
double fact(std::string_view name, std::span<const double> arguments, const Show& show, Runs& runs,
            std::size_t column);
// The names of all facts, sorted.
std::vector<std::string> fact_names();

// Expressions over runs, as lessons write them: "launches(relaunch, n=1024) < passes + 1".

class Facts;
class Runs;

class Expression {
  public:
    Expression() = default;
    // Throws Problem (where = column within the text).
    Expression(std::string text, const Library& library);

    // The run at hand is that of `show`. `variables`: values of names, such as "line". Throws
    // Problem: a name that means nothing, a wrong number of arguments, a run that cannot be made.
    double operator()(const Show& show, Runs& runs,
                      const std::map<std::string, double>& variables = {}) const;

    const std::string& text() const { return text_; }
    bool empty() const { return text_.empty(); }

  private:
    std::string text_;
};

// "22", "3.5": whole numbers without a point, others with four digits.
std::string text_of(double number);

}  // namespace lab::lessons
