// What a step of the ladder gains over the one before it, counted before it is measured: the keys
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

// What is wrong with what `variant`, which may be one of the catalogue, says it comes after: there
// is no such variant, or it comes after itself in the end.
std::optional<Problem> problem_of_gain(const Catalogue& catalogue, const Variant& variant);

// A variant of which something is wrong stays without what it says of its gain, and the catalogue
// has the problem.
void check_gains(Catalogue& catalogue);

// A variant that improves on another, as plain data.
struct GainStep {
    std::string id;
    Gain gain;
};
std::vector<GainStep> gain_steps(const Catalogue& catalogue);  // in the catalogue's order

const GainStep* find_step(std::span<const GainStep> steps, std::string_view id);  // or nullptr

// The ids of all steps and of what they come after: each behind the one that it comes after, and
// all that comes after that one before anything else.
std::vector<std::string> in_order(std::span<const GainStep> steps);

}  // namespace lab::catalogue
