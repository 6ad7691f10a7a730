#include "session/step/counterpart.h"

#include <optional>

#include "catalogue/plan.h"
#include "simulation/plan_job.h"

namespace lab::session {
namespace {

const catalogue::Variant* find(const catalogue::Catalogue& catalogue, const std::string& id) {
    for (const catalogue::Variant& variant : catalogue.variants)
        if (variant.id == id) return &variant;
    return nullptr;
}

// What the header says of that shape; empty if it does not allow it.
std::optional<catalogue::Expect> expected(const catalogue::Variant& variant, const Choice& choice,
                                          std::uint64_t n) {
    machine::Config config;
    config.lanes = choice.machine.lanes;
    config.resident = choice.machine.resident;
    const catalogue::Target target = simulation::target_of(config);
    try {
        const catalogue::Shape shape = small_shape(variant, choice.shape, n, target);
        return make_plan(variant, shape, n, target).expect;
    } catch (const Problem&) {
        return std::nullopt;
    }
}

// With one toggle at another value, so that the header says `wanted`; of several the last, which
// has the most barriers.
std::optional<Choice> with_toggle(const catalogue::Variant& variant, const Choice& choice,
                                  catalogue::Expect wanted, std::uint64_t n) {
    std::optional<Choice> found;
    for (const catalogue::Toggle& toggle : variant.toggles)
        for (const std::string& value : toggle.values) {
            Choice tried = choice;
            tried.shape.set[toggle.name] = value;
            if (expected(variant, tried, n) == wanted) found = std::move(tried);
        }
    return found;
}

// The kernel that the header names, if that is as `wanted` in this shape.
std::optional<Choice> with_pair(const catalogue::Variant& variant, const Choice& choice,
                                const catalogue::Catalogue& catalogue, catalogue::Expect wanted,
                                std::uint64_t n) {
    const catalogue::Variant* pair = find(catalogue, variant.pair);
    if (pair == nullptr) return std::nullopt;
    Choice result = choice;
    result.variant = pair->id;
    result.opened.reset();
    result.shape.set = variant.pair_set;
    if (expected(*pair, result, n) != wanted) return std::nullopt;
    return result;
}

}  // namespace

bool is_broken(const Choice& choice, const catalogue::Catalogue& catalogue, std::uint64_t n) {
    const catalogue::Variant* variant =
        choice.user_kernel ? nullptr : find(catalogue, choice.variant);
    return variant != nullptr && expected(*variant, choice, n) == catalogue::Expect::races;
}

std::optional<Choice> counterpart(const Choice& choice, const catalogue::Catalogue& catalogue,
                                  std::uint64_t n) {
    const catalogue::Variant* variant =
        choice.user_kernel ? nullptr : find(catalogue, choice.variant);
    if (variant == nullptr) return std::nullopt;
    const bool broken = is_broken(choice, catalogue, n);
    const auto wanted = broken ? catalogue::Expect::correct : catalogue::Expect::races;
    if (auto toggled = with_toggle(*variant, choice, wanted, n)) return toggled;
    return with_pair(*variant, choice, catalogue, wanted, n);
}

}  // namespace lab::session
