#include "views/learn/learn.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <numeric>

#include "analysis/lattice_run.h"
#include "analysis/machine_run.h"
#include "base/paths.h"
#include "base/text.h"
#include "catalogue/number.h"
#include "lessons/lesson.h"
#include "lessons/question.h"
#include "results/report.h"
#include "results/request.h"
#include "session/session.h"
#include "views/step/step.h"

namespace lab::session {
namespace {

using AskKind = lessons::Kind;

constexpr std::size_t kMostReplaced = 50;    // drafts that can be undone; the oldest is forgotten
constexpr std::uint64_t kSmallPicture = 64;  // elements: it can be taken in at a glance
constexpr const char* kAsked = "?";  // a draft's reason: it was asked for, and not given yet
constexpr auto kDraftTime = std::chrono::milliseconds(400);
constexpr auto kSilence = std::chrono::minutes(5);  // the longest between two signs of life

bool is_question(const lessons::Page& page) {
    return page.ask && page.ask->kind != AskKind::reflect;
}

CourseEntry& entry_of(LearnView& view) {
    return view.course[view.lesson_place];
}
const lessons::Measured* measured_by(const LearnView& view) {
    return view.open.measured.answer ? &*view.open.measured.answer : nullptr;
}

void save_progress(LearnView& view) {
    view.draft_due.reset();
    if (!view.session.options().remember || view.lesson() == nullptr) return;
    view.session.notices.attempt("learn", [&] { lessons::save_progress(entry_of(view).progress); });
}

// Has the name of who takes an exam, for the next start; empty: nobody does.
fs::path exam_file() {
    return config_folder() / "lessons" / "exam.txt";
}

void stop_checking(LearnView& view) {
    view.judge.cancel();
    if (view.open.measured.waiting) view.worker.cancel(view.ticket);
    view.open.measured.waiting = false;
}

}  // namespace

std::size_t CourseEntry::asked() const {
    return count_if(lesson.pages, is_question);
}

std::size_t CourseEntry::answered() const {
    return count_if(lesson.pages, [&](const lessons::Page& page) {
        return is_question(page) && progress.done(page.id);
    });
}

LearnView::LearnView(Session& of)
    : View(of), session(of), judge(of.options().wake), worker(of.worker_options()) {}
LearnView::~LearnView() {
    if (draft_due) save_progress(*this);
}

const lessons::Page* LearnView::page() const {
    const lessons::Lesson* found = lesson();
    if (found == nullptr || page_place >= found->pages.size()) return nullptr;
    return drawn ? &*drawn : &found->pages[page_place];
}

const lessons::PageProgress* LearnView::progress() const {
    if (page() == nullptr) return nullptr;
    const auto& pages = course[lesson_place].progress.pages;
    const auto found = pages.find(page()->id);
    return found == pages.end() ? nullptr : &found->second;
}

bool LearnView::done() const {
    if (page() == nullptr) return false;
    return !page()->ask ||
           (exam.empty() && !again && course[lesson_place].progress.done(page()->id));
}

bool LearnView::noted() const {
    return !exam.empty() && progress() != nullptr && !progress()->answer.empty() &&
           progress()->answer == open.draft;
}

bool LearnView::spent() const {
    if (page() == nullptr || page()->vary.empty() || done() || !exam.empty()) return false;
    const auto& said = open.feedback;
    const lessons::PageProgress* before = again ? nullptr : progress();
    return (said && !said->right && !said->given_up && !said->no_try) ||
           (before != nullptr && !before->answer.empty() && before->answer.seed == page()->seed);
}

bool LearnView::told() const {
    if (!presenting || page() == nullptr || !page()->ask) return done();
    return open.stage == Stage::answer;
}

std::optional<std::uint64_t> LearnView::seed() const {
    if (page() == nullptr) return wanted_seed;
    return page()->vary.empty() ? std::nullopt : std::optional(page()->seed);
}

const lessons::Answer& marked(const LearnView& view) {
    return view.presenting ? view.open.right : view.open.draft;
}

std::string panel_of(const LearnView& view) {
    if (view.page() == nullptr || view.open.problem) return {};
    return panel_waits(*view.page()) && !view.told() ? "" : view.page()->show.panel;
}

namespace {

// Where a line is asked for, only that the run stopped is said of a fault: its words name the line.
void show_table(LearnView& view) {
    LearnPage& open = view.open;
    if (open.run == nullptr) return;
    const lessons::Page& page = *view.page();
    open.table = open.run->table;
    open.version = ++view.version;
    open.hidden_from = page.show.hide_later && !view.told() ? open.at + 1 : 0;
    if (view.told()) {
        // The row that was asked for, or all of the run where the question was about the whole.
        const std::size_t last = open.run->table.rows.size() - 1, asked = open.question.row;
        if (asked > 0 || page.show.hide_later)
            open.row = asked > 0 ? std::max(open.row, std::min(asked, last)) : last;
    } else if (view.asks_for(lessons::Picked::line) && !open.table.fault.empty()) {
        open.table.fault = "which line is to blame?";
        open.table.fault_phrases = {{"learn.fault_hidden", {}, {}}, {}, {}};
    }
    open.row = std::min(open.row, view.last_position());
    // The row after those that are seen is announced; room for more would make all of it smaller.
    auto& rows = open.table.rows;
    const std::size_t most = open.hidden_from + 1;
    if (open.hidden_from > 0 && rows.size() > most)
        rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(most), rows.end());
}

// The picture that the page names, of its run. A schedule that is yet to be chosen has none.
void show_run(LearnView& view, const lessons::Page& page) {
    LearnPage& open = view.open;
    const lessons::PageView picture = lessons::view_of(page);
    if (picture == lessons::PageView::schedule)
        open.race = std::make_unique<Race>(spec_of(page.show, view.runs->library()));
    lessons::Facts& facts = view.runs->facts(page.show);
    if (view.asks(AskKind::schedule)) {
        open.table = facts.table();  // whose heading has the settings
        return;
    }
    open.run = &lessons::shown_run(page.show, *view.runs);
    open.row = open.at = std::min(row_of(page.show.at, facts), open.run->table.rows.size() - 1);
    open.at_time = open.run->row_ends.empty() ? 0 : open.run->row_ends[open.at];
    if (open.run->run != nullptr) open.memory_line = memory_line(page.show, *open.run->run);
    if (open.race) open.race->go_to(open.at_time);
    if (picture == lessons::PageView::lattice) {
        show(view.lattice, analysis::lattice_of(facts.spec()));
        return_to(view.lattice, {});
        open.has_lattice = true;
    }
    show_table(view);
}

// After an edit or a row of numbers: the student's run, as far as there is one. A class sees the
// page's own.
void show_edited(LearnView& view) {
    LearnPage& open = view.open;
    if (view.presenting || !open.feedback || open.run == nullptr ||
        (!view.asks(AskKind::edit) && !view.asks(AskKind::input)))
        return;
    try {
        const bool at_end = open.row + 1 >= open.run->table.rows.size();
        const auto& failed = open.feedback->failed;
        const lessons::Show show = failed && failed->shape.n.value_or(0) <= kSmallPicture
                                       ? *failed
                                       : answered_show(*view.page(), open.draft);
        open.run = &lessons::shown_run(show, *view.runs);
        const std::size_t last = open.run->table.rows.size() - 1;
        open.row = at_end ? last : std::min(open.row, last);
        show_table(view);
    } catch (const Problem&) {
        // It does not compile, which is said beside: what was seen stays.
    }
}

void show_reply(LearnView& view, lessons::Text reply) {
    ++view.reply_version;
    LearnPage& open = view.open;
    open.reply = std::move(reply);
    open.reason_reply = reply_to_reason(*view.page(), open.question, open.draft, *view.runs);
    show_edited(view);
}

bool has_given_up(const LearnView& view) {
    const lessons::PageProgress* progress = view.progress();
    return progress != nullptr && progress->given_up && !progress->right && !view.again;
}

// With the page's words to the draft.
Judged judged(const LearnView& view, lessons::Feedback feedback) {
    feedback.given_up = has_given_up(view) && !feedback.right;
    lessons::Text reply = reply_to(*view.page(), view.open.question, view.open.draft, feedback,
                                   *view.runs, measured_by(view));
    return {std::move(feedback), std::move(reply)};
}

// A draft of a schedule, as far as it fits the race.
void replay_draft(LearnPage& open) {
    if (!open.race || open.draft.texts.empty() || open.draft.texts.front().empty()) return;
    try {
        const auto turns = machine::parse_turns(open.draft.texts.front(), "turns");
        open.race->replace(turns);
        open.race->go_to(sum_of(turns, &machine::ScheduleSlice::count));
    } catch (const Problem&) {
        open.draft.texts.clear();  // of an older text of the page
    }
}

// What was answered before; nothing if the page begins from nothing.
lessons::Answer answer_before(const LearnView& view, bool from_nothing) {
    const lessons::PageProgress* before = view.progress();
    const auto& drafts = view.course[view.lesson_place].progress.drafts;
    if (before != nullptr && view.done()) return before->answer;
    if (drafts.contains(view.page_id())) return drafts.at(view.page_id());
    if (before != nullptr && !view.again && !from_nothing) return before->answer;
    lessons::Answer nothing;
    nothing.seed = view.course[view.lesson_place].progress.seed;
    return nothing;
}

// It is shown again, with what there is to say of it.
void begin_draft(LearnView& view) {
    LearnPage& open = view.open;
    const lessons::PageProgress* before = view.progress();
    if (before != nullptr && view.done()) {
        open.feedback.emplace();
        open.feedback->right = before->right;
        open.feedback->given_up = before->given_up && !before->right;
        open.feedback->measured = before->measured && !before->right;
        open.feedback->right_fields.assign(open.question.fields.size(), true);
        if (view.asks(AskKind::schedule) && before->right)  // how many turns it took
            open.feedback->message =
                judge_schedule(*view.page(), open.draft.texts.front(), *view.runs).message;
        show_reply(view, judged(view, *open.feedback).reply);
    }
    open.asks_why = open.draft.reason == kAsked;
    if (open.asks_why || (!view.done() && view.exam.empty())) open.draft.reason.clear();
    const auto& options = open.question.options;
    if (view.asks(AskKind::measure) && view.asks_for(lessons::Picked::order))
        // Former versions kept the names of kernels.
        for (const std::string& kernel : std::exchange(open.draft.texts, {}))
            for (std::uint64_t i = 0; i < options.size(); ++i)
                if (options[i].text == kernel) open.draft.picks.push_back(i);
    if (view.asks(AskKind::edit) && open.draft.texts.empty())
        open.draft.texts = {open.kernel};
    else if (view.page()->ask && !open.question.fields.empty())
        open.draft.texts.resize(open.question.fields.size());
    else if (view.asks(AskKind::reflect) && open.draft.texts.empty())
        open.draft.texts = {""};
    if (view.asks(AskKind::schedule)) replay_draft(open);
}

lessons::Filling filling(const LearnView& view) {
    return {view.page()->show, *view.runs, &view.open.question, &view.open.draft,
            measured_by(view)};
}

// The page's numbers, its run, its words with their values, and its question. `seed`: of its draw,
// where it is not the one that was answered.
void work_out(LearnView& view, bool from_nothing = false, std::optional<std::uint64_t> seed = {}) {
    view.open = {};
    view.play(false);
    LearnPage& open = view.open;
    open.version = open.opened = ++view.version;
    open.draft = answer_before(view, from_nothing);
    if (seed && *seed != open.draft.seed) {
        view.again = view.again || view.done();
        open.draft = {};
        open.draft.seed = *seed;
    }
    view.drawn.reset();
    open.problem =
        thrown_by([&] { view.drawn = lessons::drawn(*view.page(), open.draft.seed, *view.runs); });
    const lessons::Page& page = *view.page();
    if (!open.problem)
        open.problem = thrown_by([&] {
            open.question = question_of(page, *view.runs);
            lessons::Show shown = page.show;
            if (view.asks(AskKind::edit)) shown.variant = page.ask->start;
            open.kernel = text_of(shown, view.runs->library());
            if (arranges_lines(view))
                open.kernel = arranged(page, open.question, {}, view.runs->library());
            if (auto refusal = cannot_show(page, *view.runs)) throw Problem(*refusal);
            show_run(view, page);
        });
    open.words = filled(page.words, filling(view));
    open.labels = filled(page.labels, filling(view));
    begin_draft(view);
}

void read_course(LearnView& view, std::vector<fs::path> folders) {
    view.folders = std::move(folders);
    view.language = view.session.settings().language;
    view.api = view.session.api();
    view.drawn.reset();
    const std::vector<CourseEntry> before = std::exchange(view.course, {});
    view.course_problems.clear();
    for (const fs::path& folder : view.folders) {
        lessons::ReadLesson read =
            lessons::read_lesson(folder, view.language, view.session.catalogue(), view.api);
        for (Problem& problem : read.problems)
            view.course_problems.emplace_back(
                problem.what_happened, problem.why, problem.hint,
                fmt::format("{}/{}", folder.filename().string(), problem.where));
        if (!read.lesson) continue;
        CourseEntry entry{folder, std::move(*read.lesson), {}};
        std::optional<Problem> damaged;
        const std::uint64_t seed = view.exam.empty() ? 0 : lessons::seed_of(view.exam);
        entry.progress.lesson = entry.lesson.id;
        entry.progress.seed = seed;
        if (view.session.options().remember)
            entry.progress = lessons::load_progress(entry.lesson.id, damaged, seed);
        else
            for (const CourseEntry& each : before)
                if (each.folder == folder && each.progress.seed == seed)
                    entry.progress = each.progress;
        if (damaged) view.session.notices.report("learn", *damaged, true);
        view.course.push_back(std::move(entry));
    }
    if (view.folders.empty())
        view.course_problems.emplace_back("There is no lesson here",
                                          "A lesson is a folder with a file lesson.md",
                                          "Open such a folder, or one that holds some");
}

bool other_words(const LearnView& view) {
    return view.language != view.session.settings().language || view.api != view.session.api();
}

// The same page in another language or other terms, or after an edit of its file: drafts are kept,
// but a kernel that is yet to be edited has its new text.
void reload(LearnView& view) {
    const std::string lesson = view.lesson_id(), page = view.page_id();
    const std::optional<std::uint64_t> seed = view.seed();
    if (view.draft_due) save_progress(view);
    read_course(view, view.folders);
    go_to_page(view, lesson, page, seed);
}

}  // namespace

