// Makes a Lattice while a run goes on. It keeps the trace of one launch at a time, so that a run of
// many elements needs no trace of its own.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "analysis/lanes/loads.h"
#include "analysis/races/race_detector.h"
#include "analysis/rows/lattice.h"
#include "analysis/rows/stale_reads.h"
#include "machine/trace.h"

namespace lab::analysis {

// Arrays with more than kMostLatticeCells, in all groups together, give no rows, and are named as
// not shown; rows past the bound are left out but for the last, which says how many.
inline constexpr std::uint64_t kMostLatticeBytes = std::uint64_t{1} << 24U;  // cells of all rows
// Accesses of a launch that are kept, and of a run whose stale reads are looked for.
inline constexpr std::uint64_t kMostLaunchEvents = 12'000'000, kMostLatticeEvents = 4'000'000;

// Its rows, states, sources, races and stale reads are those of stale_rows() and cell_states().
class LatticeObserver : public machine::Observer {
  public:
    // `start` is the buffer that the first row shows. `progress` gets the share of the run that is
    // done, about.
    explicit LatticeObserver(std::size_t start, std::atomic<float>* progress = nullptr);

    void begin(const machine::Machine& machine) override;
    // Throws Problem where a launch does too much to be kept.
    void observe(const machine::Action& action, std::span<const machine::Access> accesses,
                 bool continues) override;
    void detail(const machine::Detail& detail) override { races_.detail(detail); }

    // After the run, and after one that ended by a fault.
    Lattice take();
    // Once it is taken: whether all cells of the run were looked at for stale reads.
    bool stale_known() const { return all_compared_ && !too_long_for_stale(); }

  private:
    // An array on its way through the run.
    struct Held {
        machine::Scalar element = machine::Scalar::int_;
        std::uint64_t cells = 0;  // of one group, where it is local
        std::uint64_t all = 0;    // of all groups; 0: too many
        std::vector<std::byte> bytes;
        std::vector<machine::Node> nodes;
        std::vector<std::uint32_t> changed;  // cells, since its last row
        std::size_t number = kNoRow;         // of Lattice::arrays, once it has a row
        std::size_t row = kNoRow;            // the last one

        void resize(std::uint64_t count);
    };
    // What the row above shows.
    struct Shown {
        bool global = true;
        std::size_t number = 0;  // a buffer, or an object of the launch
        std::uint64_t place() const { return number << 1U | (global ? 1U : 0U); }
    };
    struct Write {
        std::uint32_t cell = 0, item = 0;
        std::size_t from = 0, end = 0;  // of Making::sources
    };
    struct Making {
        std::set<std::uint32_t> valued;  // objects into which a value from the input is stored
        std::map<std::uint32_t, std::vector<Write>> writes;  // by object
        std::vector<std::uint32_t> order;
        std::vector<std::uint32_t> busy;  // work-items
        std::vector<std::uint32_t> sources;
    };
    // Where in the run a row is from.
    struct Origin {
        std::uint32_t launch = 0, pass = 0, object = 0;  // as Action has them
        bool local = false;
        std::size_t buffer = 0;
        std::uint64_t group_cells = 0;
    };

    bool too_long_for_stale() const { return events_ > kMostLatticeEvents; }
    void note_unshown(const std::string& array);
    void add_start();
    void begin_launch(std::uint32_t launch);
    void end_launch();
    void one_pass(const std::vector<std::uint64_t>& times, std::uint32_t number);
    void read(const machine::Action& action, std::uint64_t time, std::uint64_t item,
              const machine::Access& access, Making& making);
    void write(const machine::Action& action, std::uint64_t time, std::uint64_t item,
               const machine::Access& access, Making& making);
    void find_sources(std::uint64_t item, std::uint64_t time, machine::Node node,
                      std::vector<std::uint32_t>& into);
    void add_row(const machine::Action& action, std::uint32_t object, std::uint32_t number,
                 Making& making);
    void fill_row(LatticeRow& row, Held& of, std::vector<Write>& writes,
                  const std::vector<std::uint32_t>& sources);
    void add_late_stores();
    void drop_last_row();
    bool is_full() const { return lattice_.rows.size() >= most_rows_; }
    Held& held(std::uint32_t object);
    std::uint64_t byte_of(const machine::Action& action, const machine::Access& access);
    std::string name_of(std::size_t buffer) const;

    std::size_t row_of(const StaleRead& read) const;
    bool wrote_in(std::size_t row, std::uint64_t item) const;
    void add_stale_reads();
    void add_races();
    void add_states();
    void hand_over(const Race& race, const Race::Spot& spot);

    std::size_t start_;
    std::atomic<float>* progress_;
    const machine::Machine* machine_ = nullptr;
    const machine::Context* context_ = nullptr;
    std::uint32_t group_ = 0;                       // seen last
    std::unique_ptr<machine::Trace> trace_;         // of the launch
    std::uint64_t events_ = 0, times_ = 0;          // so far; actions of earlier launches
    std::uint64_t comparisons_ = kMostComparisons;  // left, of all launches together
    bool all_compared_ = true;
    std::size_t most_rows_ = 0;
    bool any_value_ = false;  // rows of arrays whose values come from no input too
    std::vector<Held> buffers_, locals_;
    Loads loads_;
    Shown above_;
    RaceDetector races_;
    Lattice lattice_;
    std::vector<Origin> origins_;             // of the rows
    std::vector<machine::Node> left_, seen_;  // of find_sources()
    // By row of the launch, once asked for: who wrote which changes, by work-item.
    mutable std::map<std::size_t, std::vector<std::pair<std::uint32_t, std::uint32_t>>> writers_;
};

}  // namespace lab::analysis
