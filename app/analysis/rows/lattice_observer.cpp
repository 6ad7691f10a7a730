#include "analysis/rows/lattice_observer.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "analysis/rows/late_stores.h"
#include "base/problem.h"
#include "lang/code/value.h"

namespace lab::analysis {

using machine::Access;
using machine::Action;
using machine::ActionKind;
using machine::Context;
using machine::Node;
using machine::ObjectInfo;

namespace {

constexpr std::size_t kMostLatticeRows = 500;  // as trace_passes() has it

void sort_once(std::vector<std::uint32_t>& numbers) {
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

}  // namespace

void LatticeObserver::Held::resize(std::uint64_t count) {
    if (count > kMostLatticeCells) return;
    all = count;
    bytes.resize(count * lang::info(element).bytes);
    nodes.resize(count);
}

LatticeObserver::LatticeObserver(std::size_t start, std::atomic<float>* progress)
    : start_(start), progress_(progress) {}

void LatticeObserver::begin(const machine::Machine& machine) {
    machine_ = &machine;
    races_.begin(machine);
    for (const machine::Buffer& buffer : machine.job().buffers) {
        Held& made = buffers_.emplace_back();
        made.element = buffer.element;
        made.cells = buffer.bytes / lang::info(buffer.element).bytes;
        made.resize(made.cells);
        if (!buffer.initial.empty())
            std::copy_n(buffer.initial.data(), made.bytes.size(), made.bytes.data());
    }
    add_start();
}

// As the first kernel calls it, if it does.
std::string LatticeObserver::name_of(std::size_t buffer) const {
    const machine::Job& job = machine_->job();
    if (!job.launches.empty()) {
        const Context& first = machine_->context(0);
        for (std::size_t i = 1; i <= first.visible; ++i)
            if (first.objects[i].space == machine::Space::global &&
                first.objects[i].buffer == buffer)
                return first.objects[i].name;
    }
    return job.buffers.at(buffer).name;
}

void LatticeObserver::note_unshown(const std::string& array) {
    std::vector<std::string>& all = lattice_.unshown;
    if (std::find(all.begin(), all.end(), array) == all.end()) all.push_back(array);
}

void LatticeObserver::add_start() {
    Held& of = buffers_.at(start_);
    if (of.all == 0)
        throw Problem(fmt::format("{} cells are too many for the lattice", of.cells),
                      fmt::format("It shows up to {} in a row", kMostLatticeCells),
                      "Choose fewer elements");
    const auto bound = static_cast<std::size_t>(kMostLatticeBytes / of.all);
    most_rows_ = std::clamp<std::size_t>(bound, 2, kMostLatticeRows);
    Pass head;
    head.array = name_of(start_);
    lattice_.head.passes.push_back(std::move(head));
    LatticeRow row;
    row.cells.assign(of.all, static_cast<std::uint8_t>(CellState::input));
    row.array = of.number = 0;
    of.row = 0;
    const bool known = !machine_->job().buffers[start_].initial.empty();
    lattice_.arrays.push_back({of.element, of.all, known ? of.bytes : std::vector<std::byte>()});
    lattice_.rows.push_back(std::move(row));
    origins_.emplace_back();
    above_ = {true, start_};
}

void LatticeObserver::observe(const Action& action, std::span<const Access> accesses,
                              bool continues) {
    if (context_ == nullptr || context_->launch != action.launch) {
        end_launch();
        begin_launch(action.launch);
    }
    if (progress_ != nullptr && action.group != group_) {
        group_ = action.group;
        const auto launches = static_cast<float>(machine_->job().launches.size());
        const float share = static_cast<float>(group_) / static_cast<float>(context_->groups);
        progress_->store((static_cast<float>(action.launch) + share) / launches);
    }
    events_ += accesses.size();
    if (trace_->events() > kMostLaunchEvents)
        throw Problem("The run is too long for the lattice",
                      fmt::format("More than {} loads and stores in one launch", kMostLaunchEvents),
                      "Choose fewer elements");
    // Barriers tell nothing here, and there are many.
    if (action.kind != ActionKind::barrier) trace_->add(action, accesses, continues);
    if (events_ <= kMostLatticeEvents) races_.observe(action, accesses, continues);
}

void LatticeObserver::begin_launch(std::uint32_t launch) {
    context_ = &machine_->context(launch);
    trace_ = std::make_unique<machine::Trace>();
    group_ = 0;
    loads_.clear();
    writers_.clear();
    locals_.clear();
    locals_.resize(context_->objects.size());
    for (std::size_t i = 1; i <= context_->visible; ++i) {
        const ObjectInfo& object = context_->objects[i];
        if (object.space != machine::Space::local) continue;
        Held& made = locals_[i];
        made.element = object.element;
        made.cells = object.bytes >> object.shift;
        made.resize(made.cells * context_->groups);
    }
}

void LatticeObserver::end_launch() {
    if (trace_ == nullptr) return;
    // Actions by pass; within a pass in the order of time.
    std::map<std::uint32_t, std::vector<std::uint64_t>> by_pass;
    bool lineage = false;
    for (std::uint64_t time = 0; time < trace_->size(); ++time) {
        const Action& action = trace_->action(time);
        std::vector<std::uint64_t>& times = by_pass[action.pass];
        if (action.count == 0) continue;
        times.push_back(time);
        if (action.kind == ActionKind::load || lineage) continue;
        const auto accesses = trace_->accesses(action);
        lineage = std::any_of(accesses.begin(), accesses.end(),
                              [](const Access& access) { return access.node != 0; });
    }
    any_value_ = !lineage;
    std::uint32_t number = 0;
    for (const auto& [pass, times] : by_pass)
        one_pass(times, ++number);
    add_late_stores();
    add_stale_reads();
    times_ += trace_->size();
    trace_.reset();
}

LatticeObserver::Held& LatticeObserver::held(std::uint32_t object) {
    const ObjectInfo& info = context_->objects[object];
    return info.space == machine::Space::global ? buffers_[info.buffer] : locals_[object];
}

// The byte in the array that the access begins at.
std::uint64_t LatticeObserver::byte_of(const Action& action, const Access& access) {
    const bool local = context_->objects[action.object].space == machine::Space::local;
    const Held& of = held(action.object);
    return std::uint64_t{access.index} * lang::info(action.type).bytes +
           (local ? of.cells * action.group * lang::info(of.element).bytes : 0);
}

void LatticeObserver::one_pass(const std::vector<std::uint64_t>& times, std::uint32_t number) {
    Making making;
    for (const std::uint64_t time : times) {
        const Action& action = trace_->action(time);
        if (any_value_ || action.kind == ActionKind::load || making.valued.contains(action.object))
            continue;
        for (const Access& access : trace_->accesses(action))
            if (access.node != 0) making.valued.insert(action.object);
    }
    for (const std::uint64_t time : times) {
        const Action& action = trace_->action(time);
        if (context_->objects[action.object].space == machine::Space::constant) continue;
        const std::span<const Access> all = trace_->accesses(action);
        std::uint64_t lanes = action.mask;
        for (std::size_t i = 0; i < all.size(); lanes &= lanes - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
            const std::uint64_t item = std::uint64_t{action.group} * context_->local +
                                       std::uint64_t{action.warp} * context_->lanes + lane;
            for (std::uint8_t k = 0; k < action.count; ++k, ++i) {
                if (action.kind != ActionKind::store) read(action, time, item, all[i], making);
                if (action.kind != ActionKind::load) write(action, time, item, all[i], making);
            }
        }
    }
    sort_once(making.busy);
    for (const std::uint32_t object : making.order)
        add_row(trace_->action(times.front()), object, number, making);
}

void LatticeObserver::read(const Action& action, std::uint64_t time, std::uint64_t item,
                           const Access& access, Making& making) {
    const Held& of = held(action.object);
    const std::uint64_t cell = byte_of(action, access) / lang::info(of.element).bytes;
    // What an atomic finds is what the cell was left with.
    const Node node = action.kind == ActionKind::load ? access.node
                      : cell < of.nodes.size()        ? of.nodes[cell]
                                                      : 0;
    if (node == 0 || is_full()) return;
    const ObjectInfo& info = context_->objects[action.object];
    const bool global = info.space == machine::Space::global;
    const Shown shown{global, global ? info.buffer : action.object};
    loads_.note(item, node, shown.place(), cell, time);
    making.busy.push_back(static_cast<std::uint32_t>(item));
}

void LatticeObserver::write(const Action& action, std::uint64_t time, std::uint64_t item,
                            const Access& access, Making& making) {
    Held& of = held(action.object);
    const std::uint64_t byte = byte_of(action, access);
    const std::size_t size = lang::info(action.type).bytes;
    const bool shown = any_value_ || making.valued.contains(action.object);
    if (of.all == 0 && shown) note_unshown(context_->objects[action.object].name);
    // A compare-exchange that failed wrote nothing.
    if (action.kind == ActionKind::atomic && access.before == access.after) return;
    if (byte + size > of.bytes.size()) return;
    const std::uint64_t cell = byte / lang::info(of.element).bytes;
    std::memcpy(of.bytes.data() + byte, &access.after, size);
    of.nodes[cell] = access.node;
    of.changed.push_back(static_cast<std::uint32_t>(cell));
    // Structures of several types are bytes here, which nobody wants to see.
    if (size > lang::info(of.element).bytes) return;
    if (!shown) return;
    if (!making.writes.contains(action.object)) making.order.push_back(action.object);
    Write made{static_cast<std::uint32_t>(cell), static_cast<std::uint32_t>(item),
               making.sources.size(), 0};
    if (!is_full()) find_sources(item, time, access.node, making.sources);
    made.end = making.sources.size();
    making.writes[action.object].push_back(made);
    making.busy.push_back(made.item);
}

// The cells of the row above that went into a value: appended, in order, each once.
void LatticeObserver::find_sources(std::uint64_t item, std::uint64_t time, Node node,
                                   std::vector<std::uint32_t>& into) {
    const std::size_t first = into.size();
    const machine::Lineage& lineage = machine_->lineage();
    left_.assign(1, node);
    seen_.clear();
    while (!left_.empty()) {
        const Node at = left_.back();
        left_.pop_back();
        if (at == 0) continue;
        const auto known = std::lower_bound(seen_.begin(), seen_.end(), at);
        if (known != seen_.end() && *known == at) continue;
        seen_.insert(known, at);
        if (const auto cell = loads_.from(item, at, above_.place(), time)) {
            into.push_back(static_cast<std::uint32_t>(*cell));
            continue;
        }
        if (at == machine::kUnwritten) continue;
        const machine::Origin& origin = lineage[at];
        if (origin.is_input) continue;
        left_.push_back(origin.left);
        left_.push_back(origin.right);
    }
    const auto begin = into.begin() + static_cast<std::ptrdiff_t>(first);
    std::sort(begin, into.end());
    into.erase(std::unique(begin, into.end()), into.end());
}

void LatticeObserver::add_row(const Action& action, std::uint32_t object, std::uint32_t number,
                              Making& making) {
    Held& of = held(object);
    const ObjectInfo& info = context_->objects[object];
    std::uint64_t skipped = 0;
    const bool full = is_full();
    if (lattice_.rows.size() > most_rows_) {  // of those past the bound the last alone
        skipped = lattice_.head.passes.back().skipped + 1;
        drop_last_row();
    }
    Pass head;
    head.launch = static_cast<int>(action.launch) + 1;
    head.variables = machine_->job().launches[action.launch].variables;
    head.global = context_->global;
    head.local = context_->local;
    head.array = info.name;
    head.number = number;
    head.skipped = skipped;
    head.local_memory = info.space == machine::Space::local;
    head.group_cells = head.local_memory ? of.cells : 0;
    head.waited = context_->code->has_barrier;

    std::vector<Write>& writes = making.writes.at(object);
    std::vector<std::uint32_t> items;
    for (const Write& write : writes)
        items.push_back(write.item);
    sort_once(items);
    head.items_known = items == making.busy;
    LatticeRow row;
    row.active = static_cast<std::uint32_t>(items.size());
    if (of.number == kNoRow) {
        of.number = lattice_.arrays.size();
        LatticeArray made{of.element, of.all, {}};
        if (!head.local_memory) made.initial = machine_->job().buffers[info.buffer].initial;
        lattice_.arrays.push_back(std::move(made));
    }
    row.array = of.number;
    row.before = of.row;
    fill_row(row, of, writes, making.sources);
    of.row = lattice_.rows.size();
    origins_.push_back(
        {action.launch, action.pass, object, head.local_memory, info.buffer, head.group_cells});
    lattice_.rows.push_back(std::move(row));
    lattice_.head.passes.push_back(std::move(head));
    if (!full) above_ = {!origins_.back().local, origins_.back().local ? object : info.buffer};
}

void LatticeObserver::fill_row(LatticeRow& row, Held& of, std::vector<Write>& writes,
                               const std::vector<std::uint32_t>& sources) {
    const std::size_t size = lang::info(of.element).bytes;
    std::stable_sort(writes.begin(), writes.end(),
                     [](const Write& a, const Write& b) { return a.cell < b.cell; });
    sort_once(of.changed);
    row.cells.assign(of.all, static_cast<std::uint8_t>(CellState::same));
    row.changes.reserve(of.changed.size());
    row.values.reserve(of.changed.size() * size);
    auto write = writes.begin();
    for (const std::uint32_t cell : of.changed) {
        LatticeChange change{cell, kNobody, static_cast<std::uint32_t>(row.from.size())};
        std::uint8_t bits = 0;
        for (; write != writes.end() && write->cell == cell; ++write) {
            if (change.item != kNobody && change.item != write->item) bits = kSeveralBit;
            change.item = write->item;
            row.from.resize(change.from);  // the last one counts
            row.from.insert(row.from.end(),
                            sources.begin() + static_cast<std::ptrdiff_t>(write->from),
                            sources.begin() + static_cast<std::ptrdiff_t>(write->end));
        }
        if (change.item != kNobody) {
            row.cells[cell] = bits | static_cast<std::uint8_t>(CellState::written);
            ++row.written;
        }
        row.changes.push_back(change);
        const std::byte* value = of.bytes.data() + cell * size;
        row.values.insert(row.values.end(), value, value + size);
    }
    row.from.shrink_to_fit();
    of.changed.clear();
}

// What memory holds at the launch's end goes into the last row of each array.
void LatticeObserver::add_late_stores() {
    const std::vector<LateStore> late = late_stores(*trace_, *context_, 0, trace_->size());
    if (late.empty()) return;
    std::map<std::uint32_t, std::uint32_t> numbers;  // of passes, from 1
    for (std::uint64_t time = 0; time < trace_->size(); ++time)
        numbers[trace_->action(time).pass] = 0;
    std::uint32_t number = 0;
    for (auto& [pass, each] : numbers)
        each = ++number;
    for (const LateStore& store : late) {
        const Action& action = *store.action;
        Held& of = held(action.object);
        const std::uint64_t byte = byte_of(action, *store.access);
        const std::size_t size = lang::info(action.type).bytes;
        if (byte + size > of.bytes.size()) continue;
        std::memcpy(of.bytes.data() + byte, &store.access->after, size);
        of.nodes[store.cell] = store.access->node;
        if (of.row == kNoRow || origins_[of.row].launch != action.launch) continue;
        LatticeRow& row = lattice_.rows[of.row];
        const std::size_t cell_size = lang::info(of.element).bytes;
        const auto cell = static_cast<std::uint32_t>(store.cell);
        auto at = std::lower_bound(
            row.changes.begin(), row.changes.end(), cell,
            [](const LatticeChange& change, std::uint32_t asked) { return change.cell < asked; });
        const auto place = at - row.changes.begin();
        const auto value = row.values.begin() + place * static_cast<std::ptrdiff_t>(cell_size);
        const std::byte* now = of.bytes.data() + store.cell * cell_size;
        if (at != row.changes.end() && at->cell == cell) {
            std::copy_n(now, cell_size, value);
        } else {
            const auto from =
                at == row.changes.end() ? static_cast<std::uint32_t>(row.from.size()) : at->from;
            row.changes.insert(at, {cell, kNobody, from});
            row.values.insert(value, now, now + cell_size);
        }
        lattice_.late.push_back(
            {of.row, store.cell, static_cast<std::int64_t>(store.item), numbers.at(action.pass)});
    }
}

// What it showed as changed is then told by the next row of its array.
void LatticeObserver::drop_last_row() {
    const LatticeRow& last = lattice_.rows.back();
    const Origin& origin = origins_.back();
    const bool there = !origin.local || origin.launch == context_->launch;
    if (there) {
        Held& of = origin.local ? locals_[origin.object] : buffers_[origin.buffer];
        of.row = last.before;
        for (const LatticeChange& change : last.changes)
            of.changed.push_back(change.cell);
    }
    writers_.erase(lattice_.rows.size() - 1);
    lattice_.rows.pop_back();
    lattice_.head.passes.pop_back();
    origins_.pop_back();
}

Lattice LatticeObserver::take() {
    end_launch();
    add_states();
    if (!too_long_for_stale()) add_races();
    for (const LatticeRow& row : lattice_.rows)
        lattice_.width = std::max<std::uint64_t>(lattice_.width, row.cells.size());
    if (progress_ != nullptr) progress_->store(1);
    return std::move(lattice_);
}

}  // namespace lab::analysis