void open_page(LearnView& view, std::size_t place) {
    if (view.lesson() == nullptr || place >= view.lesson()->pages.size()) return;
    stop_checking(view);
    view.drawn.reset();
    view.page_place = place;
    lessons::Progress& progress = entry_of(view).progress;
    const std::string& page = view.page()->id;
    view.again = progress.done(page) && progress.drafts.contains(page);
    view.wanted_lesson = view.lesson_id();
    view.wanted_page = progress.page = page;
    work_out(view);
    save_progress(view);
}

bool next_page(LearnView& view) {
    if (view.lesson() == nullptr) return false;
    if (view.page_place + 1 < view.lesson()->pages.size()) {
        open_page(view, view.page_place + 1);
        return true;
    }
    if (!can_open_lesson(view, 1)) return false;
    open_lesson(view, view.lesson_place + 1);
    return true;
}

bool previous_page(LearnView& view) {
    if (view.lesson() == nullptr || view.page_place == 0) return false;
    open_page(view, view.page_place - 1);
    return true;
}

void go_to_page(LearnView& view, std::string lesson, std::string page,
                std::optional<std::uint64_t> seed) {
    view.wanted_lesson = lesson;
    view.wanted_page = page;
    view.wanted_seed = seed;
    if (view.course.empty()) return;
    const CourseEntry* found =
        find_if(view.course, [&](const CourseEntry& entry) { return entry.lesson.id == lesson; });
    if (found == nullptr && !lesson.empty())
        view.session.notices.report(
            "learn",
            Problem(fmt::format("The course has no lesson '{}'", lesson),
                    "A link or a saved state names it", "The first lesson is open instead"),
            true);
    open_lesson(view, found == nullptr ? 0 : static_cast<std::size_t>(found - view.course.data()));
    const auto& pages = view.lesson()->pages;
    for (std::size_t i = 0; i < pages.size(); ++i)
        if (pages[i].id == page) open_page(view, i);
    if (seed && view.exam.empty() && view.page_id() == page && *seed != view.page()->seed)
        work_out(view, true, seed);
}

