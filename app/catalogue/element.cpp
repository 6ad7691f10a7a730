#include "catalogue/element.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "base/paths.h"
#include "base/platform.h"
#include "base/problem.h"
#include "base/text.h"
#include "catalogue/number.h"

namespace lab::catalogue {
namespace {

constexpr std::array<TypeInfo, 6> kTypes{{{Type::int_, "int", 4, false},
                                          {Type::uint_, "uint", 4, false},
                                          {Type::long_, "long", 8, false},
                                          {Type::ulong_, "ulong", 8, false},
                                          {Type::float_, "float", 4, true},
                                          {Type::double_, "double", 8, true}}};

constexpr std::array<OpInfo, 4> kOps{
    {{Op::add, "add"}, {Op::min, "min"}, {Op::max, "max"}, {Op::product, "product"}}};

// By operator, as OpenCL C writes it of two integers and of two floats; its word in the names of
// functions.
struct OpText {
    const char *integers, *floats, *word;
};
constexpr std::array<OpText, 4> kOpTexts{{{"((a) + (b))", "((a) + (b))", "add"},
                                          {"min((a), (b))", "fmin((a), (b))", "min"},
                                          {"max((a), (b))", "fmax((a), (b))", "max"},
                                          {"((a) * (b))", "((a) * (b))", "mul"}}};

// The neutral elements of min and max. Integer limits as OpenCL C names them.
struct LimitNames {
    const char *lowest, *highest;
};
constexpr std::array<LimitNames, 6> kLimits{{{"INT_MIN", "INT_MAX"},
                                             {"0", "UINT_MAX"},
                                             {"LONG_MIN", "LONG_MAX"},
                                             {"0", "ULONG_MAX"},
                                             {"(-INFINITY)", "INFINITY"},
                                             {"(-(double)INFINITY)", "((double)INFINITY)"}}};

template <typename Table>
auto find_named(const Table& table, std::string_view name, const char* what) {
    std::vector<std::string> names;
    for (const auto& entry : table) {
        if (name == entry.name) return entry;
        names.emplace_back(entry.name);
    }
    throw Problem(fmt::format("'{}' is no {}", name, what), "", choices_hint(name, names));
}

}  // namespace

std::span<const TypeInfo> types() {
    return kTypes;
}
std::span<const OpInfo> ops() {
    return kOps;
}
const TypeInfo& info(Type type) {
    return kTypes[static_cast<std::size_t>(type)];
}
const char* name_of(Op op) {
    return kOps[static_cast<std::size_t>(op)].name;
}

Type parse_type(std::string_view name) {
    return find_named(kTypes, name, "element type").type;
}
Op parse_op(std::string_view name) {
    return find_named(kOps, name, "operator").op;
}

std::string element_macros(Op op, Type type) {
    const TypeInfo& type_info = info(type);
    const LimitNames& limits = kLimits[static_cast<std::size_t>(type)];
    const OpText& text = kOpTexts[static_cast<std::size_t>(op)];
    const char* identity = op == Op::add       ? "0"
                           : op == Op::product ? "1"
                           : op == Op::min     ? limits.highest
                                               : limits.lowest;
    return fmt::format(
        "{}#define T {}\n#define COMBINE(a, b) {}\n#define IDENTITY ((T){})\n#define "
        "WITH_OPERATOR(prefix) prefix##{}\n",
        type == Type::double_ ? "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" : "",
        type_info.name, type_info.floating ? text.floats : text.integers, identity, text.word);
}

std::string atomic_macros(Type type) {
    const TypeInfo& type_info = info(type);
    const bool wide = type_info.bytes == 8;
    return fmt::format(
        "{}#define WORD {}\n#define AS_WORD(x) as_{}(x)\n#define AS_T(w) as_{}(w)\n"
        "#define CMPXCHG(p, old, new) {}(p, old, new)\n",
        wide ? "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n" : "",
        wide ? "ulong" : "uint", wide ? "ulong" : "uint", type_info.name,
        wide ? "atom_cmpxchg" : "atomic_cmpxchg");
}

// To be given a page at first touch takes the longest of all that is done to a large array, and one
// processor alone cannot do it faster. So all of them touch the room before it becomes zeros.
template <typename N>
static Values zeros(std::size_t count) {
    constexpr std::size_t kPage = 4096, kLeast = std::size_t{16} << 20U;
    std::vector<N> result;
    result.reserve(count);
    auto* const room = reinterpret_cast<std::byte*>(result.data());
    const std::size_t bytes = count * sizeof(N);
    if (bytes >= 2 * kLeast)
        in_parallel(bytes / kPage, kLeast / kPage, [room](std::size_t first, std::size_t end) {
            for (std::size_t page = first; page < end; ++page)
                ::new (room + page * kPage) std::byte{0};
        });
    result.resize(count);
    return result;
}

Values make_values(Type type, std::size_t count) {
    // In the order of Type.
    constexpr std::array kZeros{zeros<std::int32_t>,  zeros<std::uint32_t>, zeros<std::int64_t>,
                                zeros<std::uint64_t>, zeros<float>,         zeros<double>};
    return kZeros[static_cast<std::size_t>(type)](count);
}

Values values_from(Type type, std::span<const std::byte> bytes) {
    Values values = make_values(type, bytes.size() / info(type).bytes);
    if (!bytes.empty()) std::memcpy(bytes_of(values), bytes.data(), bytes.size());
    return values;
}

Values identity(Op op, Type type) {
    Values values = make_values(type, 1);
    std::visit(
        [op](auto& of) {
            using N = typename std::decay_t<decltype(of)>::value_type;
            using Limits = std::numeric_limits<N>;
            const N highest = Limits::has_infinity ? Limits::infinity() : Limits::max();
            const N lowest = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
            of[0] = op == Op::add       ? N(0)
                    : op == Op::product ? N(1)
                    : op == Op::min     ? highest
                                        : lowest;
        },
        values);
    return values;
}

Values one_value(Type type, std::int64_t value) {
    Values values = make_values(type, 1);
    std::visit(
        [value](auto& of) {
            of[0] = static_cast<typename std::decay_t<decltype(of)>::value_type>(value);
        },
        values);
    return values;
}

Type type_of(const Values& values) {
    return static_cast<Type>(values.index());
}

std::size_t count_of(const Values& values) {
    return std::visit([](const auto& of) { return of.size(); }, values);
}

void* bytes_of(Values& values) {
    return std::visit([](auto& of) -> void* { return of.data(); }, values);
}

const void* bytes_of(const Values& values) {
    return std::visit([](const auto& of) -> const void* { return of.data(); }, values);
}

std::string text_of(const Values& values, std::size_t index) {
    return std::visit(
        [index](const auto& of) {
            const auto value = of[index];
            if constexpr (std::is_floating_point_v<std::decay_t<decltype(value)>>) {
                if (std::isnan(value)) return std::string("nan");
                if (value == std::trunc(value) && std::abs(value) < 1e7F)
                    return fmt::format("{:.0f}", value);
            }
            return fmt::format("{}", value);
        },
        values);
}

namespace {

constexpr std::uint64_t kStandardCount = 8;

// SplitMix64 (Steele, Lea, Flood 2014) of the seed and the index.
std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed * 0xd1342543de82ef95U + (index + 1) * 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
}

// One factor in so many is not 1 or -1, in a product of n floats. A product rounds at each of the
// others by up to half of a last digit, and more often down than up: 2^26 of them are wrong by a
// tenth in any order.
std::uint64_t one_in(std::uint64_t n) {
    constexpr std::uint64_t kRoundingFactors = 4096;
    return std::max<std::uint64_t>(1, n / kRoundingFactors);
}

template <typename N>
N random_value(std::uint64_t bits, Op op, std::uint64_t one_in) {
    if constexpr (std::is_floating_point_v<N>) {
        const auto fraction = static_cast<N>(bits >> 40U) * static_cast<N>(0x1p-24);
        if (op != Op::product) return fraction;
        if ((bits & 0xffffffU) % one_in != 0) return (bits >> 40U & 1U) != 0 ? N(-1) : N(1);
        return 1 + (fraction - static_cast<N>(0.5)) * static_cast<N>(0x1p-13);
    } else {
        if (op != Op::product) return static_cast<N>((bits >> 32U) * 100 >> 32U);
        return static_cast<N>(2 * ((bits >> 32U) * 50 >> 32U) + 1);
    }
}

template <typename N>
N any_value(std::uint64_t bits, Op op, std::uint64_t one_in) {
    if constexpr (std::is_floating_point_v<N>) {
        const N size = op == Op::product ? random_value<N>(bits, op, one_in)
                                         : std::ldexp(1 + random_value<N>(bits, Op::add, 1),
                                                      static_cast<int>(bits >> 2U & 31U) % 21 - 10);
        return (bits & 1U) != 0 ? -size : size;
    } else {
        const auto value = static_cast<N>(bits);
        return op == Op::product ? static_cast<N>(value | 1) : value;
    }
}

Values counted(Values values, std::optional<std::uint64_t> n, std::string_view name) {
    const std::size_t count = count_of(values);
    if (n && *n != count)
        throw Problem(fmt::format("{} holds {} numbers, but n is {}", name, count, *n), "",
                      "Leave n out, or give as many numbers");
    return values;
}

}  // namespace

