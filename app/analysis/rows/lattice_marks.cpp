// What a LatticeObserver marks in rows that are there: states of cells, races, stale reads.
#include <algorithm>
#include <map>
#include <tuple>

#include "analysis/rows/lattice_observer.h"
#include "analysis/rows/stale_reads.h"
#include "lang/code/value.h"

namespace lab::analysis {

// See cell_states(), which does the same to rows that hold whole cells.
void LatticeObserver::add_states() {
    const auto key_of = [&](std::size_t row) {
        const Pass& pass = lattice_.head.passes[row];
        return std::tuple{pass.array, pass.local_memory ? pass.launch : 0,
                          lattice_.rows[row].cells.size()};
    };
    std::map<decltype(key_of(0)), std::vector<bool>> spent_of;  // before the row in hand
    for (std::size_t r = 0; r < lattice_.rows.size(); ++r) {
        LatticeRow& row = lattice_.rows[r];
        std::vector<bool>& spent = spent_of[key_of(r)];
        if (r == 0) {
            spent.assign(row.cells.size(), false);
            continue;
        }
        const LatticeRow& above = lattice_.rows[r - 1];
        std::vector<bool>& spent_above = spent_of[key_of(r - 1)];
        const bool same_array = above.cells.size() == row.cells.size() &&
                                lattice_.head.passes[r - 1].array == lattice_.head.passes[r].array;
        if (same_array && &spent != &spent_above) spent = spent_above;
        spent.resize(row.cells.size(), false);
        std::vector<bool> read(row.cells.size(), false);
        for (const LatticeChange& change : row.changes)
            for (const std::uint32_t source : sources_of(row, change)) {
                if (same_array && source != change.cell && source < read.size())
                    read[source] = true;
                if (!same_array && source < spent_above.size()) spent_above[source] = true;
            }
        for (std::size_t cell = 0; cell < row.cells.size(); ++cell) {
            std::uint8_t& bits = row.cells[cell];
            if (state_of(bits) == CellState::written) {
                spent[cell] = false;
            } else if (read[cell]) {
                bits = static_cast<std::uint8_t>(CellState::read);
                spent[cell] = true;
            } else if (spent[cell]) {
                bits = static_cast<std::uint8_t>(CellState::spent);
            }
        }
    }
}

bool LatticeObserver::wrote_in(std::size_t row, std::uint64_t item) const {
    const auto [at, news] = writers_.try_emplace(row);
    auto& writers = at->second;
    if (news) {
        const LatticeRow& of = lattice_.rows[row];
        for (const LatticeChange& change : of.changes)
            if (change.item != kNobody) writers.emplace_back(change.item, change.cell);
        std::sort(writers.begin(), writers.end());
    }
    const auto found = std::lower_bound(writers.begin(), writers.end(),
                                        std::pair{static_cast<std::uint32_t>(item), 0U});
    return found != writers.end() && found->first == item;
}

// As stale_rows() has it: a row in which the work-item wrote rather than another of that pass;
// where the pass gave none, the next one, if the read is not of somebody who waits.
std::size_t LatticeObserver::row_of(const StaleRead& read) const {
    std::size_t found = kNoRow;
    for (std::size_t row = 1; row < origins_.size(); ++row) {
        const Origin& origin = origins_[row];
        if (origin.launch != read.launch || origin.pass < read.pass) continue;
        if (found != kNoRow && origin.pass != origins_[found].pass) return found;
        if (origin.pass > read.pass && read.reread) return kNoRow;
        if (wrote_in(row, read.item)) return row;
        if (found == kNoRow) found = row;
    }
    return found;
}

void LatticeObserver::add_stale_reads() {
    if (too_long_for_stale()) return;
    const auto number_of = [&](std::uint32_t pass) {
        for (std::size_t row = 1; row < origins_.size(); ++row)
            if (origins_[row].launch == context_->launch && origins_[row].pass == pass)
                return lattice_.head.passes[row].number;
        return 0U;
    };
    bool all = true;
    const std::vector<StaleRead> reads = stale_reads(*machine_, *trace_, &all, comparisons_);
    all_compared_ = all_compared_ && all;
    for (const StaleRead& read : reads) {
        const std::size_t row = row_of(read);
        if (row == kNoRow) continue;
        ++lattice_.stale_reads;
        (void)wrote_in(row, read.item);
        const auto& writers = writers_[row];
        for (auto at = std::lower_bound(writers.begin(), writers.end(),
                                        std::pair{static_cast<std::uint32_t>(read.item), 0U});
             at != writers.end() && at->first == read.item; ++at)
            lattice_.rows[row].cells[at->second] |= kStaleBit;
        if (lattice_.stale.size() >= Lattice::kMostTold) continue;
        StaleValue made;
        made.item = static_cast<std::int64_t>(read.item);
        made.array = context_->objects[read.object].name;
        made.cell = read.cell;
        made.took = lang::text_of(read.took, read.type);
        made.missed = lang::text_of(read.missed, read.type);
        made.writer = static_cast<std::int64_t>(read.writer);
        made.pass = number_of(read.write_pass);
        made.line = context_->code->places[read.place].line;
        made.write_line = context_->code->places[read.write_place].line;
        made.too_new = read.too_new;
        made.update = read.update;
        made.time = times_ + read.time;
        lattice_.stale.push_back({row, std::move(made)});
    }
    std::stable_sort(lattice_.stale.begin(), lattice_.stale.end(),
                     [](const LatticeStale& a, const LatticeStale& b) {
                         return std::pair(a.row, a.read.item) < std::pair(b.row, b.read.item);
                     });
}

// Marks the last row before that pass of the launch, or takes the mark of a race away.
void LatticeObserver::hand_over(const Race& race, const Race::Spot& spot) {
    if (race.by_atomics ? spot.other_pass >= spot.pass : spot.other_pass == spot.pass) return;
    for (std::size_t row = origins_.size(); row-- > 1;)
        if (origins_[row].launch == race.launch && origins_[row].pass < spot.pass) {
            lattice_.head.passes[row].handed_over = race.by_atomics;
            return;
        }
}

void LatticeObserver::add_races() {
    for (const bool by_atomics : {true, false})
        for (const Race& race : races_.races())
            if (race.by_atomics == by_atomics && is_read_across_groups(race))
                for (const Race::Spot& spot : race.spots)
                    hand_over(race, spot);
    for (const Race& race : races_.races()) {
        if (race.by_atomics || race.same_value) continue;
        const machine::Context& context = machine_->context(race.launch);
        const auto line = [&](const Race::Side& side) {
            return context.code->places[side.place].line;
        };
        for (const Race::Spot& spot : race.spots) {
            const machine::ObjectInfo& object = context.objects[spot.object];
            const bool local = object.space == machine::Space::local;
            std::size_t row = origins_.size();
            while (--row > 0) {
                const Origin& origin = origins_[row];
                if (origin.launch != race.launch || origin.pass > spot.pass) continue;
                if (origin.local == local && (local ? lattice_.head.passes[row].array == object.name
                                                    : origin.buffer == object.buffer))
                    break;
            }
            if (row == 0) continue;
            const std::uint64_t cell =
                spot.cell + (local ? origins_[row].group_cells * spot.group : 0);
            auto& cells = lattice_.rows[row].cells;
            if (cell >= cells.size() || (cells[cell] & kRacedBit) != 0) continue;
            cells[cell] |= kRacedBit;
            if (lattice_.raced.size() >= Lattice::kMostTold) continue;
            RacedCell made;
            made.cell = cell;
            made.first = static_cast<std::int64_t>(spot.first);
            made.second = static_cast<std::int64_t>(spot.second);
            made.first_writes = race.example.first.writes;
            made.second_writes = race.example.second.writes;
            made.first_line = line(race.example.first);
            made.second_line = line(race.example.second);
            made.across_groups = race.across_groups;
            lattice_.raced.push_back({row, made});
        }
    }
    std::stable_sort(lattice_.raced.begin(), lattice_.raced.end(),
                     [](const LatticeRace& a, const LatticeRace& b) {
                         return std::pair(a.row, a.raced.cell) < std::pair(b.row, b.raced.cell);
                     });
}

}  // namespace lab::analysis
