// The changes of a session that are settings alone, and the way back from them.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "session/shell/session.h"

namespace lab::session {

// The settings in force from now on; what they change is run.
void Session::put(Settings settings) {
    const bool again = !(settings.choice == settings_.choice);
    const std::string language = std::exchange(settings.language, settings_.language);
    settings_ = std::move(settings);
    wanted_group_ = settings_.choice.shape.group;
    use_language(language);
    if (again && started_) run_step();
}

void Session::restore(Settings settings) {
    settings = with_habits_of(std::move(settings), settings_);
    if (settings == settings_) return;
    history_.record(settings_, kMomentChange);
    put(std::move(settings));
}

// What is undone is seen, or it is said.
void Session::tell_unseen(const char* key, ChangeKind kind) {
    const std::string_view of = kind.id;
    const bool measuring = settings_.view == "measure";
    const bool unseen = (of == kMeasureChange.id && !measuring) ||
                        (of == kChoiceChange.id && (measuring || settings_.view == "devices"));
    if (unseen)
        notices_.say(words_(key, fmt::arg("what", words_(std::string("change.") + kind.id))));
}

void Session::undo() {
    if (auto step = history_.undo(settings_)) {
        put(std::move(step->settings));
        tell_unseen("toast.undone", step->kind);
    }
}

void Session::redo() {
    if (auto step = history_.redo(settings_)) {
        put(std::move(step->settings));
        tell_unseen("toast.redone", step->kind);
    }
}

void Session::use_language(const std::string& language) {
    if (language == settings_.language) return;
    try {
        words_ = Translations(language);
        settings_.language = language;
    } catch (const Problem& problem) {
        notices_.report("settings", problem, true);
    }
}

void Session::set_language(const std::string& language) {
    Settings before = settings_;
    use_language(language);
    if (before.language != settings_.language) history_.record(std::move(before), kLanguageChange);
}

void Session::set_theme(const std::string& theme) {
    if (theme == settings_.theme) return;
    history_.record(settings_, kThemeChange);
    settings_.theme = theme;
}
void Session::set_view(const std::string& view) {
    if (view != settings_.view) {
        step_.playing = false;
        race_.play(false);
    }
    settings_.view = view;
    show_race();
}

void Session::set_scale(float scale) {
    scale = std::clamp(scale, kSmallestScale, kLargestScale);
    if (scale == settings_.scale) return;
    history_.record(settings_, kScaleChange);
    settings_.scale = scale;
}

void Session::set_window(int width, int height) {
    settings_.width = width;
    settings_.height = height;
}

void Session::set_measure(MeasureChoice choice) {
    if (choice == settings_.measure) return;
    // A count grows and shrinks by clicks and typing: they are one change.
    MeasureChoice same = choice;
    same.repeat = settings_.measure.repeat;
    history_.record(settings_, same == settings_.measure ? kCountChange : kMeasureChange);
    settings_.measure = std::move(choice);
}

void Session::forget_hint(const std::string& id) {
    settings_.hints_done.push_back(id);
}

void Session::set_export(ExportHabit habit) {
    settings_.exports[settings_.view] = std::move(habit);
}

}  // namespace lab::session
