#include "statements.h"

#include <array>

#include "expressions.h"

namespace lab::differential {
namespace {

// A writable place that `suits`; nothing if there is none.
template <typename Suits>
const Place* writable(Context& context, Suits suits) {
    std::vector<const Place*> fitting;
    for (const Place& place : context.places) {
        if (place.writable && suits(place)) fitting.push_back(&place);
    }
    return fitting.empty() ? nullptr : context.random.pick(fitting);
}

// Bytes of buffers are compared, so NaN must not get there.
std::string value_for(Context& context, const Place& place, unsigned depth) {
    return place.space == Space::globally ? storable(context, place.type, depth)
                                          : expression(context, place.type, depth);
}

bool assign(Context& context, unsigned depth) {
    const Place* found = writable(context, [](const Place&) { return true; });
    if (found == nullptr) return false;
    const Place place = *found;
    const std::string target = spelled(context, place);
    line(context, target + " = " + value_for(context, place, depth) + ";");
    return true;
}

std::string compound_operator(Context& context, Type type) {
    static constexpr std::array<const char*, 5> bits = {"&=", "|=", "^=", "<<=", ">>="};
    static constexpr std::array<const char*, 8> all = {
        "+=", "-=", "*=", "&=", "|=", "^=", "<<=", ">>="};
    // ushort * ushort overflows the int that it is computed in.
    if (type.element == Element::u16) return context.random.percent(50) ? "+=" : "-=";
    // Not the shifts of narrow types, whose counts would have to be below the width: see shifted().
    if (type.width == 1 && is_narrow(type.element)) {
        static constexpr std::array<const char*, 6> narrow = {"+=", "-=", "*=", "&=", "|=", "^="};
        return context.random.pick(narrow);
    }
    const bool wraps = type.width > 1 || !is_signed(type.element);
    return wraps ? context.random.pick(all) : context.random.pick(bits);
}

bool compound(Context& context, unsigned depth) {
    const Place* found = writable(context, [](const Place& place) {
        return is_integer(place.type.element) ||
               (is_float(place.type.element) && place.space != Space::globally);
    });
    if (found == nullptr) return false;
    const Place place = *found;
    const std::string target = spelled(context, place);
    if (is_float(place.type.element)) {
        static constexpr std::array<const char*, 4> operators = {"+=", "-=", "*=", "/="};
        const std::string op = context.random.pick(operators);
        line(context, joined({target, " ", op, " ", expression(context, place.type, depth), ";"}));
    } else if (context.random.percent(12)) {
        const std::string op = context.random.percent(50) ? " /= " : " %= ";
        line(context, joined({target, op, safe_divisor(context, place.type), "(",
                              expression(context, place.type, depth), ");"}));
    } else {
        const std::string op = compound_operator(context, place.type);
        line(context, joined({target, " ", op, " ", expression(context, place.type, depth), ";"}));
    }
    return true;
}

// ++ and --, alone or with their value used.
bool step(Context& context) {
    const Place* found = writable(context, [](const Place& place) {
        return is_integer(place.type.element) && place.text.find('$') == std::string::npos &&
               (!is_signed(place.type.element) || is_narrow(place.type.element));
    });
    if (found == nullptr) return false;
    const Place place = *found;
    const std::string op = context.random.percent(50) ? "++" : "--";
    const std::string stepped = context.random.percent(50) ? op + place.text : place.text + op;
    const Place* other = writable(context, [&](const Place& candidate) {
        return candidate.type == place.type &&
               candidate.text.find(place.text) == std::string::npos &&
               candidate.text.find('$') == std::string::npos &&
               candidate.text.find_first_of("*>") == std::string::npos &&
               place.text.find_first_of("*>") == std::string::npos;
    });
    if (other != nullptr && context.random.percent(40)) {
        line(context, other->text + " = " + stepped + ";");
    } else {
        line(context, stepped + ";");
    }
    return true;
}

// v.xz = (int2)(…); no component twice.
bool swizzle_assign(Context& context, unsigned depth) {
    const Place* found = writable(context, [](const Place& place) {
        return place.type.width > 1 &&
               (place.space != Space::globally || !is_float(place.type.element));
    });
    if (found == nullptr) return false;
    const Place place = *found;
    const unsigned width = place.type.width;
    std::string part;
    unsigned count = 1;
    if (width != 3 && context.random.percent(40)) {
        static constexpr std::array<const char*, 4> halves = {"lo", "hi", "even", "odd"};
        part = context.random.pick(halves);
        count = width / 2;
    } else if (width >= 3 && context.random.percent(50)) {
        const auto first = static_cast<unsigned>(context.random.below(width));
        const unsigned second =
            (first + 1 + static_cast<unsigned>(context.random.below(width - 1))) % width;
        part = {'s', "0123456789abcdef"[first], "0123456789abcdef"[second]};
        count = 2;
    } else {
        part = component(context.random, width, static_cast<unsigned>(context.random.below(width)));
    }
    const std::string target = spelled(context, place);
    line(context, joined({target, ".", part, " = ",
                          expression(context, {place.type.element, count}, depth), ";"}));
    return true;
}

bool poke(Context& context, unsigned depth) {
    if (context.pokes.empty()) return false;
    const Poke poke = context.random.pick(context.pokes);
    const Place* found = writable(context, [&](const Place& place) {
        return place.type == poke.type && place.space == poke.space;
    });
    if (found == nullptr) return false;
    const Place place = *found;
    const std::string target = spelled(context, place);
    line(context, joined({poke.name, "(&", target, ", ", value_for(context, place, depth), ");"}));
    return true;
}

bool vector_store(Context& context, unsigned depth) {
    std::vector<Run> fitting;
    for (const Run& run : context.runs) {
        if (run.writable && run.count >= 2) fitting.push_back(run);
    }
    if (fitting.empty()) return false;
    const Run run = context.random.pick(fitting);
    unsigned width = random_vector_width(context.random);
    if (width > run.count) width = 2;
    const Place value{"", {run.element, width}, true, run.space};
    const std::string vector = value_for(context, value, depth);
    line(context,
         joined({"vstore", std::to_string(width), "(", vector, ", safe_index(", index(context, 0),
                 ", ", std::to_string(run.count / width), "), ", run.pointer, ");"}));
    return true;
}

bool atomic(Context& context) {
    if (context.atomics.empty()) return false;
    const std::string text = context.random.pick(context.atomics);
    line(context, fill_in(text, [&] { return expression(context, {Element::u32, 1}, 1); }));
    return true;
}

// Functions that return a second value through a pointer.
bool two_results(Context& context, unsigned depth) {
    static constexpr std::array<const char*, 3> calls = {"frexp", "modf", "fract"};
    const std::string call = context.random.pick(calls);
    const Type type{context.random.percent(60) ? Element::f32 : Element::f64,
                    random_width(context.random)};
    const Type second{call == "frexp" ? Element::i32 : type.element, type.width};
    const std::string a = fresh(context, "part"), b = fresh(context, "rest");
    const std::string suffix = type.element == Element::f32 ? "f" : "";
    const std::string end = call == "fract" ? ") + 0;" : ");";  // PoCL's fract(-0) is +0
    line(context, name(second) + " " + b + " = " + splat(second, 0) + ";");
    line(context, joined({name(type), " ", a, " = ", call, "(safe_range(",
                          safe_float(context, type), "(", expression(context, type, depth),
                          "), -1e6", suffix, ", 1e6", suffix, "), &", b, end}));
    context.places.push_back({a, type, true, Space::privately});
    context.places.push_back({b, second, true, Space::privately});
    return true;
}

}  // namespace

void statement(Context& context, unsigned depth) {
    const unsigned expressions = context.random.percent(70) ? 2 : 3;
    for (;;) {
        const std::uint64_t choice = context.random.below(100);
        if (depth > 0 && choice < 22) return control(context, depth);
        if (choice < 40) return declaration(context, expressions);
        if (choice < 60 && assign(context, expressions)) return;
        if (choice >= 60 && choice < 74 && compound(context, expressions)) return;
        if (choice >= 74 && choice < 80 && step(context)) return;
        if (choice >= 80 && choice < 86 && swizzle_assign(context, expressions)) return;
        if (choice >= 86 && choice < 92 && poke(context, expressions)) return;
        if (choice >= 92 && choice < 96 && atomic(context)) return;
        if (choice >= 96 && choice < 98 && vector_store(context, expressions)) return;
        if (choice >= 98 && two_results(context, 1)) return;
    }
}

void block(Context& context, unsigned count, unsigned depth) {
    const std::size_t known = context.places.size(), runs = context.runs.size();
    for (unsigned i = 0; i < count; ++i)
        statement(context, depth);
    context.runs.resize(runs);
    context.places.erase(context.places.begin() + static_cast<std::ptrdiff_t>(known),
                         context.places.end());
}

}  // namespace lab::differential
