#include "analysis/seen_copies.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "machine/collectives.h"

namespace lab::analysis {
namespace {

using lang::Op;

constexpr std::uint64_t kMostPairs = 50'000'000;  // of accesses compared, in one launch

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

bool is_out_of_bounds(const std::vector<Cells>& cells) {
    return std::any_of(cells.begin(), cells.end(),
                       [](const Cells& each) { return each.object == kAnyObject; });
}

}  // namespace

SeenCopies::SeenCopies(const machine::Machine& machine, const PersistentSets& sets)
    : machine_(machine), sets_(sets) {
    const auto launches = static_cast<std::uint32_t>(machine.job().launches.size());
    for (std::uint32_t launch = 0; launch < launches; ++launch)
        copies_.push_back(machine::copies_in(machine.context(launch)));
    reached_.resize(launches);
}

void SeenCopies::add(SeenCopy::How how, std::uint32_t line, std::uint32_t other) {
    const SeenCopy seen{how, line, other};
    if (std::find(seen_.begin(), seen_.end(), seen) == seen_.end()) seen_.push_back(seen);
}

void SeenCopies::look(const machine::State& state, const machine::Choice& choice) {
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
            bool meets = is_out_of_bounds(copied);
            for (const Cells& each : cells)
                for (const Cells& side : copied)
                    meets = meets || order_matters(each, side, group->id == own.id);
            if (meets)
                add(SeenCopy::How::meanwhile, line(next),
                    line(context.code->instructions[copy.instruction]));
        }
}

// What no barrier keeps apart in one group, at a call or a wait.
void SeenCopies::unordered(std::uint32_t launch) {
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

std::vector<SeenCopy> SeenCopies::all() {
    for (std::uint32_t launch = 0; launch < reached_.size(); ++launch)
        if (reached_[launch]) unordered(launch);
    return seen_;
}

}  // namespace lab::analysis
