// The right result of a reduction, worked out on the host in wider arithmetic, and how far from it
// an algorithm may be.
#pragma once

#include <cstdint>
#include <string>

#include "catalogue/element.h"

namespace lab::catalogue {

// Integers reduce modulo 2^w and compare bit for bit. Float min and max ignore NaN; where there is
// nothing else, NaN and the identity are right. Sums and
// products of float are worked out in double, of double in long double, pairwise.
struct Reference {
    Values value;               // one element: the exact result, rounded to the type
    long double exact = 0;      // before rounding; floats only
    long double magnitude = 0;  // sum of |x| for add, |product| for product
    std::uint64_t n = 0;
    bool only_nan = false;  // of min and max: there was nothing else
    // Of sums and products of floats: some order of combining leaves the type's range, so that the
    // result may be an infinity or NaN (of a product zero, too) although the exact one is not.
    bool may_leave_range = false;
};

Reference reference(const Values& input, Op op);

// The value that each cell of a ring of ones has after `rounds` in which every cell becomes the
// combination of itself and of the two after it, combined (plan `iterate`). One element.
Values ring_of_ones(Op op, Type type, std::uint64_t rounds);

struct Verdict {
    bool right = false;
    double error = 0;  // relative to the exact result; 0 for integers
    double bound = 0;  // what the error may be, relative likewise; 0: none at all
};

// `depth`: combinations on the longest way from an element to the result. The bound of a sum is
// depth * u / (1 - depth * u) * sum|x| (Higham 2002, section 4.2), of a product the same with n - 1
// for depth, since every order multiplies n - 1 times. Where depth * u exceeds 1/16 that bound
// would let a result through that has no right digit, so 1/16 is taken for it. Where the exact
// result is beyond the type's range an infinity of its sign is right.
Verdict judge(const Values& result, const Reference& reference, Op op, std::uint64_t depth);

// How far two values may be from each other that combine the same elements, or the same part of
// them, in different orders: each as far from the exact one as a result may be. 0: not at all.
long double spread(const Reference& reference, Type type, Op op, std::uint64_t depth);

}  // namespace lab::catalogue
