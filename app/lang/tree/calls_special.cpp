// Calls whose arguments are not all numbers, or which take several forms: printf, vec_step,
// copies in the background, half in memory, geometry, and two results.
#include <fmt/format.h>

#include "lang/tree/parser.h"

namespace lab::lang {

namespace {

using Kind = Expression::Kind;

constexpr std::size_t kMostText = 4096;

// The character of an escape sequence at text[at], which is behind the \; moves on past it.
char escaped(std::string_view text, std::size_t& at) {
    static constexpr std::string_view kFrom = "ntr\\'\"abfv?", kTo = "\n\t\r\\'\"\a\b\f\v?";
    const char c = at < text.size() ? text[at++] : '\\';
    if (const std::size_t index = kFrom.find(c); index != std::string_view::npos) return kTo[index];
    const auto digit = [](char of, unsigned base) {
        const unsigned value = of >= '0' && of <= '9'   ? static_cast<unsigned>(of - '0')
                               : of >= 'a' && of <= 'f' ? static_cast<unsigned>(of - 'a' + 10)
                               : of >= 'A' && of <= 'F' ? static_cast<unsigned>(of - 'A' + 10)
                                                        : 99U;
        return value < base ? static_cast<int>(value) : -1;
    };
    const unsigned base = c == 'x' ? 16 : 8;
    if (base == 8 && digit(c, 8) < 0) return c;
    unsigned value = base == 8 ? static_cast<unsigned>(digit(c, 8)) : 0;
    for (unsigned most = 2; most > 0 && at < text.size() && digit(text[at], base) >= 0; --most)
        value = value * base + static_cast<unsigned>(digit(text[at++], base));
    return static_cast<char>(value);
}

}  // namespace

// Texts that stand beside each other are one.
std::string Parser::text_literal() {
    std::string text;
    while (peek().kind == Token::Kind::string) {
        const Token& token = next();
        const std::string_view inner = token.text.substr(1, token.text.size() - 2);
        for (std::size_t at = 0; at < inner.size();)
            if (const char c = inner[at++]; c == '\\')
                text += escaped(inner, at);
            else
                text += c;
        if (text.size() > kMostText)
            syntax_error(fmt::format("a text has {} characters at most", kMostText));
    }
    return text;
}

// What an array of characters begins with; one without a length gets that of the text.
const Expression* Parser::text_list(Variable& variable) {
    const Place place = peek().place;
    const std::string text = text_literal();
    const Type* element = variable.type->element;
    if (variable.type->count == 0) variable.type = types_.array(element, text.size() + 1);
    if (variable.type->count < text.size())
        error(place, fmt::format("the text does not fit a {}", variable.type->name));
    E* list = make(Kind::initializer, variable.type, place);
    for (std::size_t i = 0; i < text.size() && i < variable.type->count; ++i) {
        const auto bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(text[i]));
        list->operands.push_back(
            constant(element, info(element->scalar).is_signed ? bits : bits & 0xffU, place));
        list->offsets.push_back(i);
    }
    return list;
}

// A text in quotes as a value: an array in constant memory.
Expression* Parser::text_constant() {
    const Place place = peek().place;
    tree_.variables.emplace_back();
    Variable& variable = tree_.variables.back();
    variable.name = "text";
    variable.space = Space::constant;
    variable.is_const = variable.in_memory = variable.at_file_scope = true;
    variable.place = place;
    variable.type = types_.array(types_.scalar(Scalar::char_), 0);
    variable.initial = text_list(variable);
    tree_.globals.push_back(&variable);
    E* expr = make(Kind::variable, variable.type, place);
    expr->variable = &variable;
    expr->lvalue = expr->is_const = true;
    expr->space = Space::constant;
    return expr;
}

Expression* Parser::vec_step(const Place& place) {
    expect("(", "vec_step");
    const Type* type = at_type() ? type_name() : value(expression())->type;
    const Place whole = joined(place, expect(")", "its argument"));
    if (type == nullptr) return broken(whole);
    const std::uint64_t width = type->is_vector() ? (type->width == 3 ? 4U : type->width) : 1U;
    return constant(types_.scalar(Scalar::int_), width, whole);
}

