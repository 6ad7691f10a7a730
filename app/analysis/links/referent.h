// The things of a run that several pictures and texts show, by names that shapes carry.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lab::analysis {

struct Referent {
    enum class Kind : std::uint8_t {
        none,
        cell,    // of a row: row, cell
        worker,  // a work-item in a row: row, global id
        item,    // a work-item: global id
        memory,  // a cell of an array: index; local arrays are "name/group"
        line,    // of the kernel's text, from 1
        action,  // its time
        group,   // a work-group
        next,    // what a warp would do next: group, warp
        race,    // its place in the list of races
        print,   // its place in the list of what was printed
    } kind = Kind::none;
    std::uint64_t first = 0, second = 0;
    std::string array = {};  // of memory

    bool operator==(const Referent&) const = default;
};

// "cell 3 4", "memory s/1 4", "line 12".
std::string name_of(const Referent& referent);
Referent referent_of(std::string_view name);  // none: not such a name

Referent memory_of(const std::string& array, bool local, std::uint64_t group, std::uint64_t index);

}  // namespace lab::analysis
