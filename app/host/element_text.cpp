#include "host/element_text.h"

#include <fmt/format.h>

#include "base/problem.h"

namespace lab::host {
namespace {

using catalogue::Input;
using catalogue::Op;
using catalogue::Type;

constexpr std::size_t kMostNumbers = 1024;  // that stand in a program's text

bool floating(const catalogue::Shape& shape) {
    return info(shape.type).floating;
}

std::string identity_text(const catalogue::Shape& shape) {
    if (shape.op == Op::add) return "0";
    if (shape.op == Op::product) return "1";
    const bool highest = shape.op == Op::min;
    if (floating(shape)) return highest ? "INFINITY" : "-INFINITY";
    return highest ? "std::numeric_limits<T>::max()" : "std::numeric_limits<T>::min()";
}

std::string combined(const catalogue::Shape& shape) {
    const bool least = shape.op == Op::min;
    if (shape.op == Op::min || shape.op == Op::max) {
        if (floating(shape)) return least ? "std::fmin(a, b);" : "std::fmax(a, b);";
        return least ? "a < b ? a : b;" : "a > b ? a : b;";
    }
    const char sign = shape.op == Op::add ? '+' : '*';
    if (shape.type != Type::int_ && shape.type != Type::long_) return fmt::format("a {} b;", sign);
    const char* word = shape.type == Type::int_ ? "cl_uint" : "cl_ulong";
    return fmt::format("T({0}(a) {1} {0}(b));  // unsigned, since it may wrap", word, sign);
}

// As make_values computes them from an element's bits.
std::string random_value(const catalogue::Shape& shape) {
    const bool product = shape.op == Op::product;
    const bool all_bits = shape.input.kind == Input::Kind::bits;
    if (!floating(shape)) {
        if (all_bits) return product ? "T(bits | 1)" : "T(bits)";
        return product ? "T(2 * ((bits >> 32) * 50 >> 32) + 1)" : "T((bits >> 32) * 100 >> 32)";
    }
    return all_bits || product ? "" : "T(bits >> 40) * T(0x1p-24)";
}

constexpr const char* kRandomBits = R"(
// The bits of element i: SplitMix64.
uint64_t random_bits(uint64_t seed, uint64_t i)
{
    uint64_t z = seed * 0xd1342543de82ef95 + (i + 1) * 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}
)";

// A product of many factors stays within the type if most of them are 1 or -1.
constexpr const char* kRandomFactor = R"(
// A factor close to 1, or for most of n elements 1 or -1.
T random_factor(uint64_t bits, int64_t n)
{
    const uint64_t one_in = n < 4096 ? 1 : n / 4096;
    if ((bits & 0xffffff) % one_in != 0) return bits >> 40 & 1 ? 1 : -1;
    return 1 + (T(bits >> 40) * T(0x1p-24) - T(0.5)) * T(0x1p-13);
}
)";

constexpr const char* kRandomMagnitude = R"(
// 2^-10 to 2^11.
T random_magnitude(uint64_t bits)
{
    const int exponent = int(bits >> 2 & 31) % 21 - 10;
    return std::ldexp(1 + T(bits >> 40) * T(0x1p-24), exponent);
}
)";

InputText random_text(const catalogue::Shape& shape) {
    InputText text{kRandomBits, "", true};
    std::string value = random_value(shape);
    if (value.empty()) {
        const bool product = shape.op == Op::product;
        text.functions += product ? kRandomFactor : kRandomMagnitude;
        value = product ? "random_factor(bits, n)" : "random_magnitude(bits)";
        if (shape.input.kind == Input::Kind::bits)
            value = fmt::format("(bits & 1 ? -1 : 1) * {}", value);
    }
    text.statements = fmt::format(
        "std::vector<T> input(n);\n"
        "for (int64_t i = 0; i < n; ++i) {{\n"
        "    const uint64_t bits = random_bits({}, i);\n"
        "    input[i] = {};\n"
        "}}\n",
        shape.input.seed, value);
    return text;
}

std::string number_text(const catalogue::Values& values, std::size_t index) {
    const std::string text = catalogue::text_of(values, index);
    if (text == "inf") return "INFINITY";
    if (text == "-inf") return "-INFINITY";
    if (text == "nan")
        throw Problem("The program cannot hold NaN among its numbers",
                      "It compares its result with the host's, and NaN equals nothing",
                      "Leave nan out of --input", "--input");
    if (text == "-9223372036854775808") return "INT64_MIN";
    return catalogue::type_of(values) == Type::ulong_ ? text + "u" : text;
}

InputText listed_text(const catalogue::Shape& shape) {
    const catalogue::Values values =
        catalogue::make_values(shape.input, shape.type, shape.n, shape.op);
    const std::size_t count = catalogue::count_of(values);
    if (count > kMostNumbers)
        throw Problem(fmt::format("{} numbers are too many for a program's text", count),
                      fmt::format("It takes {}", kMostNumbers),
                      "Give fewer, or --input ramp or random:1", "--input");
    std::string numbers;
    for (std::size_t i = 0; i < count; ++i)
        numbers += (i > 0 ? ", " : "") + number_text(values, i);
    return {"", fmt::format("std::vector<T> input = {{{}}};\n", numbers), false};
}

}  // namespace

bool rounds(const catalogue::Shape& shape) {
    return floating(shape) && (shape.op == Op::add || shape.op == Op::product);
}

std::string wide_type(const catalogue::Shape& shape) {
    if (!rounds(shape)) return "T";
    return shape.type == Type::float_ ? "double" : "long double";
}

std::string element_text(const catalogue::Shape& shape) {
    return fmt::format(
        "// What is reduced, and how two become one: here as in the kernel.\n"
        "using T = cl_{0};\n"
        "const T identity = {1};\n"
        "\n"
        "{2} combine({2} a, {2} b)\n"
        "{{\n"
        "    return {3}\n"
        "}}\n",
        info(shape.type).name, identity_text(shape), wide_type(shape), combined(shape));
}

InputText input_text(const catalogue::Shape& shape) {
    switch (shape.input.kind) {
        case Input::Kind::values:
        case Input::Kind::file:
            return listed_text(shape);
        case Input::Kind::ramp:
            return {"",
                    "std::vector<T> input(n);\n"
                    "for (int64_t i = 0; i < n; ++i) input[i] = T(i + 1);\n",
                    true};
        case Input::Kind::random:
        case Input::Kind::bits:
            break;
    }
    return random_text(shape);
}

}  // namespace lab::host