void open_folder(LearnView& view, const fs::path& folder) {
    std::vector<fs::path> folders = lessons::lesson_folders(folder);
    if (folders.empty())
        throw Problem(fmt::format("There is no lesson in '{}'", folder.filename().string()),
                      "A lesson is a folder with a file lesson.md",
                      "docs/lessons.md says how to write one", folder.string());
    view.own_folder = true;
    view.wanted_lesson = view.wanted_page = {};
    read_course(view, std::move(folders));
    open_lesson(view, 0);
}

bool can_open_lesson(const LearnView& view, int by) {
    const auto place = static_cast<std::ptrdiff_t>(view.lesson_place) + by;
    return place >= 0 && place < static_cast<std::ptrdiff_t>(view.course.size());
}

void open_lesson(LearnView& view, std::size_t place) {
    if (place >= view.course.size()) return;
    view.lesson_place = place;
    const CourseEntry& entry = view.course[place];
    view.runs =
        std::make_unique<lessons::Runs>(lessons::Library{view.session.catalogue(), entry.folder});
    view.watch.reset();
    if (view.own_folder)
        view.watch = std::make_unique<FileWatch>(entry.folder, view.session.options().wake);
    std::size_t first = 0;
    for (std::size_t i = 0; i < entry.lesson.pages.size(); ++i)
        if (entry.lesson.pages[i].id == entry.progress.page) first = i;
    open_page(view, first);
}

void explore(LearnView& view) {
    const lessons::Page* page = view.page();
    if (page == nullptr) return;
    const lessons::Show show = answered_show(*page, view.open.draft);
    RunChoice choice;
    if (lessons::is_kernel_file(show.variant)) {
        open_kernel(view.session, entry_of(view).folder / show.variant);
        choice = view.session.settings().choice;
    } else {
        choice.variant = show.variant;
    }
    choice.shape = show.shape;
    choice.machine = show.machine;
    view.session.choose(std::move(choice));
    if (lessons::view_of(*page) == lessons::PageView::schedule)
        view.session.show_view<RaceView>();
    else
        view.session.show_view<StepView>();
}

fs::path hand_in_file(const std::string& name) {
    std::string stem = "answers";
    if (const std::string_view of = trimmed(name); !of.empty()) stem += "-" + std::string(of);
    std::replace(stem.begin(), stem.end(), '/', '-');
    return documents_folder() / (stem + ".json");
}

void hand_in(const LearnView& view, const fs::path& file, const std::string& name) {
    if (name.find_first_not_of(" \t") == std::string::npos)
        throw Problem("Your name is missing", "Nobody could tell whose answers these are",
                      "Type your name");
    lessons::HandIn hand_in;
    hand_in.name = view.exam.empty() ? name : view.exam;
    for (const CourseEntry& entry : view.course)
        if (!entry.progress.pages.empty()) {
            hand_in.lessons.push_back(entry.progress);
            hand_in.lessons.back().drafts.clear();
        }
    if (hand_in.lessons.empty())
        throw Problem("There is nothing to hand in yet", "No page has been answered",
                      "Answer one first");
    write_hand_in(hand_in, file);
}

