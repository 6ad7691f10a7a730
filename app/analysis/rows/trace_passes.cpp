#include "analysis/rows/trace_passes.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <unordered_set>

#include "analysis/lanes/loads.h"
#include "analysis/rows/late_stores.h"
#include "analysis/rows/pass_numbers.h"
#include "analysis/rows/row_array.h"
#include "lang/code/value.h"

namespace lab::analysis {
namespace {

using machine::Access;
using machine::Action;
using machine::ActionKind;
using machine::Context;
using machine::Node;
using machine::ObjectInfo;
using machine::Scalar;

constexpr std::size_t kMostRows = 500;

class Rows {
  public:
    Rows(const machine::Run& run, std::size_t start, std::vector<RowTrace>* traces)
        : run_(run), traces_(traces), numbers_(run.trace()) {
        for (const machine::Buffer& buffer : run.machine().job().buffers)
            buffers_.push_back(array_of(buffer));
        Pass first;
        first.cells = buffers_.at(start).row;
        first.array = name_of(start);
        above_ = {true, start};
        passes_.push_back(std::move(first));
    }

    std::vector<Pass> make() {
        const machine::Trace& trace = run_.trace();
        std::uint64_t time = 0;
        while (time < trace.size()) {
            const std::uint64_t first = time;
            const std::uint32_t launch = trace.action(time).launch;
            // Actions by pass; within a pass in the order of time.
            std::map<std::uint32_t, std::vector<std::uint64_t>> by_pass;
            bool lineage = false;
            for (; time < trace.size() && trace.action(time).launch == launch; ++time) {
                const Action& action = trace.action(time);
                if (action.count == 0) continue;
                by_pass[action.pass].push_back(time);
                if (action.kind != ActionKind::load && !lineage)
                    for (const Access& access : trace.accesses(action))
                        lineage = lineage || access.node != 0;
            }
            begin(launch);
            any_value_ = !lineage;
            for (const auto& [pass, times] : by_pass)
                one_pass(times, numbers_.of(launch, pass));
            show_late(first, time);
            finish_traces();
        }
        if (last_) passes_.push_back(std::move(*last_));
        return std::move(passes_);
    }

  private:
    // What the row above shows: a buffer, or a local array of the launch.
    struct Shown {
        bool global = true;
        std::size_t number = 0;
        bool operator==(const Shown&) const = default;
        std::uint64_t place() const { return number << 1U | (global ? 1U : 0U); }
    };

    // As the first kernel calls it, if it does.
    std::string name_of(std::size_t buffer) const {
        const machine::Job& job = run_.machine().job();
        if (!job.launches.empty()) {
            const Context& first = run_.machine().context(0);
            for (std::size_t i = 1; i <= first.visible; ++i)
                if (first.objects[i].space == machine::Space::global &&
                    first.objects[i].buffer == buffer)
                    return first.objects[i].name;
        }
        return job.buffers.at(buffer).name;
    }

    RowArray array_of(const machine::Buffer& buffer) const {
        RowArray made;
        made.element = buffer.element;
        made.cells = buffer.bytes / lang::info(buffer.element).bytes;
        if (made.cells > kMostRowCells) return made;
        made.resize(made.cells);
        if (buffer.initial.empty()) return made;
        std::copy_n(buffer.initial.data(), made.bytes.size(), made.bytes.data());
        for (std::uint64_t i = 0; i < made.cells; ++i) {
            made.known[i] = true;
            made.show(i);
        }
        return made;
    }

    void begin(std::uint32_t launch) {
        context_ = &run_.machine().context(launch);
        loads_.clear();
        for (RowArray& buffer : buffers_)
            buffer.traces.assign(buffer.traces.size(), {});
        last_rows_.clear();
        locals_.clear();
        locals_.resize(context_->objects.size());
        for (std::size_t i = 1; i <= context_->visible; ++i) {
            const ObjectInfo& object = context_->objects[i];
            if (object.space != machine::Space::local) continue;
            RowArray& array = locals_[i];
            array.element = object.element;
            array.cells = object.bytes >> object.shift;
            const std::uint64_t all = array.cells * context_->groups;
            if (all <= kMostRowCells) array.resize(all);
        }
    }

