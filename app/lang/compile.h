// Compiles a kernel's text to code, and reports everything that is wrong with it.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lang/code.h"
#include "lang/cuda.h"
#include "lang/preprocess.h"
#include "lang/source.h"
#include "lang/tree.h"
namespace lab::lang {

struct Text {
    std::string name;  // for messages: "kernels/relaunch.cl"
    std::string text;
    std::string macros;     // whole lines of #define …, read before the text
    Sources includes = {};  // what it may #include
};

struct Compiled {
    Sources sources;  // what OpenCL C predefines, the macros, the text (kTextFile), its includes
    Diagnostics diagnostics;
    Preprocessed preprocessed;  // its tokens point into the sources
    HostCode host;              // of a text in CUDA C++
    std::unique_ptr<Tree> tree;
    const FunctionDefinition* kernel = nullptr;  // the one that was chosen
    std::optional<Code> code;                    // if there is no error
};
inline constexpr std::uint16_t kTextFile = 2;

// A text of assets/opencl_c.
std::string opencl_c_asset(const char* name);

// `kernel`: which of the text's kernels; empty: the only one. Bounded in time and memory for any
// bytes.
Compiled compile(const Text& text, std::string_view kernel = {});

// The same, but errors throw a Problem (Exit::kernel_fault) that quotes them all.
Compiled compile_or_throw(const Text& text, std::string_view kernel = {});

// "#define NAME VALUE" lines from -D options: "NAME", "NAME=VALUE".
std::string define_line(std::string_view option);

// A text with its macros expanded; see preprocess.h.
std::string expanded(const Text& text);

// Numbers of the lines, from 1, that a condition of the preprocessor excludes.
std::set<std::uint32_t> left_out_lines(const Text& text);

// The macros that a text expects from the program on the host, which passes them as -D options.

struct HostMacro {
    std::string name;
    std::string value;  // with which the text compiles: "float", "16"; of a word: nothing
    Place place;        // where it is first missed
};

// Empty if the text compiles as it is, or does not even with these. `kernel` as for compile().
std::vector<HostMacro> host_macros(const Text& text, std::string_view kernel = {});

// "TYPE=float", as an option has it.
std::string option_of(const HostMacro& macro);

}  // namespace lab::lang
