#include "session/files/state_file.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>

#include "base/json_trouble.h"
#include "base/paths.h"
#include "session/files/new_file.h"
#include "session/race/race.h"
#include "session/shell/commands.h"
#include "session/shell/session.h"
#include "session/step/machine_run.h"

namespace lab::session {
namespace {

using nlohmann::json;

constexpr int kVersion = 1;
constexpr std::size_t kLargestState = std::size_t{16} << 20U;  // bytes; typed input may be long

// Of the settings, what is of one user or one screen alone.
constexpr std::array kHabits{"width", "height", "hints_done", "exports", "folder"};

constexpr std::array kGrains{"pass", "line", "action"};  // in the order of Grain

// A count of something, so not as large as to be none.
std::uint64_t saved_count(const json& part, const char* key) {
    const json& count = part.at(key);
    if (count.is_number_unsigned() && count.get<std::uint64_t>() < (1ULL << 53U))
        return count.get<std::uint64_t>();
    throw Problem("The moment could not be read; everything is as it was",
                  fmt::format("Its {} is {}, which is no count", key, count.dump()),
                  "The file is damaged: ask for it again, or undo what was edited");
}

json saved_step(const Session& session) {
    const StepState& step = session.step();
    return {{"cursor", step.cursor},
            {"time", step.time},
            {"grain", kGrains[static_cast<std::size_t>(step.grain)]},
            {"speed", step.passes_per_second},
            {"beside", session.beside()}};
}

std::function<void(Session&)> read_step(const json& part) {
    const std::uint64_t cursor = saved_count(part, "cursor");
    const std::uint64_t time = part.contains("time") ? saved_count(part, "time") : 0;
    const std::string word = part.value("grain", kGrains[0]);
    const auto known = std::find(kGrains.begin(), kGrains.end(), word);
    if (known == kGrains.end())
        throw Problem("The moment has something that this version does not know",
                      fmt::format("It goes by '{}'", word),
                      "Open it with the version that saved it, or a newer one");
    const auto grain = static_cast<Grain>(known - kGrains.begin());
    const double speed = std::clamp(part.value("speed", 1.0), 0.1, 100.0);
    const bool beside = part.value("beside", false);
    return [=](Session& session) {
        session.set_speed(speed);
        session.set_grain(grain);
        session.set_beside(beside);
        session.after_run([=](Session& ready) {
            if (grain == Grain::pass)
                ready.set_cursor(cursor);
            else
                ready.set_time(time);
        });
    };
}

// The schedule that was made by hand, where it is what is seen.
json saved_race(const Session& session) {
    const Race* race = session.race().race();
    if (session.settings().view != "race" || !race) return nullptr;
    return {{"turns", text_of_turns(race->all_turns())}, {"cursor", race->cursor()}};
}

std::function<void(Session&)> read_race(const json& part) {
    if (part.is_null()) return [](Session&) {};
    const auto turns = part.at("turns").get<std::string>();
    const std::uint64_t cursor = saved_count(part, "cursor");
    (void)machine::parse_turns(turns, "turns");
    return [=](Session& session) {
        session.after_run([=](Session& ready) { ready.race().set_turns(turns, cursor); });
    };
}

const std::array kSavedParts{SavedPart{"step", saved_step, read_step},
                             SavedPart{"race", saved_race, read_race}};

// Settings of another version may have words that are not known here: elsewhere the first of the
// list is taken, here that would be another moment than the one that was handed out.
void refuse_unknown(const json& settings, const Settings& read) {
    const std::string source = settings.value("source", "device");  // of earlier versions
    const std::array<std::pair<const char*, std::string>, 4> words{
        {{"language", read.language},
         {"theme", read.theme},
         {"view", read.view},
         {"source", source == "machine" ? source : "device"}}};
    for (const auto& [key, taken] : words)
        if (const std::string asked = settings.value(key, taken); asked != taken)
            throw Problem("The moment has something that this version does not know",
                          fmt::format("Its {} is '{}'", key, asked),
                          "Open it with the version that saved it, or a newer one");
}

SavedState saved_from(const json& file) {
    if (!file.is_object() || file.value("schema", "") != kStateSchema)
        throw Problem("The file holds no moment of Reduction Lab",
                      fmt::format("It does not say \"schema\": \"{}\"", kStateSchema),
                      fmt::format("Give a {} file that Ctrl+S saved", kStateSuffix));
    if (const int version = file.at("version").get<int>(); version != kVersion)
        throw Problem(
            "The moment was saved by another version of the program",
            fmt::format("The file's version is {}, this program knows {}", version, kVersion),
            "Open it with the version that saved it, or a newer one");
    SavedState made;
    json settings = file.at("settings");
    for (const char* habit : kHabits)
        settings.erase(habit);
    settings.get_to(made.settings);
    refuse_unknown(settings, made.settings);
    const json parts = file.value("parts", json::object());
    for (const SavedPart& part : kSavedParts)
        if (parts.contains(part.id)) made.parts.push_back(part.read(parts.at(part.id)));
    return made;
}

std::string local_time() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    localtime_r(&now, &parts);
    return fmt::format("{:%Y-%m-%d %H.%M}", parts);
}

}  // namespace

std::span<const SavedPart> saved_parts() {
    return kSavedParts;
}

json saved_json(const Session& session) {
    json settings = session.settings();
    for (const char* habit : kHabits)
        settings.erase(habit);
    // What was found for this computer's device is to be seen on another one, too.
    const auto& run = session.machine().run;
    if (is_automatic(session.settings().choice) && run &&
        run->subject.machine.order.kind == machine::Order::Kind::list) {
        const simulation::Options& shown = run->subject.machine;
        settings["machine"] = analysis::MachineUsed{
            shown.config.lanes, shown.config.resident,
            std::string(machine::kTurnsPrefix) + text_of_turns(shown.order.turns)};
    }
    json parts = json::object();
    for (const SavedPart& part : kSavedParts)
        parts[part.id] = part.save(session);
    return {{"schema", kStateSchema},
            {"version", kVersion},
            {"program", LAB_VERSION},
            {"settings", settings},
            {"parts", parts}};
}

SavedState read_saved(const fs::path& file) {
    const std::string text = read_file(file, kLargestState);
    try {
        return saved_from(json::parse(text));
    } catch (const Problem& problem) {
        throw Problem(problem.what_happened, problem.why, problem.hint, file.string());
    } catch (const json::exception& error) {
        throw Problem(
            "The moment could not be read; everything is as it was", json_trouble(error, text),
            "The file is damaged: ask for it again, or undo what was edited", file.string());
    }
}

bool looks_like_saved(std::string_view text) {
    return text.find(fmt::format("\"{}\"", kStateSchema)) != std::string_view::npos;
}

void show_saved(Session& session, const SavedState& state, bool with_settings) {
    if (with_settings) {
        session.restore(state.settings);
        session.set_view(state.settings.view);
    }
    for (const auto& put : state.parts)
        put(session);
}

void save_state(Session& session) {
    try {
        const std::string stem =
            fmt::format("{} {}", session.settings().choice.variant, local_time());
        const fs::path file = new_file(documents_folder(), stem, kStateSuffix);
        write_file(file,
                   saved_json(session).dump(2, ' ', false, json::error_handler_t::replace) + "\n");
        session.copy(file.string());
        session.notices().say(
            session.words()("toast.saved", fmt::arg("name", file.filename().string())));
    } catch (const Problem& problem) {
        session.notices().report("file", problem, true);
    }
}

}  // namespace lab::session