void take_exam(LearnView& view, const std::string& name) {
    const std::string taken(trimmed(name));
    if (taken.empty() && view.exam.empty())
        throw Problem("Your name is missing", "Nobody could tell whose answers these are",
                      "Type your name");
    const std::string page = view.page_id();
    if (view.draft_due) save_progress(view);
    view.exam = taken;
    if (view.session.options().remember)
        view.session.notices.attempt("learn", [&] { write_file(exam_file(), taken); });
    read_course(view, view.folders);
    go_to_page(view, view.wanted_lesson, page);
}

lessons::Text hint_of(const LearnView& view, std::size_t place) {
    return filled(view.page()->hints[place], filling(view));
}

lessons::Paragraph reason_words(const LearnView& view, std::size_t place) {
    return filled(view.page()->reasons[place].words, filling(view)).front();
}

bool can_show_hint(const LearnView& view) {
    return view.page() != nullptr && !view.done() && view.exam.empty() &&
           view.open.hints_shown < view.page()->hints.size();
}

void show_hint(LearnView& view) {
    if (!can_show_hint(view)) return;
    ++view.open.hints_shown;
    std::size_t& most = view.hints[{view.lesson_id(), view.page_id()}];
    most = std::max(most, view.open.hints_shown);
    ++view.reply_version;
}

// The draft.

bool arranges_lines(const LearnView& view) {
    return view.asks(AskKind::edit) && view.asks_for(lessons::Picked::order);
}

namespace {

// As it is now, on its page, and soon in its file.
void keep_draft(LearnView& view) {
    view.open.asks_why = false;
    if (!view.done()) view.open.draft.reason.clear();
    if (!view.exam.empty()) view.open.feedback.reset();  // it says that the former one was noted
    if (view.page() == nullptr || !view.page()->ask || view.done()) return;
    const lessons::Answer& draft = view.open.draft;
    auto& drafts = entry_of(view).progress.drafts;
    const bool nothing =
        draft.picks.empty() && all_of(draft.texts, [](const auto& text) { return text.empty(); });
    const bool start =
        view.asks(AskKind::edit) && draft.texts == std::vector<std::string>{view.open.kernel};
    if ((nothing || start) && view.progress() == nullptr)
        drafts.erase(view.page_id());
    else
        drafts[view.page_id()] = draft;
    if (!view.draft_due) view.draft_due = Clock::now() + kDraftTime;
}

// Null if the last one is of another page.
const Replaced* last_of(const LearnView& view, const std::vector<Replaced>& list) {
    if (list.empty() || view.page() == nullptr) return nullptr;
    const Replaced& last = list.back();
    return last.lesson == view.lesson_id() && last.page == view.page_id() ? &last : nullptr;
}

std::optional<Clock::time_point> time_of_last(const LearnView& view,
                                              const std::vector<Replaced>& list) {
    const bool stays = view.checking() || view.open.asks_why;
    const Replaced* last = stays ? nullptr : last_of(view, list);
    return last != nullptr ? std::optional(last->when) : std::nullopt;
}

// What was in its place can be brought back.
void replace_draft(LearnView& view, lessons::Answer draft) {
    ++view.replacements;
    if (draft == view.open.draft) return;
    if (view.replaced.size() >= kMostReplaced) view.replaced.erase(view.replaced.begin());
    view.replaced.push_back(
        {view.lesson_id(), view.page_id(), view.open.draft, draft, Clock::now()});
    view.brought_back.clear();
    view.open.draft = std::move(draft);
}

void swap_draft(LearnView& view, std::vector<Replaced>& from, std::vector<Replaced>& to) {
    if (last_of(view, from) == nullptr) return;
    Replaced last = std::move(from.back());
    from.pop_back();
    last.after = std::exchange(last.before, view.open.draft);  // the one that is brought back
    ++view.replacements;
    view.again = view.again || view.done();
    entry_of(view).progress.drafts[view.page_id()] = last.after;
    to.push_back(std::move(last));
    work_out(view);
    save_progress(view);
}

// As many as are shown as buttons.
std::vector<std::uint64_t> first_numbers(std::size_t count) {
    std::vector<std::uint64_t> numbers(std::min(count, kMostPicks));
    std::iota(numbers.begin(), numbers.end(), std::uint64_t{0});
    return numbers;
}

// As the text has them, header and all, without blank ones.
std::vector<std::uint64_t> lines_of_code(const std::string& kernel) {
    const std::string_view text = kernel, header = lessons::header_of(text);
    std::vector<std::uint64_t> numbers;
    std::uint64_t number = text_lines(header).size();
    for (const std::string_view line : text_lines(text.substr(header.size()))) {
        if (line.find_first_not_of(" \t\r") != std::string_view::npos) numbers.push_back(number);
        ++number;
    }
    return numbers;
}

}  // namespace

bool just_replaced(const LearnView& view) {
    const Replaced* last = last_of(view, view.replaced);
    return last != nullptr && last->after == view.open.draft;
}

void set_text(LearnView& view, std::size_t field, std::string text) {
    if (view.closed()) return;  // a field that had the keys gives back what was in it
    auto& texts = view.open.draft.texts;
    if (field >= texts.size()) texts.resize(field + 1);
    if (texts[field] == text) return;
    texts[field] = std::move(text);
    if (view.open.feedback && view.open.feedback->no_try) view.open.feedback.reset();
    keep_draft(view);
}

std::vector<std::uint64_t> choices(const LearnView& view) {
    const LearnPage& open = view.open;
    if (view.page() == nullptr || !view.page()->ask || view.closed() || open.problem) return {};
    const lessons::Picked picked = open.question.picked;
    if (picked == lessons::Picked::line) return lines_of_code(open.kernel);
    const bool items = picked == lessons::Picked::items;
    if ((items || picked == lessons::Picked::cells) && open.run != nullptr) {
        const auto& rows = open.run->table.rows;
        const analysis::Row& row = rows[std::min(open.question.row, rows.size() - 1)];
        return first_numbers(items ? row.global : row.cells.size());
    }
    return first_numbers(open.question.options.size());
}