Input parse_input(std::string_view text) {
    if (text == "ramp") return {};
    if (text.starts_with('@')) {
        if (text.size() == 1)
            throw Problem("'@' names no file", "", "Write @ and the file's name, as @numbers.txt");
        return {Input::Kind::file, std::string(text.substr(1)), 0};
    }
    if (text == "random") return {Input::Kind::random, {}, 1};
    for (const auto& [word, kind] : {std::pair{std::string_view("random:"), Input::Kind::random},
                                     std::pair{std::string_view("bits:"), Input::Kind::bits}}) {
        if (!text.starts_with(word)) continue;
        const std::string_view digits = text.substr(word.size());
        const auto seed = parse_number<std::uint64_t>(digits);
        if (!seed)
            throw Problem(fmt::format("'{}' is no seed", digits), "A seed is a whole number",
                          fmt::format("Write {}42", word));
        return {kind, {}, *seed};
    }
    return {Input::Kind::values, std::string(text), 0};
}

std::string text_of(const Input& input) {
    using Kind = Input::Kind;
    return input.kind == Kind::values ? input.text
           : input.kind == Kind::file ? "@" + input.text
           : input.kind == Kind::ramp
               ? "ramp"
               : fmt::format("{}:{}", input.kind == Kind::bits ? "bits" : "random", input.seed);
}

Values make_values(const Input& input, Type type, std::optional<std::uint64_t> n, Op op) {
    if (input.kind == Input::Kind::values)
        return counted(parse_values(input.text, type, "input"), n, "The input");
    if (input.kind == Input::Kind::file)
        return counted(parse_values(read_file(input.text), type, input.text), n, input.text);
    Values values = make_values(type, n.value_or(kStandardCount));
    constexpr std::size_t kLeast = std::size_t{1} << 20U;  // elements a thread: a few milliseconds
    std::visit(
        [&input, op](auto& into) {
            using N = typename std::decay_t<decltype(into)>::value_type;
            const std::uint64_t rare = one_in(into.size());
            in_parallel(into.size(), kLeast, [&](std::size_t first, std::size_t end) {
                for (std::size_t i = first; i < end; ++i) {
                    const std::uint64_t bits = random_bits(input.seed, i);
                    into[i] = input.kind == Input::Kind::ramp     ? static_cast<N>(i + 1)
                              : input.kind == Input::Kind::random ? random_value<N>(bits, op, rare)
                                                                  : any_value<N>(bits, op, rare);
                }
            });
        },
        values);
    return values;
}

}  // namespace lab::catalogue
