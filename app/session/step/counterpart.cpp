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

Choice through(const Choice& choice, const catalogue::Variant& variant) {
    Choice result = choice;
    result.user_kernel.reset();
    result.variant = variant.id;
    result.shape.set.clear();
    return result;
}

// The variant as it races with the most barriers that it can have.
std::optional<Choice> broken(const Choice& choice, const catalogue::Variant& variant,
                             std::uint64_t n) {
    const Choice result = through(choice, variant);
    if (auto toggled = with_toggle(variant, result, catalogue::Expect::races, n)) return toggled;
    if (expected(variant, result, n) == catalogue::Expect::races) return result;
    return std::nullopt;
}

}  // namespace

bool is_broken(const Choice& choice, const catalogue::Catalogue& catalogue, std::uint64_t n) {
    const catalogue::Variant* variant =
        choice.user_kernel ? nullptr : find(catalogue, choice.variant);
    return variant != nullptr && expected(*variant, choice, n) == catalogue::Expect::races;
}

Choice counterpart(const Choice& choice, const catalogue::Catalogue& catalogue, std::uint64_t n) {
    const catalogue::Variant* variant =
        choice.user_kernel ? nullptr : find(catalogue, choice.variant);
    if (is_broken(choice, catalogue, n)) {
        if (auto mended = with_toggle(*variant, choice, catalogue::Expect::correct, n))
            return *mended;
        for (const catalogue::Variant& other : catalogue.variants)
            if (other.plan == catalogue::PlanKind::per_pass) return through(choice, other);
        return choice;
    }
    if (variant != nullptr)
        if (auto result = with_toggle(*variant, choice, catalogue::Expect::races, n))
            return *result;
    for (const catalogue::Variant& other : catalogue.variants)
        if (auto made = broken(choice, other, n)) return *made;
    return choice;
}

}  // namespace lab::session
