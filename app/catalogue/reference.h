// The right result of a reduction, computed on the host in wider arithmetic, and how far from it an
// algorithm may be.
#pragma once

#include <cstdint>
#include <string>

#include "catalogue/element.h"
namespace lab {

// How near a right result is to what exact arithmetic gives: floats round, and integers wrap.

struct Exactness {
    enum class Kind : std::uint8_t {
        exact,       // as near as its type allows
        within,      // a float within the bound of its algorithm
        no_digit,    // likewise, but the bound is as large as the exact value
        left_range,  // some order of combining leaves the range of the float's type
        wrapped,     // an integer, right modulo 2^w
    } kind = Kind::exact;
    std::string value, bound;  // of exact arithmetic, and how far from it may be; else empty

    bool operator==(const Exactness&) const = default;
};

}  // namespace lab

namespace lab::catalogue {

// Integers reduce modulo 2^w and compare bit for bit. Float min and max ignore NaN; if there is
// nothing else, both NaN and the identity are right. Sums and products are computed pairwise: float
// in double, double in long double.
struct Reference {
    Values value;               // one element: the exact result, rounded to the type
    long double exact = 0;      // before rounding, or before it wraps
    long double magnitude = 0;  // sum of |x| for add, |product| for product
    std::uint64_t n = 0;
    bool only_nan = false;  // for min and max: nothing else was there
    // For floating-point sums and products: some order of combining leaves the type's range, so the
    // result may be infinite or NaN (for a product also zero) although the exact one is not.
    bool may_leave_range = false;
    bool wraps = false;  // an integer sum or product does not fit into its type
};

Reference reference(const Values& input, Op op);

// The value of each cell in a ring of ones after `rounds` rounds, in each of which every cell
// becomes the combination of itself with the combined two after it (plan `iterate`). Without `n`.
Reference ring_of_ones(Op op, Type type, std::uint64_t rounds);

struct Verdict {
    bool right = false;
    double error = 0;  // relative to the exact result; 0 for integers
    double bound = 0;  // the largest error allowed, also relative; 0: none
};

// `depth`: combinations on the longest way from an element to the result. The bound of a sum is
// depth * u / (1 - depth * u) * sum|x| (Higham 2002, section 4.2); for a product n - 1 replaces
// depth, since every order multiplies n - 1 times. depth * u is capped at 1/16, beyond which the
// bound would accept a result without a right digit. If the exact result is beyond the type's
// range, an infinity of its sign is right.
Verdict judge(const Values& result, const Reference& reference, Op op, std::uint64_t depth);

// Judges what a run left on the device against the host's reference, as the plan promises.

struct Job;

struct Outcome {
    Verdict verdict;
    std::string result;
};

// The right result of a job by a header: the reduction of the input, or the final value of
// `iterate`.
Reference right_for(const Job& job, const Values& input);

// The value of a whole or partial result: its first cell, or all parts combined.
Values value_of(const Values& cells, const Job& job);

// `cells`: the final contents of the result's buffer; for a whole reduction its first element is
// enough. A partial result is combined on the host; for an iteration all cells must be equal, and
// `result` is the first that is not as expected. `right`: in place of the job's.
Outcome outcome_of(const Values& cells, const Job& job);
Outcome outcome_of(const Values& cells, const Job& job, const Reference& right);
// Where nothing has to be launched: of the elements themselves.
Outcome outcome_without_launch(const Job& job, const Values& input);

// Returns what exact arithmetic gives for an integer that wraps; else empty.
std::string unwrapped(const Reference& right);

// How near a right result is to the exact value. A wrong one is not asked.
Exactness exactness_of(const Outcome& outcome, const Reference& right);

}  // namespace lab::catalogue
