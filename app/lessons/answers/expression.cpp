#include "lessons/answers/expression.h"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

#include "lessons/answers/facts.h"

namespace lab::lessons {
namespace {

[[noreturn]] void misplaced(std::size_t column, std::string what, std::string hint = {}) {
    throw Problem(std::move(what), "", std::move(hint), fmt::format("{}", column));
}

struct Operator {
    const char* sign;
    int strength;
    double (*value)(double a, double b);
};
double whole_remainder(double a, double b) {
    return a - b * std::floor(a / b);
}
// The longer sign first where one begins with another.
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

class Parser {
  public:
    Parser(std::string_view text, const Library& library) : text_(text), library_(library) {}

    Term parse() {
        Term term = binary(1);
        skip();
        if (at_ < text_.size())
            misplaced(at_ + 1, fmt::format("'{}' is out of place", text_.substr(at_)));
        return term;
    }

  private:
    void skip() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0)
            ++at_;
    }
    bool next(std::string_view sign) {
        skip();
        if (!text_.substr(at_).starts_with(sign)) return false;
        at_ += sign.size();
        return true;
    }
    char peek() {
        skip();
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    void need(std::string_view sign) {
        if (!next(sign)) misplaced(at_ + 1, fmt::format("'{}' is missing", sign));
    }

    const Operator* operation(int strength) {
        skip();
        const std::string_view rest = text_.substr(at_);
        for (const Operator& each : kOperators)
            if (rest.starts_with(each.sign)) return each.strength == strength ? &each : nullptr;
        return nullptr;
    }

    Term binary(int strength) {
        if (strength > 7) return unary();
        Term left = binary(strength + 1);
        while (const Operator* sign = operation(strength)) {
            Term whole;
            whole.kind = Term::Kind::operation;
            whole.column = at_ + 1;
            whole.name = sign->sign;
            at_ += whole.name.size();
            whole.terms.push_back(std::move(left));
            whole.terms.push_back(binary(strength + 1));
            left = std::move(whole);
        }
        return left;
    }

    Term unary() {
        skip();
        if (++depth_ > 200) misplaced(at_ + 1, "The expression is nested too deeply");
        Term term = unary_inside();
        --depth_;
        return term;
    }

    Term unary_inside() {
        const std::size_t column = at_ + 1;
        if (next("-") || next("!")) {
            Term term;
            term.kind = Term::Kind::operation;
            term.name = text_[at_ - 1] == '-' ? "negative" : "not";
            term.column = column;
            term.terms.push_back(unary());
            return term;
        }
        if (next("(")) {
            Term term = binary(1);
            need(")");
            return term;
        }
        const char c = peek();
        if (std::isdigit(static_cast<unsigned char>(c)) != 0) return number();
        if (std::isalpha(static_cast<unsigned char>(c)) != 0) return named();
        misplaced(column, c == '\0' ? "The expression ends too early"
                                    : fmt::format("'{}' is out of place", c));
    }

    Term number() {
        Term term;
        term.column = at_ + 1;
        std::size_t end = at_;
        while (end < text_.size() && (std::isdigit(static_cast<unsigned char>(text_[end])) != 0 ||
                                      // "0..7" is no decimal point
                                      (text_[end] == '.' && text_.substr(end, 2) != "..")))
            ++end;
        term.number = std::stod(std::string(text_.substr(at_, end - at_)));
        at_ = end;
        return term;
    }

    std::string word() {
        skip();
        const std::size_t begin = at_;
        while (at_ < text_.size() &&
               (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_'))
            ++at_;
        return std::string(text_.substr(begin, at_ - begin));
    }

    // "relaunch" or "start.cl" as an argument: with the hyphens that kernels have.
    bool kernel(Term& term) {
        skip();
        std::size_t end = at_;
        while (end < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[end])) != 0 ||
                                      text_[end] == '-' || text_[end] == '_' || text_[end] == '.'))
            ++end;
        const std::string name(text_.substr(at_, end - at_));
        if (name.empty() || !library_.has(name)) return false;
        term.changes.emplace_back("kernel", name);
        at_ = end;
        return true;
    }

    // "n=1024" as an argument; a value with commas stands in quotes.
    bool change(Term& term) {
        const std::size_t begin = at_;
        std::string key = word();
        const bool toggle = is_toggle(key);
        if (key.empty() || !(toggle || is_show_key(key)) || peek() != '=' ||
            text_.substr(at_, 2) == "==") {
            at_ = begin;
            return false;
        }
        ++at_;
        skip();
        const bool quoted = peek() == '"';
        if (quoted) ++at_;
        const std::size_t end = text_.find_first_of(quoted ? "\"" : ",)", at_);
        if (end == std::string_view::npos) misplaced(at_ + 1, "The value does not end");
        std::string value(text_.substr(at_, end - at_));
        while (!value.empty() && value.back() == ' ')
            value.pop_back();
        at_ = quoted ? end + 1 : end;
        if (toggle) {
            value = key + "=" + value;
            key = "set";
        }
        Show show;
        set_key(show, key, value);  // whether it can be read
        term.changes.emplace_back(std::move(key), std::move(value));
        return true;
    }

