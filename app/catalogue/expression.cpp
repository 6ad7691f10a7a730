#include "catalogue/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <optional>

#include "base/expression.h"
#include "base/problem.h"
#include "base/ranges.h"

namespace lab::catalogue {
namespace {

using Int = std::int64_t;
using Result = std::optional<Int>;  // empty: overflow or division by zero

template <bool (*overflows)(Int, Int, Int*)>
Result checked(Int a, Int b, Int = 0) {
    Int value = 0;
    if (overflows(a, b, &value)) return {};
    return value;
}
bool add_overflows(Int a, Int b, Int* r) {
    return __builtin_add_overflow(a, b, r);
}
bool sub_overflows(Int a, Int b, Int* r) {
    return __builtin_sub_overflow(a, b, r);
}
bool mul_overflows(Int a, Int b, Int* r) {
    return __builtin_mul_overflow(a, b, r);
}

bool no_quotient(Int a, Int b) {
    return b == 0 || (a == INT64_MIN && b == -1);
}

Result divided(Int a, Int b, Int) {
    if (no_quotient(a, b)) return {};
    return a / b;
}
Result remainder(Int a, Int b, Int) {
    if (no_quotient(a, b)) return {};
    return a % b;
}
Result div_up(Int a, Int b, Int = 0) {
    if (b <= 0 || a < 0) return {};
    return a / b + (a % b != 0 ? 1 : 0);
}
Result round_up(Int a, Int b, Int) {
    const Result times = div_up(a, b);
    return times ? checked<mul_overflows>(*times, b) : times;
}
Result log2_up(Int a, Int = 0, Int = 0) {
    return a <= 1 ? 0 : 64 - std::countl_zero(static_cast<std::uint64_t>(a - 1));
}
Result power_of_two(Int a, Int, Int) {
    return a > 0 && (a & (a - 1)) == 0;
}
Result power_of_two_up(Int a, Int, Int) {
    const Int exponent = *log2_up(a);
    if (exponent > 62) return {};
    return Int{1} << exponent;
}

struct HeaderOperator {
    std::string_view sign;
    int rank;
    Result (*apply)(Int, Int, Int);
};
constexpr std::array kHeaderOperators{
    HeaderOperator{"||", 1, [](Int a, Int b, Int) -> Result { return a != 0 || b != 0; }},
    HeaderOperator{"&&", 2, [](Int a, Int b, Int) -> Result { return a != 0 && b != 0; }},
    HeaderOperator{"==", 3, [](Int a, Int b, Int) -> Result { return a == b; }},
    HeaderOperator{"!=", 3, [](Int a, Int b, Int) -> Result { return a != b; }},
    HeaderOperator{"<=", 4, [](Int a, Int b, Int) -> Result { return a <= b; }},
    HeaderOperator{">=", 4, [](Int a, Int b, Int) -> Result { return a >= b; }},
    HeaderOperator{"<", 4, [](Int a, Int b, Int) -> Result { return a < b; }},
    HeaderOperator{">", 4, [](Int a, Int b, Int) -> Result { return a > b; }},
    HeaderOperator{"+", 5, checked<add_overflows>},
    HeaderOperator{"-", 5, checked<sub_overflows>},
    HeaderOperator{"*", 6, checked<mul_overflows>},
    HeaderOperator{"/", 6, divided},
    HeaderOperator{"%", 6, remainder},
};
static_assert(kFactor == 6);

struct HeaderFunction {
    std::string_view name;
    std::size_t operands;
    Result (*apply)(Int, Int, Int);
};
constexpr std::array kHeaderFunctions{
    HeaderFunction{"min", 2, [](Int a, Int b, Int) -> Result { return std::min(a, b); }},
    HeaderFunction{"max", 2, [](Int a, Int b, Int) -> Result { return std::max(a, b); }},
    HeaderFunction{"div_up", 2, div_up},
    HeaderFunction{"round_up", 2, round_up},
    HeaderFunction{"log2", 1, log2_up},
    HeaderFunction{"power_of_two", 1, power_of_two},
    HeaderFunction{"power_of_two_up", 1, power_of_two_up},
    HeaderFunction{"choose", 3, [](Int a, Int b, Int c) -> Result { return a != 0 ? b : c; }},
};

// What both readers of a header's expression have in common.
struct HeaderDomain {
    static constexpr const auto& kOperators = kHeaderOperators;
    static constexpr std::string_view kPrefixes = "!-";
    static constexpr bool kTernary = false;
    // Parentheses in each other, and signs before a value; more are refused.
    static constexpr std::size_t kMostNested = 100, kMostPrefixes = 100;

    std::string_view text;

    [[noreturn]] void fail(std::size_t at, const std::string& why) const {
        throw Problem(fmt::format("'{}' is no expression", text), why,
                      "Write integers, names, + - * / %, comparisons, && || ! and the functions "
                      "min, max, div_up, round_up, log2, power_of_two, power_of_two_up, choose",
                      fmt::format("column {}", at + 1));
    }
    [[noreturn]] void misread(Misread wrong, std::size_t at, std::string_view sign) const {
        if (wrong == Misread::too_deep) fail(at, "it is nested too deeply");
        if (wrong == Misread::missing) fail(at, fmt::format("'{}' is expected here", sign));
        if (wrong == Misread::leftover)
            fail(at, fmt::format("'{}' is not expected here", text[at]));
        fail(at, "a number, a name or '(' is expected here");
    }
    Int number(std::string_view digits, std::size_t at) const {
        Int value = 0;
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (error != std::errc{}) fail(at, "the number is too large");
        if (end != digits.data() + digits.size())
            misread(Misread::leftover, at + static_cast<std::size_t>(end - digits.data()), {});
        return value;
    }
    const HeaderFunction& function(std::string_view name, std::size_t at) const {
        for (const HeaderFunction& each : kHeaderFunctions)
            if (each.name == name) return each;
        fail(at, fmt::format("there is no function '{}'", name));
    }
};

// Works it out; without variables, sees that it is an expression.
struct HeaderValue : HeaderDomain {
    using Value = Int;
    using Reader = ExpressionReader<HeaderValue>;

