// The functions of OpenCL C that compute from numbers alone, a component at a time: name, signature
// and number of arguments. The simulator's code of each is in machine/execute/functions.cpp.
#pragma once

// clang-format off
#define LAB_PURE_FUNCTIONS(X) \
    /* of integers */ \
    X(abs, integer_to_unsigned, 1) X(abs_diff, integer_to_unsigned, 2) X(add_sat, integers, 2) \
    X(sub_sat, integers, 2) X(hadd, integers, 2) X(rhadd, integers, 2) X(clz, integers, 1) \
    X(ctz, integers, 1) X(mad_hi, integers, 3) X(mad_sat, integers, 3) X(mul_hi, integers, 2) \
    X(rotate, integers, 2) X(popcount, integers, 1) X(mul24, integers_24, 2) \
    X(mad24, integers_24, 3) X(upsample, upsample, 2) \
    /* of any number */ \
    X(clamp, integers_scalars, 3) X(bitselect, same, 3) \
    /* of floating-point numbers */ \
    X(acos, floats, 1) X(acosh, floats, 1) X(acospi, floats, 1) X(asin, floats, 1) \
    X(asinh, floats, 1) X(asinpi, floats, 1) X(atan, floats, 1) X(atan2, floats, 2) \
    X(atanh, floats, 1) X(atanpi, floats, 1) X(atan2pi, floats, 2) X(cbrt, floats, 1) \
    X(ceil, floats, 1) X(copysign, floats, 2) X(cos, floats, 1) X(cosh, floats, 1) \
    X(cospi, floats, 1) X(degrees, floats, 1) X(erfc, floats, 1) X(erf, floats, 1) \
    X(exp, floats, 1) X(exp2, floats, 1) X(exp10, floats, 1) X(expm1, floats, 1) \
    X(fabs, floats, 1) X(fdim, floats, 2) X(floor, floats, 1) X(fma, floats, 3) \
    X(fmax, floats_scalars, 2) X(fmin, floats_scalars, 2) X(fmod, floats, 2) X(hypot, floats, 2) \
    X(ilogb, float_to_int, 1) X(ldexp, float_int, 2) X(lgamma, floats, 1) X(log, floats, 1) \
    X(log2, floats, 1) X(log10, floats, 1) X(log1p, floats, 1) X(logb, floats, 1) \
    X(mad, floats, 3) X(maxmag, floats, 2) X(minmag, floats, 2) X(mix, floats_scalars, 3) \
    X(nan, uint_to_float, 1) X(nextafter, floats, 2) X(pow, floats, 2) X(pown, float_int, 2) \
    X(powr, floats, 2) X(radians, floats, 1) X(remainder, floats, 2) X(rint, floats, 1) \
    X(rootn, float_int, 2) X(round, floats, 1) X(rsqrt, floats, 1) X(sign, floats, 1) \
    X(sin, floats, 1) X(sinh, floats, 1) X(sinpi, floats, 1) X(smoothstep, scalars_floats, 3) \
    X(sqrt, floats, 1) X(step, scalars_floats, 2) X(tan, floats, 1) X(tanh, floats, 1) \
    X(tanpi, floats, 1) X(tgamma, floats, 1) X(trunc, floats, 1) \
    /* questions, answered by 0 or 1 */ \
    X(isequal, question, 2) X(isnotequal, question, 2) X(isgreater, question, 2) \
    X(isgreaterequal, question, 2) X(isless, question, 2) X(islessequal, question, 2) \
    X(islessgreater, question, 2) X(isfinite, question, 1) X(isinf, question, 1) \
    X(isnan, question, 1) X(isnormal, question, 1) X(isordered, question, 2) \
    X(isunordered, question, 2) X(signbit, question, 1)
// clang-format on
