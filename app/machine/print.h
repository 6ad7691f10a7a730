// What a kernel prints by printf.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "lang/tree/print_format.h"
#include "machine/memory.h"

namespace lab::machine {

struct Print {
    std::uint64_t time = 0;  // actions before it
    std::uint64_t item = 0;  // global id
    std::uint32_t launch = 0;
    std::uint32_t place = 0;  // in the code of its launch
    std::string text;
};

// Past so many, as on devices, what is printed is lost; the last one then says so.
inline constexpr std::size_t kMostPrints = 10'000;
void add_print(Shared<std::vector<Print>>& prints, Print print);

// `values`: all components, as registers hold them. `text_at`: what %s prints of a pointer.
std::string text_of(const lang::PrintFormat& format, const std::vector<std::uint64_t>& values,
                    const std::function<std::string(std::uint64_t)>& text_at);

}  // namespace lab::machine
