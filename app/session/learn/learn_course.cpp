// Which lessons there are: the course, or a folder of the user's, read again when it changes.
#include <fmt/format.h>

#include <algorithm>

#include "base/paths.h"
#include "session/learn/learn_view.h"
#include "session/shell/session.h"

namespace lab::session {
namespace {

namespace fs = std::filesystem;

}  // namespace

// Reads what is needed only once it is seen: most starts show another view.
void LearnView::start() {
    if (session_.shows<LearnView>())
        shown();
    else if (!course_.empty())
        reload();
}

void LearnView::shown() {
    if (course_.empty() && problems_.empty()) {
        read_course(lessons::lesson_folders(data_folder() / "assets" / "lessons"));
        if (wanted_lesson_.empty())
            for (const CourseEntry& entry : course_)  // where one was
                if (entry.answered() > 0 && entry.answered() < entry.asked())
                    wanted_lesson_ = entry.lesson.id;
        go_to_page(wanted_lesson_, wanted_page_);
    } else if (language_ != session_.settings().language) {
        reload();
    }
}

void LearnView::read_course(std::vector<fs::path> folders) {
    folders_ = std::move(folders);
    language_ = session_.settings().language;
    const std::vector<CourseEntry> before = std::exchange(course_, {});
    problems_.clear();
    for (const fs::path& folder : folders_) {
        lessons::ReadLesson read = lessons::read_lesson(folder, language_, session_.catalogue());
        for (Problem& problem : read.problems)
            problems_.emplace_back(problem.what_happened, problem.why, problem.hint,
                                   fmt::format("{}/{}", folder.filename().string(), problem.where));
        if (!read.lesson) continue;
        CourseEntry entry{folder, std::move(*read.lesson), {}};
        std::optional<Problem> damaged;
        entry.progress.lesson = entry.lesson.id;
        if (session_.options().remember)
            entry.progress = lessons::load_progress(entry.lesson.id, damaged);
        else
            for (const CourseEntry& each : before)
                if (each.folder == folder) entry.progress = each.progress;
        if (damaged) session_.notices().report("learn", *damaged, true);
        course_.push_back(std::move(entry));
    }
    if (folders_.empty())
        problems_.emplace_back("There is no lesson here",
                               "A lesson is a folder with a file lesson.md",
                               "Open such a folder, or one that holds some");
}

// The same page in another language, or after an edit of its file: drafts are kept, but a kernel
// that is yet to be edited has its new text.
void LearnView::reload() {
    const std::string lesson = lesson_id(), page = page_id();
    if (draft_due_) save_progress();
    read_course(folders_);
    go_to_page(lesson, page);
}

// By value: opening a page changes what is wanted.
void LearnView::go_to_page(std::string lesson, std::string page) {
    wanted_lesson_ = lesson;
    wanted_page_ = page;
    if (course_.empty()) return;
    const auto found = std::find_if(course_.begin(), course_.end(), [&](const CourseEntry& entry) {
        return entry.lesson.id == lesson;
    });
    const std::size_t place =
        found == course_.end() ? 0 : static_cast<std::size_t>(found - course_.begin());
    open_lesson(place);
    const auto& pages = course_[place].lesson.pages;
    for (std::size_t i = 0; i < pages.size(); ++i)
        if (pages[i].id == page) open_page(i);
}

void LearnView::open_folder(const fs::path& folder) {
    std::vector<fs::path> folders = lessons::lesson_folders(folder);
    if (folders.empty())
        throw Problem(fmt::format("There is no lesson in '{}'", folder.filename().string()),
                      "A lesson is a folder with a file lesson.md",
                      "docs/lessons.md says how to write one", folder.string());
    own_folder_ = true;
    wanted_lesson_ = wanted_page_ = {};
    read_course(std::move(folders));
    open_lesson(0);
}

bool LearnView::can_open_lesson(int by) const {
    const auto place = static_cast<std::ptrdiff_t>(lesson_) + by;
    return place >= 0 && place < static_cast<std::ptrdiff_t>(course_.size());
}

void LearnView::open_lesson(std::size_t place) {
    if (place >= course_.size()) return;
    lesson_ = place;
    const CourseEntry& entry = course_[place];
    runs_ = std::make_unique<lessons::Runs>(lessons::Library{session_.catalogue(), entry.folder});
    watch_.reset();
    if (own_folder_) watch_ = std::make_unique<FileWatch>(entry.folder, session_.options().wake);
    std::size_t first = 0;
    for (std::size_t i = 0; i < entry.lesson.pages.size(); ++i)
        if (entry.lesson.pages[i].id == entry.progress.page) first = i;
    open_page(first);
}

std::string LearnView::hand_in_name() const {
    return "answers.json";
}

void LearnView::hand_in(const fs::path& file, const std::string& name) const {
    if (name.find_first_not_of(" \t") == std::string::npos)
        throw Problem("Your name is missing", "Nobody could tell whose answers these are",
                      "Type your name");
    lessons::HandIn hand_in;
    hand_in.name = name;
    for (const CourseEntry& entry : course_)
        if (!entry.progress.pages.empty()) {
            hand_in.lessons.push_back(entry.progress);
            hand_in.lessons.back().drafts.clear();
        }
    if (hand_in.lessons.empty())
        throw Problem("There is nothing to hand in yet", "No page has been answered",
                      "Answer one first");
    write_hand_in(hand_in, file);
}

void LearnView::save_progress() {
    draft_due_.reset();
    if (!session_.options().remember || lesson() == nullptr) return;
    try {
        lessons::save_progress(course_[lesson_].progress);
    } catch (const Problem& problem) {
        session_.notices().report("learn", problem, true);
    }
}

}  // namespace lab::session
