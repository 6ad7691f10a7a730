#include "analysis/rows/late_stores.h"

#include <map>
#include <tuple>

#include "analysis/rows/trace_walk.h"

namespace lab::analysis {

using machine::Access;
using machine::Action;
using machine::ActionKind;

std::vector<LateStore> late_stores(const machine::Trace& trace, const machine::Context& context,
                                   std::uint64_t first, std::uint64_t end) {
    // By array (buffers before local objects) and cell: the latest pass that wrote it, from 1.
    std::map<std::pair<bool, std::size_t>, std::vector<std::uint32_t>> latest;
    std::map<std::tuple<bool, std::size_t, std::uint64_t>, LateStore> late;
    for (std::uint64_t time = first; time < end; ++time) {
        const Action& action = trace.action(time);
        if (action.kind != ActionKind::store && action.kind != ActionKind::atomic) continue;
        const machine::ObjectInfo& object = context.objects[action.object];
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

}  // namespace lab::analysis
