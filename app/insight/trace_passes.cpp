#include "insight/trace_passes.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "lang/value.h"

namespace lab {
namespace {

using machine::Access;
using machine::Action;
using machine::ActionKind;
using machine::Context;
using machine::Node;
using machine::ObjectInfo;
using machine::Scalar;

template <typename T>
std::string text_of_floating(T value) {
    if (std::isnan(value)) return "nan";
    if (value == std::trunc(value) && std::abs(value) < T(1e7)) return fmt::format("{:.0f}", value);
    return fmt::format("{}", value);
}

const std::string kUnknown(1, '?');  // nobody wrote it

// A cell of an array, of all groups' arrays where it is local.
struct Source {
    std::uint32_t object = 0;
    std::uint64_t cell = 0;
};

// An array as rows show it.
struct Array {
    std::uint64_t cells = 0;  // of one group, where it is local
    std::vector<Cell> row;    // as it is now
};

class Rows {
  public:
    Rows(const machine::Run& run, std::size_t start) : run_(run) {
        const machine::Machine& device = run.machine();
        for (const machine::Buffer& buffer : device.job().buffers)
            buffers_.push_back(array_of(buffer));
        Pass first;
        first.cells = buffers_.at(start).row;
        above_ = {true, start};
        passes_.push_back(std::move(first));
    }

    std::vector<Pass> make() {
        const machine::Trace& trace = run_.trace();
        // Actions of one launch, by pass; within a pass in the order of time.
        std::uint64_t time = 0;
        while (time < trace.size()) {
            const std::uint32_t launch = trace.action(time).launch;
            std::map<std::uint32_t, std::vector<std::uint64_t>> by_pass;
            for (; time < trace.size() && trace.action(time).launch == launch; ++time)
                if (trace.action(time).count > 0) by_pass[trace.action(time).pass].push_back(time);
            begin(launch);
            for (const auto& [pass, times] : by_pass)
                one_pass(times);
        }
        return std::move(passes_);
    }

  private:
    // What the row above shows: a buffer, or a local array of the launch.
    struct Shown {
        bool global = true;
        std::size_t number = 0;
        bool operator==(const Shown&) const = default;
    };

    Array array_of(const machine::Buffer& buffer) const {
        Array made;
        const unsigned bytes = lang::info(buffer.element).bytes;
        made.cells = buffer.bytes / bytes;
        if (made.cells > kMostRowCells) return made;
        made.row.resize(made.cells);
        for (std::uint64_t i = 0; i < made.cells; ++i) {
            if (buffer.initial.empty()) {
                made.row[i].value = kUnknown;
                continue;
            }
            std::uint64_t bits = 0;
            std::copy_n(buffer.initial.data() + i * bytes, bytes,
                        reinterpret_cast<std::byte*>(&bits));
            made.row[i].value = value_text(lang::canonical(buffer.element, bits), buffer.element);
        }
        return made;
    }

    void begin(std::uint32_t launch) {
        context_ = &run_.machine().context(launch);
        loaded_.clear();
        loaded_by_.clear();
        locals_.clear();
        locals_.resize(context_->objects.size());
        for (std::size_t i = 1; i <= context_->visible; ++i) {
            const ObjectInfo& object = context_->objects[i];
            if (object.space != machine::Space::local) continue;
            locals_[i].cells = object.bytes >> object.shift;
            const std::uint64_t all = locals_[i].cells * context_->groups;
            if (all > kMostRowCells) continue;
            locals_[i].row.resize(all);
            for (Cell& cell : locals_[i].row)
                cell.value = kUnknown;
        }
    }

