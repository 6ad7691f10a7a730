// The predicted gain of each step of the ladder over the one before it, by counting: the keys
// `after`, `gain` and `why` of a header.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "catalogue/header.h"
#include "catalogue/variant.h"

namespace lab::catalogue {

// Reads the keys `after` ("ladder-1-modulo"), `gain` ("gpu 1.7, cpu 1.0 when SYNC=barrier") and
// `why`: all of them or none, once the toggles are known. Throws Problem naming the line.
void read_gain(const Header& header, Variant& into);

// What is wrong with the `after` of `variant`, which may be in the catalogue: there is no such
// variant, or the chain leads back to the start.
std::optional<Problem> problem_of_gain(const Catalogue& catalogue, const Variant& variant);

// Removes the gain of each variant with such a problem, and adds the problem to the catalogue.
void check_gains(Catalogue& catalogue);

// A variant that improves on another, as plain data.
struct GainStep {
    std::string id;
    Gain gain;
};
std::vector<GainStep> gain_steps(const Catalogue& catalogue);  // in the catalogue's order

const GainStep* find_step(std::span<const GainStep> steps, std::string_view id);  // or nullptr

// The ids of all steps and of the variants that they improve on, depth first: each is followed by
// everything that comes after it.
std::vector<std::string> in_order(std::span<const GainStep> steps);

}  // namespace lab::catalogue
