#include "session/step/counterpart.h"

#include <optional>

#include "catalogue/plan.h"
#include "simulation/plan_job.h"

namespace lab::session {
namespace {

const Variant* find(const Catalogue& catalogue, const std::string& id) {
    for (const Variant& variant : catalogue.variants)
        if (variant.id == id) return &variant;
    return nullptr;
}

// What the header says of that shape; nothing where it does not allow it.
std::optional<Expect> expected(const Variant& variant, const Choice& choice, std::uint64_t n) {
    machine::Config config;
    config.lanes = choice.machine.lanes;
    config.resident = choice.machine.resident;
    const Target target = simulation::target_of(config);
    try {
        const Shape shape = small_shape(variant, choice.shape, n, target);
        return make_plan(variant, shape, n, target).expect;
    } catch (const Problem&) {
        return std::nullopt;
    }
}

// With one toggle at another value, so that the header says `wanted`; of several the last, which
// has the most barriers.
std::optional<Choice> with_toggle(const Variant& variant, const Choice& choice, Expect wanted,
                                  std::uint64_t n) {
    std::optional<Choice> found;
    for (const Toggle& toggle : variant.toggles)
        for (const std::string& value : toggle.values) {
            Choice tried = choice;
            tried.shape.set[toggle.name] = value;
            if (expected(variant, tried, n) == wanted) found = std::move(tried);
        }
    return found;
}

Choice through(const Choice& choice, const Variant& variant) {
    Choice made = choice;
    made.own.reset();
    made.variant = variant.id;
    made.shape.set.clear();
    return made;
}

// The variant as it races with the most barriers that it can have.
std::optional<Choice> broken(const Choice& choice, const Variant& variant, std::uint64_t n) {
    const Choice made = through(choice, variant);
    if (auto toggled = with_toggle(variant, made, Expect::races, n)) return toggled;
    if (expected(variant, made, n) == Expect::races) return made;
    return std::nullopt;
}

}  // namespace

bool is_broken(const Choice& choice, const Catalogue& catalogue, std::uint64_t n) {
    const Variant* variant = choice.own ? nullptr : find(catalogue, choice.variant);
    return variant != nullptr && expected(*variant, choice, n) == Expect::races;
}

Choice counterpart(const Choice& choice, const Catalogue& catalogue, std::uint64_t n) {
    const Variant* variant = choice.own ? nullptr : find(catalogue, choice.variant);
    if (is_broken(choice, catalogue, n)) {
        if (auto mended = with_toggle(*variant, choice, Expect::correct, n)) return *mended;
        for (const Variant& other : catalogue.variants)
            if (other.plan == PlanKind::per_pass) return through(choice, other);
        return choice;
    }
    if (variant != nullptr)
        if (auto made = with_toggle(*variant, choice, Expect::races, n)) return *made;
    for (const Variant& other : catalogue.variants)
        if (auto made = broken(choice, other, n)) return *made;
    return choice;
}

}  // namespace lab::session
