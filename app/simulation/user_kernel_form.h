// The launch of a user kernel as a form: the parameters of its text, a first guess of the
// arguments, and the rows of the form.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lang/compile.h"
#include "simulation/user_kernel.h"

namespace lab::simulation {

// A message about a place in the text; lines and columns count from 1, columns in bytes. Line 0: no
// place.
struct TextMark {
    enum class Kind : std::uint8_t { error, warning } kind = Kind::error;
    std::uint32_t line = 0, column = 0, length = 0;
    std::string message, why, hint;  // English
};

// What is known about a kernel's text without running it.
struct TextFacts {
    std::vector<std::string> kernels;         // in text order
    std::string kernel;                       // the requested one, or the only one
    std::vector<lang::Parameter> parameters;  // of that one
    std::vector<std::uint64_t> required_group;
    std::uint32_t dims = 1;       // that it asks for
    std::vector<TextMark> marks;  // errors and warnings, by line
    bool compiles = false;
};
TextFacts facts_of(const UserKernel& kernel);
TextFacts facts_of(const lang::Text& text, const std::string& kernel);

// A parameter and its argument.
struct ArgumentRow {
    lang::Parameter::Kind kind = lang::Parameter::Kind::value;
    std::string name;
    std::string type;         // as in the text: "global const float4*"
    std::string element;      // of an array: the type that its argument names, "float4"
    std::uint64_t each = 1;   // elements of that type in one of the kernel's: a structure is bytes
    std::uint64_t count = 0;  // of an array: elements of the kernel's type
    std::string fill;   // of a buffer: "ramp", "random:1", "7,1,6", one number; empty: nothing
    std::string value;  // of a value: "64", or its components as "1,2,3,4"
    bool null = false;  // no buffer
};

// One per parameter; guessed if an argument is missing or of another type.
std::vector<ArgumentRow> rows_of(const TextFacts& facts, const UserKernel& kernel);
// As `--arg` has it; rows_of reads it back.
std::string argument_of(const ArgumentRow& row);

// If there is no launch yet, a guess that works for most reductions: 64 elements counting up, as
// many work-items in groups of 16, matching counts and local arrays; 8x8 in groups of 4x4 if the
// kernel asks for a second dimension, 4x4x4 in groups of 2x2x2 for a third. Otherwise arguments
// stay if the kernel still has a parameter of that name and type. Nothing changes while the text
// has errors.
void fit_launch(UserKernel& kernel, const TextFacts& facts);

// Sets another count or group size; what was equal to the old one follows: the kernel's n, its
// local arrays. Of a size with other dimensions the launch's other sizes follow.
void set_count(UserKernel& kernel, std::vector<ArgumentRow> rows, std::size_t row,
               std::uint64_t count);
// Sets the contents of a buffer; a list of values sets its size.
void set_fill(UserKernel& kernel, std::vector<ArgumentRow> rows, std::size_t row,
              const std::string& fill);
void set_global(UserKernel& kernel, std::vector<ArgumentRow> rows, const Extent& global);
void set_local(UserKernel& kernel, std::vector<ArgumentRow> rows, const Extent& local);
void set_row(UserKernel& kernel, std::vector<ArgumentRow> rows, std::size_t row,
             const ArgumentRow& now);

inline constexpr std::uint64_t kGuessedElements = 64;

}  // namespace lab::simulation