Expression* Parser::print_call(const Place& place) {
    expect("(", "printf");
    const Place start = peek().place;
    if (peek().kind != Token::Kind::string)
        syntax_error("printf needs its format as a text in quotes", "Write printf(\"%d\\n\", x)");
    const std::string text = text_literal();
    std::string wrong;
    PrintFormat format = parse_print_format(text, wrong);
    if (!wrong.empty())
        error(start, wrong, "There are %d %u %x %f %e %g %c %s %p, and %v4f for a float4");
    std::vector<E*> given;
    bool failed = !wrong.empty();
    std::string pending;  // literal text before the next value
    PrintFormat kept;
    for (PrintPart& part : format) {
        if (failed) break;
        part.text = pending + part.text;
        pending.clear();
        if (part.conversion == 0) {
            kept.push_back(part);
            continue;
        }
        if (!accept(",")) {
            error(peek().place, fmt::format("printf has no value for its '%{}'", part.conversion));
            failed = true;
            break;
        }
        if (part.conversion == 's' && peek().kind == Token::Kind::string &&
            (at(",", 1) || at(")", 1))) {
            pending = part.text + padded(text_literal(), part.form);
            continue;
        }
        E* each = widened(value(assignment()));
        if (each->type == nullptr) {
            failed = true;
            continue;
        }
        const bool floats = is_floating_conversion(part.conversion);
        const Type* element = each->type->is_pointer() ? each->type->element : nullptr;
        const bool fits =
            part.conversion == 'p'   ? element != nullptr
            : part.conversion == 's' ? element != nullptr && each->type->space == Space::constant &&
                                           element->is_integral() && element->bytes == 1
            : part.is_vector ? each->type->is_vector() && each->type->width == part.width &&
                                   each->type->is_floating() == floats
                             : each->type->is_scalar() && each->type->is_floating() == floats;
        if (!fits) {
            error(each->place,
                  fmt::format("printf's '%{}' does not print a {}",
                              (part.is_vector ? fmt::format("v{}", part.width) : std::string()) +
                                  part.conversion,
                              each->type->name),
                  "%d is for integers, %f for floating-point numbers, %v4f for a float4");
            failed = true;
            continue;
        }
        if (!part.is_vector && element == nullptr) each = promoted(each);
        part.type = each->type->is_pointer() ? Scalar::ulong : each->type->scalar;
        given.push_back(each);
        kept.push_back(part);
    }
    if (!pending.empty()) {
        kept.emplace_back();
        kept.back().text = pending;
    }
    while (accept(",")) {
        if (!failed) error(peek().place, "printf has more values than its format");
        failed = true;
        if (peek().kind == Token::Kind::string)
            text_literal();
        else
            (void)assignment();
    }
    const Place whole = joined(place, expect(")", "the arguments"));
    std::size_t components = 0;
    for (const E* each : given)
        components += each->type->width;
    if (!failed && components > 200) {
        error(whole, "printf prints 200 numbers at most", "Write it as two");
        failed = true;
    }
    if (failed) return broken(whole);
    Function known;
    known.builtin = Builtin::print;
    E* call = builtin_of(known, types_.scalar(Scalar::int_), given, whole);
    tree_.formats.push_back(std::move(kept));
    call->format = &tree_.formats.back();
    return call;
}

// async_work_group_copy(to, from, count, event), async_work_group_strided_copy(…, stride, event).
Expression* Parser::copy_call(const Function& known, std::string_view name, std::vector<E*> given,
                              const Place& place) {
    for (std::size_t i : {0U, 1U})
        if (!given[i]->type->is_pointer() || given[i]->type->is_event())
            return wrong_argument(name, given[i], "two pointers first");
    const Type& to = *given[0]->type;
    const Type& from = *given[1]->type;
    const bool in =
        to.space == Space::local && (from.space == Space::global || from.space == Space::constant);
    const bool out = to.space == Space::global && from.space == Space::local;
    if (!in && !out) {
        error(place,
              fmt::format("'{}' copies between global and local memory, not from {} to {}", name,
                          name_of(from.space), name_of(to.space)),
              "One of the two points to local memory");
        return broken(place);
    }
    if (to.to_const) return wrong_argument(name, given[0], "a pointer that may be written to");
    if (to.element != from.element || !to.element->is_arithmetic()) {
        error(place,
              fmt::format("'{}' copies numbers of one type, not {} to {}", name, from.element->name,
                          to.element->name),
              "Cast one of the pointers");
        return broken(place);
    }
    for (std::size_t i = 2; i + 1 < given.size(); ++i) {
        if (!given[i]->type->is_scalar() || given[i]->type->is_floating())
            return wrong_argument(name, given[i], "how many elements");
        given[i] = to_arithmetic(given[i], types_.scalar(Scalar::ulong));
    }
    given.back() = convert(given.back(), types_.event(), "pass");
    if (given.back()->type == nullptr) return broken(place);
    return builtin_of(known, types_.event(), given, place);
}

