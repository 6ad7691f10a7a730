#include "analysis/stale_reads.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>

#include "analysis/happens_before.h"
#include "analysis/rows.h"
#include "base/ranges.h"
#include "machine/collectives.h"

namespace lab::analysis {

bool may_be_unwritten(const machine::ObjectInfo& object, std::uint64_t bits, machine::Scalar type) {
    const unsigned unused = 64 - 8 * lang::info(type).bytes;
    const auto poison =
        std::uint64_t{0x0101'0101'0101'0101} * std::to_integer<std::uint64_t>(machine::kPoison);
    return !object.filled && bits << unused == poison << unused;
}

namespace {

using machine::Access;
using machine::Action;
using machine::ActionKind;
using machine::ObjectInfo;

struct CellTouch {
    std::uint64_t time = 0, item = 0;
    std::size_t grids = 0;
    std::uint32_t group = 0, epoch = 0, pass = 0, place = 0, turn = 0;
    ProgramOrder::Position position;
    std::uint64_t before = 0, after = 0;
    bool writes = false, atomic = false, unwritten = false;
};

// All accesses of one cell in one launch, by time.
struct CellHistory {
    std::uint32_t object = 0;
    std::uint64_t index = 0;
    machine::Scalar type = machine::Scalar::int_;
    bool mixed = false;  // accesses of several types: values cannot be compared
    std::vector<CellTouch> touches;
};

bool unordered(const CellTouch& a, const CellTouch& b) {
    if (a.item == b.item || (a.atomic && b.atomic)) return false;
    return a.group != b.group ? a.grids == b.grids : a.epoch == b.epoch;
}

class Finder {
  public:
    Finder(const machine::Machine& machine, const machine::Trace& trace, std::uint32_t launch,
           std::uint64_t& comparisons)
        : trace_(trace),
          launch_(launch),
          context_(&machine.context(launch)),
          order_(*context_->code),
          comparisons_left_(comparisons) {}

    // In the order of time.
    std::vector<StaleRead> find(std::uint64_t first, std::uint64_t end) {
        for (std::uint64_t time = first; time < end; ++time)
            collect(time);
        for (const auto& [key, cell] : cells_)
            if (!cell.mixed) look_at(cell);
        const auto key = [](const StaleRead& read) {
            return std::tuple(read.time, read.item, read.cell);
        };
        sort(found_, [&](const StaleRead& a, const StaleRead& b) { return key(a) < key(b); });
        return std::move(found_);
    }

    bool all() const { return all_; }  // whether no cell was left out

  private:
    void collect(std::uint64_t time) {
        const Action& action = trace_.action(time);
        if (action.count == 0) return;
        const ObjectInfo& object = context_->objects[action.object];
        if (object.space == machine::Space::constant || object.read_only) return;
        const bool local = object.space == machine::Space::local;
        CellTouch touch;
        touch.time = time;
        touch.grids = trace_.grids_before(time);
        touch.group = action.group;
        touch.epoch = local ? action.epoch_local : action.epoch_global;
        touch.pass = action.pass;
        touch.place = action.place;
        touch.turn = action.turn;
        touch.position = order_.position(action.place, action.kind, action.turn);
        touch.writes = action.kind != ActionKind::load;
        touch.atomic = action.kind == ActionKind::atomic;
        for_accesses(trace_, *context_, action, [&](std::uint64_t item, const Access& access) {
            touch.item = item;
            touch.before = access.before;
            touch.after = access.after;
            touch.unwritten = !touch.writes && access.node == machine::kUnwritten;
            const std::uint64_t byte = std::uint64_t{access.index} * lang::info(action.type).bytes;
            CellHistory& cell = cells_[memory_bits(object, action) + byte];
            if (cell.touches.empty()) {
                cell.object = action.object;
                cell.index = access.index;
                cell.type = action.type;
            }
            cell.mixed = cell.mixed || cell.type != action.type;
            cell.touches.push_back(touch);
        });
    }

    void look_at(const CellHistory& cell) {
        writes_.clear();
        for (std::size_t i = 0; i < cell.touches.size(); ++i)
            if (cell.touches[i].writes) writes_.push_back(i);
        const std::uint64_t comparisons =
            std::uint64_t{cell.touches.size() - writes_.size()} * writes_.size();
        if (comparisons > comparisons_left_) {
            all_ = false;
            return;
        }
        comparisons_left_ -= comparisons;
        // Of those that read a cell again and again in one place, waiting, the last counts.
        std::map<std::uint64_t, std::size_t> last;
        for (std::size_t i = cell.touches.size(); i-- > 0;) {
            const CellTouch& touch = cell.touches[i];
            const auto [at, news] = last.try_emplace(touch.item, i);
            const CellTouch& next = cell.touches[at->second];
            const bool reread =
                !news && !next.writes && next.place == touch.place && next.epoch == touch.epoch;
            const bool again = reread && next.turn == touch.turn;
            const CellTouch* later = news ? nullptr : &next;
            at->second = i;
            if (touch.writes || again) continue;
            const std::size_t before = found_.size();
            read(cell, i, later);
            if (found_.size() > before) found_.back().reread = reread;
        }
    }

    // The write by the reading work-item of the same statement's cell, if it writes it back:
    // `later` is what it does to the cell next.
    static const CellTouch* written_back(const CellTouch& touch, const CellTouch* later,
                                         const lang::Code& code) {
        if (later == nullptr) return nullptr;
        const bool same = later->writes && later->turn == touch.turn &&
                          code.places[later->place].line == code.places[touch.place].line;
        return same ? later : nullptr;
    }

    void read(const CellHistory& cell, std::size_t index, const CellTouch* later) {
        const CellTouch& touch = cell.touches[index];
        const CellTouch* back = written_back(touch, later, *context_->code);
        // Updates of one statement have no order among themselves, but must not overlap.
        const auto updates = [&](const CellTouch& other) {
            return back != nullptr && other.writes && other.item != touch.item &&
                   other.place == back->place && other.turn == touch.turn;
        };
        if (back != nullptr)
            for (const std::size_t i : writes_) {
                const CellTouch& other = cell.touches[i];
                if (&other == back) break;
                if (i < index || !updates(other) || !unordered(touch, other)) continue;
                add_stale(cell, touch, other, other.after, false, true);
                return;
            }
        const CellTouch* found = nullptr;  // that it took
        const CellTouch* meant = nullptr;
        for (const std::size_t i : writes_) {
            const CellTouch& other = cell.touches[i];
            if (updates(other)) continue;
            if (i < index) found = &other;
            const bool before = ProgramOrder::comes_before(other.position, touch.position) ||
                                (other.item == touch.item && i < index);
            if (!before) continue;
            if (meant == nullptr || !ProgramOrder::comes_before(other.position, meant->position))
                meant = &other;
        }
        if (found == meant) return;
        const bool raced = (found != nullptr && unordered(*found, touch)) ||
                           (meant != nullptr && unordered(*meant, touch));
        // Without one: what the cell held before the launch.
        const std::uint64_t right = meant != nullptr ? meant->after : cell.touches.front().before;
        if (!raced || right == touch.before) return;
        const bool too_new = meant == nullptr || meant->time < touch.time;
        // Who polls what atomic functions change has no right value yet.
        if ((too_new ? found : meant)->atomic) return;
        add_stale(cell, touch, too_new ? *found : *meant, right, too_new, false);
    }

    void add_stale(const CellHistory& cell, const CellTouch& touch, const CellTouch& write,
                   std::uint64_t right, bool too_new, bool update) {
        StaleRead read;
        read.time = touch.time;
        read.launch = launch_;
        read.item = touch.item;
        read.group = touch.group;
        read.pass = touch.pass;
        read.place = touch.place;
        read.object = cell.object;
        read.cell = cell.index;
        read.type = cell.type;
        read.took = touch.before;
        read.missed = right;
        read.writer = write.item;
        read.write_pass = write.pass;
        read.write_place = write.place;
        read.turn = touch.turn;
        read.write_turn = write.turn;
        read.too_new = too_new;
        read.update = update;
        read.unwritten = touch.unwritten;
        found_.push_back(read);
    }

    const machine::Trace& trace_;
    std::uint32_t launch_;
    const machine::Context* context_;
    ProgramOrder order_;
    std::unordered_map<std::uint64_t, CellHistory> cells_;
    std::vector<std::size_t> writes_;  // of the cell that is looked at
    std::uint64_t& comparisons_left_;
    std::vector<StaleRead> found_;
    bool all_ = true;
};

}  // namespace

std::vector<StaleRead> stale_reads(const machine::Machine& machine, const machine::Trace& trace,
                                   std::uint64_t first, std::uint64_t end, bool* all,
                                   std::uint64_t& comparisons) {
    Finder finder(machine, trace, trace.action(first).launch, comparisons);
    std::vector<StaleRead> found = finder.find(first, end);
    *all = *all && finder.all();
    return found;
}

std::vector<StaleRead> stale_reads(const machine::Run& run, bool* all) {
    std::uint64_t comparisons = kMostComparisons;
    bool all_compared = true;
    std::vector<StaleRead> found;
    for_launches(run.trace(), [&](std::uint64_t first, std::uint64_t end) {
        const auto more =
            stale_reads(run.machine(), run.trace(), first, end, &all_compared, comparisons);
        found.insert(found.end(), more.begin(), more.end());
    });
    if (all != nullptr) *all = all_compared;
    return found;
}

std::vector<LateStore> late_stores(const machine::Trace& trace, const machine::Context& context,
                                   std::uint64_t first, std::uint64_t end) {
    // By array (buffers before local objects) and cell: the latest pass that wrote it, from 1.
    std::map<std::pair<bool, std::size_t>, std::vector<std::uint32_t>> latest;
    std::map<std::tuple<bool, std::size_t, std::uint64_t>, LateStore> late;
    for (std::uint64_t time = first; time < end; ++time) {
        const Action& action = trace.action(time);
        if (action.kind != ActionKind::store && action.kind != ActionKind::atomic) continue;
        const ObjectInfo& object = context.objects[action.object];
        const bool local = object.space == machine::Space::local;
        const std::size_t array = local ? action.object : object.buffer;
        const std::uint64_t element = lang::info(object.element).bytes;
        const std::uint64_t offset =
            local ? action.group * (object.bytes >> object.shift) : std::uint64_t{0};
        std::vector<std::uint32_t>& passes = latest[{local, array}];
        for_accesses(trace, context, action, [&](std::uint64_t item, const Access& access) {
            if (action.kind == ActionKind::atomic && access.before == access.after) return;
            const std::uint64_t cell =
                offset + access.index * lang::info(action.type).bytes / element;
            if (cell >= passes.size()) passes.resize(cell + 1);
            if (action.pass + 1 < passes[cell]) {
                late[{local, array, cell}] = {&action, &access, item, cell};
            } else {
                passes[cell] = action.pass + 1;
                if (!late.empty()) late.erase({local, array, cell});
            }
        });
    }
    std::vector<LateStore> stores;
    for (const auto& [at, store] : late)
        stores.push_back(store);
    return stores;
}

namespace {

using lang::Op;

// Pairs of accesses of a launch with copies; more leave a search INCOMPLETE.
constexpr std::uint64_t kMostPairs = 50'000'000;

struct Touching {
    Cells cells;
    std::uint32_t warp = 0, pc = 0;
    auto operator<=>(const Touching&) const = default;
};
struct Around {
    std::set<Touching> before, after;
};

// What one work-item may touch before and after each call and wait, from the last barrier and to
// the next.
class ItemAround {
  public:
    ItemAround(const lang::Code& code, const ItemWalk& walk)
        : code_(code), walk_(walk), before_(walk.places.size()), after_(before_), own_(before_) {
        for (std::size_t place = 0; place < walk.places.size(); ++place) {
            if (op(place) == Op::group_wait) continue;  // what it does is the call's
            for (const std::uint32_t cell : walk.places[place].cells)
                own_[place].insert(number_of({cell, walk.places[place].pc}));
        }
        spread();
    }

    void add_to(std::map<std::uint32_t, Around>& all, std::uint32_t warp) const {
        for (std::size_t place = 0; place < walk_.places.size(); ++place) {
            if (!is_copy(place)) continue;
            Around& around = all[walk_.places[place].pc];
            for (const std::uint32_t touch : before_[place])
                around.before.insert(access(touch, warp));
            for (const std::uint32_t touch : after_[place])
                around.after.insert(access(touch, warp));
            for (const std::uint32_t touch : own_[place])
                around.after.insert(access(touch, warp));
        }
    }

  private:
    using CellsAndPc = std::pair<std::uint32_t, std::uint32_t>;  // cells, pc

    Op op(std::size_t place) const { return code_.instructions[walk_.places[place].pc].op; }
    bool is_copy(std::size_t place) const {
        return op(place) == Op::group_copy || op(place) == Op::group_wait;
    }
    bool is_barrier(std::size_t place) const {
        return lang::is_waiting(op(place)) && !is_copy(place);
    }

    std::uint32_t number_of(const CellsAndPc& touch) {
        const auto [at, fresh] =
            numbers_.try_emplace(touch, static_cast<std::uint32_t>(touches_.size()));
        if (fresh) touches_.push_back(touch);
        return at->second;
    }
    Touching access(std::uint32_t touch, std::uint32_t warp) const {
        return {walk_.cells[touches_[touch].first], warp, touches_[touch].second};
    }

    void spread() {
        for (bool more = true; more;) {
            more = false;
            const auto merge = [&](std::set<std::uint32_t>& into,
                                   const std::set<std::uint32_t>& from) {
                const std::size_t size = into.size();
                into.insert(from.begin(), from.end());
                more = more || into.size() != size;
            };
            for (std::size_t place = 0; place < walk_.places.size(); ++place)
                for (const std::uint32_t next : walk_.places[place].after) {
                    if (!is_barrier(place)) {
                        merge(before_[next], before_[place]);
                        if (!is_copy(place)) merge(before_[next], own_[place]);
                    }
                    merge(after_[place], own_[next]);
                    if (!is_barrier(next)) merge(after_[place], after_[next]);
                }
        }
    }

    const lang::Code& code_;
    const ItemWalk& walk_;
    std::map<CellsAndPc, std::uint32_t> numbers_;
    std::vector<CellsAndPc> touches_;
    std::vector<std::set<std::uint32_t>> before_, after_, own_;  // by place
};

}  // namespace

AsyncCopyVisibility::AsyncCopyVisibility(const machine::Machine& machine,
                                         const PersistentSets& sets)
    : machine_(machine), sets_(sets) {
    const auto launches = static_cast<std::uint32_t>(machine.job().launches.size());
    for (std::uint32_t launch = 0; launch < launches; ++launch)
        copies_.push_back(machine::copies_in(machine.context(launch)));
    reached_.resize(launches);
}

void AsyncCopyVisibility::add(SeenCopy::How how, std::uint32_t line, std::uint32_t other) {
    const SeenCopy seen{how, line, other};
    if (!contains(seen_, seen)) seen_.push_back(seen);
}

void AsyncCopyVisibility::look(const machine::State& state, const machine::WarpRef& choice) {
    if (!copies_[state.launch]) return;
    reached_[state.launch] = true;
    const machine::Context& context = machine_.context(state.launch);
    const auto line = [&](const lang::Instruction& each) {
        return static_cast<std::uint32_t>(context.code->place(each).line);
    };
    const machine::Group& own = *state.groups[choice.slot];
    const lang::Instruction& next = machine_.next(state, choice);
    if (next.op == Op::group_wait) return;
    const std::vector<Cells> cells = next_cells(context, sets_.written(), state, choice);
    if (next.op == Op::group_copy && !cells.empty() && cells.back().writes) {
        // Several elements to one place.
        const machine::Copy copy = machine::copy_at(context, own, choice.warp);
        if (copy.elements > 1 && copy.stride == 0 && next.extra == 0)
            add(SeenCopy::How::meanwhile, line(next), line(next));
    }
    for (const auto& group : state.groups)
        for (const machine::Copy& copy : group->copies) {
            const std::vector<Cells> copied = copied_cells(context, sets_.written(), copy);
            // One that goes wrong may do so before all that comes until its wait.
            bool meets =
                any_of(copied, [](const Cells& each) { return each.object == kAnyObject; });
            for (const Cells& each : cells)
                for (const Cells& side : copied)
                    meets = meets || order_matters(each, side, group->id == own.id);
            if (meets)
                add(SeenCopy::How::meanwhile, line(next),
                    line(context.code->instructions[copy.instruction]));
        }
}

// What no barrier keeps apart in one group, at a call or a wait.
void AsyncCopyVisibility::unordered(std::uint32_t launch) {
    const machine::Context& context = machine_.context(launch);
    const std::optional<Footprints>& footprints = sets_.footprints(launch);
    if (!footprints) {
        add(SeenCopy::How::unknown, 0, 0);
        return;
    }
    std::uint64_t pairs = 0;
    for (std::uint32_t group = 0; group < context.groups && context.warps > 1; ++group) {
        std::map<std::uint32_t, Around> all;
        for (std::uint32_t local = 0; local < context.local; ++local)
            ItemAround(*context.code,
                       footprints->walk_of(std::uint64_t{group} * context.local + local))
                .add_to(all, local / context.lanes);
        for (const auto& [pc, around] : all) {
            pairs += std::uint64_t{around.before.size()} * around.after.size();
            if (pairs > kMostPairs) {
                add(SeenCopy::How::unknown, 0, 0);
                return;
            }
            for (const Touching& before : around.before)
                for (const Touching& after : around.after)
                    if (before.warp != after.warp &&
                        order_matters(before.cells, after.cells, true)) {
                        const auto& code = *context.code;
                        add(SeenCopy::How::unordered, code.place(code.instructions[before.pc]).line,
                            code.place(code.instructions[after.pc]).line);
                    }
        }
    }
}

std::vector<SeenCopy> AsyncCopyVisibility::all() {
    for (std::uint32_t launch = 0; launch < reached_.size(); ++launch)
        if (reached_[launch]) unordered(launch);
    return seen_;
}

}  // namespace lab::analysis
