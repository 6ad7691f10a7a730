// The glossary of the user's language, and the word whose card is shown: its run goes on by itself
// for some ten seconds, then rests.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lessons/glossary.h"
#include "session/background.h"

namespace lab::session {

struct GlossaryBook {
    lessons::Glossary glossary;
    lessons::WordFinder finder;
    std::unique_ptr<lessons::Runs> runs;
    std::vector<std::size_t> in_sight;  // the words that are marked on screen, in their order
    std::optional<std::size_t> focus;   // the one of them that has the keyboard

    std::optional<std::size_t> shown;            // the word whose card is shown
    const analysis::MachineRun* run = nullptr;   // its run; null: it cannot be shown
    std::vector<std::uint64_t> moments;          // of the run, through which it goes
    std::size_t step = 0;                        // of moments
    std::size_t tick = 0, ticks = 0;             // gone by, and when it rests
    Clock::duration interval{};                  // between two ticks
    std::optional<Clock::time_point> next_tick;  // empty: nothing moves
};

// Reads the glossary again where the language is another one; what is wrong with its files.
std::vector<Problem> follow(GlossaryBook& book, const std::string& language,
                            const catalogue::Catalogue& catalogue);
void show_word(GlossaryBook& book, std::optional<std::size_t> word);  // its run starts again
void go_on(GlossaryBook& book, Clock::time_point now);
void set_in_sight(GlossaryBook& book, std::vector<std::size_t> words);
void focus_next(GlossaryBook& book);  // after the last: none

}  // namespace lab::session
