// A kernel's launch as the window's form or the command line describes it: the parameters of the
// text, the arguments as words, a first guess of them, and the job that they come to.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "catalogue/kernel.h"
#include "catalogue/plan.h"
#include "lang/compile.h"
#include "lang/source.h"

namespace lab::catalogue {

// Throws Problem for arguments that do not fit. The right result is not known.
Job form_job(const LaunchForm& form, const CompiledKernel& code);

// The form's text with its macros and the files that it includes.
lang::Text text_of(const LaunchForm& form);

// Those that lines with #include name, and that these name in turn, each once: looked for beside
// the file that names it, beside `file`, then in `folders`. What is not found is left out.
lang::Sources include_files(const std::string& file, const std::string& text,
                            const std::vector<std::string>& folders);

// The text with what it includes in the place of each #include, for a compiler that has no files.
std::string with_includes(const std::string& text, const lang::Sources& files);

// 0xff, 16u, 3UL, 0.5f, 1.f, 'a', '\n' and true in a list, each as digits alone; whatever is not
// such a number stays as it is. `floating`: what they are for.
std::string plain_numbers(std::string_view list, bool floating);

// A message about a place in the text; lines and columns count from 1, columns in bytes. Line 0: no
// place.
struct TextMark {
    enum class Kind : std::uint8_t { error, warning } kind = Kind::error;
    std::uint32_t line = 0, column = 0, length = 0;
    std::string message, why, hint;  // English
};

// The facts that are known about a kernel's text without running it.
struct TextFacts {
    std::vector<std::string> kernels;         // in text order
    std::string kernel;                       // the requested one, or the only one
    std::vector<lang::Parameter> parameters;  // of that one
    std::vector<std::uint64_t> required_group;
    std::uint32_t dims = 1;       // that it asks for
    std::vector<TextMark> marks;  // errors and warnings, by line
    bool compiles = false;
    CompiledKernel code;  // if it does
    lang::HostCode host;  // of a file in CUDA C++
};
TextFacts facts_of(const LaunchForm& kernel);
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
    std::string same;   // the parameter before it whose buffer it is given, too
    bool null = false;  // no buffer
};

// One per parameter; guessed if an argument is missing or of another type.
std::vector<ArgumentRow> rows_of(const TextFacts& facts, const LaunchForm& kernel);
// As `--arg` has it; rows_of reads it back.
std::string argument_of(const ArgumentRow& row);

// If there is no launch yet, the one that a CUDA file's own host code makes, as far as its numbers
// are constants and few enough to step; else a guess that works for most reductions: 64 elements
// counting up, as many work-items in groups of 16, matching counts and local arrays; 8x8 in groups
// of 4x4 if the kernel asks for a second dimension, 4x4x4 in groups of 2x2x2 for a third. Otherwise
// arguments stay if the kernel still has a parameter of that name and type. Nothing changes while
// the text has errors.
// Returns what of it the host's code says.
struct HostGiven {
    bool group = false, sizes = false;
    std::vector<bool> rows;   // a buffer's count, or a value
    std::vector<bool> fills;  // what a buffer begins with
    bool all() const;
};
HostGiven fit_launch(LaunchForm& kernel, const TextFacts& facts);

// Sets another count or group size; what was equal to the old one follows: the kernel's n, its
// local arrays. Of a size with other dimensions the launch's other sizes follow.
void set_count(LaunchForm& kernel, std::vector<ArgumentRow> rows, std::size_t row,
               std::uint64_t count);
// Sets the contents of a buffer; a list of values sets its size.
void set_fill(LaunchForm& kernel, std::vector<ArgumentRow> rows, std::size_t row,
              const std::string& fill);
void set_global(LaunchForm& kernel, std::vector<ArgumentRow> rows, const Extent& global);
void set_local(LaunchForm& kernel, std::vector<ArgumentRow> rows, const Extent& local);
void set_row(LaunchForm& kernel, std::vector<ArgumentRow> rows, std::size_t row,
             const ArgumentRow& now);

inline constexpr std::uint64_t kGuessedElements = 64;

// A launch of one dimension made larger or smaller: as many work-items as cover `n` elements in
// groups of `group`. What has the size of the old one follows: buffers, the kernel's n, local
// arrays.
LaunchForm resized(LaunchForm kernel, const TextFacts& facts, std::uint64_t n, std::uint64_t group);

}  // namespace lab::catalogue
