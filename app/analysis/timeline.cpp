#include "analysis/timeline.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/lineage.h"
#include "analysis/rows.h"
#include "analysis/stale_reads.h"
#include "base/ranges.h"
#include "lang/code.h"

namespace lab::analysis {
namespace {

using machine::Action;
using machine::ActionKind;

class TimelineMaker {
  public:
    explicit TimelineMaker(const machine::Run& run) : run_(run), numbers_(run) {}

    Timeline make() {
        const machine::Trace& trace = run_.trace();
        made_.actions.reserve(trace.size());
        made_.space = run_.machine().space();
        for (std::uint64_t time = 0; time < trace.size(); ++time)
            add(time);
        made_.stale_known = trace.events() <= kMostEventsForStale;
        if (made_.stale_known) add_stale();
        return std::move(made_);
    }

  private:
    void add(std::uint64_t time) {
        const Action& action = run_.trace().action(time);
        const machine::Context& context = run_.machine().context(action.launch);
        if (time == 0 || run_.trace().action(time - 1).launch != action.launch) {
            made_.launches.push_back(
                {time, run_.machine().job().launches[action.launch].variables});
            made_.groups = std::max(made_.groups, context.groups);
            made_.warps = std::max(made_.warps, context.warps);
        }
        TimelineAction& timeline_action = made_.actions.emplace_back();
        timeline_action.launch = action.launch;
        timeline_action.group = action.group;
        timeline_action.warp = action.warp;
        timeline_action.pass = numbers_.of(action.launch, action.pass);
        timeline_action.line = context.code->places[action.place].line;
        timeline_action.lanes = static_cast<std::uint32_t>(std::popcount(action.mask));
        timeline_action.kind = action.kind;
        const auto accesses = run_.trace().accesses(action);
        if (accesses.empty()) return;
        const machine::ObjectInfo& object = context.objects[action.object];
        timeline_action.local = object.space == machine::Space::local;
        const auto [name, is_new] =
            names_.emplace(object.name, static_cast<std::uint32_t>(made_.arrays.size()));
        if (is_new) made_.arrays.push_back(object.name);
        timeline_action.name = name->second;
        std::vector<std::uint64_t> indices;
        for (const machine::Access& access : accesses)
            indices.push_back(object.index_of(access, action.type));
        timeline_action.cells = cells_text(std::move(indices), object.shape);
        if (accesses.size() > kMostValues) return;
        std::vector<std::string> values;
        for (const machine::Access& access : accesses)
            values.push_back(access.node == machine::kUnwritten
                                 ? "?"
                                 : lang::text_of(access.after, action.type));
        timeline_action.values = values_text(values);
    }

    void add_stale() {
        const std::vector<StaleRead> reads = stale_reads(run_, &made_.stale_known);
        made_.stale_reads = reads.size();
        for (const StaleRead& read : reads) {
            made_.actions[read.time].stale = true;
            if (made_.stale.size() == kMostArcs) continue;
            const machine::Context& context = run_.machine().context(read.launch);
            StaleArc& arc = made_.stale.emplace_back();
            arc.read = read.time;
            arc.write = write_of(read);
            arc.cell = context.objects[read.object].cell(read.cell);
            arc.took = lang::text_of(read.took, read.type);
            arc.missed = lang::text_of(read.missed, read.type);
            arc.item = read.item;
            arc.writer = read.writer;
            arc.group = read.group;
            arc.line = context.code->places[read.place].line;
            arc.too_new = read.too_new;
        }
    }

    // The action by which the writer wrote what the read missed, or saw too early.
    std::optional<std::uint64_t> write_of(const StaleRead& read) const {
        const machine::Trace& trace = run_.trace();
        const machine::Context& context = run_.machine().context(read.launch);
        const std::uint64_t group = read.writer / context.local;
        const std::uint64_t in_group = read.writer % context.local;
        const std::uint64_t warp = in_group / context.lanes, lane = in_group % context.lanes;
        std::optional<std::uint64_t> found;
        for (std::uint64_t time = made_.launches[launch_at(read.launch)].first;
             time < trace.size() && trace.action(time).launch == read.launch; ++time) {
            const Action& action = trace.action(time);
            const bool same = action.kind != ActionKind::load && action.group == group &&
                              action.warp == warp && action.place == read.write_place &&
                              action.pass == read.write_pass && (action.mask >> lane & 1U) != 0;
            if (!same || !touches(action, read)) continue;
            if (!found || !read.too_new || time < read.time) found = time;
            if (!read.too_new && time > read.time) break;
        }
        return found;
    }

