// A poll of hands: how many in the room gave each answer to a page's question. It lasts as long as
// the page is open, and is never saved.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lessons/answers/question.h"

namespace lab::session {

inline constexpr std::uint32_t kMostHands = 999;

struct PollChoice {
    std::optional<std::size_t> option;  // of the question; else
    std::string text;                   // a value that somebody said
    bool right = false;
    std::uint32_t hands = 0;
};

struct HandPoll {
    std::vector<PollChoice> choices;
    bool by_value = false;  // values are said, and become choices as they come
    std::size_t place = 0;  // of the choice that is counted; behind the last: a value to come

    std::uint32_t most() const;  // hands of any choice
    std::size_t places() const { return choices.size() + (by_value ? 1 : 0); }
};

// Empty where hands cannot answer: nothing is asked, or a sentence, a schedule, a kernel.
std::optional<HandPoll> poll_of(const lessons::Page& page, const lessons::Question& question);
// What a value that was said answers: "8", or "0, 2, 4" for several fields or picks.
lessons::Answer answer_of_value(const lessons::Question& question, const std::string& value);
// The choice of that value, a new one if nobody said it before; becomes the one that is counted.
void add_value(HandPoll& poll, const std::string& value, bool right);

}  // namespace lab::session