    RowArray& array(std::uint32_t object) {
        const ObjectInfo& info = context_->objects[object];
        return info.space == machine::Space::global ? buffers_[info.buffer] : locals_[object];
    }
    Shown shown(std::uint32_t object) const {
        const ObjectInfo& info = context_->objects[object];
        return info.space == machine::Space::global ? Shown{true, info.buffer}
                                                    : Shown{false, object};
    }
    // The byte in the array that the access begins at.
    std::uint64_t byte_of(const Action& action, const Access& access) {
        const bool local = context_->objects[action.object].space == machine::Space::local;
        const RowArray& of = array(action.object);
        return std::uint64_t{access.index} * lang::info(action.type).bytes +
               (local ? of.cells * action.group * lang::info(of.element).bytes : 0);
    }

    template <typename Each>
    void for_accesses(const Action& action, Each each) const {
        const std::span<const Access> all = run_.trace().accesses(action);
        std::uint64_t lanes = action.mask;
        for (std::size_t i = 0; i < all.size(); lanes &= lanes - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
            const std::uint64_t item = std::uint64_t{action.group} * context_->local +
                                       std::uint64_t{action.warp} * context_->lanes + lane;
            for (std::uint8_t k = 0; k < action.count; ++k, ++i)
                each(item, all[i]);
        }
    }

    struct Row {
        std::set<std::int64_t> items;
        std::map<std::uint64_t, std::set<std::int64_t>> writers;  // by cell
    };
    // One pass on its way.
    struct Making {
        std::set<std::uint32_t> valued;     // objects into which a value from the input is stored
        std::map<std::uint32_t, Row> rows;  // by object
        std::vector<std::uint32_t> order;
        std::set<std::int64_t> busy;
    };

    std::set<std::uint32_t> valued_in(const std::vector<std::uint64_t>& times) const {
        std::set<std::uint32_t> objects;
        for (const std::uint64_t time : times) {
            const Action& action = run_.trace().action(time);
            if (action.kind == ActionKind::load || objects.contains(action.object)) continue;
            for (const Access& access : run_.trace().accesses(action))
                if (access.node != 0) objects.insert(action.object);
        }
        return objects;
    }

    void one_pass(const std::vector<std::uint64_t>& times, std::uint32_t number) {
        Making making;
        if (!any_value_) making.valued = valued_in(times);
        for (const std::uint64_t time : times) {
            const Action& action = run_.trace().action(time);
            if (context_->objects[action.object].space == machine::Space::constant) continue;
            for_accesses(action, [&](std::uint64_t item, const Access& access) {
                if (action.kind != ActionKind::store) read(action, time, item, access, making);
                if (action.kind != ActionKind::load) write(action, time, item, access, making);
            });
        }
        for (const std::uint32_t object : making.order)
            add_row(run_.trace().action(times.front()), object, number, making);
    }

    void read(const Action& action, std::uint64_t time, std::uint64_t item, const Access& access,
              Making& making) {
        const RowArray& of = array(action.object);
        const std::uint64_t cell = byte_of(action, access) / lang::info(of.element).bytes;
        // What an atomic finds is what the cell was left with.
        const Node node = action.kind == ActionKind::load ? access.node
                          : cell < of.nodes.size()        ? of.nodes[cell]
                                                          : 0;
        if (node == 0 || is_full()) return;
        loads_.note(item, node, shown(action.object).place(), cell, time);
        making.busy.insert(static_cast<std::int64_t>(item));
    }