    std::size_t launch_at(std::uint32_t launch) const {
        std::size_t index = 0;
        while (made_.actions[made_.launches[index].first].launch != launch)
            ++index;
        return index;
    }

    bool touches(const Action& action, const StaleRead& read) const {
        const auto accesses = run_.trace().accesses(action);
        return any_of(accesses,
                      [&](const machine::Access& access) { return access.index == read.cell; });
    }

    const machine::Run& run_;
    PassNumbers numbers_;
    Timeline made_;
    std::map<std::string, std::uint32_t> names_;
};

}  // namespace

Timeline timeline_of(const machine::Run& run) {
    return TimelineMaker(run).make();
}

namespace {

using machine::Context;
using machine::State;

constexpr std::uint32_t kMostEnded = 64;  // groups that have ended; later ones are not listed

// What values are called by those who read or stored them: a text for each node.
using Known = std::map<machine::Node, std::string>;

std::string name_in(const Known& known, machine::Node node) {
    const auto found = known.find(node);
    return found == known.end() ? std::string() : found->second;
}

ActionView view_of(const machine::Machine& machine, const Action& action,
                   std::span<const machine::Access> accesses, const Known& known) {
    const Context& context = machine.context(action.launch);
    const lang::Place& place = context.code->places[action.place];
    ActionView view;
    view.launch = action.launch;
    view.group = action.group;
    view.warp = action.warp;
    view.kind = action.kind;
    view.line = place.line;
    view.column = place.column;
    view.pass = action.pass;
    view.mask = action.mask;
    if (accesses.empty()) return view;
    const machine::ObjectInfo& object = context.objects[action.object];
    view.array = object.name;
    view.shape = object.shape;
    view.local = object.space == machine::Space::local;
    machine::SetBits lanes = machine::set_bits(action.mask);
    for (std::size_t i = 0; i < accesses.size(); ++i) {
        if (i > 0 && i % std::max<std::size_t>(1, action.count) == 0) ++lanes;
        const machine::Access& access = accesses[i];
        LaneTouch touch;
        touch.lane = *lanes;
        touch.item = context.item(action.group, action.warp, touch.lane);
        touch.index = object.index_of(access, action.type);
        touch.value = access.node == machine::kUnwritten && action.kind == ActionKind::load
                          ? "?"
                          : lang::text_of(access.after, action.type);
        const machine::Origin& origin =
            machine.lineage()[access.node == machine::kUnwritten ? 0 : access.node];
        if (action.kind != ActionKind::load && origin.left != 0 && origin.right != 0) {
            touch.left = name_in(known, origin.left);
            touch.right = name_in(known, origin.right);
        }
        view.touches.push_back(std::move(touch));
    }
    return view;
}

// For the parts of an instruction the first that touches memory: the others touch it likewise.
ActionView view_of(const machine::Machine& machine, const machine::StepResult& done,
                   const Known& known) {
    const machine::Part& part = done.parts.front();
    return view_of(machine, part.action, {done.accesses.data() + part.first, part.end - part.first},
                   known);
}

class StateViewBuilder {
  public:
    StateViewBuilder(machine::Run& run, std::uint64_t time)
        : run_(run), time_(std::min(time, run.trace().size())), state_(run.state_at(time_)) {}

    StateView make() {
        const machine::Machine& machine = run_.machine();
        made_.time = time_;
        made_.done = machine.done(state_);
        made_.launches = static_cast<std::uint32_t>(machine.job().launches.size());
        made_.launch = std::min(state_.launch, made_.launches - 1);
        const machine::Launch& launch = machine.job().launches[made_.launch];
        const Context& context = machine.context(made_.launch);
        made_.variables = launch.variables;
        made_.groups = context.groups;
        made_.group_items = context.local;
        made_.warp_lanes = context.lanes;
        made_.space = context.space;
        for (std::uint64_t index = 0; index < time_; ++index) {
            const Action& action = run_.trace().action(index);
            for (const machine::Access& access : run_.trace().accesses(action))
                if (access.node != 0 && access.node != machine::kUnwritten)
                    known_[access.node] = lang::text_of(access.after, action.type);
        }
        if (time_ > 0) {
            const Action& action = run_.trace().action(time_ - 1);
            made_.last = view_of(run_.machine(), action, run_.trace().accesses(action), known_);
        }
        add_arrays(context);
        std::uint32_t next = 0;
        for (const auto& group : state_.groups) {
            add_ended(context, next, group->id);
            for (std::uint32_t warp = 0; warp < group->warps.size(); ++warp)
                add_warp(context, *group, warp);
            next = group->id + 1;
        }
        add_ended(context, next, made_.done ? context.groups : state_.next_group);
        mark();
        return std::move(made_);
    }