    Term named() {
        Term term;
        term.kind = Term::Kind::name;
        term.column = at_ + 1;
        term.name = word();
        if (!next("(")) return term;
        const bool range = term.name == "count" || term.name == "sum" || term.name == "most" ||
                           term.name == "least";
        if (range) return range_of(std::move(term));
        if (next(")")) return term;
        do {
            if (!kernel(term) && !change(term)) term.terms.push_back(binary(1));
        } while (next(","));
        need(")");
        check_changes(term);
        return term;
    }

    static void check_changes(const Term& term) {
        std::string n, input;
        for (const auto& [key, value] : term.changes) {
            if (key == "n") n = value;
            if (key == "input") input = value;
        }
        if (!n.empty() && !input.empty()) check_count(n, input);
    }

    // count(i = 0..7, …)
    Term range_of(Term term) {
        term.kind = Term::Kind::range;
        term.variable = word();
        if (term.variable.empty())
            misplaced(at_ + 1, "A name is missing, as in count(i = 0..7, …)");
        need("=");
        term.terms.push_back(binary(1));
        need("..");
        term.terms.push_back(binary(1));
        need(",");
        term.terms.push_back(binary(1));
        need(")");
        return term;
    }

    std::string_view text_;
    const Library& library_;
    std::size_t at_ = 0;
    int depth_ = 0;
};

// The run at hand, and the names that have a value.
struct Scope {
    const Show& show;
    Runs& runs;
    std::map<std::string, double> variables;
};

double value_of(const Term& term, Scope& scope);

double range_value(const Term& term, Scope& scope) {
    const double first = std::ceil(value_of(term.terms[0], scope));
    const double last = value_of(term.terms[1], scope);
    if (last - first > 100'000) misplaced(term.column, "The range is too long");
    double result = term.name == "most"    ? -std::numeric_limits<double>::infinity()
                    : term.name == "least" ? std::numeric_limits<double>::infinity()
                                           : 0;
    Scope inner{scope.show, scope.runs, scope.variables};
    for (double i = first; i <= last; ++i) {
        inner.variables[term.variable] = i;
        const double value = value_of(term.terms[2], inner);
        if (term.name == "count") result += value != 0 ? 1 : 0;
        if (term.name == "sum") result += value;
        if (term.name == "most") result = std::max(result, value);
        if (term.name == "least") result = std::min(result, value);
    }
    return result;
}

double operation_value(const Term& term, Scope& scope) {
    const double a = value_of(term.terms[0], scope);
    if (term.name == "negative") return -a;
    if (term.name == "not") return a == 0 ? 1 : 0;
    // The right side may only have a meaning where the left one does not decide.
    if (term.name == "&&" && a == 0) return 0;
    if (term.name == "||" && a != 0) return 1;
    const double b = value_of(term.terms[1], scope);
    if ((term.name == "/" || term.name == "%") && b == 0)
        misplaced(term.column, "That would divide by zero");
    for (const Operator& each : kOperators)
        if (term.name == each.sign) return each.value(a, b);
    return 0;
}

double name_value(const Term& term, Scope& scope) {
    if (const auto local = scope.variables.find(term.name);
        local != scope.variables.end() && term.terms.empty() && term.changes.empty())
        return local->second;
    Show other = scope.show;
    for (const auto& [key, value] : term.changes)
        set_key(other, key, value);
    Scope there{other, scope.runs, scope.variables};
    std::vector<double> arguments;
    for (const Term& argument : term.terms)
        arguments.push_back(value_of(argument, there));
    return fact(term.name, arguments, other, scope.runs, term.column);
}

double value_of(const Term& term, Scope& scope) {
    switch (term.kind) {
        case Term::Kind::number:
            return term.number;
        case Term::Kind::operation:
            return operation_value(term, scope);
        case Term::Kind::range:
            return range_value(term, scope);
        case Term::Kind::name:
            break;
    }
    return name_value(term, scope);
}

}  // namespace

Expression::Expression(std::string text, const Library& library) : text_(std::move(text)) {
    term_ = std::make_shared<const Term>(Parser(text_, library).parse());
}

double Expression::operator()(const Show& show, Runs& runs,
                              const std::map<std::string, double>& variables) const {
    if (!term_) return 0;
    Scope scope{show, runs, variables};
    return value_of(*term_, scope);
}

std::string text_of(double number) {
    if (number == std::floor(number) && std::abs(number) < 1e15)
        return fmt::format("{:.0f}", number);
    const bool large = std::abs(number) >= 1e4 && std::abs(number) < 1e15;
    return large ? fmt::format("{:.1f}", number) : fmt::format("{:.4g}", number);
}

}  // namespace lab::lessons