void point_next(LearnView& view, int by) {
    LearnPage& open = view.open;
    const auto next = [by](std::size_t place, std::size_t count) {
        const auto all = static_cast<std::ptrdiff_t>(count);
        return static_cast<std::size_t>((static_cast<std::ptrdiff_t>(place) + by + all) % all);
    };
    if (view.asks(AskKind::schedule)) {
        if (open.race && !open.race->ready().empty())
            open.picked = next(open.picked, open.race->ready().size());
        return;
    }
    if (open.asks_why) {
        const std::size_t count = view.page()->reasons.size();
        open.pointed_reason = open.pointed_reason ? next(*open.pointed_reason, count)
                              : by > 0            ? 0
                                                  : count - 1;
        return;
    }
    const std::vector<std::uint64_t> all = choices(view);
    if (all.empty()) return;
    std::size_t place = by > 0 ? 0 : all.size() - 1;
    if (open.pointed) {
        const std::size_t found = position_of(all, *open.pointed);
        if (found < all.size()) place = next(found, all.size());
    } else if (!view.page()->show.lines.empty() && view.asks_for(lessons::Picked::line)) {
        // The marked lines are where one looks first.
        const auto first =
            std::lower_bound(all.begin(), all.end(), view.page()->show.lines.front().first);
        if (first != all.end()) place = static_cast<std::size_t>(first - all.begin());
    }
    open.pointed = all[place];
}

bool is_chosen(const LearnView& view, std::uint64_t choice) {
    return contains(view.open.draft.picks, choice);
}

void choose(LearnView& view, std::uint64_t choice) {
    if (view.closed()) return;
    const lessons::Question& question = view.open.question;
    auto& picks = view.open.draft.picks;
    if (std::erase(picks, choice) == 0) {
        const bool ordered = question.picked == lessons::Picked::order;
        if (!question.several && !ordered) picks.clear();
        picks.push_back(choice);
        if (!ordered) sort(picks);
    }
    if (arranges_lines(view))
        view.open.draft.texts = {arranged(*view.page(), question, picks, view.runs->library())};
    auto& feedback = view.open.feedback;
    if (feedback && !feedback->right && !feedback->given_up) feedback.reset();
    keep_draft(view);
}

// Once a schedule was answered, its run stays the one that the verdict is about.
bool can_act(const LearnView& view) {
    return view.open.race != nullptr && !(view.page()->ask && view.closed());
}

void act(LearnView& view, std::size_t place) {
    LearnPage& open = view.open;
    if (!can_act(view) || place >= open.race->ready().size()) return;
    const analysis::WarpView& warp = *open.race->ready()[place];
    open.race->act(warp.group, warp.warp);
    if (open.feedback && !open.feedback->right) open.feedback.reset();
    open.draft.texts = {in_a_line(open.race->turns())};
    keep_draft(view);
    const std::size_t ready = open.race->ready().size();
    open.picked = ready == 0 ? 0 : std::min(open.picked, ready - 1);
}

// The answer.

namespace {

// All that the judging of an edited kernel needs, on whatever thread.
struct Edit {
    const lessons::Page page;
    const lessons::Question question;
    const lessons::Answer draft;
    const catalogue::Catalogue catalogue;
    const fs::path folder;
    lessons::Runs runs{{catalogue, folder}};
    std::optional<lessons::EditInParts> parts = {};

    std::optional<lessons::Feedback> go_on() {
        if (!parts) parts.emplace(page, question, draft, runs);
        return parts->go_on();
    }
};

// Hints count even where the page was left after them.
void note_hints(const LearnView& view, lessons::PageProgress& kept) {
    const auto found = view.hints.find({view.lesson_id(), view.page_id()});
    if (found == view.hints.end()) return;
    kept.hints = std::max(kept.hints, static_cast<std::uint32_t>(found->second));
}

// What was right stays so, whatever is tried after it; what was shown stays on record, and so do
// the tries.
void record(LearnView& view, const lessons::Feedback& feedback) {
    lessons::Progress& progress = entry_of(view).progress;
    lessons::PageProgress& kept = progress.pages[view.page_id()];
    const bool right = feedback.right || !view.open.question.graded;
    if (!kept.right) {
        ++kept.tries;
        note_hints(view, kept);
        if (!right && kept.wrong.size() < lessons::kMostWrong)
            kept.wrong.push_back(view.open.checked);
    }
    if (right || !view.again) kept.answer = view.open.checked;
    kept.right = kept.right || right;
    kept.measured = kept.measured || feedback.measured;
    if (right || feedback.measured) {
        view.again = false;
        progress.drafts.erase(view.page_id());
    }
}

// Replays the run up to the row that the question is about, or to its end, for those who were wrong
// about why.
void replay(LearnView& view) {
    const LearnPage& open = view.open;
    const lessons::Reason* reason = reason_of(*view.page(), open.draft);
    if (reason == nullptr || reason->right() || !view.told() || view.last_position() == 0) return;
    view.go_to(0);
    view.play(true, open.race || open.question.row == 0 ? view.last_position() : open.question.row);
}

void take(LearnView& view, Judged judged) {
    if (!judged.feedback.no_try) record(view, judged.feedback);
    view.open.feedback = std::move(judged.feedback);
    if (view.told()) show_table(view);
    show_reply(view, std::move(judged.reply));
    replay(view);
    save_progress(view);
}

// An edited kernel may take its time: it is judged beside, on runs of its own.
void judge_edit(LearnView& view) {
    auto edit = std::shared_ptr<Edit>(new Edit{*view.page(), view.open.question, view.open.draft,
                                               view.session.catalogue(), entry_of(view).folder});
    view.judge.start(
        [edit, given_up = has_given_up(view)](const std::atomic<bool>&) -> std::optional<Judged> {
            std::optional<lessons::Feedback> feedback = edit->go_on();
            if (!feedback) return std::nullopt;
            feedback->given_up = given_up && !feedback->right;
            lessons::Text reply =
                reply_to(edit->page, edit->question, edit->draft, *feedback, edit->runs);
            return Judged{std::move(*feedback), std::move(reply)};
        });
}

// In an exam. Whether it is right the grader finds.
void note_draft(LearnView& view) {
    lessons::Progress& progress = entry_of(view).progress;
    progress.pages[view.page_id()].answer = view.open.draft;
    progress.drafts.erase(view.page_id());
    lessons::Feedback& noted = view.open.feedback.emplace();
    noted.no_try = true;
    noted.message = {"learn.noted", {}, {}};
    ++view.reply_version;
    save_progress(view);
}

void judge_draft(LearnView& view) {
    LearnPage& open = view.open;
    if (view.asks(AskKind::schedule)) open.draft.texts = {in_a_line(open.race->all_turns())};
    if (!view.exam.empty()) return note_draft(view);
    open.checked = open.draft;
    if (view.asks(AskKind::edit)) return judge_edit(view);
    if (view.asks(AskKind::measure) && !open.measured.answer) return measure(view);
    take(view, judged(view, judge(*view.page(), open.question, open.draft, *view.runs,
                                  measured_by(view))));
}

}  // namespace

