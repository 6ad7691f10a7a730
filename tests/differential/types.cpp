#include "types.h"

#include <array>
#include <cstdint>
#include <cstdio>

namespace lab::differential {
namespace {

struct Row {
    const char* name;
    unsigned bytes;
    bool is_signed;
    const char* suffix;
};
constexpr std::array<Row, 11> rows = {{{"bool", 1, false, ""},
                                       {"char", 1, true, ""},
                                       {"uchar", 1, false, ""},
                                       {"short", 2, true, ""},
                                       {"ushort", 2, false, ""},
                                       {"int", 4, true, ""},
                                       {"uint", 4, false, "u"},
                                       {"long", 8, true, "L"},
                                       {"ulong", 8, false, "ul"},
                                       {"float", 4, true, "f"},
                                       {"double", 8, true, ""}}};

const Row& row(Element element) {
    return rows[static_cast<std::size_t>(element)];
}

constexpr std::array<unsigned, 5> vector_widths = {2, 3, 4, 8, 16};

Element shifted(Element element, int by) {
    return static_cast<Element>(static_cast<int>(element) + by);
}

std::string float_literal(Random& random, Element element) {
    static constexpr std::array<const char*, 14> values = {
        "0.0", "1.0",   "-1.0",   "0.5",      "-2.5", "3.14159", "1e3",
        ".25", "1.e-3", "-100.0", "1234567.", "7.",   "0.1",     "1.5e10"};
    const std::string value = random.percent(15) ? "0x1.8p" + std::to_string(random.below(20))
                                                 : std::string(random.pick(values));
    const std::string text = value + (element == Element::f32 ? "f" : "");
    return text.front() == '-' ? "(" + text + ")" : text;
}

// Small values, powers of two and their neighbours, and any bits.
std::uint64_t interesting(Random& random) {
    switch (random.below(4)) {
        case 0:
            return random.below(10);
        case 1:
            return random.below(256);
        case 2:
            return (std::uint64_t{1} << random.below(64)) - random.below(2);
        default:
            return random.next();
    }
}

std::string digits(Random& random, std::uint64_t value) {
    if (random.percent(60)) return std::to_string(value);
    std::array<char, 32> text{};
    const char* format = random.percent(80) ? "0x%llx" : random.percent(50) ? "0X%llX" : "0%llo";
    std::snprintf(text.data(), text.size(), format, static_cast<unsigned long long>(value));
    return text.data();
}

std::string integer_literal(Random& random, Element element) {
    static constexpr std::array<const char*, 6> characters = {"'a'",   "'Z'",     "' '",
                                                              "'\\n'", "'\\x41'", "'\\0'"};
    if (element == Element::i32 && random.percent(6)) return random.pick(characters);
    if (element == Element::i32 && random.percent(3)) return "(-2147483647 - 1)";
    const Row& about = row(element);
    // A signed type's value keeps the top bit for the sign, which is written as a minus.
    const unsigned bits = about.bytes * 8 - (about.is_signed ? 1 : 0);
    const std::uint64_t value = interesting(random) & (~std::uint64_t{0} >> (64 - bits));
    std::string text = digits(random, value) + about.suffix;
    const bool negative = about.is_signed && value != 0 && random.percent(30);
    if (negative) text.insert(0, "-");
    if (is_narrow(element)) return "(" + std::string(about.name) + ")" + text;
    return negative ? "(" + text + ")" : text;
}

}  // namespace

std::string name(Type type) {
    return row(type.element).name + (type.width == 1 ? "" : std::to_string(type.width));
}

unsigned bytes(Element element) {
    return row(element).bytes;
}
bool is_float(Element element) {
    return element >= Element::f32;
}
bool is_integer(Element element) {
    return element != Element::boolean && !is_float(element);
}
bool is_signed(Element element) {
    return row(element).is_signed;
}

Element to_signed(Element element) {
    if (is_float(element)) return element == Element::f32 ? Element::i32 : Element::i64;
    return row(element).is_signed ? element : shifted(element, -1);
}

Element to_unsigned(Element element) {
    return shifted(to_signed(element), 1);
}

Element to_float(Element element) {
    return bytes(element) == 8 ? Element::f64 : Element::f32;
}

Element half_of(Element element) {
    return shifted(element, -2);
}

Element common(Element a, Element b) {
    const Element larger = a > b ? a : b;
    return is_narrow(larger) ? Element::i32 : larger;
}

Element random_integer(Random& random) {
    static constexpr std::array<Element, 12> choices = {
        Element::i8,  Element::u8,  Element::i16, Element::u16, Element::i32, Element::i32,
        Element::i32, Element::u32, Element::u32, Element::u32, Element::i64, Element::u64};
    return random.pick(choices);
}

Element random_element(Random& random) {
    if (random.percent(70)) return random_integer(random);
    return random.percent(65) ? Element::f32 : Element::f64;
}

unsigned random_vector_width(Random& random) {
    return random.pick(vector_widths);
}

unsigned random_width(Random& random) {
    return random.percent(55) ? 1 : random_vector_width(random);
}

Type random_type(Random& random) {
    const Element element = random_element(random);
    return {element, random_width(random)};
}

std::string literal(Random& random, Type type) {
    if (type.element == Element::boolean) return random.percent(50) ? "true" : "false";
    const auto one = [&] {
        return is_float(type.element) ? float_literal(random, type.element)
                                      : integer_literal(random, type.element);
    };
    if (type.width == 1) return one();
    // All components written out only where the line stays readable.
    const unsigned parts = type.width <= 4 && random.percent(60) ? type.width : 1;
    std::string text = "(" + name(type) + ")(";
    for (unsigned i = 0; i < parts; ++i)
        text += (i == 0 ? "" : ", ") + one();
    return text + ")";
}

std::string splat(Type type, int value) {
    return "(" + name(type) + ")(" + std::to_string(value) + ")";
}

std::string component(Random& random, unsigned width, unsigned index) {
    if (width <= 4 && random.percent(50)) return std::string(1, "xyzw"[index]);
    const char* digits_of_case = random.percent(70) ? "0123456789abcdef" : "0123456789ABCDEF";
    return std::string(random.percent(85) ? "s" : "S") + digits_of_case[index];
}

}  // namespace lab::differential
