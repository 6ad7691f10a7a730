// The C++ text of what is reduced: the element, the operator, and the input.
#pragma once

#include <string>

#include "catalogue/shape.h"

namespace lab::host {

// Where every order of combining rounds differently: float and double, added or multiplied.
bool rounds(const catalogue::Shape& shape);
// What the host combines in: wider than T where that rounds.
std::string wide_type(const catalogue::Shape& shape);

// T, identity and combine(a, b).
std::string element_text(const catalogue::Shape& shape);

struct InputText {
    std::string functions;   // what stands before main
    std::string statements;  // lines that make `std::vector<T> input`
    bool any_n = false;      // whether they ask for `n`; else n follows from them
};
// Throws Problem if the input is a file that cannot be read, or is not made of numbers, or is
// longer than a program's text should be.
InputText input_text(const catalogue::Shape& shape);

}  // namespace lab::host
