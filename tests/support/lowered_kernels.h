// Kernels as code, and its visible operations in words.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "lang/compile.h"

namespace lab::lang {

inline Code code_of(const std::string& text, const std::string& macros = {}) {
    Compiled compiled = compile({"k.cl", text, macros}, "f");
    EXPECT_TRUE(compiled.code) << text_of(compiled.diagnostics, compiled.sources);
    return compiled.code ? std::move(*compiled.code) : Code();
}

inline std::string error_of(const std::string& text) {
    const Compiled compiled = compile({"k.cl", text, ""}, "f");
    return compiled.diagnostics.all().empty() ? "" : compiled.diagnostics.all().front().message;
}

inline Code kernel(const std::string& body) {
    return code_of("kernel void f(global int* out, int n) {\n" + body + "\n}");
}

inline std::size_t count(const Code& code, Op op) {
    return static_cast<std::size_t>(
        std::count_if(code.instructions.begin(), code.instructions.end(),
                      [op](const Instruction& instruction) { return instruction.op == op; }));
}

inline const char* name_of(Op op) {
    switch (op) {
        case Op::load:
            return "load";
        case Op::store:
            return "store";
        case Op::atomic:
            return "atomic";
        case Op::barrier:
            return "barrier";
        default:
            return "together";
    }
}

// "load in[i]": each visible operation with the text that its place marks.
inline std::vector<std::string> visible(const Code& code) {
    std::vector<std::string> all;
    for (const Instruction& instruction : code.instructions) {
        if (!is_visible(instruction.op)) continue;
        const Place& place = code.place(instruction);
        const std::string_view line = line_of(code.sources[place.file], place.line);
        all.push_back(fmt::format("{} {}", name_of(instruction.op),
                                  line.substr(place.column - 1, place.length)));
    }
    return all;
}

using Texts = std::vector<std::string>;

inline std::string local_tree() {
    std::ostringstream text;
    text << std::ifstream(LAB_SOURCE_DIR "/kernels/local_tree.cl").rdbuf();
    return text.str();
}

inline std::string local_tree_macros(bool barriers) {
    return "#define T int\n#define IDENTITY 0\n#define COMBINE(a, b) ((a) + (b))\n"
           "#define ITEMS 4\n" +
           fmt::format("#define BARRIER_LOAD {0}\n#define BARRIER_LOOP {0}\n", barriers ? 1 : 0);
}

}  // namespace lab::lang
