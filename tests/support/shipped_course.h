// The course that ships, and what stands as the answers of its pages.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lessons/grade.h"
#include "support/typed_lesson.h"

namespace lab::lessons {

inline const std::vector<Lesson>& course() {
    static const std::vector<Lesson> all = [] {
        std::vector<Lesson> lessons;
        for (const fs::path& folder : lesson_folders(shipped_lessons()))
            if (ReadLesson read = read_lesson(folder, "en", catalogue::shipped()); read.lesson)
                lessons.push_back(std::move(*read.lesson));
        return lessons;
    }();
    return all;
}

// What stands as the answer: values, texts of options, picks.
inline std::vector<std::string> answers_of(const Page& page, const Question& question) {
    std::vector<std::string> texts;
    for (const Field& field : question.fields)
        texts.push_back(field.expected);
    if (!question.order.empty()) texts.push_back(question.answer);
    for (const Option& option : question.options)
        if (option.right)
            texts.push_back(option.label ? plain_text(page.labels[*option.label]) : option.text);
    if (question.options.empty())
        for (const std::uint64_t pick : question.picks)
            texts.push_back(std::to_string(pick));
    return texts;
}

inline std::optional<std::vector<std::string>> answers_of(const Page& page, Runs& runs) {
    try {
        return answers_of(page, question_of(page, runs));
    } catch (const Problem&) {
        return std::nullopt;  // the kernel cannot run so
    }
}

inline bool asks_without_a_device(const Page& page) {
    return page.ask && page.ask->kind != Kind::measure && page.ask->kind != Kind::reflect;
}

inline std::string name_of(const Lesson& lesson, const Page& page) {
    return lesson.id + "/" + page.id;
}

}  // namespace lab::lessons
