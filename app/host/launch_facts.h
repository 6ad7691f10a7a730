// What a host program needs to know of a variant in a shape, beside its header.
#pragma once

#include <set>
#include <string>

#include "catalogue/shape.h"
#include "catalogue/variant.h"

namespace lab::host {

struct LaunchFacts {
    const catalogue::Variant& variant;
    catalogue::Shape shape;       // with the group that suits it; 0: the program works it out
    std::uint64_t n = 0;          // elements, if the program is not told another number
    catalogue::Expression group;  // where the shape sets none
    catalogue::Variables numbers;  // names of the header that are numbers here: op, add, floating …
    std::set<std::string> names;  // variables and functions in the expressions that the host needs
};

LaunchFacts launch_facts(const catalogue::Variant& variant, const catalogue::Shape& shape,
                         std::uint64_t n);

// Whether it is for the program to check: a matter of n, the group or the device.
bool is_checked(const LaunchFacts& facts, const catalogue::Legal& legal);

// Whether the host needs the toggle's number, and whether the kernel's text does.
bool host_needs(const LaunchFacts& facts, const catalogue::Toggle& toggle);
bool kernel_needs(const catalogue::Variant& variant, std::string_view macro);

}  // namespace lab::host
