// What stops a run: the kernel did something that no device could do rightly.
#pragma once

#include <cstdint>
#include <string>

#include "base/problem.h"
#include "lang/code.h"

namespace lab::machine {

struct Fault {
    enum class Kind : std::uint8_t {
        out_of_bounds,  // also through a null pointer, or one made of a number
        read_only,      // a write to constant data
        division,       // of an integer by zero
        divergence,     // a barrier that not all work-items of a group come to
        budget,         // it does not end
    } kind = Kind::out_of_bounds;
    std::string what, why, hint;
    lang::Place place;
    std::uint32_t launch = 0;
    std::uint64_t item = 0;  // global id of one that did it
};
const char* name_of(Fault::Kind kind);

// Exit::kernel_fault; `where` is the text's name:line:column, and the line is quoted.
Problem problem_of(const Fault& fault, const lang::Code& code);

// Something that is wrong, but does not stop a run; each place is told once.
struct Finding {
    std::string what, why, hint;
    lang::Place place;
    std::uint32_t launch = 0;
    std::uint64_t item = 0;
    std::uint64_t count = 0;  // how often
};
Problem problem_of(const Finding& finding, const lang::Code& code);

}  // namespace lab::machine
