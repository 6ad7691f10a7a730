// The commands of the view Learn, and what a moment keeps of it.
#include <array>
#include <nlohmann/json.hpp>

#include "session/learn/learn_view.h"
#include "session/shell/command_groups.h"

namespace lab::session {
namespace {

LearnView& learn(Session& session) {
    return session.view<LearnView>();
}
const LearnView& learn(const Session& session) {
    return session.view<LearnView>();
}
bool here(const Session& session) {
    return session.shows<LearnView>() && learn(session).page() != nullptr;
}
bool open_question(const Session& session) {
    return here(session) && !learn(session).done();
}

bool presents(const Session& session) {
    return here(session) && session.presenting();
}

// Checks what can be checked, and goes on once the page is done.
void go_on(Session& session) {
    LearnView& view = learn(session);
    if (view.done() || !view.page()->ask)
        view.next_page();
    else
        view.check();
}

constexpr std::array kCommands{
    Command{"learn.check", "Alt+Enter",
            [](const Session& s) { return here(s) && (learn(s).done() || learn(s).can_check()); },
            go_on},
    Command{"learn.hint", "Alt+H",
            [](const Session& s) {
                return open_question(s) && learn(s).hints_shown() < learn(s).page()->hints.size();
            },
            [](Session& s) { learn(s).show_hint(); }},
    Command{"learn.give_up", "Alt+G", open_question, [](Session& s) { learn(s).give_up(); }},
    Command{"learn.again", "Alt+Backspace",
            [](const Session& s) { return here(s) && learn(s).can_start_again(); },
            [](Session& s) { learn(s).start_again(); }},
    Command{"learn.next", "Alt+Right", here, [](Session& s) { learn(s).next_page(); }},
    Command{"learn.back", "Alt+Left",
            [](const Session& s) { return here(s) && learn(s).page_place() > 0; },
            [](Session& s) { learn(s).previous_page(); }},
    Command{"learn.next_lesson", "Alt+PageDown",
            [](const Session& s) { return here(s) && learn(s).can_open_lesson(1); },
            [](Session& s) { learn(s).open_lesson(learn(s).lesson_place() + 1); }},
    Command{"learn.previous_lesson", "Alt+PageUp",
            [](const Session& s) { return here(s) && learn(s).can_open_lesson(-1); },
            [](Session& s) { learn(s).open_lesson(learn(s).lesson_place() - 1); }},
    Command{"learn.course", "Alt+C", here, [](Session& s) { s.show("learn.course"); }},
    Command{"learn.explore", "Alt+E", here, [](Session& s) { learn(s).explore(); }},
    Command{"learn.panel", "Alt+P",
            [](const Session& s) { return here(s) && !learn(s).panel().empty(); },
            [](Session& s) { learn(s).want_panel(!learn(s).panel_wanted(true)); }},
    Command{"learn.measure", "Alt+M",
            [](const Session& s) { return here(s) && learn(s).can_measure_again(); },
            [](Session& s) { learn(s).measure(); }, true},
    Command{"learn.reveal", "Alt+Down", presents, [](Session& s) { learn(s).reveal(1); }},
    Command{"learn.take_back", "Alt+Up",
            [](const Session& s) {
                return presents(s) &&
                       (learn(s).stage() != Stage::words || learn(s).page_place() > 0);
            },
            [](Session& s) { learn(s).reveal(-1); }},
    Command{"learn.hand_in", "Alt+I", here, [](Session& s) { s.show("learn.hand_in"); }},
    Command{"learn.add_page", "Alt+A", [](const Session& s) { return s.shown_type().shows_kernel; },
            [](Session& s) { s.show("learn.add_page"); }},
};

constexpr std::array<std::string_view, 1> kCheck{"learn.check"};
constexpr std::array kHints{Hint{"learn", kCheck}};

nlohmann::json save(const Session& session) {
    const LearnView& view = learn(session);
    return {{"lesson", view.lesson_id()}, {"page", view.page_id()}};
}

std::function<void(Session&)> read(const nlohmann::json& part) {
    return [lesson = part.value("lesson", ""), page = part.value("page", "")](Session& session) {
        learn(session).go_to_page(lesson, page);
    };
}

}  // namespace

constinit const ViewType kLearnView{.id = "learn",
                                    .create = create_view<LearnView>,
                                    .commands = kCommands,
                                    .hints = kHints,
                                    .save = save,
                                    .read = read};

}  // namespace lab::session
