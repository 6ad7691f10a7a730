// A lesson that a test writes, in a folder of its own; and the lessons that ship.
#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "base/paths.h"
#include "lessons/question.h"
#include "support/shipped_kernels.h"
#include "support/temporary_folder.h"

namespace lab::lessons {

inline fs::path shipped_lessons() {
    return fs::path(LAB_SOURCE_DIR) / "assets" / "lessons";
}

class TypedLesson {
  public:
    // `text`: of lesson.md.
    explicit TypedLesson(const std::string& text, const std::string& language = "en",
                         const std::vector<std::pair<std::string, std::string>>& files = {}) {
        write_file(folder() / "lesson.md", text);
        for (const auto& [name, content] : files)
            write_file(folder() / name, content);
        read = read_lesson(folder(), language, catalogue::shipped());
    }

    fs::path folder() const { return root_->path() / "typed"; }
    // The place of each problem, and what it is.
    std::vector<std::string> problems() const {
        std::vector<std::string> texts;
        for (const Problem& problem : read.problems)
            texts.push_back(problem.where + " " + problem.what_happened);
        return texts;
    }
    const Page& page(std::size_t index = 0) const { return read.lesson->pages.at(index); }

  private:
    std::unique_ptr<TemporaryFolder> root_ = std::make_unique<TemporaryFolder>();

  public:
    ReadLesson read;
    Runs runs{{catalogue::shipped(), folder()}};
};

// A page of eight numbers in two groups of four, with this below its words.
inline std::string page_with(const std::string& blocks) {
    return "---\ntitle: T\n---\n\n## P\nWords.\n\n```show\nkernel: span-modulo\n"
           "set: BARRIER=group\ninput: 7,1,6,8,5,6,7,1\ngroup: 4\n```\n" +
           blocks;
}

inline Show shown(std::initializer_list<std::pair<const char*, const char*>> keys) {
    Show show;
    for (const auto& [key, value] : keys)
        set_key(show, key, value);
    return show;
}

inline Feedback judged(TypedLesson& lesson, const Answer& answer,
                       const Measured* measured = nullptr) {
    const Question question = question_of(lesson.page(), lesson.runs);
    return judge(lesson.page(), question, answer, lesson.runs, measured);
}

}  // namespace lab::lessons
