// The types of OpenCL C that generated kernels compute with, and what an expression may do to them.
#pragma once

#include <string>

#include "random.h"

namespace lab::differential {

// In the order of conversion rank; unsigned after signed.
enum class Element { boolean, i8, u8, i16, u16, i32, u32, i64, u64, f32, f64 };

struct Type {
    Element element = Element::i32;
    unsigned width = 1;  // 1, 2, 3, 4, 8, 16

    bool operator==(const Type&) const = default;
};

std::string name(Type type);
unsigned bytes(Element element);
bool is_float(Element element);
bool is_integer(Element element);  // bool is none here
bool is_signed(Element element);
inline bool is_narrow(Element element) {
    return element < Element::i32;
}  // promotes to int

Element to_signed(Element element);    // the integer of the same size
Element to_unsigned(Element element);  // the integer of the same size
Element to_float(Element element);     // float or double, of the same size of 4 or 8 bytes
Element half_of(Element element);      // the integer of half the size, of the same sign
// What the usual arithmetic conversions make of two integers.
Element common(Element a, Element b);

Element random_integer(Random& random);
Element random_element(Random& random);  // integers more often than floats; no bool
unsigned random_width(Random& random);   // 1 in about half of the cases
unsigned random_vector_width(Random& random);
Type random_type(Random& random);

// A literal of exactly this type, such as 0x7fu, (uchar)200, 1.5f, (int2)(3, -1).
std::string literal(Random& random, Type type);
// The same value in every component.
std::string splat(Type type, int value);
// A component's name, as v.s3 or v.y has it, for a vector of this width.
std::string component(Random& random, unsigned width, unsigned index);

}  // namespace lab::differential
