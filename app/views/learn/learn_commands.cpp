// The commands of the view Learn, and what a moment keeps of it.
#include <array>
#include <nlohmann/json.hpp>

#include "session/app_commands.h"
#include "views/learn/learn.h"

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
bool can_give_up(const Session& session) {
    return here(session) && !learn(session).done() && learn(session).exam.empty();
}

bool presents(const Session& session) {
    return here(session) && session.presenting;
}

// Checks what can be checked, and goes on once the page is done.
void go_on(Session& session) {
    LearnView& view = learn(session);
    if (view.done() || !view.page()->ask || view.noted())
        next_page(view);
    else if (view.spent())
        draw_another(view);
    else
        check(view);
}

constexpr std::array kCommands{
    Command{"learn.check", "Alt+Enter",
            [](const Session& s) {
                const LearnView& view = learn(s);
                return here(s) && (view.done() || view.spent() || can_check(view));
            },
            go_on},
    Command{"learn.hint", "Alt+H",
            [](const Session& s) { return here(s) && can_show_hint(learn(s)); },
            [](Session& s) { show_hint(learn(s)); }},
    Command{"learn.give_up", "Alt+G", can_give_up, [](Session& s) { give_up(learn(s)); }},
    Command{"learn.again", "Alt+Backspace",
            [](const Session& s) { return here(s) && can_start_again(learn(s)); },
            [](Session& s) { start_again(learn(s)); }},
    Command{"learn.another", "Alt+O",
            [](const Session& s) { return here(s) && can_draw_another(learn(s)); },
            [](Session& s) { draw_another(learn(s)); }},
    Command{"learn.next", "Alt+Right", here, [](Session& s) { next_page(learn(s)); }},
    Command{"learn.back", "Alt+Left",
            [](const Session& s) { return here(s) && learn(s).page_place > 0; },
            [](Session& s) { previous_page(learn(s)); }},
    Command{"learn.next_lesson", "Alt+PageDown",
            [](const Session& s) { return here(s) && can_open_lesson(learn(s), 1); },
            [](Session& s) { open_lesson(learn(s), learn(s).lesson_place + 1); }},
    Command{"learn.previous_lesson", "Alt+PageUp",
            [](const Session& s) { return here(s) && can_open_lesson(learn(s), -1); },
            [](Session& s) { open_lesson(learn(s), learn(s).lesson_place - 1); }},
    Command{"learn.course", "Alt+C", here, [](Session& s) { s.overlay = "learn.course"; }},
    Command{"learn.explore", "Alt+E", here, [](Session& s) { explore(learn(s)); }},
    Command{"learn.panel", "Alt+P",
            [](const Session& s) { return here(s) && !panel_of(learn(s)).empty(); },
            [](Session& s) {
                learn(s).open.panel_wanted = !learn(s).open.panel_wanted.value_or(true);
            }},
    Command{"learn.measure", "Alt+M",
            [](const Session& s) { return here(s) && can_measure_again(learn(s)); },
            [](Session& s) { measure(learn(s)); }, true},
    Command{"learn.reveal", "Alt+Down", presents, [](Session& s) { reveal(learn(s), 1); }},
    Command{"learn.take_back", "Alt+Up",
            [](const Session& s) {
                return presents(s) &&
                       (learn(s).open.stage != Stage::words || learn(s).page_place > 0);
            },
            [](Session& s) { reveal(learn(s), -1); }},
    Command{"learn.hand_in", "Alt+I", here, [](Session& s) { s.overlay = "learn.hand_in"; }},
    Command{"learn.exam", "Alt+X", here, [](Session& s) { s.overlay = "learn.exam"; }},
    Command{"learn.add_page", "Alt+A", [](const Session& s) { return s.shown_type().shows_kernel; },
            [](Session& s) { s.overlay = "learn.add_page"; }},
};

constexpr std::array<std::string_view, 1> kCheck{"learn.check"};
constexpr std::array kHints{Hint{"learn", kCheck}};

nlohmann::json save(const Session& session) {
    const LearnView& view = learn(session);
    nlohmann::json saved{{"lesson", view.lesson_id()}, {"page", view.page_id()}};
    if (const auto seed = view.seed()) saved["seed"] = *seed;
    return saved;
}

std::function<void(Session&)> read(const nlohmann::json& part) {
    std::optional<std::uint64_t> seed;
    if (part.contains("seed")) seed = part.at("seed").get<std::uint64_t>();
    return [lesson = part.value("lesson", ""), page = part.value("page", ""),
            seed](Session& session) { go_to_page(learn(session), lesson, page, seed); };
}

}  // namespace

constinit const ViewType kLearnView{.id = "learn",
                                    .create = create_view<LearnView>,
                                    .commands = kCommands,
                                    .hints = kHints,
                                    .save = save,
                                    .read = read};

}  // namespace lab::session