    std::span<const std::string> known;
    std::set<std::string>* names = nullptr;
    const Variables* variables = nullptr;

    [[noreturn]] void cannot(const std::string& why) const {
        throw Problem(fmt::format("'{}' cannot be worked out", text), why, "");
    }
    Int valid(const Result& result, std::string_view sign) const {
        if (!result) cannot(fmt::format("'{}' overflows or divides by zero", sign));
        return *result;
    }

    static bool truth(Int value) { return value != 0; }
    Int name(std::string_view word, std::size_t at, bool matters) const {
        if (variables == nullptr) {
            if (!contains(known, word)) fail(at, fmt::format("there is no variable '{}'", word));
            names->emplace(word);
        }
        if (!matters) return 0;
        const auto found = variables->find(word);
        if (found == variables->end()) cannot(fmt::format("'{}' has no value here", word));
        return found->second;
    }
    Int prefix(char sign, Int value, bool matters) const {
        if (sign == '!') return value == 0 ? 1 : 0;
        return matters ? valid(checked<sub_overflows>(0, value), "negate") : 0;
    }
    Int infix(const HeaderOperator& operation, Int a, Int b, std::size_t, bool matters) const {
        return matters ? valid(operation.apply(a, b, 0), operation.sign) : 0;
    }
    Int call(Reader& reader, std::string_view name, std::size_t at, bool matters) const {
        const HeaderFunction& called = function(name, at);
        if (names != nullptr) names->emplace(name);
        std::array<Int, 3> operands{};
        for (std::size_t i = 0; i < called.operands; ++i) {
            if (i > 0) reader.need(",");
            const bool left_out = name == "choose" && i > 0 && (operands[0] != 0) != (i == 1);
            operands[i] = reader.expression(matters && !left_out);
        }
        reader.need(")");
        return matters ? valid(called.apply(operands[0], operands[1], operands[2]), name) : 0;
    }
};

struct CppPart {
    std::string text;
    int rank;
};
constexpr int kChoice = 0;   // ?: binds least of all
constexpr int kPrefix = 7;   // ! and -
constexpr int kPrimary = 8;  // a number, a name, a call

std::string within(const CppPart& part, int least) {
    return part.rank < least ? "(" + part.text + ")" : part.text;
}

struct HeaderCpp : HeaderDomain {
    using Value = CppPart;
    using Reader = ExpressionReader<HeaderCpp>;

    const Variables& numbers;

    static bool truth(const CppPart&) { return true; }
    CppPart number(std::string_view digits, std::size_t at) const {
        return {fmt::format("{}", HeaderDomain::number(digits, at)), kPrimary};
    }
    CppPart name(std::string_view word, std::size_t, bool) const {
        const auto known = numbers.find(word);
        return {known == numbers.end() ? std::string(word) : fmt::format("{}", known->second),
                kPrimary};
    }
    static CppPart prefix(char sign, const CppPart& value, bool) {
        return {sign + within(value, sign == '!' ? kPrefix : kPrimary), kPrefix};
    }
    static CppPart infix(const HeaderOperator& operation, const CppPart& a, const CppPart& b,
                         std::size_t, bool) {
        // && within || is right without them, but compilers ask for the parentheses.
        const int least = operation.sign == "||" ? operation.rank + 2 : operation.rank;
        return {fmt::format("{} {} {}", within(a, least), operation.sign, within(b, least + 1)),
                operation.rank};
    }
    CppPart call(Reader& reader, std::string_view name, std::size_t at, bool) const {
        std::vector<CppPart> operands;
        for (std::size_t i = 0; i < function(name, at).operands; ++i) {
            if (i > 0) reader.need(",");
            operands.push_back(reader.expression(true));
        }
        reader.need(")");
        if (name == "choose")
            return {fmt::format("{} ? {} : {}", within(operands[0], kChoice + 1),
                                within(operands[1], kChoice + 1), within(operands[2], kChoice)),
                    kChoice};
        std::string words = std::string(name) + "(";
        for (const CppPart& operand : operands)
            words += (&operand == operands.data() ? "" : ", ") + operand.text;
        return {words + ")", kPrimary};
    }
};

}  // namespace

Expression::Expression(std::string_view text, std::span<const std::string> known) : text_(text) {
    HeaderValue domain{{text_}, known, &names_, nullptr};
    (void)HeaderValue::Reader(text_, domain).whole(false);
}

std::int64_t Expression::operator()(const Variables& variables) const {
    if (text_.empty()) return 0;
    HeaderValue domain{{text_}, {}, nullptr, &variables};
    return HeaderValue::Reader(text_, domain).whole();
}

std::string cpp_text(const Expression& expression, const Variables& numbers, int least) {
    if (expression.empty()) return "";
    HeaderCpp domain{{expression.text()}, numbers};
    return within(HeaderCpp::Reader(expression.text(), domain).whole(), least);
}

}  // namespace lab::catalogue