    void write(const Action& action, std::uint64_t time, std::uint64_t item, const Access& access,
               Making& making) {
        RowArray& of = array(action.object);
        const std::uint64_t byte = byte_of(action, access);
        const std::size_t size = lang::info(action.type).bytes;
        // A compare-exchange that failed wrote nothing.
        if (action.kind == ActionKind::atomic && access.before == access.after) return;
        if (byte + size > of.bytes.size()) return;
        const std::uint64_t cell = byte / lang::info(of.element).bytes;
        std::memcpy(of.bytes.data() + byte, &access.after, size);
        of.known[cell] = true;
        of.nodes[cell] = access.node;
        changed_.insert({action.object, cell});
        trace(of.traces[cell], action, access);
        // Structures of several types are bytes here, which nobody wants to see.
        if (size > lang::info(of.element).bytes) return;
        if (!any_value_ && !making.valued.contains(action.object)) return;
        if (!making.rows.contains(action.object)) making.order.push_back(action.object);
        Cell& shown = of.row[cell];
        making.rows[action.object].items.insert(static_cast<std::int64_t>(item));
        making.rows[action.object].writers[cell].insert(static_cast<std::int64_t>(item));
        making.busy.insert(static_cast<std::int64_t>(item));
        shown.written = true;
        shown.item = static_cast<std::int64_t>(item);
        shown.from.clear();
        if (!is_full()) sources(item, time, access.node, shown.from);
    }

    void trace(CellTrace& cell, const Action& action, const Access& access) {
        cell.shared = cell.shared || (cell.written && cell.group != action.group);
        cell.written = true;
        cell.pass = action.pass;
        cell.group = action.group;
        cell.atomic = action.kind == ActionKind::atomic && access.node != 0;
        any_order_ = any_order_ || cell.atomic;
    }

    // What memory holds at the launch's end goes into the last row of each array.
    void show_late(std::uint64_t first, std::uint64_t end) {
        for (const LateStore& store : late_stores(run_.trace(), *context_, first, end)) {
            const Action& action = *store.action;
            RowArray& of = array(action.object);
            const std::uint64_t byte = byte_of(action, *store.access);
            const std::size_t size = lang::info(action.type).bytes;
            if (byte + size > of.bytes.size()) continue;
            std::memcpy(of.bytes.data() + byte, &store.access->after, size);
            of.nodes[store.cell] = store.access->node;
            of.show(store.cell);
            const auto last = last_rows_.find(action.object);
            if (last == last_rows_.end()) continue;
            Pass& row = last_ && last_->array == context_->objects[action.object].name
                            ? *last_
                            : passes_[last->second];
            Cell& shown = row.cells[store.cell];
            shown.value = of.row[store.cell].value;
            shown.late_item = static_cast<std::int64_t>(store.item);
            shown.late_pass = numbers_.of(action.launch, action.pass);
        }
    }

    // What only the launch's end tells of its rows.
    void finish_traces() {
        std::set<std::pair<bool, std::size_t>> seen;
        for (auto last = open_.rbegin(); last != open_.rend(); ++last) {
            auto& [object, row] = *last;
            const RowArray& end = array(object);
            row.last = seen.insert({row.local, row.local ? object : row.buffer}).second;
            for (std::size_t i = 0; i < row.cells.size(); ++i) {
                row.cells[i].later = end.traces[i].written && end.traces[i].pass > row.pass;
                row.cells[i].shared = end.traces[i].shared;
            }
        }
        for (auto& [object, row] : open_)
            if (traces_ != nullptr) traces_->push_back(std::move(row));
        open_.clear();
    }

    // The cells of the row above that went into a value.
    void sources(std::uint64_t item, std::uint64_t time, Node node,
                 std::vector<std::uint32_t>& from) {
        const machine::Lineage& lineage = run_.machine().lineage();
        std::vector<Node> left{node};
        std::unordered_set<Node> seen;
        while (!left.empty()) {
            const Node at = left.back();
            left.pop_back();
            if (at == 0 || !seen.insert(at).second) continue;
            if (const auto cell = loads_.from(item, at, above_.place(), time)) {
                from.push_back(static_cast<std::uint32_t>(*cell));
                continue;
            }
            if (at == machine::kUnwritten) continue;
            const machine::Origin& origin = lineage[at];
            if (origin.is_input) continue;
            left.push_back(origin.left);
            left.push_back(origin.right);
        }
        std::sort(from.begin(), from.end());
        from.erase(std::unique(from.begin(), from.end()), from.end());
    }