bool can_check(const LearnView& view) {
    const LearnPage& open = view.open;
    if (view.page() == nullptr || !view.page()->ask || open.problem || view.checking() ||
        open.asks_why || view.spent())
        return false;
    if (open.feedback && open.draft == open.checked) return false;
    const auto& [texts, picks, reason, seed] = open.draft;
    if (view.asks(AskKind::schedule)) return open.race && open.race->at_end();
    if (arranges_lines(view)) return !picks.empty();
    if (view.asks_for(lessons::Picked::order)) return picks.size() == open.question.options.size();
    if (!open.question.fields.empty())
        return none_of(texts, [](const std::string& text) { return text.empty(); });
    return !picks.empty() || (!texts.empty() && !texts.front().empty());
}

bool shows_reasons(const LearnView& view) {
    const LearnPage& open = view.open;
    return open.asks_why || (open.feedback && !open.feedback->no_try && !open.draft.reason.empty());
}

void choose_reason(LearnView& view, std::size_t place) {
    LearnPage& open = view.open;
    if (!open.asks_why || place >= view.page()->reasons.size()) return;
    keep_draft(view);
    open.draft.reason = view.page()->reasons[place].name;
    judge_draft(view);
}

void check(LearnView& view) {
    if (!can_check(view)) return;
    LearnPage& open = view.open;
    if (auto refused = unreadable(open.question, open.draft)) {
        open.checked = open.draft;
        return take(view, judged(view, std::move(*refused)));
    }
    // A measurement that failed is tried again with the reason that was given.
    const bool again = open.measured.problem && !open.draft.reason.empty();
    if (view.page()->reasons.empty() || again) return judge_draft(view);
    keep_draft(view);
    open.asks_why = true;
    open.pointed.reset();
    open.pointed_reason.reset();
    open.feedback.reset();
    ++view.reply_version;
    if (!view.done()) entry_of(view).progress.drafts[view.page_id()].reason = kAsked;
    save_progress(view);
}

void give_up(LearnView& view) {
    LearnPage& open = view.open;
    if (view.page() == nullptr || !view.page()->ask || view.done() || !view.exam.empty()) return;
    lessons::Progress& progress = entry_of(view).progress;
    progress.drafts.erase(view.page_id());
    if (view.again) {  // the student's own right answer, or the one that was shown before
        view.again = false;
        const lessons::Answer before = open.draft;
        work_out(view);
        replace_draft(view, std::exchange(open.draft, before));
        return save_progress(view);
    }
    lessons::PageProgress& kept = progress.pages[view.page_id()];
    kept.given_up = true;
    note_hints(view, kept);
    open.asks_why = false;
    const lessons::Answer right = right_answer(*view.page(), open.question, *view.runs);
    if (!right.empty()) replace_draft(view, right);
    kept.answer = open.draft;
    open.feedback.emplace();
    open.feedback->given_up = true;
    open.feedback->right_fields.assign(open.question.fields.size(), true);
    show_table(view);
    if (view.asks(AskKind::schedule) && open.race && !open.draft.texts.empty()) {
        open.race->replace(machine::parse_turns(open.draft.texts.front(), "turns"));
        open.race->go_to(0);
        view.play(true);
    }
    show_reply(view, judged(view, *open.feedback).reply);
    save_progress(view);
}

// A prediction is made before anything was measured, and so only once.
bool can_start_again(const LearnView& view) {
    return view.page() != nullptr && view.page()->ask && !view.checking() && !view.open.asks_why &&
           !view.asks(AskKind::measure) &&
           (view.progress() != nullptr ||
            view.course[view.lesson_place].progress.drafts.contains(view.page_id()));
}

void start_again(LearnView& view) {
    if (!can_start_again(view)) return;
    const lessons::Answer before = view.open.draft;
    const std::uint64_t seed = view.page()->seed + (view.spent() ? 1 : 0);
    view.again = view.again || view.done();
    entry_of(view).progress.drafts.erase(view.page_id());
    work_out(view, true, seed);
    replace_draft(view, std::exchange(view.open.draft, before));
    keep_draft(view);
    save_progress(view);
}

bool can_draw_another(const LearnView& view) {
    return view.page() != nullptr && !view.page()->vary.empty() && !view.checking() &&
           view.exam.empty();
}

// In front of a class nothing is kept of it.
void draw_another(LearnView& view) {
    if (!can_draw_another(view)) return;
    const Stage stage = std::min(view.open.stage, Stage::question);
    if (!view.presenting) entry_of(view).progress.drafts.erase(view.page_id());
    work_out(view, true, view.page()->seed + 1);
    if (!view.presenting) return save_progress(view);
    view.open.row = view.open.at;
    if (stage == Stage::question) reveal(view, 1);
}

// A prediction, tried on the real device by the worker.

namespace {

nlohmann::json trials_request(const lessons::Page& page) {
    nlohmann::json request = page.show;
    request["count"] = page.ask->trials;
    return request;
}

nlohmann::json measure_request(const lessons::Page& page) {
    results::MeasureRequest request;
    request.variants = page.ask->kernels;
    request.sizes = {catalogue::parse_size(page.ask->n.empty() ? "2^22" : page.ask->n)};
    request.shape = page.show.shape;
    request.shape.n.reset();
    request.shape.set.clear();
    request.shape.input = {};
    request.references = false;
    request.limit_s = 0.5;
    return request;
}

lessons::Measured of_trials(const results::Trials& trials) {
    lessons::Measured measured;
    measured.device = trials.device;
    measured.runs = trials.count;
    for (const auto& each : trials.results) {
        measured.counts[each.result] += each.count;
        if (each.right) measured.right += each.count;
    }
    return measured;
}

lessons::Measured of_rows(const results::Measurements& rows) {
    lessons::Measured measured;
    measured.device = rows.device.name;
    for (const results::Row& row : rows.rows)
        if (row.kind == "variant") measured.seconds[row.variant] = row.device_median() * 1e-3;
    return measured;
}

// Measured again, the prediction stays as it was judged.
void take_measurement(LearnView& view, lessons::Measured measured) {
    LearnPage& open = view.open;
    const bool again = view.done();
    open.measured.waiting = false;
    open.measured.answer = std::move(measured);
    if (again)
        show_reply(view, judged(view, *open.feedback).reply);
    else
        take(view, judged(view, judge(*view.page(), open.question, open.draft, *view.runs,
                                      measured_by(view))));
}

}  // namespace

