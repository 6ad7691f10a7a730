// Going through what was run, forward and back; and what a moment keeps of it.
#include "views/step/step.h"

#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include "base/paths.h"
#include "base/ranges.h"
#include "lang/cuda.h"
#include "session/app_commands.h"

namespace lab::session {
namespace {

bool before_end(const Session& session) {
    return session.walk().position() < session.walk().last_position();
}
bool after_start(const Session& session) {
    return session.walk().position() > 0;
}
bool in_step(const Session& session) {
    return session.shows<StepView>();
}
bool has_counterpart(const Session& session) {
    return session.shown_type().shows_choice && session.view<StepView>().counterpart();
}
bool lacks_barrier(const Session& session) {
    if (!has_counterpart(session)) return false;
    const StepView& view = session.view<StepView>();
    return view.broken() && view.missing_barrier() && view.missing_barrier()->all > 1;
}
bool can_record(const Session& session) {
    return session.shown_type().shows_kernel && !session.view<StepView>().recorder.recorded.waiting;
}
bool is_cuda(const Session& session) {
    const RunChoice& choice = session.settings().choice;
    return in_step(session) && lang::is_cuda(file_of(choice), text_of(choice));
}
template <int By>
void step(Session& session) {
    session.walk().go_to(session.walk().position() + static_cast<std::size_t>(By));
}

void next_speed(Session& session) {
    constexpr std::array kSpeeds{0.5, 1.0, 2.0, 4.0};
    StepView& view = session.view<StepView>();
    const std::size_t now = position_of(kSpeeds, view.passes_per_second);
    view.passes_per_second = now + 1 < kSpeeds.size() ? kSpeeds.at(now + 1) : kSpeeds[0];
}

void next_grain(Session& session) {
    StepView& view = session.view<StepView>();
    view.set_grain(view.grain == StepUnit::pass   ? StepUnit::line
                   : view.grain == StepUnit::line ? StepUnit::action
                                                  : StepUnit::pass);
}

constexpr std::array kStepCommands{
    Command{"step.first", "Home", after_start, [](Session& s) { s.walk().go_to(0); }},
    Command{"step.back", "Left", after_start, step<-1>},
    Command{"step.play", "Space", [](const Session& s) { return s.walk().last_position() > 0; },
            [](Session& s) { s.walk().play(!s.walk().playing()); }},
    Command{"step.forward", "Right", before_end, step<1>},
    Command{"step.last", "End", before_end,
            [](Session& s) { s.walk().go_to(s.walk().last_position()); }},
    Command{"step.speed", "S", [](const Session& s) { return s.shown().walk() != nullptr; },
            next_speed},
    Command{"step.grain", "A", in_step, next_grain},
    Command{"step.foretell", "P", in_step,
            [](Session& s) { s.view<StepView>().set_foretells(!s.view<StepView>().foretells); }},
    Command{"step.uncover", "U",
            [](const Session& s) { return in_step(s) && s.view<StepView>().hides_next(); },
            [](Session& s) { s.view<StepView>().uncover_next(); }},
    Command{"toggle.broken", "B", has_counterpart,
            [](Session& s) { s.view<StepView>().toggle_broken(); }, false,
            [](const Session& s) { return s.shown_type().shows_choice ? "toggle.none" : nullptr; }},
    Command{"toggle.barrier", "Shift+B", lacks_barrier,
            [](Session& s) { s.view<StepView>().leave_out_next(); }},
    Command{"toggle.beside", "C", in_step,
            [](Session& s) { s.view<StepView>().set_beside(!s.view<StepView>().beside); }},
    Command{"step.record", "Shift+D", can_record,
            [](Session& s) { s.view<StepView>().recorder.start(); }, true},
    Command{"opencl.show", "Shift+T", is_cuda,
            [](Session& s) { s.view<StepView>().side = "opencl"; }},
    Command{"host.show", "Shift+H", has_host_program, show_host_program},
    Command{"host.copy", "Shift+C", has_host_program, copy_host_program},
    Command{"host.save", "Shift+S", has_host_program, save_host_program},
};

constexpr std::array<std::string_view, 5> kStepping{"step.first", "step.back", "step.play",
                                                    "step.forward", "step.last"};
constexpr std::array<std::string_view, 1> kToggle{"toggle.broken"};
constexpr std::array<std::string_view, 2> kVariants{"variant.next", "variant.previous"};
constexpr std::array<std::string_view, 1> kOrders{"order.next"};
constexpr std::array kStepHints{Hint{"step", kStepping}, Hint{"toggle", kToggle},
                                Hint{"variant", kVariants}, Hint{"machine", kOrders}};

constexpr std::array kGrains{"pass", "line", "action"};  // in the order of StepUnit

nlohmann::json save_step(const Session& session) {
    const StepView& view = session.view<StepView>();
    nlohmann::json saved{{"cursor", view.cursor},
                         {"time", view.time},
                         {"grain", kGrains.at(static_cast<std::size_t>(view.grain))},
                         {"speed", view.passes_per_second},
                         {"beside", view.beside},
                         {"foretells", view.foretells}};
    if (view.beside && view.compared) saved["second"] = *view.compared;
    return saved;
}

std::function<void(Session&)> read_step(const nlohmann::json& part) {
    const std::uint64_t cursor = saved_count(part, "cursor");
    const std::uint64_t time = part.contains("time") ? saved_count(part, "time") : 0;
    const std::string word = part.value("grain", kGrains[0]);
    const std::size_t known = position_of(kGrains, word);
    if (known == kGrains.size()) throw unknown_in_state("It goes by '" + word + "'");
    const auto grain = static_cast<StepUnit>(known);
    const double speed = std::clamp(part.value("speed", 1.0), 0.1, 100.0);
    const bool beside = part.value("beside", false), foretells = part.value("foretells", false);
    std::optional<RunChoice> second;
    if (beside && part.contains("second")) second = part.at("second").get<RunChoice>();
    return [=](Session& session) {
        StepView& view = session.view<StepView>();
        view.passes_per_second = speed;
        view.set_grain(grain);
        if (second)
            view.compare_with(second);
        else
            view.set_beside(beside);
        view.set_foretells(foretells);
        view.after_run([=, &view](Session&) {
            if (grain == StepUnit::pass)
                view.set_cursor(cursor);
            else
                view.set_time(time);
        });
    };
}

}  // namespace

constinit const ViewType kStepView{.id = "step",
                                   .create = create_view<StepView>,
                                   .commands = kStepCommands,
                                   .hints = kStepHints,
                                   .shows_choice = true,
                                   .shows_kernel = true,
                                   .save = save_step,
                                   .read = read_step};

bool has_host_program(const Session& session) {
    return session.shows<StepView>() && session.variant() != nullptr &&
           !session.settings().choice.user_kernel;
}

catalogue::HostProgram host_program_of(const Session& session) {
    return catalogue::host_program(*session.variant(), session.settings().choice.shape);
}

void show_host_program(Session& session) {
    session.view<StepView>().side = "host";
}

void copy_host_program(Session& session) {
    session.notices.attempt("file", [&] {
        session.copy(host_program_of(session).text);
        session.notices.say(session.words()("toast.copied"));
    });
}

void save_host_program(Session& session) {
    session.notices.attempt("file", [&] {
        const catalogue::HostProgram program = host_program_of(session);
        const fs::path folder = new_file(documents_folder(), program.name, "");
        const fs::path file = folder / (program.name + ".cpp");
        save_program(program, file);
        session.copy(file.string());
        session.notices.say(session.words()(
            "toast.saved", fmt::arg("name", (folder.filename() / file.filename()).string())));
    });
}

}  // namespace lab::session