    bool is_full() const { return passes_.size() >= kMostRows; }

    void add_row(const Action& action, std::uint32_t object, std::uint32_t number,
                 const Making& making) {
        RowArray& of = array(object);
        const ObjectInfo& info = context_->objects[object];
        for (const auto& [array_changed, cell] : changed_) {
            RowArray& each = array(array_changed);
            if (cell < each.row.size()) each.show(cell);
        }
        changed_.clear();
        Pass pass;
        pass.launch = action.launch + 1;
        pass.variables = run_.machine().job().launches[action.launch].variables;
        pass.global = context_->global;
        pass.local = context_->local;
        pass.array = info.name;
        pass.number = number;
        pass.local_memory = info.space == machine::Space::local;
        pass.group_cells = pass.local_memory ? of.cells : 0;
        pass.waited = context_->code->has_barrier;
        const Row& made = making.rows.at(object);
        pass.items_known = made.items == making.busy;
        pass.cells = of.row;
        for (const auto& [cell, items] : made.writers)
            for (const std::int64_t item : items)
                if (item != pass.cells[cell].item) pass.cells[cell].also.push_back(item);
        for (Cell& cell : of.row) {
            cell.written = false;
            cell.item = -1;
            cell.from.clear();
        }
        if (traces_ != nullptr) keep_trace(action, object);
        if (is_full()) {  // of those past the bound the last alone
            pass.skipped = last_ ? last_->skipped + 1 : 0;
            last_ = std::move(pass);
            return;
        }
        above_ = shown(object);
        last_rows_[object] = passes_.size();
        passes_.push_back(std::move(pass));
    }

    void keep_trace(const Action& action, std::uint32_t object) {
        if (last_) {  // it is replaced by this one
            if (open_.empty())
                traces_->pop_back();
            else
                open_.pop_back();
        }
        const RowArray& of = array(object);
        const ObjectInfo& info = context_->objects[object];
        RowTrace made;
        made.launch = action.launch;
        made.pass = action.pass;
        made.local = info.space == machine::Space::local;
        made.buffer = info.buffer;
        made.group_cells = of.cells;
        made.element = of.element;
        made.any_order = any_order_;
        made.cells = of.traces;
        open_.emplace_back(object, std::move(made));
    }

    const machine::Run& run_;
    std::vector<RowTrace>* traces_;
    const PassNumbers numbers_;
    const Context* context_ = nullptr;
    std::vector<RowArray> buffers_;
    std::vector<RowArray> locals_;                               // by object of the launch
    std::set<std::pair<std::uint32_t, std::uint64_t>> changed_;  // object, cell: to be shown anew
    Loads loads_;
    Shown above_;
    std::vector<std::pair<std::uint32_t, RowTrace>> open_;  // of the launch; the first: its object
    std::map<std::uint32_t, std::size_t> last_rows_;        // by object: of passes_
    bool any_order_ = false;
    bool any_value_ = false;  // rows of arrays whose values come from no input too
    std::vector<Pass> passes_;
    std::optional<Pass> last_;
};

}  // namespace

std::vector<Pass> trace_passes(const machine::Run& run, std::size_t start,
                               std::vector<RowTrace>* traces) {
    return Rows(run, start, traces).make();
}

std::vector<std::vector<std::uint32_t>> barriers_passed(const machine::Run& run) {
    std::vector<std::vector<std::uint32_t>> all;
    for (std::uint32_t launch = 0; launch < run.machine().job().launches.size(); ++launch)
        all.emplace_back(run.machine().context(launch).groups);
    for (std::uint64_t time = 0; time < run.trace().size(); ++time) {
        const Action& action = run.trace().action(time);
        if (action.kind != ActionKind::barrier) continue;
        std::uint32_t& passed = all[action.launch][action.group];
        passed = std::max(passed, action.pass + 1);
    }
    return all;
}

}  // namespace lab::analysis
