#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "lang/tree/parser.h"

namespace lab::lang {
namespace {

constexpr std::uint32_t kDeepestType = 100;

struct UnsupportedType {
    std::string_view word, instead;
};
constexpr std::string_view kNoImages = "Images are left out: use a buffer";
constexpr std::string_view kNoKind = "Reductions get by with buffers of numbers";
constexpr std::array<UnsupportedType, 16> kUnsupportedTypes{{
    {"image1d_t", kNoImages},
    {"image1d_buffer_t", kNoImages},
    {"image1d_array_t", kNoImages},
    {"image2d_t", kNoImages},
    {"image2d_array_t", kNoImages},
    {"image2d_depth_t", kNoImages},
    {"image2d_array_depth_t", kNoImages},
    {"image2d_msaa_t", kNoImages},
    {"image3d_t", kNoImages},
    {"sampler_t", kNoImages},
    {"queue_t", kNoKind},
    {"clk_event_t", kNoKind},
    {"ndrange_t", kNoKind},
    {"pipe", kNoKind},
    {"reserve_id_t", kNoKind},
    {"complex", kNoKind},
}};

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

// Words that may begin or continue a declaration, apart from names of types.
bool is_specifier(std::string_view word) {
    return is_one_of(word,
                     {"const",       "volatile",      "restrict",  "__restrict", "__restrict__",
                      "__const",     "__volatile",    "kernel",    "__kernel",   "global",
                      "__global",    "local",         "__local",   "__generic",  "constant",
                      "__constant",  "private",       "__private", "inline",     "__inline",
                      "__inline__",  "static",        "extern",    "typedef",    "register",
                      "auto",        "unsigned",      "signed",    "struct",     "enum",
                      "union",       "__attribute__", "read_only", "write_only", "__read_only",
                      "__write_only"});
}

// unsigned, signed, long and the rest in any order, as C has them.
struct Words {
    int longs = 0;
    bool is_unsigned = false, is_signed = false, is_int = false, any = false;
    std::optional<Scalar> base;
};

std::optional<Scalar> scalar_of(const Words& words) {
    if (words.longs > 0) return words.is_unsigned ? Scalar::ulong : Scalar::long_;
    const Scalar base = words.base.value_or(Scalar::int_);
    if (!words.is_unsigned) return base;
    switch (base) {
        case Scalar::char_:
            return Scalar::uchar;
        case Scalar::short_:
            return Scalar::ushort;
        case Scalar::int_:
            return Scalar::uint;
        case Scalar::long_:
            return Scalar::ulong;
        default:
            return std::nullopt;
    }
}

}  // namespace

bool Parser::at_type(std::size_t ahead) {
    const Token& token = peek(ahead);
    return token.kind == Token::Kind::identifier && at_type_word(token.text);
}

bool Parser::at_type_word(std::string_view word) {
    if (is_specifier(word)) return true;
    if (const Symbol* symbol = find(word)) return symbol->type != nullptr;
    if (std::any_of(kUnsupportedTypes.begin(), kUnsupportedTypes.end(),
                    [&](const UnsupportedType& each) { return each.word == word; }))
        return true;
    return types_.named(word) != nullptr;
}

void Parser::attribute(Specifiers* specifiers, Layout* layout) {
    next();
    expect("(", "__attribute__");
    expect("(", "__attribute__");
    while (!at(")") && peek().kind != Token::Kind::end) {
        std::string_view name = next().text;
        if (name.size() > 4 && name.substr(0, 2) == "__") name = name.substr(2, name.size() - 4);
        if (name == "packed" && layout != nullptr) layout->packed = true;
        if (name == "overloadable" && specifiers != nullptr) specifiers->is_overloadable = true;
        if (name == "aligned" && layout != nullptr && !at("(")) layout->alignment = 16;
        if (!at("(")) continue;
        const bool group = name == "reqd_work_group_size" && specifiers != nullptr;
        if (group || (name == "aligned" && layout != nullptr)) {
            const Place place = next().place;
            do {
                const char* what = group ? "a work-group size" : "an alignment";
                const auto value = static_cast<std::uint64_t>(constant_integer(what).value_or(1));
                if (group)
                    specifiers->required_group.push_back(value);
                else if (value == 0 || value > 4096 || !std::has_single_bit(value))
                    error(place, "an alignment is a power of two, 4096 at most");
                else
                    layout->alignment = value;
            } while (accept(","));
            expect(")", "the attribute's value");
        } else {
            skip_balanced("(", ")");
        }
    }
    expect(")", "the attribute");
    expect(")", "the attribute");
}

// One word that is no type; false if there is none.
bool Parser::qualifier(Specifiers& specifiers) {
    const std::string_view word = peek().text;
    if (peek().kind != Token::Kind::identifier) return false;
    std::string_view plain = word;
    if (plain.substr(0, 2) == "__" && plain != "__attribute__") plain.remove_prefix(2);
    const auto space = [&](Space of) {
        if (specifiers.space && *specifiers.space != of)
            error(peek().place, "two different address spaces for one type",
                  "Leave one of them away");
        specifiers.space = of;
    };
    if (word == "__generic") {
    } else if (plain == "const")
        specifiers.is_const = true;
    else if (plain == "typedef")
        specifiers.is_typedef = true;
    else if (plain == "kernel")
        specifiers.is_kernel = true;
    else if (plain == "global")
        space(Space::global);
    else if (plain == "local")
        space(Space::local);
    else if (plain == "constant")
        space(Space::constant);
    else if (plain == "private")
        space(Space::private_);
    else if (word == "__attribute__") {
        attribute(&specifiers);
        return true;
    } else if (!is_one_of(plain,
                          {"volatile", "restrict", "restrict__", "inline", "inline__", "static",
                           "extern", "register", "auto", "read_only", "write_only"}))
        return false;
    next();
    return true;
}

const Type* Parser::type_specifier(Specifiers& specifiers) {
    if (at("struct") || at("union")) return structure_specifier();
    if (at("enum")) return enum_specifier();
    for (const UnsupportedType& each : kUnsupportedTypes)
        if (at(each.word) && find(each.word) == nullptr)
            syntax_error(fmt::format("'{}' is not supported here", each.word),
                         std::string(each.instead));
    Words words;
    for (;; next()) {
        if (qualifier(specifiers)) {
            --at_;  // next() of the loop
            continue;
        }
        if (at("unsigned"))
            words.is_unsigned = true;
        else if (at("signed"))
            words.is_signed = true;
        else if (at("long") && !words.base)
            ++words.longs;
        else if (at("int") && !words.is_int && words.base != Scalar::char_)
            words.is_int = true;
        else if (at("char") && !words.base && !words.is_int && words.longs == 0)
            words.base = Scalar::char_;
        else if (at("short") && !words.base && words.longs == 0)
            words.base = Scalar::short_;
        else
            break;
        words.any = true;
    }
    if (words.any) {
        if (words.longs > 1)
            error(peek().place, "'long long' is no type of OpenCL C", "Write long");
        return types_.scalar(scalar_of(words).value_or(Scalar::int_));
    }
    const Token& token = peek();
    if (token.kind != Token::Kind::identifier) return nullptr;
    const Symbol* symbol = find(token.text);
    const Type* type = symbol != nullptr ? symbol->type : types_.named(token.text);
    if (type != nullptr) next();
    return type;
}

Specifiers Parser::specifiers() {
    Specifiers result;
    result.place = peek().place;
    for (;;) {
        if (qualifier(result)) continue;
        if (result.type != nullptr) break;
        result.type = type_specifier(result);
        if (result.type == nullptr) break;
        if (result.type->is_void() && !result.place.line) break;
    }
    if (result.type == nullptr) {
        const Token& token = peek();
        if (const Symbol* symbol = find(token.text); symbol != nullptr && symbol->broken)
            throw Recover();
        if (token.kind == Token::Kind::identifier && !token.text.empty()) {
            using Missing = Diagnostic::Missing;
            diagnostics_.missing(token.place, at_type(1) ? Missing::qualifier : Missing::type,
                                 std::string(token.text),
                                 fmt::format("'{}' is no type", token.text), kTypesThereAre);
            throw Recover();
        }
        syntax_error(fmt::format("expected a type, {}", found()));
    }
    return result;
}

void Parser::check_depth(const Type& type) {
    if (type.depth >= kDeepestType)
        syntax_error(fmt::format("types are nested deeper than {} levels", kDeepestType));
}

void Parser::typedef_name(const Declarator& declared) {
    Symbol symbol;
    symbol.type = declared.type;
    if (declared.is_function) syntax_error("types of functions are not supported here");
    if (declared.type->is_array() && declared.type->count == 0)
        error(declared.place, "the array has no length", "Write it between [ and ]");
    const Symbol* before = find(declared.name);
    if (before != nullptr && before->type == declared.type) return;  // the same again is allowed
    declare(declared.name, symbol, declared.place);
}

void Parser::external_declaration() {
    if (accept(";")) return;
    declaration_start_ = at_;
    Specifiers base = specifiers();
    if (accept(";")) return;  // a structure or enum alone
    do {
        while (at("__attribute__"))
            attribute(&base);
        const Declarator declared = declarator(base, true);
        if (base.is_typedef)
            typedef_name(declared);
        else if (declared.is_function) {
            function(base, declared);
            return;
        } else
            file_scope_variable(base, declared);
    } while (accept(","));
    expect(";", "the declaration");
}

void Parser::file_scope_variable(const Specifiers& base, const Declarator& declared) {
    Variable* variable = make_variable(declared, base);
    variable->at_file_scope = true;
    variable->in_memory = true;
    if (declared.space == Space::local)
        error(declared.place,
              fmt::format("'{}' outside of functions cannot be local", declared.name),
              "Declare it in the kernel, or pass it as an argument");
    const bool open = declared.space == Space::private_;
    if (open) variable->space = Space::global;
    Symbol symbol;
    symbol.variable = variable;
    declare(declared.name, symbol, declared.place);
    tree_.globals.push_back(variable);
    if (accept("="))
        initialize(*variable);
    else if (declared.space == Space::constant)
        error(declared.place, fmt::format("constant '{}' has no value", declared.name),
              "Write = and its value");
    if (open && !diagnostics_.failed())
        diagnostics_.warning(
            declared.place,
            fmt::format("'{}' outside of functions is global: OpenCL C 1.2 wants constant",
                        declared.name),
            "Write constant or global before its type");
}

Variable* Parser::make_variable(const Declarator& declared, const Specifiers& base) {
    tree_.variables.emplace_back();
    Variable& variable = tree_.variables.back();
    variable.name = declared.name;
    variable.type = declared.type;
    variable.space = declared.space;
    variable.is_const = declared.is_const;
    variable.any_space = declared.any_space;
    if (declared.any_space) open_pointers_.emplace(&variable, at_);
    if (mixed_.contains(at_)) {
        variable.type =
            types_.pointer(declared.type->element, Space::generic, declared.type->to_const);
        variable.any_space = false;
        diagnostics_.warning(declared.place,
                             "a pointer that names no memory points to local or global memory here",
                             "OpenCL C 1.2 has no such pointers");
    }
    variable.place = declared.place;
    variable.in_memory = !declared.type->in_registers() || declared.space != Space::private_;
    if (declared.type->is_void()) {
        error(declared.place, fmt::format("'{}' cannot be of type void", declared.name));
        variable.type = types_.scalar(Scalar::int_);
        variable.in_memory = false;
    }
    if (base.is_kernel) error(base.place, "only functions can be kernels");
    return &variable;
}

}  // namespace lab::lang
