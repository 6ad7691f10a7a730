#include "lessons/expression.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "base/expression.h"
#include "lessons/facts.h"

namespace lab::lessons {
namespace {

struct Operator {
    std::string_view sign;
    int rank;
    double (*value)(double a, double b);
};
double whole_remainder(double a, double b) {
    return a - b * std::floor(a / b);
}
constexpr std::array kOperators{
    Operator{"||", 1, [](double a, double b) { return double(a != 0 || b != 0); }},
    Operator{"&&", 2, [](double a, double b) { return double(a != 0 && b != 0); }},
    Operator{"==", 3, [](double a, double b) { return double(a == b); }},
    Operator{"!=", 3, [](double a, double b) { return double(a != b); }},
    Operator{"<=", 4, [](double a, double b) { return double(a <= b); }},
    Operator{">=", 4, [](double a, double b) { return double(a >= b); }},
    Operator{"<", 4, [](double a, double b) { return double(a < b); }},
    Operator{">", 4, [](double a, double b) { return double(a > b); }},
    Operator{"+", 5, [](double a, double b) { return a + b; }},
    Operator{"-", 5, [](double a, double b) { return a - b; }},
    Operator{"*", 6, [](double a, double b) { return a * b; }},
    Operator{"/", 6, [](double a, double b) { return a / b; }},
    Operator{"%", 6, whole_remainder},
    Operator{"^", 7, [](double a, double b) { return std::pow(a, b); }},
};

// Works it out for the run at hand; without one, sees that it is an expression.
struct RunDomain {
    using Value = double;
    using Reader = ExpressionReader<RunDomain>;
    static constexpr const auto& kOperators = lessons::kOperators;
    static constexpr std::string_view kPrefixes = "!-";
    static constexpr bool kTernary = false;
    static constexpr std::size_t kMostNested = 200, kMostPrefixes = 200;

    std::string_view text;
    const Library& library;
    const Show* show = nullptr;
    Runs* runs = nullptr;
    std::map<std::string, double, std::less<>> variables = {};

    [[noreturn]] static void misplaced(std::size_t at, std::string what) {
        throw Problem(std::move(what), "", "", fmt::format("{}", at + 1));
    }
    [[noreturn]] void misread(Misread wrong, std::size_t at, std::string_view sign) const {
        if (wrong == Misread::too_deep) misplaced(at, "The expression is nested too deeply");
        if (wrong == Misread::missing) misplaced(at, fmt::format("'{}' is missing", sign));
        if (at == text.size()) misplaced(at, "The expression ends too early");
        const std::size_t length = wrong == Misread::no_operand ? 1 : text.size() - at;
        misplaced(at, fmt::format("'{}' is out of place", text.substr(at, length)));
    }

    static bool truth(double value) { return value != 0; }
    double number(std::string_view digits, std::size_t at) const {
        double value = 0;
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (const auto length = static_cast<std::size_t>(end - digits.data());
            error != std::errc{} || length < digits.size())
            misread(Misread::leftover, at + length, {});
        return value;
    }
    static double prefix(char sign, double value, bool) {
        return sign == '-' ? -value : double(value == 0);
    }
    static double infix(const Operator& operation, double a, double b, std::size_t at,
                        bool matters) {
        if (!matters) return 0;
        if ((operation.sign == "/" || operation.sign == "%") && b == 0)
            misplaced(at, "That would divide by zero");
        return operation.value(a, b);
    }
    double name(std::string_view word, std::size_t at, bool matters) {
        if (!matters) return 0;
        const auto local = variables.find(word);
        return local != variables.end() ? local->second : fact(word, {}, *show, *runs, at + 1);
    }

    double call(Reader& reader, std::string_view word, std::size_t at, bool matters) {
        if (word == "count" || word == "sum" || word == "most" || word == "least")
            return range(reader, word, at, matters);
        // What differs may come last, so the arguments are read for it before they are worked out.
        const std::size_t start = reader.at();
        Changes changes;
        (void)arguments(reader, changes, false);
        std::string n, input;
        for (const auto& [key, value] : changes) {
            if (key == "n") n = value;
            if (key == "input") input = value;
        }
        if (!n.empty() && !input.empty()) check_count(n, input);
        if (!matters) return 0;
        Show other = *show;
        for (const auto& [key, value] : changes)
            set_key(other, key, value);
        const Show* const here = std::exchange(show, &other);
        reader.seek(start);
        const std::vector<double> values = arguments(reader, changes, true);
        show = here;
        return fact(word, values, other, *runs, at + 1);
    }

