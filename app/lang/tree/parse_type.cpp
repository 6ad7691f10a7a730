// Types that are made where they are named: structures, enumerators, pointers and arrays.
#include <fmt/format.h>

#include <algorithm>

#include "lang/tree/parser.h"

namespace lab::lang {
namespace {

constexpr std::size_t kMostMembers = 1000;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 24;  // of a variable of a kernel
constexpr std::uint64_t kMostTypeLeaves = kMostBytes;         // unions have more than bytes

// Not so is a structure between its own braces, and an array of them or of no length.
bool is_complete(const Type& type) {
    if (type.is_array()) return type.count > 0 && is_complete(*type.element);
    return !type.is_void() && !(type.is_structure() && type.members.empty());
}

// Those that can be named, with what is in members without a name.
std::size_t visible_members(const Type& type) {
    std::size_t count = type.members.size();
    for (const Type::Member& member : type.members)
        if (member.name.empty()) count += visible_members(*member.type);
    return count;
}

}  // namespace

const Type* Parser::structure_specifier() {
    const std::string kind(next().text);
    Layout layout;
    while (at("__attribute__"))
        attribute(nullptr, &layout);
    const Place place = peek().place;
    std::string name;
    if (peek().kind == Token::Kind::identifier) name = next().text;
    if (!at("{")) {
        const Type* known = tag(name);
        if (known == nullptr) {
            error(place, fmt::format("'{} {}' is not declared", kind, name),
                  "Declare it before this line");
            throw Recover();
        }
        return known;
    }
    if (!name.empty() && scopes_.back().tags.contains(name))
        error(place, fmt::format("'{} {}' is already declared", kind, name));
    Type* type = types_.structure(name.empty() ? kind : kind + " " + name);
    if (!name.empty()) scopes_.back().tags[name] = type;
    structure_members(*type, kind == "union", layout);
    return type;
}

void Parser::structure_members(Type& type, bool overlaid, Layout layout) {
    const Deeper deeper(*this);
    next();
    std::vector<Type::Member> members;
    std::size_t visible = 0;
    const auto too_many = [&] {
        syntax_error(fmt::format("a structure has {} members at most", kMostMembers),
                     "Write an array");
    };
    while (!at("}") && peek().kind != Token::Kind::end) {
        const Specifiers base = specifiers();
        if (at(";") && base.type->is_structure()) {  // without a name: its members are ours
            if (!is_complete(*base.type)) syntax_error("a structure cannot hold itself");
            if ((visible += 1 + visible_members(*base.type)) > kMostMembers) too_many();
            next();
            members.push_back({"", base.type, 0});
            continue;
        }
        do {
            const Declarator member = declarator(base, true);
            if (member.type == nullptr || !is_complete(*member.type))
                syntax_error("a member of a structure needs a complete type");
            if (at(":")) syntax_error("bit-fields are not supported here", "Use masks and shifts");
            for (const Type::Member& other : members)
                if (other.name == member.name)
                    error(member.place, fmt::format("two members are named '{}'", member.name));
            if (++visible > kMostMembers) too_many();
            std::uint64_t own = member.layout.alignment;
            if (own == 0 && member.layout.packed) own = 1;
            if (!member.layout.packed && !layout.packed && own != 0)
                own = std::max(own, member.type->alignment);
            members.push_back({member.name, member.type, 0, own});
        } while (accept(","));
        expect(";", "the member");
    }
    const Place end = expect("}", "the members");
    while (at("__attribute__"))
        attribute(nullptr, &layout);
    if (members.empty()) error(end, "a structure needs a member");
    Types::set_members(type, std::move(members), overlaid, layout.packed, layout.alignment);
    if (type.bytes > kMostBytes || type.leaves > kMostTypeLeaves)
        error(end, "the structure is too large", "Pass a buffer of it");
    check_depth(type);
}

const Type* Parser::enum_specifier() {
    next();
    if (peek().kind == Token::Kind::identifier) next();
    if (!accept("{")) return types_.scalar(Scalar::int_);
    std::int64_t value = 0;
    while (!at("}") && peek().kind != Token::Kind::end) {
        if (peek().kind != Token::Kind::identifier)
            syntax_error(fmt::format("expected a name, {}", found()));
        const Token& name = next();
        if (accept("=")) value = constant_integer("an enumerator").value_or(0);
        Symbol symbol;
        symbol.enumerator = static_cast<std::int32_t>(value);
        value = *symbol.enumerator + 1;
        declare(std::string(name.text), symbol, name.place);
        if (!accept(",")) break;
    }
    expect("}", "the enumerators");
    return types_.scalar(Scalar::int_);
}

const Type* Parser::array_suffixes(const Type* element) {
    std::vector<std::uint64_t> counts;
    std::vector<Place> places;
    while (at("[")) {
        places.push_back(next().place);
        if (at("]")) {
            if (!counts.empty()) error(peek().place, "only the first length may be left out");
            counts.push_back(counts.empty() ? 0 : 1);  // 0: as long as its list says
        } else {
            const Place place = peek().place;
            const auto count = constant_integer("the length of an array");
            if (count && *count <= 0) error(place, "an array needs a length of 1 or more");
            counts.push_back(count && *count > 0 ? static_cast<std::uint64_t>(*count) : 1);
        }
        expect("]", "the length of the array");
    }
    for (std::size_t i = counts.size(); i-- > 0;) {
        if (counts[i] > kMostBytes ||
            counts[i] * std::max<std::uint64_t>(1, element->bytes) > kMostBytes) {
            error(places[i], "the array is too large", "Pass it as a buffer");
            counts[i] = 1;
        }
        check_depth(*element);
        element = types_.array(element, counts[i]);
    }
    return element;
}

Declarator Parser::declarator(const Specifiers& base, bool name_needed) {
    const Deeper deeper(*this);
    Declarator result;
    result.type = base.type;
    result.space = base.space.value_or(Space::private_);
    result.is_const = base.is_const || result.space == Space::constant;
    result.any_space = at("*") && !at("*", 1) && !base.space && !base.type->is_pointer();
    while (accept("*")) {
        check_depth(*result.type);
        result.type = types_.pointer(result.type, result.space, result.is_const);
        Specifiers own;
        while (qualifier(own)) {
        }
        result.space = own.space.value_or(Space::private_);
        result.is_const = own.is_const;
    }
    result.place = peek().place;
    if (at("(") && !at_type(1) && !at(")", 1)) {
        next();
        if (at("*"))
            syntax_error("pointers to arrays and functions are not supported here",
                         "Call functions by their names; point to an array's elements");
        const Declarator named = declarator(base, name_needed);
        expect(")", "the declarator");
        result.name = named.name;
        result.place = named.place;
    } else if (peek().kind == Token::Kind::identifier && !at_type()) {
        result.name = next().text;
    } else if (peek().kind == Token::Kind::identifier && name_needed &&
               find(peek().text) != nullptr) {
        result.name = next().text;  // an inner variable named as an outer type
    } else if (name_needed) {
        syntax_error(fmt::format("expected a name after '{}', {}", base.type->name, found()));
    }
    if (at("("))
        result.is_function = true;
    else
        result.type = array_suffixes(result.type);
    result.any_space = result.any_space && result.type->is_pointer();
    while (at("__attribute__"))
        attribute(nullptr, &result.layout);
    return result;
}

const Type* Parser::type_name(bool* any_space) {
    const Specifiers base = specifiers();
    const Declarator named = declarator(base, false);
    if (any_space != nullptr) *any_space = named.any_space;
    return named.type;
}

}  // namespace lab::lang