  private:
    void add_arrays(const Context& context) {
        for (std::size_t object = 1; object <= context.visible; ++object) {
            const machine::ObjectInfo& info = context.objects[object];
            if (info.space == machine::Space::local) continue;
            add_array(info, made_.launch, 0, info.buffer);
        }
        for (const auto& group : state_.groups)
            for (std::size_t object = 1; object <= context.visible; ++object)
                if (context.objects[object].space == machine::Space::local)
                    add_array(context.objects[object], state_.launch, group->id, object);
    }

    void add_array(const machine::ObjectInfo& object_info, std::uint32_t launch,
                   std::uint32_t group, std::size_t array) {
        StateArray& state_array = made_.arrays.emplace_back();
        state_array.name = object_info.name;
        state_array.shape = object_info.shape;
        state_array.local = object_info.space == machine::Space::local;
        state_array.group = group;
        const std::uint64_t size = lang::info(object_info.element).bytes;
        const std::uint64_t count = size == 0 ? 0 : object_info.bytes / size;
        state_array.left_out = count - std::min(count, kMostStateCells);
        MemoryCell cell;
        cell.local = state_array.local;
        cell.launch = launch;
        cell.group = group;
        cell.array = static_cast<std::uint32_t>(array);
        for (cell.index = 0; cell.index < std::min(count, kMostStateCells); ++cell.index) {
            const auto contents = contents_of(run_.machine(), state_, cell);
            StateCell& shown = state_array.cells.emplace_back();
            shown.value =
                contents && contents->written ? lang::text_of(contents->bits, contents->type) : "?";
        }
    }

    WarpView& add_view(const Context& context, std::uint32_t group, std::uint32_t warp) {
        WarpView& view = made_.warps.emplace_back();
        view.group = group;
        view.warp = warp;
        view.first_item = context.item(group, warp, 0);
        return view;
    }

    // Groups that have made room for others.
    void add_ended(const Context& context, std::uint32_t from, std::uint32_t end) {
        for (std::uint32_t group = from; group < std::min(end, kMostEnded); ++group)
            for (std::uint32_t warp = 0; warp < context.warps; ++warp) {
                WarpView& view = add_view(context, group, warp);
                view.lanes = context.lanes_in(warp);
                view.status = machine::Status::done;
            }
    }

    void add_warp(const Context& context, const machine::Group& group, std::uint32_t warp) {
        const machine::Warp& of = group.warps[warp];
        WarpView& view = add_view(context, group.id, warp);
        view.lanes = static_cast<std::uint32_t>(std::popcount(of.live));
        view.running = of.exec & of.live;
        view.status = of.status;
        if (of.status == machine::Status::done) return;
        view.line = context.code->place(context.code->instructions[of.pc]).line;
        if (of.status != machine::Status::ready) return;
        State copy = state_;
        machine::StepResult done;
        try {
            run_.machine().act(copy, {*machine::slot_of(copy, group.id), warp}, done);
        } catch (const machine::Fault& fault) {
            if (done.parts.empty()) {
                view.fault = fault.what;
                return;
            }
        }
        if (!done.parts.empty()) view.next = view_of(run_.machine(), done, known_);
    }

    StateCell* cell_of(const ActionView& action, std::uint64_t index) {
        for (StateArray& array : made_.arrays)
            if (array.name == action.array && array.local == action.local &&
                (!array.local || array.group == action.group))
                return index < array.cells.size() ? &array.cells[index] : nullptr;
        return nullptr;
    }

    // For the same launch only: the names of arrays are those of a launch.
    void mark() {
        if (made_.last && made_.last->launch == made_.launch)
            for (const LaneTouch& touch : made_.last->touches)
                if (StateCell* cell = cell_of(*made_.last, touch.index)) {
                    cell->read = cell->read || made_.last->kind != ActionKind::store;
                    cell->wrote = cell->wrote || made_.last->kind != ActionKind::load;
                }
        if (time_ > 0) mark_changes();
        for (const WarpView& warp : made_.warps) {
            if (!warp.next) continue;
            for (const LaneTouch& touch : warp.next->touches) {
                StateCell* cell = cell_of(*warp.next, touch.index);
                if (cell == nullptr) continue;
                (warp.next->kind == ActionKind::load ? cell->next_read : cell->next_write) =
                    warp.group;
            }
        }
    }

