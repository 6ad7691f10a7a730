// The rows of a run as compact data: one byte per cell and row, plus what was written, by whom and
// from where. RowBuilder makes them, for the step view as for a lattice of 65,536 elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "analysis/step_table.h"
#include "machine/job.h"
namespace lab::analysis {

// The byte of a cell: its CellState in the low bits, and these.
inline constexpr std::uint8_t kStateBits = 0x07;
inline constexpr std::uint8_t kStaleBit = 0x08;    // its writer had read a stale value
inline constexpr std::uint8_t kRacedBit = 0x10;    // two work-items raced here
inline constexpr std::uint8_t kSeveralBit = 0x20;  // several work-items wrote it in this pass

inline CellState state_of(std::uint8_t cell) {
    return static_cast<CellState>(cell & kStateBits);
}

// A cell that changed since the previous row of its array.
struct LatticeChange {
    std::uint32_t cell = 0;
    std::uint32_t item =
        0;  // the last writer, a global id; kNobody: written in a pass without a row
    std::uint32_t from = 0;             // start of its sources in LatticeRow::from
    bool kept = false, atomic = false;  // as Cell has them
};
// Cells of an array in a picture; a larger array is left out, and that is said.
inline constexpr std::uint64_t kMostLatticeCells = std::uint64_t{1} << 18U;
inline constexpr std::uint32_t kNobody = std::numeric_limits<std::uint32_t>::max();
inline constexpr std::size_t kNoRow = std::numeric_limits<std::size_t>::max();

// Another writer of a cell in the same pass; its sources are in LatticeRow::others_from.
struct LatticeWriter {
    std::uint32_t cell = 0, item = 0;
    std::uint32_t from = 0, end = 0;
};

struct LatticeRow {
    std::size_t array = 0;        // of Lattice::arrays
    std::size_t before = kNoRow;  // the previous row of the same array
    std::vector<std::uint8_t> cells;
    std::vector<LatticeChange> changes;      // by cell, each once
    std::vector<std::byte> values;           // of the changes, in order, as memory holds them
    std::vector<std::uint32_t> from;         // cells of the row above, grouped by change
    std::vector<LatticeWriter> others = {};  // by cell, then work-item
    std::vector<std::uint32_t> others_from = {};
    std::uint32_t written = 0, active = 0;  // cells; work-items that did something for them
};

// The cells that an array held before its first row.
struct LatticeArray {
    machine::Scalar element = machine::Scalar::int_;
    std::uint64_t cells = 0;         // of all groups if it is local
    std::vector<std::byte> initial;  // empty: never written
};

// Where stale reads and races are, for tooltips.
struct LatticeStale {
    std::size_t row = 0;
    StaleValue read;
};
struct LatticeRace {
    std::size_t row = 0;
    RacedCell raced;
};

// A cell of a launch's last row whose value an earlier pass stored, but last of all.
struct OutOfOrderStore {
    std::size_t row = 0;
    std::uint64_t cell = 0;
    std::int64_t item = 0;   // global id
    std::uint32_t pass = 0;  // from 1
};

struct Lattice {
    // As in the step view, but the rows have no cells, reads or races.
    StepTable head;
    std::vector<LatticeRow> rows;  // as many as the head has
    std::vector<LatticeArray> arrays;
    std::uint64_t width = 0;  // cells of the longest row
    // At most kMostTold of each, by row, then by work-item or cell.
    std::vector<LatticeStale> stale;
    std::vector<LatticeRace> raced;
    std::size_t stale_reads = 0;  // all of them
    std::vector<OutOfOrderStore> late;
    // Arrays with too many cells to be shown.
    std::vector<std::string> unshown;

    // Stale reads, and races, that have words; further ones are only marked.
    static constexpr std::size_t kMostTold = 1 << 15;
};

// The cell's change in that row; null if it has not changed since the previous row of its array.
const LatticeChange* change_of(const LatticeRow& row, std::uint64_t cell);
// The cells of the row above that went into it.
std::span<const std::uint32_t> sources_of(const LatticeRow& row, const LatticeChange& change);

// The same of all that wrote the cell in that pass: ascending, each once.
std::vector<std::uint32_t> all_sources_of(const LatticeRow& row, const LatticeChange& change);

// Returns the reads of that work-item in that row whose values the row above does not show.
std::span<const OtherRead> other_reads_of(const Row& row, std::int64_t item);

// All that wrote the cell in that pass.
std::vector<std::uint32_t> writers_of(const LatticeRow& row, const LatticeChange& change);

// Sets the cell's value in the row: the bytes of one element.
void change_value(LatticeRow& row, std::uint32_t cell, std::span<const std::byte> bytes);

CellValue value_of(const Lattice& lattice, std::size_t row, std::uint64_t cell);

// The cell in one row as the step view has it, with all that is known.
Cell cell_of(const Lattice& lattice, std::size_t row, std::uint64_t cell);
// All rows like that.
std::vector<Row> whole_rows(const Lattice& lattice);

// The work-item's first stale read in that row, and the race at that cell, if kept.
const StaleValue* stale_at(const Lattice& lattice, std::size_t row, std::uint64_t item);
const RacedCell* race_at(const Lattice& lattice, std::size_t row, std::uint64_t cell);

}  // namespace lab::analysis
