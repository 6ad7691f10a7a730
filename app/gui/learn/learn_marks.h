// How an answer, or a part of it, is marked.
#pragma once

#include "gui/shell/ui.h"

namespace lab::gui {

// What is said of one answer: shown by colour and by a sign.
enum class Mark : std::uint8_t { none, right, wrong, missing };

inline figures::Role edge_of(Mark mark, bool chosen) {
    return mark == Mark::right   ? figures::Role::wrote
           : mark == Mark::wrong ? figures::Role::race
           : chosen              ? figures::Role::act
                                 : figures::Role::border;
}
inline figures::Role fill_of(Mark mark, bool chosen) {
    return mark == Mark::right   ? figures::Role::wrote_fill
           : mark == Mark::wrong ? figures::Role::race_fill
           : chosen              ? figures::Role::act_fill
                                 : figures::Role::panel;
}

}  // namespace lab::gui
