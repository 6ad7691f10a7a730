// The rows of a run as compact, plain data: a byte for each cell in each row, and beside it what
// was written there, by whom and from where. A RowBuilder makes them, whether a picture of them has
// cells with values and tips or is the lattice of 65,536 elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/rows/cells.h"
#include "analysis/rows/step_table.h"
#include "machine/job.h"

namespace lab::analysis {

// What a row's byte of a cell says: its CellState in the low bits, and these.
inline constexpr std::uint8_t kStateBits = 0x07;
inline constexpr std::uint8_t kStaleBit = 0x08;    // who wrote it had read a stale value
inline constexpr std::uint8_t kRacedBit = 0x10;    // two work-items raced here
inline constexpr std::uint8_t kSeveralBit = 0x20;  // several work-items wrote it in this pass

inline CellState state_of(std::uint8_t cell) {
    return static_cast<CellState>(cell & kStateBits);
}

// A cell that changed since the row of its array before this one.
struct LatticeChange {
    std::uint32_t cell = 0;
    std::uint32_t item = 0;  // that wrote it last, a global id; kNobody: in a pass without a row
    std::uint32_t from = 0;  // where its sources begin in LatticeRow::from
};
inline constexpr std::uint64_t kMostLatticeCells = std::uint64_t{1} << 18U;  // of an array
inline constexpr std::uint32_t kNobody = std::numeric_limits<std::uint32_t>::max();
inline constexpr std::size_t kNoRow = std::numeric_limits<std::size_t>::max();

// A work-item that wrote a cell, too, before the one that wrote it last.
struct LatticeWriter {
    std::uint32_t cell = 0, item = 0;
};

struct LatticeRow {
    std::size_t array = 0;        // of Lattice::arrays
    std::size_t before = kNoRow;  // the row that showed the same array last
    std::vector<std::uint8_t> cells;
    std::vector<LatticeChange> changes;      // by cell, each once
    std::vector<std::byte> values;           // of the changes, in order, as memory holds them
    std::vector<std::uint32_t> from;         // cells of the row above, those of one change together
    std::vector<LatticeWriter> others = {};  // by cell, then work-item
    std::uint32_t written = 0, active = 0;   // cells; work-items that wrote them
};

// What an array held before the first row of it.
struct LatticeArray {
    machine::Scalar element = machine::Scalar::int_;
    std::uint64_t cells = 0;         // of all groups, where it is local
    std::vector<std::byte> initial;  // empty: nothing was written yet
};

// Where reads and races that went wrong stand, for whoever points at a cell.
struct LatticeStale {
    std::size_t row = 0;
    StaleValue read;
};
struct LatticeRace {
    std::size_t row = 0;
    RacedCell raced;
};

// A cell of a launch's last row whose value is of an earlier pass, but came after all others.
struct LatticeLate {
    std::size_t row = 0;
    std::uint64_t cell = 0;
    std::int64_t item = 0;   // global id
    std::uint32_t pass = 0;  // from 1
};

struct Lattice {
    // As the step view has it, but its rows have neither cells nor reads nor races.
    StepTable head;
    std::vector<LatticeRow> rows;  // as many as the head has
    std::vector<LatticeArray> arrays;
    std::uint64_t width = 0;  // cells of the longest row
    // At most kMostTold of each, in the order of rows, then of work-items or cells.
    std::vector<LatticeStale> stale;
    std::vector<LatticeRace> raced;
    std::size_t stale_reads = 0;  // all of them
    std::vector<LatticeLate> late;
    // Arrays that would have rows, but have too many cells: what is in them is not shown.
    std::vector<std::string> unshown;

    static constexpr std::size_t kMostTold = 1 << 15;
};

// What changed the cell in that row; empty: nobody since the row of that array before it.
const LatticeChange* change_of(const LatticeRow& row, std::uint64_t cell);
// The cells of the row above that went into it.
std::span<const std::uint32_t> sources_of(const LatticeRow& row, const LatticeChange& change);

// Makes the row say that the cell holds these bytes, of one element.
void change_value(LatticeRow& row, std::uint32_t cell, std::span<const std::byte> bytes);

CellValue value_of(const Lattice& lattice, std::size_t row, std::uint64_t cell);

// The cell at one row with all that is known of it, as the step view has it.
Cell cell_of(const Lattice& lattice, std::size_t row, std::uint64_t cell);
// All of the rows so.
std::vector<Row> whole_rows(const Lattice& lattice);

// The first stale read of that work-item in that row, and the race at that cell of it, if kept.
const StaleValue* stale_at(const Lattice& lattice, std::size_t row, std::uint64_t item);
const RacedCell* race_at(const Lattice& lattice, std::size_t row, std::uint64_t cell);

std::size_t memory_bytes(const Lattice& lattice);  // that it takes, about

}  // namespace lab::analysis
