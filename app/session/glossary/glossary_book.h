// The glossary of the user's language, and the word whose card is shown: its run goes on by itself
// for some ten seconds, then rests.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lessons/files/glossary.h"

namespace lab::session {

class GlossaryBook {
  public:
    using Clock = std::chrono::steady_clock;

    // Reads the glossary again where the language is another one; what is wrong with its files.
    std::vector<Problem> follow(const std::string& language, const catalogue::Catalogue& catalogue);

    const lessons::Glossary& glossary() const { return glossary_; }
    const lessons::WordFinder& finder() const { return finder_; }

    // The word whose card is shown; its run starts again.
    void show(std::optional<std::size_t> word);
    std::optional<std::size_t> shown() const { return shown_; }
    const simulation::MachineRun* run() const { return run_; }  // null: it cannot be shown
    const std::vector<std::uint64_t>& moments() const { return moments_; }
    std::size_t step() const { return step_; }  // of moments()
    bool moving() const { return shown_ && next_tick_.has_value(); }

    // The words that are marked on screen, in their order, and the one that has the keyboard.
    void set_in_sight(std::vector<std::size_t> words);
    bool any_in_sight() const { return !in_sight_.empty(); }
    void focus_next();  // after the last: none
    void drop_focus() { focus_.reset(); }
    std::optional<std::size_t> focus() const { return focus_; }  // of the glossary

    void poll(Clock::time_point now);
    std::optional<Clock::time_point> next_move() const { return next_tick_; }

  private:
    lessons::Glossary glossary_;
    lessons::WordFinder finder_;
    std::unique_ptr<lessons::Runs> runs_;
    std::optional<std::size_t> shown_, focus_;
    std::vector<std::size_t> in_sight_;
    const simulation::MachineRun* run_ = nullptr;
    std::vector<std::uint64_t> moments_;
    std::size_t step_ = 0, tick_ = 0, ticks_ = 0;
    Clock::duration interval_{};
    std::optional<Clock::time_point> next_tick_;
};

}  // namespace lab::session
