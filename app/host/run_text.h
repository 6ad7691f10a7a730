// The C++ text of one run: the device, the sizes, buffers, arguments and launches, the result.
#pragma once

#include <string>

#include "host/cpp_lines.h"
#include "host/element_text.h"
#include "host/launch_facts.h"

namespace lab::host {

// Whether the number of elements is for the user of the program to choose.
bool takes_n(const LaunchFacts& facts, const InputText& input);

// The body of run(), as far as the launches.
void add_launches(CppLines& lines, const LaunchFacts& facts, const InputText& input);
// What follows: reads the result, and says what is right and how long it took.
void add_result(CppLines& lines, const LaunchFacts& facts, std::uint64_t every);

// What a buffer of the header is called in run().
std::string variable_of(const std::string& argument);

}  // namespace lab::host