void measure(LearnView& view) {
    const lessons::Page& page = *view.page();
    const bool trials = page.ask->predict == lessons::Predict::share;
    LearnPage& open = view.open;
    open.measured.waiting = true;
    open.measured.problem.reset();
    open.rows.reset();
    open.progress = {};
    ++open.rows_version;
    worker::Handler handle;
    handle.progress = [&open, trials](const nlohmann::json& progress) {
        open.progress = read_progress(progress);
        if (trials || !progress.contains("results")) return;  // those of trials are no rows
        auto more = progress.at("results").get<results::Measurements>();
        more.complete = true;  // what is still to come is no fault of theirs
        if (open.rows)
            merge(*open.rows, more);
        else
            open.rows = std::move(more);
        ++open.rows_version;
    };
    handle.result = [&view, trials](const nlohmann::json& answer) {
        if (trials) return take_measurement(view, of_trials(answer.get<results::Trials>()));
        view.open.rows = answer.get<results::Measurements>();
        ++view.open.rows_version;
        take_measurement(view, of_rows(*view.open.rows));
    };
    handle.problem = [&open](const Problem& problem) {
        open.measured.waiting = false;
        open.measured.problem = problem;
    };
    view.ticket = view.worker.send(trials ? "trials" : "measure",
                                   trials ? trials_request(page) : measure_request(page),
                                   std::move(handle), kSilence);
}

bool can_measure_again(const LearnView& view) {
    return view.asks(AskKind::measure) && view.told() && !view.open.problem && !view.checking();
}

// In front of a class.

namespace {

// The words come first, whether or not the teacher has answered the page before.
void begin_presenting(LearnView& view) {
    LearnPage& open = view.open;
    view.presenting = view.session.presenting;
    if (view.page() == nullptr) return;
    open.stage = Stage::words;
    open.right = {};
    if (open.problem) return;
    open.row = open.at;
    show_table(view);
    if (open.race && !view.asks(AskKind::schedule)) open.race->go_to(open.at_time);
}

// Empty where hands cannot answer: nothing is asked, or a sentence, a schedule, a kernel, an order.
std::optional<HandPoll> poll_of(const LearnView& view) {
    if (!view.page()->ask || view.asks(AskKind::schedule) || view.asks(AskKind::edit) ||
        view.asks(AskKind::reflect) || view.asks_for(lessons::Picked::order))
        return std::nullopt;
    HandPoll poll;
    const auto& options = view.open.question.options;
    for (std::size_t i = 0; i < options.size(); ++i)
        poll.choices.push_back({i, "", options[i].right, 0});
    poll.by_value = options.empty();
    return poll;
}

HandPoll poll_of_reasons(const lessons::Page& page) {
    HandPoll poll;
    poll.why = true;
    for (std::size_t i = 0; i < page.reasons.size(); ++i)
        poll.choices.push_back({i, "", page.reasons[i].right(), 0});
    return poll;
}

// Nothing of it is kept: the teacher's own answer stays as it was.
void tell(LearnView& view) {
    LearnPage& open = view.open;
    const lessons::Page& page = *view.page();
    open.right = right_answer(page, open.question, *view.runs);
    const lessons::Show show = answered_show(page, open.right);
    lessons::Filling with = filling(view);
    with.given = &open.right;
    open.right_words =
        view.asks(AskKind::edit)
            ? filled(page.after, {show, *view.runs, &open.question, &open.right, nullptr})
            : filled(page.after, with);
}

}  // namespace

std::optional<std::uint32_t> hands_of(const std::string& text) {
    const auto hands = parse_number<std::uint32_t>(text);
    return hands && *hands <= kMostHands ? hands : std::nullopt;
}

std::optional<std::size_t> HandPoll::common_mistake() const {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < choices.size(); ++i)
        if (!choices[i].right && choices[i].hands > (found ? choices[*found].hands : 0)) found = i;
    return found;
}

void reveal(LearnView& view, int by) {
    if (view.page() == nullptr) return;
    LearnPage& open = view.open;
    const Stage last = view.page()->ask && !open.problem ? Stage::answer : Stage::words;
    if (open.stage == (by > 0 ? last : Stage::words)) {
        by > 0 ? next_page(view) : previous_page(view);
        return;
    }
    if (open.stage == Stage::reasons) std::swap(open.poll, open.why_poll);
    const auto go_on = [&] { open.stage = static_cast<Stage>(static_cast<int>(open.stage) + by); };
    go_on();
    if (open.stage == Stage::reasons && view.page()->reasons.empty()) go_on();
    if (open.stage == Stage::reasons) std::swap(open.poll, open.why_poll);
    if (open.stage == Stage::question && !open.poll) open.poll = poll_of(view);
    if (open.stage == Stage::reasons && !open.poll) open.poll = poll_of_reasons(*view.page());
    open.right = {};
    if (open.stage == Stage::answer) tell(view);
    open.row = std::max(open.row, open.at);
    show_table(view);
}

void count_hands(LearnView& view, std::uint32_t hands) {
    auto& poll = view.open.poll;
    if (poll && poll->place < poll->choices.size())
        poll->choices[poll->place].hands = std::min(hands, kMostHands);
}

// The choice of that value, a new one if nobody said it before, becomes the one that is counted.
void count_value(LearnView& view, const std::string& value) {
    auto& poll = view.open.poll;
    if (!poll || !poll->by_value || value.empty()) return;
    const lessons::Answer answer = answer_of_value(view.open.question, value);
    const auto texts = mapped<std::string>(poll->choices, &PollChoice::text);
    poll->place = position_of(texts, value);
    if (poll->place == texts.size())
        poll->choices.push_back(
            {{}, value, judge(*view.page(), view.open.question, answer, *view.runs).right, 0});
}

void point_poll(LearnView& view, std::size_t place) {
    if (view.open.poll && place < view.open.poll->places()) view.open.poll->place = place;
}