    void mark_changes() {
        const Action& action = run_.trace().action(time_ - 1);
        if (action.kind == ActionKind::load || action.launch != made_.launch) return;
        for (const machine::Access& access : run_.trace().accesses(action))
            if (access.before != access.after)
                if (StateCell* cell = cell_of(*made_.last, access.index)) cell->changed = true;
    }

    machine::Run& run_;
    std::uint64_t time_;
    State state_;
    Known known_;
    StateView made_;
};

}  // namespace

// Of elements that are no numbers: "[3].sum", "[0…3].sum", "[0…3]" of all their parts.
static std::string parts_text(std::vector<std::uint64_t> indices, const lang::ArrayShape& shape) {
    lang::ArrayShape elements = shape;
    elements.element = 1;
    elements.parts.clear();
    std::sort(indices.begin(), indices.end());
    indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
    std::vector<std::uint64_t> touched;
    std::set<std::string> names;  // within an element
    for (const std::uint64_t each : indices) {
        const std::uint64_t element = each / shape.element;
        if (touched.empty() || touched.back() != element) touched.push_back(element);
        names.insert(shape.at(each).substr(elements.at(element).size()));
    }
    std::size_t of_element = 0;  // names
    for (std::uint64_t i = 0; i < shape.element; ++i)
        of_element += i == 0 || shape.at(i) != shape.at(i - 1) ? 1U : 0U;
    const std::string which = cells_text(touched, elements);
    if (names.size() == of_element && of_element > 1) return which;
    if (names.size() <= 2) return which + fmt::format("{}", fmt::join(names, ","));
    return which + *names.begin() + ",…";
}

std::string cells_text(std::vector<std::uint64_t> indices, const lang::ArrayShape& shape) {
    if (indices.empty()) return {};
    if (shape.element > 1) return parts_text(std::move(indices), shape);
    if (shape.scalar) return {};
    const bool rising = std::is_sorted(indices.begin(), indices.end());
    indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
    const std::uint64_t columns = shape.rows.empty() ? ~std::uint64_t{0} : shape.rows.back();
    const bool in_row = all_of(
        indices, [&](std::uint64_t each) { return each / columns == indices.front() / columns; });
    const auto name = [&](std::uint64_t index) {
        return in_row ? std::to_string(index % columns) : shape.at(index);
    };
    const std::string first = name(indices.front()), last = name(indices.back());
    const std::uint64_t step = indices.size() > 1 ? indices[1] - indices[0] : 0;
    bool even = rising;
    for (std::size_t i = 2; i < indices.size(); ++i)
        even = even && indices[i] - indices[i - 1] == step;
    std::string text = first;
    if (indices.size() == 2)
        text += ',' + last;
    else if (indices.size() > 2 && even && step == 1)
        text += "…" + last;
    else if (indices.size() > 2)
        text += ',' + name(indices[1]) + (even ? "…" + last : ",…");
    if (!in_row) return text;
    const std::string whole = shape.at(indices.front());
    return whole.substr(0, whole.rfind('[')) + '[' + text + ']';
}

StateView state_view_of(machine::Run& run, std::uint64_t time) {
    return StateViewBuilder(run, time).make();
}

std::string values_text(const std::vector<std::string>& values) {
    constexpr std::size_t kMostLetters = 14;  // of a cell's values; longer ones are not written out
    if (values.size() > kMostValues) return {};
    std::string text = fmt::format("{}", fmt::join(values, " "));
    if (text.size() > kMostLetters && values.size() > 1) text.clear();
    return text;
}

bool contend(const WarpView& one, const WarpView& other) {
    if (!one.next || !other.next || one.next->array != other.next->array) return false;
    if (one.next->local && one.group != other.group) return false;
    if (one.next->kind == ActionKind::load && other.next->kind == ActionKind::load) return false;
    return any_of(one.next->touches, [&](const LaneTouch& mine) {
        return any_of(other.next->touches,
                      [&](const LaneTouch& its) { return its.index == mine.index; });
    });
}

}  // namespace lab::analysis
