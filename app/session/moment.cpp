#include "session/moment.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>

#include "base/paths.h"
#include "session/commands.h"
#include "session/new_file.h"
#include "session/session.h"

namespace lab::session {
namespace {

using nlohmann::json;

constexpr int kVersion = 1;
constexpr std::size_t kLargest = std::size_t{16} << 20U;  // bytes; typed input may be long

// Of the settings, what is of one user or one screen alone.
constexpr std::array kHabits{"width", "height", "hints_done", "exports", "folder"};

json step_part(const Session& session) {
    return {{"cursor", session.step().cursor}, {"speed", session.step().passes_per_second}};
}

std::function<void(Session&)> read_step(const json& part) {
    const json& place = part.at("cursor");
    if (!place.is_number_unsigned())
        throw Problem("The moment could not be read; everything is as it was",
                      fmt::format("The step it is at is {}", place.dump()),
                      "The file is damaged: ask for it again, or undo what was edited");
    const auto cursor = place.get<std::size_t>();
    const double speed = std::clamp(part.value("speed", 1.0), 0.1, 100.0);
    return [cursor, speed](Session& session) {
        session.set_speed(speed);
        session.set_cursor_after_run(cursor);
    };
}

const std::array kParts{MomentPart{"step", step_part, read_step}};

// Settings of another version may have words that are not known here: elsewhere the first of the
// list is taken, here that would be another moment than the one that was handed out.
void refuse_unknown(const json& settings, const Settings& read) {
    const std::array<std::pair<const char*, std::string>, 4> words{
        {{"language", read.language},
         {"theme", read.theme},
         {"view", read.view},
         {"source", read.choice.source}}};
    for (const auto& [key, taken] : words)
        if (const std::string asked = settings.value(key, taken); asked != taken)
            throw Problem("The moment has something that this version does not know",
                          fmt::format("Its {} is '{}'", key, asked),
                          "Open it with the version that saved it, or a newer one");
}

Moment moment_from(const json& file) {
    if (!file.is_object() || file.value("schema", "") != kMomentSchema)
        throw Problem("The file holds no moment of Reduction Lab",
                      fmt::format("It does not say \"schema\": \"{}\"", kMomentSchema),
                      fmt::format("Give a {} file that Ctrl+S saved", kMomentSuffix));
    if (const int version = file.at("version").get<int>(); version != kVersion)
        throw Problem(
            "The moment was saved by another version of the program",
            fmt::format("The file's version is {}, this program knows {}", version, kVersion),
            "Open it with the version that saved it, or a newer one");
    Moment made;
    json settings = file.at("settings");
    for (const char* habit : kHabits)
        settings.erase(habit);
    settings.get_to(made.settings);
    refuse_unknown(settings, made.settings);
    const json parts = file.value("parts", json::object());
    for (const MomentPart& part : kParts)
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

std::span<const MomentPart> moment_parts() {
    return kParts;
}

json moment_of(const Session& session) {
    json settings = session.settings();
    for (const char* habit : kHabits)
        settings.erase(habit);
    json parts = json::object();
    for (const MomentPart& part : kParts)
        parts[part.id] = part.save(session);
    return {{"schema", kMomentSchema},
            {"version", kVersion},
            {"program", LAB_VERSION},
            {"settings", settings},
            {"parts", parts}};
}

Moment read_moment(const fs::path& file) {
    const std::string text = read_file(file, kLargest);
    try {
        return moment_from(json::parse(text));
    } catch (const Problem& problem) {
        throw Problem(problem.what_happened, problem.why, problem.hint, file.string());
    } catch (const json::exception& error) {
        throw Problem("The moment could not be read; everything is as it was", error.what(),
                      "The file is damaged: ask for it again, or undo what was edited",
                      file.string());
    }
}

bool looks_like_moment(std::string_view text) {
    return text.find(fmt::format("\"{}\"", kMomentSchema)) != std::string_view::npos;
}

void show_moment(Session& session, const Moment& moment, bool with_settings) {
    if (with_settings) {
        session.restore(moment.settings);
        session.set_view(moment.settings.view);
    }
    for (const auto& put : moment.parts)
        put(session);
}

void save_moment(Session& session) {
    try {
        const std::string stem =
            fmt::format("{} {}", session.settings().choice.variant, local_time());
        const fs::path file = new_file(documents_folder(), stem, kMomentSuffix);
        write_file(file,
                   moment_of(session).dump(2, ' ', false, json::error_handler_t::replace) + "\n");
        session.copy(file.string());
        session.notices().say(
            session.words()("toast.saved", fmt::arg("name", file.filename().string())));
    } catch (const Problem& problem) {
        session.notices().report("file", problem, true);
    }
}

}  // namespace lab::session