lessons::Answer answer_of_value(const lessons::Question& question, const std::string& value) {
    if (question.kind == AskKind::input) return {{value}, {}};
    lessons::Answer answer;
    for (std::size_t at = 0; (at = value.find_first_not_of(" ,;", at)) != std::string::npos;) {
        const std::size_t end = std::min(value.find_first_of(" ,;", at), value.size());
        answer.texts.push_back(value.substr(at, end - at));
        at = end;
    }
    if (!question.fields.empty()) return answer;
    for (const std::string& text : std::exchange(answer.texts, {}))
        answer.picks.push_back(std::strtoull(text.c_str(), nullptr, 10));
    sort(answer.picks);
    return answer;
}

// What the shell asks of it.

std::size_t LearnView::last_position() const {
    if (open.race) {
        const bool hides = !asks(AskKind::schedule) && page()->show.hide_later && !told();
        return hides ? std::min<std::size_t>(open.at_time, open.race->length())
                     : open.race->length();
    }
    if (open.run == nullptr) return 0;
    return open.hidden_from > 0 ? open.hidden_from - 1 : open.run->table.rows.size() - 1;
}

void LearnView::go_to(std::size_t position) {
    const std::size_t to = std::min(position, last_position());
    if (open.race)
        open.race->go_to(to);
    else
        open.row = to;
}

// Reads what is needed only once it is seen: most starts show another view.
void LearnView::start() {
    std::error_code error;
    if (session.options().remember && fs::exists(exam_file(), error))
        session.notices.attempt("learn", [&] { exam = read_file(exam_file(), 1U << 16U); });
    if (session.shows<LearnView>())
        shown();
    else if (!course.empty())
        reload(*this);
}

void LearnView::shown() {
    if (course.empty() && course_problems.empty()) {
        read_course(*this, lessons::lesson_folders(data_folder() / "assets" / "lessons"));
        if (wanted_lesson.empty())
            for (const CourseEntry& entry : course)  // where one was
                if (entry.answered() > 0 && entry.answered() < entry.asked())
                    wanted_lesson = entry.lesson.id;
        go_to_page(*this, wanted_lesson, wanted_page, wanted_seed);
    } else if (other_words(*this)) {
        reload(*this);
    }
}

void LearnView::poll() {
    worker.poll();
    if (auto result = judge.take()) {
        if (auto* problem = std::get_if<Problem>(&*result)) {
            open.feedback.emplace();
            open.feedback->problem = *problem;
        } else {
            take(*this, std::move(std::get<0>(*result)));
        }
    }
    if (draft_due && Clock::now() >= *draft_due) save_progress(*this);
    rest_if_over(lattice);
    if (presenting != session.presenting) begin_presenting(*this);
    if (!session.shows<LearnView>()) return;
    if (watch && watch->changed()) reload(*this);
    if (!course.empty() && other_words(*this)) reload(*this);
}

std::optional<View::Clock::time_point> LearnView::next_move() const {
    if (draft_due) return draft_due;
    if (open.has_lattice && lattice.moving) return next_frame(lattice);
    return watch && session.shows<LearnView>() ? watch->next_look() : std::nullopt;
}

void LearnView::cancel() {
    stop_checking(*this);
}

std::vector<PlacedProblem> LearnView::problems() const {
    return placed({{"learn", open.problem}, {"learn", open.measured.problem}});
}

std::optional<View::Clock::time_point> LearnView::undoable() const {
    return time_of_last(*this, replaced);
}
std::optional<View::Clock::time_point> LearnView::redoable() const {
    return time_of_last(*this, brought_back);
}
void LearnView::undo() {
    swap_draft(*this, replaced, brought_back);
}
void LearnView::redo() {
    swap_draft(*this, brought_back, replaced);
}

bool LearnView::edits_text() const {
    return page() != nullptr && asks(AskKind::edit) && !arranges_lines(*this);
}

bool LearnView::takes_digits() const {
    if (page() == nullptr || open.problem) return false;
    // In front of a class no digit leads away, whether or not there is a poll.
    return presenting || open.asks_why ||
           (page()->ask && !asks_for(lessons::Picked::line) && !asks(AskKind::schedule));
}

// A moment as a page.

static std::string order_of(const std::vector<machine::ScheduleSlice>& turns) {
    return std::string(machine::kTurnsPrefix) + in_a_line(turns);
}

// The order and the place of a run that is acted out; an order that has a name keeps it.
static void take_race(const Race& race, const analysis::MachineRun& stepped, lessons::Show& show) {
    const std::vector<machine::ScheduleSlice> turns = race.all_turns();
    const bool same = stepped.run != nullptr && machine::turns_of(stepped.run->trace()) == turns;
    const machine::SchedulingPolicy& order = stepped.spec.machine.order;
    const bool named = same && order.kind != machine::SchedulingPolicy::Kind::list;
    show.machine.order = named ? machine::text_of(order) : order_of(turns);
    show.view = "race";
    if (race.at_end())
        show.at = {lessons::Place::Kind::end, 0};
    else if (race.cursor() > 0)
        show.at = {lessons::Place::Kind::action, race.cursor()};
}

// The schedule of the run that is shown, so that the page shows the same.
static void take_steps(const StepView& view, lessons::Show& show) {
    const machine::Run* run = view.simulated.run->run;
    const machine::SchedulingPolicy& order = view.simulated.run->spec.machine.order;
    const bool list = order.kind == machine::SchedulingPolicy::Kind::list && run != nullptr;
    show.machine.order = list ? order_of(machine::turns_of(run->trace())) : machine::text_of(order);
    const std::size_t last = view.table.answer ? view.table.answer->rows.size() - 1 : 0;
    if (view.cursor >= last)
        show.at = {lessons::Place::Kind::end, 0};
    else if (view.cursor > 0)
        show.at = {lessons::Place::Kind::row, view.cursor};
}

void add_moment(const Session& session, const fs::path& folder, const std::string& heading) {
    const RunChoice& choice = session.settings().choice;
    const StepView& view = session.view<StepView>();
    if (!view.simulated.run)
        throw Problem("There is nothing to show", "No kernel has been run",
                      "Choose another kernel");
    lessons::Show show;
    static_cast<RunChoice&>(show) = choice;
    show.shape.device.clear();
    const Race* race = session.shows<RaceView>() ? session.view<RaceView>().race() : nullptr;
    if (race != nullptr)
        take_race(*race, *view.simulated.run, show);
    else
        take_steps(view, show);
    if (!file_of(choice).empty()) show.variant = fs::path(file_of(choice)).filename().string();
    add_page(folder, heading, show, text_of(choice));
}

}  // namespace lab::session