    Array& array(std::uint32_t object) {
        const ObjectInfo& info = context_->objects[object];
        return info.space == machine::Space::global ? buffers_[info.buffer] : locals_[object];
    }
    Shown shown(std::uint32_t object) const {
        const ObjectInfo& info = context_->objects[object];
        return info.space == machine::Space::global ? Shown{true, info.buffer}
                                                    : Shown{false, object};
    }
    std::uint64_t cell_of(const Action& action, const Access& access) {
        const bool local = context_->objects[action.object].space == machine::Space::local;
        return access.index + (local ? array(action.object).cells * action.group : 0);
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

    static std::uint64_t key(std::uint64_t item, Node node) { return item << 32U | node; }

    struct Row {
        std::uint64_t stores = 0;
        std::set<std::int64_t> items;
    };

    void one_pass(const std::vector<std::uint64_t>& times) {
        std::map<std::uint32_t, Row> rows;  // by object
        std::vector<std::uint32_t> order;
        std::set<std::int64_t> busy;
        for (const std::uint64_t time : times) {
            const Action& action = run_.trace().action(time);
            if (context_->objects[action.object].space == machine::Space::constant) continue;
            for_accesses(action, [&](std::uint64_t item, const Access& access) {
                const bool store = action.kind != ActionKind::load;
                if (!store) {
                    if (access.node == 0) return;
                    const Source source{action.object, cell_of(action, access)};
                    loaded_[access.node] = source;
                    loaded_by_[key(item, access.node)] = source;
                    busy.insert(static_cast<std::int64_t>(item));
                    return;
                }
                Array& of = array(action.object);
                const std::uint64_t cell = cell_of(action, access);
                if (cell >= of.row.size()) return;
                of.row[cell].value = value_text(access.after, action.type);
                if (access.node == 0 && rows.count(action.object) == 0) return;
                if (rows.count(action.object) == 0) order.push_back(action.object);
                Row& row = rows[action.object];
                ++row.stores;
                row.items.insert(static_cast<std::int64_t>(item));
                busy.insert(static_cast<std::int64_t>(item));
                of.row[cell].written = true;
                of.row[cell].item = static_cast<std::int64_t>(item);
                of.row[cell].from.clear();
                sources(item, access.node, of.row[cell].from);
            });
        }
        for (const std::uint32_t object : order)
            add_row(run_.trace().action(times.front()), object, rows[object].items == busy);
    }

    // The cells of the row above that went into a value.
    void sources(std::uint64_t item, Node node, std::vector<std::uint32_t>& from) {
        const machine::Lineage& lineage = run_.machine().lineage();
        std::vector<Node> left{node};
        std::unordered_set<Node> seen;
        while (!left.empty()) {
            const Node at = left.back();
            left.pop_back();
            if (at == 0 || !seen.insert(at).second) continue;
            auto own = loaded_by_.find(key(item, at));
            auto any = loaded_.find(at);
            const Source* source = own != loaded_by_.end() ? &own->second
                                   : any != loaded_.end()  ? &any->second
                                                           : nullptr;
            if (source != nullptr && shown(source->object) == above_) {
                from.push_back(static_cast<std::uint32_t>(source->cell));
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

    void add_row(const Action& action, std::uint32_t object, bool items_known) {
        Array& of = array(object);
        if (of.row.empty()) return;
        const ObjectInfo& info = context_->objects[object];
        const machine::Launch& launch = run_.machine().job().launches[action.launch];
        Pass pass;
        pass.launch = action.launch + 1;
        pass.variables = launch.variables;
        pass.global = context_->global;
        pass.local = context_->local;
        pass.array = info.name;
        pass.number = action.pass + 1;
        pass.waited = context_->code->has_barrier;
        pass.items_known = items_known;
        pass.cells = of.row;
        passes_.push_back(std::move(pass));
        above_ = shown(object);
        for (Cell& cell : of.row) {
            cell.written = false;
            cell.item = -1;
            cell.from.clear();
        }
    }

    const machine::Run& run_;
    const Context* context_ = nullptr;
    std::vector<Array> buffers_;
    std::vector<Array> locals_;                            // by object of the launch
    std::unordered_map<Node, Source> loaded_;              // where a value was read last
    std::unordered_map<std::uint64_t, Source> loaded_by_;  // and by which item
    Shown above_;
    std::vector<Pass> passes_;
};

}  // namespace

std::string value_text(std::uint64_t bits, Scalar type) {
    if (type == Scalar::float_) return text_of_floating(lang::float_of(bits));
    if (type == Scalar::double_) return text_of_floating(lang::double_of(bits));
    if (lang::info(type).is_signed) return fmt::format("{}", static_cast<std::int64_t>(bits));
    return fmt::format("{}", bits);
}

std::vector<Pass> trace_passes(const machine::Run& run, std::size_t start) {
    return Rows(run, start).make();
}

}  // namespace lab
