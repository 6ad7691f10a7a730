#include "session/learn/hand_poll.h"

#include <algorithm>
#include <cstdlib>

namespace lab::session {

std::uint32_t HandPoll::most() const {
    std::uint32_t most = 0;
    for (const PollChoice& choice : choices)
        most = std::max(most, choice.hands);
    return most;
}

std::optional<HandPoll> poll_of(const lessons::Page& page, const lessons::Question& question) {
    if (!page.ask) return std::nullopt;
    HandPoll poll;
    for (std::size_t i = 0; i < question.options.size(); ++i)
        poll.choices.push_back({i, "", question.options[i].right, 0});
    const bool order =
        question.kind == lessons::Kind::measure && page.ask->predict == lessons::Predict::order;
    const bool acts = question.kind == lessons::Kind::schedule ||
                      question.kind == lessons::Kind::edit ||
                      question.kind == lessons::Kind::reflect || order;
    if (acts) return std::nullopt;
    poll.by_value = question.options.empty();
    return poll;
}

lessons::Answer answer_of_value(const lessons::Question& question, const std::string& value) {
    lessons::Answer answer;
    std::string word;
    const auto take = [&] {
        if (!word.empty()) answer.texts.push_back(word);
        word.clear();
    };
    for (const char c : value)
        if (c == ' ' || c == ',' || c == ';')
            take();
        else
            word += c;
    take();
    if (!question.fields.empty()) return answer;
    for (const std::string& text : answer.texts)
        answer.picks.push_back(std::strtoull(text.c_str(), nullptr, 10));
    std::sort(answer.picks.begin(), answer.picks.end());
    answer.texts.clear();
    return answer;
}

void add_value(HandPoll& poll, const std::string& value, bool right) {
    const auto found = std::find_if(poll.choices.begin(), poll.choices.end(),
                                    [&](const auto& choice) { return choice.text == value; });
    poll.place = static_cast<std::size_t>(found - poll.choices.begin());
    if (found == poll.choices.end()) poll.choices.push_back({{}, value, right, 0});
}

}  // namespace lab::session
