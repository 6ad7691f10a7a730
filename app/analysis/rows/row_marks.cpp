// What a RowBuilder marks in rows that are there: stale reads and races.
#include <algorithm>

#include "analysis/rows/row_builder.h"

namespace lab::analysis {

// Who wrote which cells last, by work-item.
const RowBuilder::Writers& RowBuilder::writers_in(std::size_t row) const {
    const auto [found, news] = writers_.try_emplace(row);
    if (news) {
        for (const LatticeChange& change : lattice_.rows[row].changes)
            if (change.item != kNobody) found->second.emplace_back(change.item, change.cell);
        std::sort(found->second.begin(), found->second.end());
    }
    return found->second;
}

namespace {

template <typename Writers>
auto first_of(const Writers& writers, std::uint64_t item) {
    return std::lower_bound(writers.begin(), writers.end(),
                            std::pair{static_cast<std::uint32_t>(item), 0U});
}

StaleValue account_of(const StaleRead& read, const machine::Context& context) {
    StaleValue value;
    value.item = static_cast<std::int64_t>(read.item);
    value.array = context.objects[read.object].name;
    value.cell = read.cell;
    value.took = {read.took, read.type};
    value.missed = {read.missed, read.type};
    value.writer = static_cast<std::int64_t>(read.writer);
    value.line = context.code->places[read.place].line;
    value.write_line = context.code->places[read.write_place].line;
    value.too_new = read.too_new;
    value.update = read.update;
    value.time = read.time;
    return value;
}

RacedCell account_of(const Race& race, const Race::Spot& spot, const machine::Context& context) {
    const auto line = [&](const Race::Side& side) { return context.code->places[side.place].line; };
    RacedCell cell;
    cell.cell = spot.cell;
    cell.first = static_cast<std::int64_t>(spot.first);
    cell.second = static_cast<std::int64_t>(spot.second);
    cell.first_writes = race.example.first.writes;
    cell.second_writes = race.example.second.writes;
    cell.first_line = line(race.example.first);
    cell.second_line = line(race.example.second);
    cell.across_groups = race.across_groups;
    return cell;
}

}  // namespace

// The row that a read of that pass belongs to: rather one in which its work-item wrote. Where the
// pass gave none, as an iteration that only reads, the next one, if the read is not of somebody who
// waits.
std::size_t RowBuilder::row_of(const StaleRead& read) const {
    std::size_t found = kNoRow;
    for (std::size_t row = 1; row < traces_.size(); ++row) {
        const RowTrace& trace = traces_[row];
        if (trace.launch != read.launch || trace.pass < read.pass) continue;
        if (found != kNoRow && trace.pass != traces_[found].pass) return found;
        if (trace.pass > read.pass && read.reread) return kNoRow;
        const Writers& writers = writers_in(row);
        const auto first = first_of(writers, read.item);
        if (first != writers.end() && first->first == read.item) return row;
        if (found == kNoRow) found = row;
    }
    return found;
}

void RowBuilder::add_stale_reads(const machine::Trace& trace, std::uint64_t first,
                                 std::uint64_t end, std::uint64_t time) {
    const auto number_of = [&](std::uint32_t pass) {
        for (std::size_t row = 1; row < traces_.size(); ++row)
            if (traces_[row].launch == context_->launch && traces_[row].pass == pass)
                return lattice_.head.rows[row].number;
        return 0U;
    };
    for (const StaleRead& read :
         stale_reads(machine_, trace, first, end, &all_compared_, comparisons_)) {
        const std::size_t row = row_of(read);
        if (row == kNoRow) continue;
        ++lattice_.stale_reads;
        const Writers& writers = writers_in(row);
        for (auto writer = first_of(writers, read.item);
             writer != writers.end() && writer->first == read.item; ++writer)
            lattice_.rows[row].cells[writer->second] |= kStaleBit;
        if (lattice_.stale.size() >= limits_.marks) continue;
        StaleValue value = account_of(read, *context_);
        value.pass = number_of(read.write_pass);
        value.time += time;
        lattice_.stale.push_back({row, std::move(value)});
    }
}

// Marks, for each pass that was waited for, the last row before it.
void RowBuilder::add_hand_order(const machine::Trace& trace, std::uint64_t first,
                                std::uint64_t end) {
    if (any_value_) return;  // the counters themselves are what is shown
    const std::uint32_t launch = context_->launch;
    HandOrder order = hand_order(machine_, trace, first, end);
    for (std::size_t row = 1; row + 1 < traces_.size(); ++row) {
        const RowTrace &trace_here = traces_[row], &next = traces_[row + 1];
        if (trace_here.launch != launch || next.launch != launch) continue;
        const auto known_until = order.known.upper_bound(next.pass);
        const bool known = std::all_of(order.known.upper_bound(trace_here.pass), known_until,
                                       [](const auto& each) { return each.second; });
        std::set<std::string> counters;
        for (auto learned = order.counters.lower_bound(trace_here.pass);
             learned != order.counters.end() && learned->first < next.pass; ++learned)
            counters.insert(learned->second.begin(), learned->second.end());
        std::string& by_hand = lattice_.head.rows[row].by_hand;
        for (const std::string& counter : counters)
            if (known) by_hand += (by_hand.empty() ? "" : ", ") + counter;
    }
    if (!order.counters.empty()) hand_orders_.emplace(launch, std::move(order));
}

RacedCell::Ordered RowBuilder::ordered_by(const Race& race, const RacedCell& raced,
                                          const Race::Spot& spot) const {
    const machine::Context& context = machine_.context(race.launch);
    if (const auto hand = hand_orders_.find(race.launch);
        hand != hand_orders_.end() && race.across_groups &&
        !hand->second.unordered.contains({context.objects[spot.object].buffer, raced.cell}))
        return RacedCell::Ordered::by_hand;
    return race.lockstep && context.lanes > 1 ? RacedCell::Ordered::in_lockstep
                                              : RacedCell::Ordered::by_nothing;
}

// Marks the last row before that pass of the launch, or takes the mark of a race away.
void RowBuilder::hand_over(const Race& race, const Race::Spot& spot) {
    if (race.by_atomics ? spot.other_pass >= spot.pass : spot.other_pass == spot.pass) return;
    for (std::size_t row = traces_.size(); row-- > 1;)
        if (traces_[row].launch == race.launch && traces_[row].pass < spot.pass) {
            lattice_.head.rows[row].handed_over = race.by_atomics;
            return;
        }
}

// The row that shows the array in that pass; where the pass wrote to others alone, the last before
// it, whose cells are what was read.
std::size_t RowBuilder::row_of(const Race& race, const Race::Spot& spot) const {
    const machine::ObjectInfo& object = machine_.context(race.launch).objects[spot.object];
    const bool local = object.space == machine::Space::local;
    for (std::size_t row = traces_.size(); row-- > 1;) {
        const RowTrace& trace = traces_[row];
        if (trace.launch != race.launch || trace.pass > spot.pass || trace.local != local) continue;
        if (local ? trace.object == spot.object : trace.buffer == object.buffer) return row;
    }
    return kNoRow;
}

void RowBuilder::add_races(const RaceDetector& races) {
    // Where some accesses race, what others hand over orders no groups.
    for (const bool by_atomics : {true, false})
        for (const Race& race : races.races())
            if (race.by_atomics == by_atomics && is_read_across_groups(race))
                for (const Race::Spot& spot : race.spots)
                    hand_over(race, spot);
    using Ordered = RacedCell::Ordered;
    for (const Ordered ordered : {Ordered::by_nothing, Ordered::in_lockstep, Ordered::by_hand})
        add_races(races, ordered);
}

void RowBuilder::add_races(const RaceDetector& races, RacedCell::Ordered ordered) {
    for (const Race& race : races.races()) {
        if (race.by_atomics || race.same_value) continue;
        for (const Race::Spot& spot : race.spots) {
            const std::size_t row = row_of(race, spot);
            if (row == kNoRow) continue;
            RacedCell raced = account_of(race, spot, machine_.context(race.launch));
            raced.ordered = ordered_by(race, raced, spot);
            if (raced.ordered != ordered) continue;
            if (traces_[row].local) raced.cell += traces_[row].group_cells * spot.group;
            // Of cells that race with several, one is named.
            auto& cells = lattice_.rows[row].cells;
            if (raced.cell >= cells.size() || (cells[raced.cell] & kRacedBit) != 0) continue;
            cells[raced.cell] |= kRacedBit;
            if (lattice_.raced.size() < limits_.marks) lattice_.raced.push_back({row, raced});
        }
    }
}

}  // namespace lab::analysis
