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

constexpr Pure kPure[] = {
#define LAB_ROW(name, signature, arguments) {#name, Fn::name, Signature::signature, arguments},
    LAB_PURE_FUNCTIONS(LAB_ROW)
#undef LAB_ROW
};

// clang-format off
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
        Function result;
        result.collective.of = of;
        result.arguments = 1;
        result.builtin = Builtin::vote_any;
        table[std::string(prefix) + "any"] = result;
        result.builtin = Builtin::vote_all;
        table[std::string(prefix) + "all"] = result;
        for (const auto& [word, how] :
             {std::pair{"add", Collective::How::add}, std::pair{"min", Collective::How::min},
              std::pair{"max", Collective::How::max}}) {
            result.collective.how = how;
            result.builtin = Builtin::reduce;
            table[std::string(prefix) + "reduce_" + word] = result;
            result.builtin = Builtin::scan_inclusive;
            table[std::string(prefix) + "scan_inclusive_" + word] = result;
            result.builtin = Builtin::scan_exclusive;
            table[std::string(prefix) + "scan_exclusive_" + word] = result;
        }
        result.builtin = Builtin::broadcast;
        result.arguments = 2;
        table[std::string(prefix) + "broadcast"] = result;
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
    for (const Pure& pure : kPure) {
        const Function result{Builtin::pure, pure.fn, pure.signature, pure.arguments};
        table[std::string(pure.name)] = result;
        if (pure.signature == Signature::floats)
            for (const char* prefix : {"native_", "half_"})
                table[prefix + std::string(pure.name)] = result;
    }
    for (const char* prefix : {"native_", "half_"}) {
        table[prefix + std::string("recip")] = {Builtin::pure, Fn::recip, Signature::floats, 1};
        table[prefix + std::string("divide")] = {Builtin::pure, Fn::divide, Signature::floats, 2};
    }
    for (const Plain& plain : kPlain) {
        Function made;
        made.builtin = plain.builtin;
        made.arguments = plain.arguments;
        table[std::string(plain.name)] = made;
    }
    for (const Atomic& atomic : kAtomics) {
        Function made;
        made.builtin = atomic.builtin;
        made.arguments = atomic.arguments;
        table["atomic_" + std::string(atomic.name)] = made;
        made.wide = true;
        table["atom_" + std::string(atomic.name)] = made;
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
    static const Table result = make_table();
    return result;
}

}  // namespace

const std::vector<std::string>& function_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> texts;
        for (const auto& [name, function] : table())
            texts.push_back(name);
        std::sort(texts.begin(), texts.end());
        return texts;
    }();
    return names;
}

std::optional<Function> find_function(std::string_view name) {
    const auto found = table().find(std::string(name));
    if (found == table().end()) return std::nullopt;
    Function function = found->second;
    function.name = found->first;
    return function;
}

std::optional<Unsupported> unsupported_function(std::string_view name) {
    for (const Refused& refused : kRefused)
        if (name.substr(0, refused.start.size()) == refused.start) return refused.because;
    return std::nullopt;
}

}  // namespace lab::lang