Expression* Parser::wait_call(std::string_view name, std::vector<E*> given, const Place& place) {
    constexpr std::uint64_t kMostEvents = 64;
    const auto count = constant_of(*given[0]);
    if (!given[0]->type->is_scalar() || !count || *count > kMostEvents) {
        error(given[0]->place,
              fmt::format("'{}' needs the number of events as a constant, {} at most", name,
                          kMostEvents),
              "Write wait_group_events(1, &event)");
        return broken(place);
    }
    const Type& list = *given[1]->type;
    if (!list.is_pointer() || list.is_event() || !list.element->is_event())
        return wrong_argument(name, given[1], "a pointer to events second");
    Function known;
    known.builtin = Builtin::wait_events;
    known.number = static_cast<std::uint8_t>(*count);
    return builtin_of(known, types_.scalar(Scalar::void_), {given[1]}, place);
}

// vload_halfN(offset, pointer), vstore_halfN(value, offset, pointer).
Expression* Parser::half_memory_call(const Function& known, std::string_view name,
                                     std::vector<E*> given, const Place& place) {
    const bool load = known.builtin == Builtin::vload_half;
    E*& by = given[load ? 0 : 1];
    const E* pointer = given[load ? 1 : 2];
    if (!pointer->type->is_pointer() || !pointer->type->element->is_scalar() ||
        !pointer->type->element->is_half())
        return wrong_argument(name, pointer, "a pointer to half last");
    if (!by->type->is_scalar() || by->type->is_floating())
        return wrong_argument(name, by, "an integer offset");
    by = to_arithmetic(by, types_.scalar(Scalar::long_));
    if (load) return builtin_of(known, types_.vector(Scalar::float_, known.number), given, place);
    if (pointer->type->to_const)
        return wrong_argument(name, pointer, "a pointer that may be written to");
    if (known.number == 1 && given[0]->type->is_scalar() && !given[0]->type->is_floating())
        given[0] = to_arithmetic(given[0], types_.scalar(Scalar::float_));
    if (!given[0]->type->is_floating() || given[0]->type->width != known.number)
        return wrong_argument(
            name, given[0],
            fmt::format("a {} first", types_.vector(Scalar::float_, known.number)->name));
    return builtin_of(known, types_.scalar(Scalar::void_), given, place);
}

// dot, cross, length, distance, normalize.
Expression* Parser::geometric_call(const Function& known, std::string_view name,
                                   std::vector<E*> given, const Place& place) {
    for (E*& of : given) {
        if (!of->type->is_arithmetic() || of->type->width > 4 ||
            (of->type->is_vector() && !of->type->is_floating()))
            return wrong_argument(name, of, "vectors of up to four floating-point numbers");
        if (known.builtin == Builtin::cross && of->type->width < 3)
            return wrong_argument(name, of, "vectors of three or four components");
        if (!of->type->is_floating()) of = to_arithmetic(of, types_.scalar(Scalar::float_));
    }
    if (!alike(name, given, 0, given.size())) return broken(place);
    const bool vector = known.builtin == Builtin::cross || known.builtin == Builtin::normalize;
    return builtin_of(known, vector ? given[0]->type : types_.scalar(given[0]->type->scalar), given,
                      place);
}

// modf, fract, frexp, sincos, lgamma_r, remquo: the second result goes through a pointer, which is
// the last argument.
Expression* Parser::two_results_call(const Function& known, std::string_view name,
                                     std::vector<E*> given, const Place& place) {
    for (std::size_t i = 0; i + 1 < given.size(); ++i) {
        if (!given[i]->type->is_arithmetic())
            return wrong_argument(name, given[i], "a number first");
        if (!given[i]->type->is_floating())
            given[i] =
                to_arithmetic(given[i], types_.vector(Scalar::float_, given[i]->type->width));
    }
    if (!alike(name, given, 0, given.size() - 1)) return broken(place);
    const bool integer = known.builtin == Builtin::frexp || known.builtin == Builtin::lgamma_r ||
                         known.builtin == Builtin::remquo;
    const Type* second =
        integer ? types_.vector(Scalar::int_, given[0]->type->width) : given[0]->type;
    const Type& pointer = *given.back()->type;
    if (!pointer.is_pointer() || pointer.element != second || pointer.to_const)
        return wrong_argument(name, given.back(),
                              given.size() == 2
                                  ? fmt::format("a pointer to a {} second", second->name)
                                  : fmt::format("a pointer to a {} third", second->name));
    return builtin_of(known, given[0]->type, given, place);
}

}  // namespace lab::lang
