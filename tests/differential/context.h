// What is known at the point of the text that is being written: places, functions, and the guards
// asked for so far.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "random.h"
#include "types.h"

namespace lab::differential {

// Where a place lives; only what has an address can be passed to a helper by pointer.
enum class Space { none, privately, globally, locally };

// Something of a type that can be read, and written where `writable`. In its text every $ stands
// for an index, any unsigned or signed integer: the text itself keeps it in bounds.
struct Place {
    std::string text;
    Type type;
    bool writable = false;
    Space space = Space::none;
};

// A parameter takes any expression of its type, or always the same text (a buffer, say).
struct Parameter {
    Type type;
    std::string fixed;
};

// Consecutive elements that vloadN and vstoreN may touch.
struct Run {
    std::string pointer;
    Element element = Element::i32;
    unsigned count = 0;
    bool writable = false;
    Space space = Space::privately;
};

struct Field {
    std::string name;
    Type type;
    unsigned count = 0;  // 0: no array
};

// A structure, and the helpers that take one, make one and change one.
struct Structure {
    std::string name;  // as a type: "struct S0" or "S0"
    std::vector<Field> fields;
    std::string take, make, change;
    Type taken, made;     // result of `take`, parameter of `make`
    bool packed = false;  // so that no pointer to a field may be taken
};

// A helper without side effects, so that it may be called anywhere.
struct Function {
    std::string name;
    Type result;
    std::vector<Parameter> parameters;
};

// A helper `void name(space T* p, T value)` that changes *p.
struct Poke {
    std::string name;
    Type type;
    Space space = Space::privately;
};

// A definition that is put on top of the text because something uses it.
struct Guard {
    std::string name;
    std::string definition;
};

struct Context {
    explicit Context(std::uint64_t seed) : random(seed) {}

    Random random;
    std::uint64_t global = 1, local = 1;  // work-items in all, and a group
    unsigned dims = 1;
    std::vector<Place> places;
    std::vector<Function> functions;
    std::vector<Poke> pokes;
    std::vector<Run> runs;
    std::vector<Structure> structures;
    std::vector<std::pair<Type, std::string>> aliases;  // typedefs
    std::vector<std::string> enumerators;               // of int type and small
    std::vector<std::string> small;                     // ints from 0 to 15: loop counters
    std::vector<std::string> atomics;  // statements with $ for any uint; order does not matter
    std::vector<Guard> guards;
    std::vector<std::string> lines;
    unsigned indent = 0;
    unsigned names = 0;
    unsigned loops = 0;  // around this point
    bool in_kernel = false;
    bool rounds = false;    // in a loop with barriers
    bool in_index = false;  // where indices within indices would make long lines
};

std::string fresh(Context& context, const std::string& stem);
// A random type; often one that some place has, so that expressions read variables, not literals.
Type some_type(Context& context);
Element some_element(Context& context);
Element some_integer(Context& context);
// The type's name, or that of a typedef for it.
std::string spelled(Context& context, Type type);
void line(Context& context, const std::string& text);
// "text {" or "text" and a closing line, with the indent that goes with them.
void open(Context& context, const std::string& text);
void close(Context& context, const std::string& text = "}");

// Names of functions that make a value safe for what would otherwise be undefined or differ
// between right devices. The shrinker leaves calls of names that begin with safe_ whole.
std::string safe_float(Context& context, Type type);    // NaN, whose bits are free, becomes 1
std::string safe_divisor(Context& context, Type type);  // neither 0 nor -1
std::string fold(Context& context, Type type);          // any value to a ulong of its bits

// All parts after one another. Parts in braces are written from left to right, where the operands
// of + may be in any order: the numbers they draw would depend on the compiler.
std::string joined(std::initializer_list<std::string> parts);

// $ replaced by what `index` returns, again for each.
template <typename Index>
std::string fill_in(const std::string& text, Index index) {
    std::string result;
    for (const char letter : text) {
        if (letter == '$') {
            result += index();
        } else {
            result += letter;
        }
    }
    return result;
}

}  // namespace lab::differential
