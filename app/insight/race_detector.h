// Finds the pairs of accesses that nothing orders, while a run goes on: it needs no trace.
//
// Two accesses conflict where they touch one cell, from different work-items, one of them writes,
// and not both are atomic. They are ordered where they are of different launches, or of one group
// with a barrier between them whose fence names that kind of memory. Different groups of a launch
// are never ordered. (FACTS of races: the rules that OpenCL C 1.2, section 6.12.8, follows.)
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "machine/machine.h"

namespace lab {

struct Race {
    enum class Kind : std::uint8_t { read_after_write, write_after_read, write_after_write };
    struct Side {
        std::uint32_t place = 0;  // in the code of the launch
        std::uint64_t item = 0;   // global id
        bool atomic = false;
    };
    Kind kind = Kind::read_after_write;
    std::uint32_t launch = 0;
    Side first, second;  // in the order in which they happened, the first time
    bool across_groups = false;
    std::uint32_t object = 0;  // of the launch
    std::uint64_t cell = 0;    // in the object's elements
    bool same_value = true;    // all of these pairs wrote what the cell held already
    std::uint64_t count = 0;   // pairs of these two places
};
const char* name_of(Race::Kind kind);  // "RAW", "WAR", "WAW"

class RaceDetector : public machine::Observer {
  public:
    void begin(const machine::Machine& machine) override;
    void observe(const machine::Action& action, std::span<const machine::Access> accesses,
                 bool continues) override;

    // One for each pair of places, kind, and whether across groups; in the order of discovery.
    const std::vector<Race>& races() const { return races_; }

  private:
    struct Touch {
        std::uint32_t item = 0, epoch = 0, place = 0;
        bool known = false, atomic = false;
    };
    // The last write, and two readers since: who writes next conflicts with one that is not itself.
    struct Cell {
        Touch write, read, other_read;
    };
    using Cells = std::vector<Cell>;

    void begin_launch(std::uint32_t launch);
    Cells& cells_of(const machine::Action& action, const machine::ObjectInfo& object);
    void load(Cell& cell, const Touch& now, std::uint64_t index);
    void store(Cell& cell, const Touch& now, std::uint64_t index, bool reads, bool same_value);
    bool unordered(const Touch& before, const Touch& now) const;
    void report(Race::Kind kind, const Touch& before, const Touch& now, std::uint64_t index,
                bool same_value);

    const machine::Machine* machine_ = nullptr;
    const machine::Context* context_ = nullptr;
    const machine::Action* action_ = nullptr;         // the one at hand
    std::vector<Cells> global_;                       // by object of the launch
    std::unordered_map<std::uint64_t, Cells> local_;  // by group and object
    std::uint64_t local_key_ = ~std::uint64_t{0};
    Cells* local_cells_ = nullptr;
    std::map<std::tuple<std::uint32_t, std::uint32_t, Race::Kind, bool>, std::size_t> found_;
    std::vector<Race> races_;
};

}  // namespace lab
