// What a figure of a run is about: whose run, of what size, on which machine. Its heading.
#pragma once

#include <cstdint>
#include <string>

#include "analysis/rows/step_table.h"
#include "base/translations.h"

namespace lab::figures {

struct RunSubject {
    std::string variant, title;  // id and English title; of a user kernel a name, or empty
    std::uint64_t n = 0;         // elements; 0: not known
    std::uint64_t items = 0;     // of the first launch
    std::uint64_t group = 0;     // work-items per group
    NDRange range;               // of the first launch, if it has several dimensions
    std::string op, type;        // "add", "int"; may be empty
    std::string settings;        // toggles that were set: "BARRIER=group"; may be empty
    analysis::MachineUsed machine;
    std::string stopped;  // why the run did not come to its end; empty: it did
};

std::string title_of(const RunSubject& subject, const Translations& tr);
// "8x4" of a launch with several dimensions, else the number of work-items.
std::string sizes_text(const Coordinates& sizes, const NDRange& range, std::uint64_t items);
// "round robin", "as on your device".
std::string order_text(const std::string& order, const Translations& tr);
// "4 lanes per warp · groups at once: 2", and with the order.
std::string shape_text(const analysis::MachineUsed& machine, const Translations& tr);
std::string machine_text(const analysis::MachineUsed& machine, const Translations& tr);
// "n = 8 · groups of 4 · add · int · 4 lanes · 2 groups at once · round robin"
std::string subtitle_of(const RunSubject& subject, const Translations& tr);

}  // namespace lab::figures