  private:
    using Changes = std::vector<std::pair<std::string, std::string>>;  // keys of Show, values

    // Those that are numbers, as far as ")".
    std::vector<double> arguments(Reader& reader, Changes& changes, bool matters) const {
        std::vector<double> values;
        if (reader.take(")")) return values;
        do {
            if (!kernel(reader, changes) && !change(reader, changes))
                values.push_back(reader.expression(matters));
        } while (reader.take(","));
        reader.need(")");
        return values;
    }

    // "relaunch" or "start.cl" as an argument: with the hyphens that kernels have.
    bool kernel(Reader& reader, Changes& changes) const {
        const std::string_view rest = reader.rest();
        const std::string_view name =
            rest.substr(0, rest.find_first_not_of("abcdefghijklmnopqrstuvwxyz"
                                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."));
        if (name.empty() || !library.has(name)) return false;
        changes.emplace_back("kernel", name);
        reader.seek(reader.at() + name.size());
        return true;
    }

    // "n=1024" as an argument; a value with commas stands in quotes.
    bool change(Reader& reader, Changes& changes) const {
        const std::size_t begin = reader.at();
        std::string key(reader.word());
        const bool toggle = is_toggle(key);
        if (key.empty() || !(toggle || is_show_key(key)) || reader.rest().starts_with("==") ||
            !reader.take("=")) {
            reader.seek(begin);
            return false;
        }
        const bool quoted = reader.take("\"");
        const std::size_t start = reader.at();
        const std::size_t end = text.find_first_of(quoted ? "\"" : ",)", start);
        if (end == std::string_view::npos) misplaced(start, "The value does not end");
        std::string value(text.substr(start, end - start));
        while (!value.empty() && value.back() == ' ')
            value.pop_back();
        reader.seek(quoted ? end + 1 : end);
        if (toggle) {
            value = key + "=" + value;
            key = "set";
        }
        Show any;
        set_key(any, key, value);  // whether it can be read
        changes.emplace_back(std::move(key), std::move(value));
        return true;
    }

    // count(i = 0..7, …)
    double range(Reader& reader, std::string_view word, std::size_t at, bool matters) {
        const std::string variable(reader.word());
        if (variable.empty()) misplaced(reader.at(), "A name is missing, as in count(i = 0..7, …)");
        reader.need("=");
        const double first = std::ceil(reader.expression(matters));
        reader.need("..");
        const double last = reader.expression(matters);
        reader.need(",");
        if (matters && last - first > 100'000) misplaced(at, "The range is too long");
        const std::size_t body = reader.at();
        (void)reader.expression(false);
        const std::size_t end = reader.at();
        const auto outer = variables.find(variable);
        const std::optional<double> before =
            outer != variables.end() ? std::optional(outer->second) : std::nullopt;
        double result = word == "most"    ? -std::numeric_limits<double>::infinity()
                        : word == "least" ? std::numeric_limits<double>::infinity()
                                          : 0;
        for (double i = first; matters && i <= last; ++i) {
            variables[variable] = i;
            reader.seek(body);
            const double value = reader.expression(true);
            if (word == "count") result += value != 0 ? 1 : 0;
            if (word == "sum") result += value;
            if (word == "most") result = std::max(result, value);
            if (word == "least") result = std::min(result, value);
        }
        if (before)
            variables[variable] = *before;
        else
            variables.erase(variable);
        reader.seek(end);
        reader.need(")");
        return result;
    }
};

}  // namespace

Expression::Expression(std::string text, const Library& library) : text_(std::move(text)) {
    RunDomain domain{text_, library};
    (void)RunDomain::Reader(text_, domain).whole(false);
}

double Expression::operator()(const Show& show, Runs& runs,
                              const std::map<std::string, double>& variables) const {
    if (text_.empty()) return 0;
    RunDomain domain{text_, runs.library(), &show, &runs, {variables.begin(), variables.end()}};
    return RunDomain::Reader(text_, domain).whole();
}

std::string text_of(double number) {
    if (number == std::floor(number) && std::abs(number) < 1e15)
        return fmt::format("{:.0f}", number);
    const bool large = std::abs(number) >= 1e4 && std::abs(number) < 1e15;
    return large ? fmt::format("{:.1f}", number) : fmt::format("{:.4g}", number);
}

}  // namespace lab::lessons
