#include "machine/trace.h"

#include <array>
#include <bit>

namespace lab::machine {

const char* name_of(ActionKind kind) {
    static constexpr std::array kNames{"load", "store", "atomic", "barrier", "collective"};
    return kNames.at(static_cast<std::size_t>(kind));
}

void Trace::add(const Action& action, std::span<const Access> accesses, bool continues) {
    Action kept = action;
    kept.first = accesses.empty() ? 0 : accesses_.append(accesses);
    actions_.append({&kept, 1});
    if (continues) continuing_.push_back(times_);
    ++times_;
}

void Trace::add(const Detail& detail) {
    details_.push_back(detail);
    if (detail.kind == Detail::Kind::grid) grids_.push_back(detail.time);
}

std::span<const Access> Trace::accesses(const Action& action) const {
    const auto count = static_cast<std::size_t>(std::popcount(action.mask)) * action.count;
    if (count == 0) return {};
    return {accesses_.at(action.first), count};
}

void Trace::replay(Observer& observer) const {
    auto detail = details_.begin();
    auto next = continuing_.begin();
    for (std::uint64_t time = 0; time < times_; ++time) {
        for (; detail != details_.end() && detail->time <= time; ++detail)
            observer.detail(*detail);
        const bool follows = next != continuing_.end() && *next == time;
        if (follows) ++next;
        observer.observe(action(time), accesses(action(time)), follows);
    }
    for (; detail != details_.end(); ++detail)
        observer.detail(*detail);
}

bool Trace::continues(std::uint64_t time) const {
    return std::binary_search(continuing_.begin(), continuing_.end(), time);
}

}  // namespace lab::machine
