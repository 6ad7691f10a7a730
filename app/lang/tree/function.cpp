#include "lang/tree/function.h"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>

namespace lab::lang {
namespace {

struct Pure {
    std::string_view name;
    Fn fn;
    Signature signature;
    std::uint8_t arguments;
};

// clang-format off
constexpr Pure kPure[] = {
    {"abs", Fn::abs, Signature::integer_to_unsigned, 1},
    {"abs_diff", Fn::abs_diff, Signature::integer_to_unsigned, 2},
    {"add_sat", Fn::add_sat, Signature::integers, 2},
    {"sub_sat", Fn::sub_sat, Signature::integers, 2},
    {"hadd", Fn::hadd, Signature::integers, 2},
    {"rhadd", Fn::rhadd, Signature::integers, 2},
    {"clz", Fn::clz, Signature::integers, 1},
    {"ctz", Fn::ctz, Signature::integers, 1},
    {"mad_hi", Fn::mad_hi, Signature::integers, 3},
    {"mad_sat", Fn::mad_sat, Signature::integers, 3},
    {"mul_hi", Fn::mul_hi, Signature::integers, 2},
    {"rotate", Fn::rotate, Signature::integers, 2},
    {"popcount", Fn::popcount, Signature::integers, 1},
    {"mul24", Fn::mul24, Signature::integers_24, 2},
    {"mad24", Fn::mad24, Signature::integers_24, 3},
    {"upsample", Fn::upsample, Signature::upsample, 2},
    {"clamp", Fn::clamp, Signature::integers_scalars, 3},
    {"bitselect", Fn::bitselect, Signature::same, 3},
    {"acos", Fn::acos, Signature::floats, 1}, {"acosh", Fn::acosh, Signature::floats, 1},
    {"acospi", Fn::acospi, Signature::floats, 1}, {"asin", Fn::asin, Signature::floats, 1},
    {"asinh", Fn::asinh, Signature::floats, 1}, {"asinpi", Fn::asinpi, Signature::floats, 1},
    {"atan", Fn::atan, Signature::floats, 1}, {"atan2", Fn::atan2, Signature::floats, 2},
    {"atanh", Fn::atanh, Signature::floats, 1}, {"atanpi", Fn::atanpi, Signature::floats, 1},
    {"atan2pi", Fn::atan2pi, Signature::floats, 2}, {"cbrt", Fn::cbrt, Signature::floats, 1},
    {"ceil", Fn::ceil, Signature::floats, 1}, {"copysign", Fn::copysign, Signature::floats, 2},
    {"cos", Fn::cos, Signature::floats, 1}, {"cosh", Fn::cosh, Signature::floats, 1},
    {"cospi", Fn::cospi, Signature::floats, 1}, {"degrees", Fn::degrees, Signature::floats, 1},
    {"erfc", Fn::erfc, Signature::floats, 1}, {"erf", Fn::erf, Signature::floats, 1},
    {"exp", Fn::exp, Signature::floats, 1}, {"exp2", Fn::exp2, Signature::floats, 1},
    {"exp10", Fn::exp10, Signature::floats, 1}, {"expm1", Fn::expm1, Signature::floats, 1},
    {"fabs", Fn::fabs, Signature::floats, 1}, {"fdim", Fn::fdim, Signature::floats, 2},
    {"floor", Fn::floor, Signature::floats, 1}, {"fma", Fn::fma, Signature::floats, 3},
    {"fmax", Fn::fmax, Signature::floats_scalars, 2},
    {"fmin", Fn::fmin, Signature::floats_scalars, 2}, {"fmod", Fn::fmod, Signature::floats, 2},
    {"hypot", Fn::hypot, Signature::floats, 2}, {"ilogb", Fn::ilogb, Signature::float_to_int, 1},
    {"ldexp", Fn::ldexp, Signature::float_int, 2}, {"lgamma", Fn::lgamma, Signature::floats, 1},
    {"log", Fn::log, Signature::floats, 1}, {"log2", Fn::log2, Signature::floats, 1},
    {"log10", Fn::log10, Signature::floats, 1}, {"log1p", Fn::log1p, Signature::floats, 1},
    {"logb", Fn::logb, Signature::floats, 1}, {"mad", Fn::mad, Signature::floats, 3},
    {"maxmag", Fn::maxmag, Signature::floats, 2}, {"minmag", Fn::minmag, Signature::floats, 2},
    {"mix", Fn::mix, Signature::floats_scalars, 3}, {"nan", Fn::nan, Signature::uint_to_float, 1},
    {"nextafter", Fn::nextafter, Signature::floats, 2}, {"pow", Fn::pow, Signature::floats, 2},
    {"pown", Fn::pown, Signature::float_int, 2}, {"powr", Fn::powr, Signature::floats, 2},
    {"radians", Fn::radians, Signature::floats, 1},
    {"remainder", Fn::remainder, Signature::floats, 2}, {"rint", Fn::rint, Signature::floats, 1},
    {"rootn", Fn::rootn, Signature::float_int, 2}, {"round", Fn::round, Signature::floats, 1},
    {"rsqrt", Fn::rsqrt, Signature::floats, 1}, {"sign", Fn::sign, Signature::floats, 1},
    {"sin", Fn::sin, Signature::floats, 1}, {"sinh", Fn::sinh, Signature::floats, 1},
    {"sinpi", Fn::sinpi, Signature::floats, 1},
    {"smoothstep", Fn::smoothstep, Signature::scalars_floats, 3},
    {"sqrt", Fn::sqrt, Signature::floats, 1}, {"step", Fn::step, Signature::scalars_floats, 2},
    {"tan", Fn::tan, Signature::floats, 1}, {"tanh", Fn::tanh, Signature::floats, 1},
    {"tanpi", Fn::tanpi, Signature::floats, 1}, {"tgamma", Fn::tgamma, Signature::floats, 1},
    {"trunc", Fn::trunc, Signature::floats, 1},
    {"isequal", Fn::isequal, Signature::question, 2},
    {"isnotequal", Fn::isnotequal, Signature::question, 2},
    {"isgreater", Fn::isgreater, Signature::question, 2},
    {"isgreaterequal", Fn::isgreaterequal, Signature::question, 2},
    {"isless", Fn::isless, Signature::question, 2},
    {"islessequal", Fn::islessequal, Signature::question, 2},
    {"islessgreater", Fn::islessgreater, Signature::question, 2},
    {"isfinite", Fn::isfinite, Signature::question, 1},
    {"isinf", Fn::isinf, Signature::question, 1}, {"isnan", Fn::isnan, Signature::question, 1},
    {"isnormal", Fn::isnormal, Signature::question, 1},
    {"isordered", Fn::isordered, Signature::question, 2},
    {"isunordered", Fn::isunordered, Signature::question, 2},
    {"signbit", Fn::signbit, Signature::question, 1},
};

struct Plain {
    std::string_view name;
    Builtin builtin;
    std::uint8_t arguments;
};
constexpr Plain kPlain[] = {
    {"min", Builtin::min, 2}, {"max", Builtin::max, 2},
    {"any", Builtin::any, 1}, {"all", Builtin::all, 1}, {"select", Builtin::select, 3},
    {"shuffle", Builtin::shuffle, 2}, {"shuffle2", Builtin::shuffle2, 3}, {"dot", Builtin::dot, 2},
    {"modf", Builtin::modf, 2}, {"fract", Builtin::fract, 2}, {"frexp", Builtin::frexp, 2},
    {"sincos", Builtin::sincos, 2},
    {"get_work_dim", Builtin::work_dim, 0},
    {"get_global_size", Builtin::global_size, 1}, {"get_global_id", Builtin::global_id, 1},
    {"get_local_size", Builtin::local_size, 1}, {"get_enqueued_local_size", Builtin::local_size, 1},
    {"get_local_id", Builtin::local_id, 1}, {"get_num_groups", Builtin::num_groups, 1},
    {"get_group_id", Builtin::group_id, 1}, {"get_global_offset", Builtin::global_offset, 1},
    {"get_global_linear_id", Builtin::global_id, 0}, {"get_local_linear_id", Builtin::local_id, 0},
    {"get_sub_group_size", Builtin::sub_group_size, 0},
    {"get_max_sub_group_size", Builtin::max_sub_group_size, 0},
    {"get_num_sub_groups", Builtin::num_sub_groups, 0},
    {"get_enqueued_num_sub_groups", Builtin::num_sub_groups, 0},
    {"get_sub_group_id", Builtin::sub_group_id, 0},
    {"get_sub_group_local_id", Builtin::sub_group_local_id, 0},
    {"barrier", Builtin::barrier, 1}, {"work_group_barrier", Builtin::barrier, 2},
    {"sub_group_barrier", Builtin::sub_group_barrier, 2},
    {"mem_fence", Builtin::fence, 1}, {"read_mem_fence", Builtin::read_fence, 1},
    {"write_mem_fence", Builtin::write_fence, 1}, {"prefetch", Builtin::prefetch, 2},
};

struct Atomic {
    std::string_view name;
    Builtin builtin;
    std::uint8_t arguments;
};
constexpr Atomic kAtomics[] = {
    {"add", Builtin::atomic_add, 2}, {"sub", Builtin::atomic_sub, 2},
    {"xchg", Builtin::atomic_xchg, 2}, {"inc", Builtin::atomic_inc, 1},
    {"dec", Builtin::atomic_dec, 1}, {"cmpxchg", Builtin::atomic_cmpxchg, 3},
    {"min", Builtin::atomic_min, 2}, {"max", Builtin::atomic_max, 2},
    {"and", Builtin::atomic_and, 2}, {"or", Builtin::atomic_or, 2},
    {"xor", Builtin::atomic_xor, 2},
};
// clang-format on

using Table = std::unordered_map<std::string, Function>;

void add_collectives(Table& table) {
    for (const auto& [prefix, of] : {std::pair{"work_group_", Collective::Of::group},
                                     std::pair{"sub_group_", Collective::Of::sub_group}}) {
        Function made;
        made.collective.of = of;
        made.arguments = 1;
        made.builtin = Builtin::vote_any;
        table[std::string(prefix) + "any"] = made;
        made.builtin = Builtin::vote_all;
        table[std::string(prefix) + "all"] = made;
        for (const auto& [word, how] :
             {std::pair{"add", Collective::How::add}, std::pair{"min", Collective::How::min},
              std::pair{"max", Collective::How::max}}) {
            made.collective.how = how;
            made.builtin = Builtin::reduce;
            table[std::string(prefix) + "reduce_" + word] = made;
            made.builtin = Builtin::scan_inclusive;
            table[std::string(prefix) + "scan_inclusive_" + word] = made;
            made.builtin = Builtin::scan_exclusive;
            table[std::string(prefix) + "scan_exclusive_" + word] = made;
        }
        made.builtin = Builtin::broadcast;
        made.arguments = 2;
        table[std::string(prefix) + "broadcast"] = made;
    }
    for (const auto& [name, builtin] :
         {std::pair{"sub_group_shuffle", Builtin::sub_shuffle},
          std::pair{"sub_group_shuffle_xor", Builtin::sub_shuffle_xor},
          std::pair{"sub_group_shuffle_up", Builtin::sub_shuffle_up},
          std::pair{"sub_group_shuffle_down", Builtin::sub_shuffle_down}}) {
        Function made;
        made.builtin = builtin;
        made.arguments = 2;
        made.collective.of = Collective::Of::sub_group;
        table[name] = made;
    }
}

Table make_table() {
    Table table;
    for (const Pure& of : kPure) {
        const Function made{Builtin::pure, of.fn, of.signature, of.arguments};
        table[std::string(of.name)] = made;
        if (of.signature == Signature::floats)
            for (const char* prefix : {"native_", "half_"})
                table[prefix + std::string(of.name)] = made;
    }
    for (const char* prefix : {"native_", "half_"}) {
        table[prefix + std::string("recip")] = {Builtin::pure, Fn::recip, Signature::floats, 1};
        table[prefix + std::string("divide")] = {Builtin::pure, Fn::divide, Signature::floats, 2};
    }
    for (const Plain& of : kPlain) {
        Function made;
        made.builtin = of.builtin;
        made.arguments = of.arguments;
        table[std::string(of.name)] = made;
    }
    for (const Atomic& of : kAtomics) {
        Function made;
        made.builtin = of.builtin;
        made.arguments = of.arguments;
        table["atomic_" + std::string(of.name)] = made;
        made.wide = true;
        table["atom_" + std::string(of.name)] = made;
    }
    for (const std::uint8_t width : std::array<std::uint8_t, 5>{2, 3, 4, 8, 16}) {
        Function made;
        made.number = width;
        made.builtin = Builtin::vload;
        made.arguments = 2;
        table["vload" + std::to_string(width)] = made;
        made.builtin = Builtin::vstore;
        made.arguments = 3;
        table["vstore" + std::to_string(width)] = made;
    }
    add_collectives(table);
    return table;
}

struct Refused {
    std::string_view start;  // of the name
    Unsupported because;
};
constexpr Refused kRefused[] = {
    {"async_work_group",
     {"copies in the background are no part of this machine",
      "Let each work-item copy its elements, then a barrier"}},
    {"wait_group_events",
     {"copies in the background are no part of this machine",
      "Let each work-item copy its elements, then a barrier"}},
    {"printf", {"a kernel here prints nothing", "Look at the variables in the step view"}},
    {"cross", {"geometric functions are left out", "Write it with products and differences"}},
    {"length", {"geometric functions are left out", "Write sqrt(dot(v, v))"}},
    {"distance", {"geometric functions are left out", "Write sqrt of the sum of squares"}},
    {"normalize", {"geometric functions are left out", "Divide by sqrt of the sum of squares"}},
    {"fast_", {"geometric functions are left out", "Write it with sqrt"}},
    {"vload_half", {"half is left out", "Use float and vload"}},
    {"vloada_half", {"half is left out", "Use float and vload"}},
    {"vstore_half", {"half is left out", "Use float and vstore"}},
    {"vstorea_half", {"half is left out", "Use float and vstore"}},
    {"read_image", {"images are left out", "Use a buffer"}},
    {"write_image", {"images are left out", "Use a buffer"}},
    {"get_image", {"images are left out", "Use a buffer"}},
    {"atomic_fetch_", {"it is of OpenCL C 2.0", "Write atomic_add, atomic_min, … of 1.2"}},
    {"atomic_load", {"it is of OpenCL C 2.0", "Write atomic_or(p, 0), or read a volatile"}},
    {"atomic_store", {"it is of OpenCL C 2.0", "Write atomic_xchg, or assign to a volatile"}},
    {"atomic_exchange", {"it is of OpenCL C 2.0", "Write atomic_xchg"}},
    {"atomic_compare_exchange", {"it is of OpenCL C 2.0", "Write atomic_cmpxchg"}},
    {"atomic_init", {"it is of OpenCL C 2.0", "Assign the value"}},
    {"atomic_work_item_fence", {"it is of OpenCL C 2.0", "Write mem_fence"}},
    {"atomic_flag", {"it is of OpenCL C 2.0", "Write atomic_xchg"}},
    {"enqueue_", {"kernels here start no kernels", "Let the host launch them"}},
    {"lgamma_r", {"it writes two results", "Write lgamma and tgamma"}},
    {"remquo", {"it writes two results", "Write remainder"}},
    {"__builtin_", {"it belongs to one compiler", "Use OpenCL C's own: popcount, clz, fma, …"}},
    {"__sync", {"it is no function of OpenCL C", "Write barrier(CLK_LOCAL_MEM_FENCE)"}},
    {"__shfl", {"it is no function of OpenCL C", "Write sub_group_shuffle and the like"}},
    {"sub_group_",
     {"it is none of the sub-group functions here",
      "There are reduce, scan, broadcast, any, all and shuffle"}},
    {"work_group_",
     {"it is none of the work-group functions here",
      "There are reduce, scan, broadcast, any and all"}},
};

const Table& table() {
    static const Table made = make_table();
    return made;
}

}  // namespace

const std::vector<std::string>& function_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> made;
        for (const auto& [name, function] : table())
            made.push_back(name);
        std::sort(made.begin(), made.end());
        return made;
    }();
    return names;
}

std::optional<Function> find_function(std::string_view name) {
    const auto found = table().find(std::string(name));
    if (found == table().end()) return std::nullopt;
    return found->second;
}

std::optional<Unsupported> unsupported_function(std::string_view name) {
    for (const Refused& of : kRefused)
        if (name.substr(0, of.start.size()) == of.start) return of.because;
    return std::nullopt;
}

}  // namespace lab::lang
