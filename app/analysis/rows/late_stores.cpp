#include "analysis/rows/late_stores.h"

#include <bit>
#include <map>
#include <tuple>

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
        const std::span<const Access> all = trace.accesses(action);
        std::uint64_t lanes = action.mask;
        for (std::size_t i = 0; i < all.size(); lanes &= lanes - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
            const std::uint64_t item = std::uint64_t{action.group} * context.local +
                                       std::uint64_t{action.warp} * context.lanes + lane;
            for (std::uint8_t k = 0; k < action.count; ++k, ++i) {
                const Access& access = all[i];
                if (action.kind == ActionKind::atomic && access.before == access.after) continue;
                const std::uint64_t cell =
                    offset + access.index * lang::info(action.type).bytes / element;
                if (cell >= passes.size()) passes.resize(cell + 1);
                if (action.pass + 1 < passes[cell]) {
                    late[{local, array, cell}] = {&action, &access, item, cell};
                } else {
                    passes[cell] = action.pass + 1;
                    if (!late.empty()) late.erase({local, array, cell});
                }
            }
        }
    }
    std::vector<LateStore> made;
    for (const auto& [at, store] : late)
        made.push_back(store);
    return made;
}

}  // namespace lab::analysis
