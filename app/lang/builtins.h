// The built-in functions of OpenCL C, and what calling each of them means.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lang/type.h"
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

namespace lab::lang {

// Functions of numbers alone; the machine implements each.
enum class Fn : std::uint8_t {
#define LAB_NAME(name, signature, arguments) name,
    LAB_PURE_FUNCTIONS(LAB_NAME)
#undef LAB_NAME
    // under other names, or in parts
    recip,
    divide,
    modf_whole,
    modf_rest,
    half_value,  // of a half's bits; the next five: the half's bits of a float, as Rounding has it
    half_none,
    half_rte,
    half_rtz,
    half_rtp,
    half_rtn,
    remquo_quotient,
    lgamma_sign,
    fract,
    frexp_mantissa,
    frexp_exponent,
    count_,
};
inline constexpr std::size_t kFunctions = static_cast<std::size_t>(Fn::count_);

enum class Builtin : std::uint8_t {
    pure,  // a Fn
    // min and max of integers or floats are operations of the machine
    min,
    max,
    any,
    all,
    select,
    shuffle,
    shuffle2,
    dot,
    cross,
    length,
    distance,
    normalize,
    vec_step,
    as_type,
    convert,
    modf,
    fract,
    frexp,
    sincos,
    lgamma_r,
    remquo,  // write through a pointer
    print,
    // where a work-item is
    work_dim,
    global_size,
    global_id,
    local_size,
    local_id,
    num_groups,
    group_id,
    global_offset,
    sub_group_size,
    max_sub_group_size,
    num_sub_groups,
    sub_group_id,
    sub_group_local_id,
    // waiting
    barrier,
    grid_barrier,  // only in cuda.cu
    sub_group_barrier,
    fence,  // mem_fence
    read_fence,
    write_fence,
    // memory
    vload,
    vstore,
    vload_half,
    vstore_half,
    prefetch,
    async_copy,
    async_strided_copy,
    wait_events,
    atomic_add,
    atomic_sub,
    atomic_xchg,
    atomic_inc,
    atomic_dec,
    atomic_cmpxchg,
    atomic_min,
    atomic_max,
    atomic_and,
    atomic_or,
    atomic_xor,
    atomic_wrap_inc,  // CUDA's: 0 follows its operand
    atomic_wrap_dec,  // its operand follows 0, and what is above it
    // together: the group's or the sub-group's
    reduce,
    scan_inclusive,
    scan_exclusive,
    broadcast,
    vote_any,
    vote_all,
    sub_shuffle,
    sub_shuffle_xor,
    sub_shuffle_up,
    sub_shuffle_down,
    sub_rotate,
    all_equal,
    elect,
    broadcast_first,
    ballot,  // a bit for each lane
    // of a ballot
    inverse_ballot,
    ballot_bit_extract,
    ballot_bit_count,
    ballot_inclusive_scan,
    ballot_exclusive_scan,
    ballot_find_lsb,
    ballot_find_msb,
    // a bit for each lane beside this one
    eq_mask,
    ge_mask,
    gt_mask,
    le_mask,
    lt_mask,
    // of OpenCL C 2.0
    atomic_init,
    atomic_load,
    atomic_store,
    atomic_flag_set,
    atomic_flag_clear,
    atomic_compare_exchange,
    atomic_fence,
    assertion,  // CUDA's assert
};

// The argument types that a Builtin::pure accepts, and its result type. "like" means with the same
// number of components.
enum class Signature : std::uint8_t {
    none,
    floats,               // all arguments floating and alike, the result too
    floats_scalars,       // the same, but the arguments after the first may be scalars
    scalars_floats,       // the same, but the arguments before the last may be scalars (step,
                          // smoothstep)
    float_int,            // a floating one and an int like it: ldexp, pown, rootn
    float_to_int,         // ilogb
    uint_to_float,        // nan
    integers,             // all integral and alike, the result too
    integers_scalars,     // the arguments after the first may be scalars; also of floats: clamp
    integer_to_unsigned,  // abs, abs_diff
    integers_24,          // int or uint
    upsample,
    question,  // takes floats; gives int or a mask
    same,      // any type, alike: bitselect
};

struct Collective {
    enum class Of : std::uint8_t { group, sub_group } of = Of::group;
    enum class How : std::uint8_t { add, min, max, mul, and_, or_, xor_ } how = How::add;
    bool uniform = true;  // all of them must call it; else those who come are enough
};

// Whom a fence, a barrier or an atomic orders a work-item with. Devices that share memory count as
// one.
enum class MemoryScope : std::uint8_t { group, device, sub_group, item };

struct Function {
    Builtin builtin;
    Fn fn = Fn::count_;
    Signature signature = Signature::none;
    std::uint8_t arguments = 0;
    std::uint8_t number = 0;  // vload4: 4; as_int4 and convert_int4: its components
    Collective collective = {};
    bool wide = false;        // an atomic of OpenCL 1.0 (atom_…), which also takes 64 bits
    bool ordered = false;     // an atomic of OpenCL C 2.0, with memory orders
    bool with_order = false;  // …_explicit: they are arguments
    MemoryScope scope = MemoryScope::device;
    bool scoped = false;                // an atomic whose name says so: CUDA's
    std::uint8_t order_of_failure = 0;  // of a compare-exchange; its order is `number`
    bool weak = false;                  // a compare-exchange that may fail for no reason
    bool named = false;           // of lanes: those that its last operand, a mask, names must come
    bool single = false;          // only of floats: native_sqrt, half_sqrt, fast_length
    bool aligned = false;         // vloada_half: in steps of a vector, as vectors lie
    Fn rounding = Fn::half_none;  // of vstore_half
    std::string_view name = {};   // as it was called
};

// Empty for a name unknown to OpenCL C or to this program. as_… and convert_… are not included:
// their names contain a type's.
std::optional<Function> find_function(std::string_view name);

// All known names, for suggestions.
const std::vector<std::string>& function_names();

// Why a function of OpenCL C cannot be called here; empty for other names.
struct Unsupported {
    std::string_view why, instead;
};
std::optional<Unsupported> unsupported_function(std::string_view name);

// Formats what printf prints, as its format says (OpenCL C 1.2, section 6.12.13).

// Literal text, then maybe a value.
struct PrintPart {
    std::string text;
    std::string form;            // flags, width and precision: "-08.3"
    char conversion = 0;         // 'd', 'f', …; 0: no value
    bool is_vector = false;      // %v4…
    std::uint8_t width = 1;      // components
    std::string length;          // "hh", "h", "hl", "l", "ll"
    std::uint8_t narrow = 0;     // bytes that an integer is cut to; 0: not
    Scalar type = Scalar::int_;  // of the value, once it is known
};
using PrintFormat = std::vector<PrintPart>;

// `wrong`: what is wrong with the format, or empty. Widths are bounded, so that the text is.
PrintFormat parse_print_format(std::string_view text, std::string& wrong);

// A text by %s, with its width and precision.
std::string padded(const std::string& text, const std::string& form);

inline bool is_floating_conversion(char conversion) {
    return std::string_view("fFeEgGaA").find(conversion) != std::string_view::npos;
}

}  // namespace lab::lang
