#include "views/files/files.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <optional>

#include "analysis/machine_run.h"
#include "base/json_fields.h"
#include "base/paths.h"
#include "base/ranges.h"
#include "results/result.h"
#include "session/app_commands.h"
#include "views/learn/learn.h"
#include "views/measure/measure.h"
#include "views/step/step.h"

namespace lab::session {
namespace {

using nlohmann::json;

// Whether it worked; what goes wrong is shown as a Problem.
template <typename Act>
bool reported(Session& session, const Act& act) {
    return session.notices.attempt("file", [&] {
        try {
            act();
        } catch (const fs::filesystem_error& error) {
            throw Problem("The file could not be opened", error.what(), "Check the path");
        }
    });
}

// Moments.

constexpr int kVersion = 1;
// Bytes of a saved state, as typed input may be long; more are refused.
constexpr std::size_t kLargestState = std::size_t{16} << 20U;

// For the settings, what is of one user or one screen alone. Until version 0.1 a moment had the
// language and looks of who saved it.
constexpr std::array kHabits{"language",   "terms",   "theme",  "scale",  "width", "height",
                             "hints_done", "exports", "folder", "solved", "step",  "page"};

// Settings of another version may have words that are not known here: elsewhere the first of the
// list is taken, here that would be another moment than the one that was handed out.
void refuse_unknown(const json& settings, const Settings& read,
                    std::span<const ViewType* const> views) {
    const std::string source = settings.value("source", "device");  // of earlier versions
    const bool known = read.view == kDevicesPanel ||
                       any_of(views, [&](const ViewType* view) { return view->id == read.view; });
    const std::array<std::pair<const char*, std::string>, 2> words{
        {{"view", known ? read.view : ""}, {"source", source == "machine" ? source : "device"}}};
    for (const auto& [key, taken] : words)
        if (const std::string asked = settings.value(key, taken); asked != taken)
            throw unknown_in_state(fmt::format("Its {} is '{}'", key, asked));
}

SavedState saved_from(const json& file, std::span<const ViewType* const> views) {
    if (!file.is_object() || file.value("schema", "") != kStateSchema)
        throw Problem("The file holds no moment of Reduction Lab",
                      fmt::format("It does not say \"schema\": \"{}\"", kStateSchema),
                      fmt::format("Give a {} file that Ctrl+S saved", kStateSuffix));
    if (const int version = file.at("version").get<int>(); version != kVersion)
        throw Problem(
            "The moment was saved by another version of the program",
            fmt::format("The file's version is {}, this program knows {}", version, kVersion),
            "Open it with the version that saved it, or a newer one");
    SavedState state;
    json settings = file.at("settings");
    for (const char* habit : kHabits)
        settings.erase(habit);
    settings.get_to(state.settings);
    refuse_unknown(settings, state.settings, views);
    const json parts = file.value("parts", json::object());
    for (const ViewType* view : views)
        if (view->read != nullptr && parts.contains(view->id))
            state.parts.push_back(view->read(parts.at(view->id)));
    return state;
}

SavedState read_saved_text(const std::string& text, std::span<const ViewType* const> views,
                           const std::string& where = {}) {
    try {
        return saved_from(json::parse(text), views);
    } catch (const Problem& problem) {
        throw Problem(problem.what_happened, problem.why, problem.hint, where);
    } catch (const json::exception& error) {
        throw Problem("The moment could not be read; everything is as it was",
                      json_trouble(error, text),
                      "The file is damaged: ask for it again, or undo what was edited", where);
    }
}

std::string local_time() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    localtime_r(&now, &parts);
    return fmt::format("{:%Y-%m-%d %H.%M}", parts);
}

}  // namespace

json saved_json(const Session& session) {
    json settings = session.settings();
    for (const char* habit : kHabits)
        settings.erase(habit);
    // What was found for this computer's device is to be seen on another one, too.
    const auto& run = session.view<StepView>().simulated.run;
    if (is_automatic(session.settings().choice) && run &&
        run->spec.machine.order.kind == machine::SchedulingPolicy::Kind::list) {
        const analysis::SimulatorOptions& shown = run->spec.machine;
        settings["machine"] = analysis::MachineUsed{
            shown.config, std::string(machine::kTurnsPrefix) + in_a_line(shown.order.turns)};
    }
    json parts = json::object();
    for (const ViewType* view : session.options().views)
        if (view->save != nullptr) parts[view->id] = view->save(session);
    return {{"schema", kStateSchema},
            {"version", kVersion},
            {"program", LAB_VERSION},
            {"settings", settings},
            {"parts", parts}};
}

SavedState read_saved(const fs::path& file, std::span<const ViewType* const> views) {
    return read_saved_text(read_file(file, kLargestState), views, file.string());
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
    reported(session, [&] {
        const std::string stem =
            fmt::format("{} {}", session.settings().choice.variant, local_time());
        const fs::path file = new_file(documents_folder(), stem, kStateSuffix);
        write_file(file,
                   saved_json(session).dump(2, ' ', false, json::error_handler_t::replace) + "\n");
        if (!platform::kBrowser) session.copy(file.string());
        say_of_file(session, kSavedText, file);
    });
}

// Links.

namespace {

constexpr std::string_view kKey = "#m=";
constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
// Bytes of a link, unpacked; more are refused.
constexpr std::size_t kLargestMoment = std::size_t{4} << 20U;

Problem damaged(const std::string& why) {
    return {"The link could not be read; everything is as it was", why,
            "A part of it may have been lost on the way: copy it again, whole"};
}

std::string base64url(std::string_view bytes) {
    std::string text;
    std::uint32_t bits = 0;
    int count = 0;
    for (const char byte : bytes) {
        bits = bits << 8U | static_cast<std::uint8_t>(byte);
        for (count += 8; count >= 6; count -= 6)
            text.push_back(kDigits[bits >> static_cast<unsigned>(count - 6) & 63U]);
    }
    if (count > 0) text.push_back(kDigits[bits << static_cast<unsigned>(6 - count) & 63U]);
    return text;
}

std::string from_base64url(std::string_view text) {
    std::string bytes;
    std::uint32_t bits = 0;
    int count = 0;
    for (const char letter : text) {
        const std::size_t digit = kDigits.find(letter);
        if (digit == std::string_view::npos)
            throw damaged(fmt::format("'{}' is no letter of such a link", letter));
        bits = bits << 6U | static_cast<std::uint32_t>(digit);
        count += 6;
        if (count < 8) continue;
        count -= 8;
        bytes.push_back(static_cast<char>(bits >> static_cast<unsigned>(count) & 255U));
    }
    return bytes;
}

// What zlib's stream makes of `bytes`, up to `most` bytes; empty if there would be more, or if it
// stumbles. `step` is deflate or inflate.
std::optional<std::string> streamed(z_stream& stream, int (*step)(z_stream*, int),
                                    std::string_view bytes, std::size_t most) {
    std::string made;
    std::array<Bytef, 16384> part{};
    // It does not write there, whatever its type says.
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // NOLINT
    stream.avail_in = static_cast<uInt>(bytes.size());
    for (int result = Z_OK; result != Z_STREAM_END;) {
        stream.next_out = part.data();
        stream.avail_out = static_cast<uInt>(part.size());
        result = step(&stream, Z_FINISH);
        const std::size_t count = part.size() - stream.avail_out;
        const bool stuck = result == Z_BUF_ERROR && count == 0;
        if ((result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) || stuck ||
            made.size() + count > most)
            return std::nullopt;
        made.append(reinterpret_cast<const char*>(part.data()), count);  // NOLINT
    }
    return made;
}

std::string deflated(std::string_view bytes) {
    z_stream stream{};
    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, -MAX_WBITS, MAX_MEM_LEVEL,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        throw Problem("The link could not be made", "There is too little memory", "Try it again");
    const auto made = streamed(stream, deflate, bytes, std::string::npos);
    deflateEnd(&stream);
    return made.value();
}

std::string inflated(std::string_view bytes) {
    z_stream stream{};
    std::optional<std::string> made;
    if (inflateInit2(&stream, -MAX_WBITS) == Z_OK) {
        made = streamed(stream, inflate, bytes, kLargestMoment);
        inflateEnd(&stream);
    }
    if (!made)
        throw damaged(
            fmt::format("It does not hold a moment of up to {} MiB", kLargestMoment >> 20U));
    return *made;
}

}  // namespace

bool looks_like_link(std::string_view text) {
    return text.find(kKey) != std::string_view::npos;
}

std::string page_of_link(std::string_view link) {
    return std::string(link.substr(0, link.find(kKey)));
}

std::string fragment_of(const Session& session) {
    return std::string(kKey.substr(1)) +
           base64url(deflated(
               saved_json(session).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)));
}

SavedState read_link(std::string_view link, std::span<const ViewType* const> views) {
    const std::size_t at = link.find(kKey);
    if (at == std::string_view::npos) throw damaged(fmt::format("It has no '{}'", kKey));
    return read_saved_text(inflated(from_base64url(link.substr(at + kKey.size()))), views);
}

bool stays_here(std::string_view link) {
    return link.starts_with("http://localhost") || link.starts_with("http://127.");
}

std::string link_of(const Session& session) {
    const std::string fragment = fragment_of(session);
    platform::show_fragment(fragment);
    const std::string page = platform::page_address();
    const std::string& known = session.settings().page;
    return (!page.empty() ? page : known.empty() ? kLocalPage : known) + "#" + fragment;
}

void copy_link(Session& session) {
    reported(session, [&] {
        session.copy(link_of(session));
        session.overlay = "link";
        session.notices.say(session.words()("toast.link"));
    });
}

// Exports.

static ExportHabit habit_of(const Session& session) {
    const auto& known = session.settings().exports;
    const auto found = known.find(session.settings().view);
    ExportHabit habit = found == known.end() ? ExportHabit{} : found->second;
    const auto suffixes = export_suffixes(session);
    if (!contains(suffixes, habit.suffix)) habit.suffix = suffixes.empty() ? "" : suffixes.front();
    std::error_code error;
    if (habit.folder.empty() || !fs::is_directory(habit.folder, error))
        habit.folder = documents_folder().string();
    return habit;
}

static std::string name_of(const Session& session, const ExportHabit& habit) {
    return habit.name.empty() ? session.shown().export_offer().name : habit.name;
}

// "name-2" of a file that gave way to another is the name "name".
static bool is_usual(const std::string& stem, const std::string& usual) {
    if (!stem.starts_with(usual)) return false;
    const std::string rest = stem.substr(usual.size());
    return rest.empty() || (rest[0] == '-' && rest.size() > 1 &&
                            rest.find_first_not_of("0123456789", 1) == std::string::npos);
}

std::vector<const char*> export_suffixes(const Session& session) {
    const auto offered = session.shown().export_offer().suffixes;
    std::vector<const char*> suffixes(offered.begin(), offered.end());
    if (platform::kBrowser)  // which draws none
        std::erase_if(suffixes, [](std::string_view suffix) { return suffix == ".pdf"; });
    return suffixes;
}

fs::path suggested_export(const Session& session, const std::string& suffix) {
    const ExportHabit habit = habit_of(session);
    return new_file(habit.folder, name_of(session, habit), suffix.empty() ? habit.suffix : suffix);
}

void export_to(Session& session, const fs::path& file) {
    const fs::path folder = file.parent_path();
    const fs::path written = new_file(folder, file.stem().string(), file.extension().string());
    const auto& write = session.options().export_shown;
    if (!write)
        throw Problem("Nothing can be exported without a window", "", "Use reduction-lab-cli");
    write(written);
    const std::string stem = file.stem().string();
    const bool usual = is_usual(stem, session.shown().export_offer().name);
    session.edit().exports[session.settings().view] = {folder.string(), usual ? "" : stem,
                                                       file.extension().string()};
    if (!platform::kBrowser) session.copy(written.string());
    session.notices.say_exported(
        session.words()(kSavedText, fmt::arg("name", written.filename().string())),
        session.settings().view);
}

void export_also(Session& session, const std::string& suffix) {
    reported(session, [&] { export_to(session, suggested_export(session, suffix)); });
}

void export_again(Session& session) {
    if (!session.settings().exports.contains(session.settings().view)) {
        session.overlay = "export";
        return;
    }
    reported(session, [&] {
        const ExportHabit habit = habit_of(session);
        export_to(session, fs::path(habit.folder) / (name_of(session, habit) + habit.suffix));
    });
}

// Opening.

namespace {

// Bytes of a file to open; more are refused.
constexpr std::size_t kLargest = std::size_t{256} << 20U;

bool any(std::string_view) {
    return true;
}

void open_state(Session& session, const fs::path& file) {
    show_saved(session, read_saved(file, session.options().views));
    say_of_file(session, "toast.opened", file);
}

void open_results(Session& session, const fs::path& file) {
    results::Measurements results = results::read_results(file);
    if (results.rows.empty())
        throw Problem("The file holds no rows that could be shown", "",
                      "Give a .json file that `measure -o` or Ctrl+E wrote", file.string());
    session.view<MeasureView>().add({file, std::move(results)});
    session.show_view<MeasureView>();
    say_of_file(session, "toast.added", file);
}

// A folder of lessons, or the lesson that a file is of.
void open_lessons(Session& session, const fs::path& file) {
    std::error_code error;
    open_folder(session.view<LearnView>(),
                fs::is_directory(file, error) ? file : file.parent_path());
    session.show_view<LearnView>();
}

// In the order in which they are asked: the last of a suffix takes whatever is left.
constexpr std::array kKinds{
    FileKind{"state", kStateSuffix, any, open_state},
    FileKind{"state", ".json", looks_like_saved, open_state},
    FileKind{"results", ".json", any, open_results},
    FileKind{"kernel", ".cl", any, open_kernel},
    FileKind{"kernel", ".cu", any, open_kernel},
    FileKind{"kernel", ".cuh", any, open_kernel},
    FileKind{"lesson", ".md", any, open_lessons},
};

const FileKind& kind_of(const fs::path& file) {
    if (!lessons::lesson_folders(file).empty()) return kKinds.back();
    const std::string suffix = suffix_of(file);
    if (is_known_suffix(file)) {
        const std::string text = read_file(file, kLargest);
        for (const FileKind& kind : kKinds)
            if (suffix == kind.suffix && kind.holds(text)) return kind;
    }
    std::error_code error;
    if (fs::is_directory(file, error))
        throw Problem(fmt::format("'{}' is a folder without lessons", file.filename().string()), "",
                      "Give the files in it, or a folder with a file lesson.md", file.string());
    throw Problem(fmt::format("'{}' is no file that can be opened", file.filename().string()),
                  suffix.empty() ? "Its name has no suffix that tells what it is"
                                 : fmt::format("'{}' is not a known kind", suffix),
                  fmt::format("Open a kernel (.cl, .cu), a moment ({}), a lesson (.md) or results "
                              "of measurements (.json)",
                              kStateSuffix),
                  file.string());
}

}  // namespace

std::span<const FileKind> file_kinds() {
    return kKinds;
}

bool is_known_suffix(const fs::path& file) {
    const std::string suffix = suffix_of(file);
    return any_of(kKinds, [&](const FileKind& kind) { return suffix == kind.suffix; });
}

bool open_file(Session& session, const fs::path& file) {
    return reported(session, [&] {
        if (const std::string link = file.string(); looks_like_link(link)) {
            show_saved(session, read_link(link, session.options().views));
            session.set_page(page_of_link(link));
            return session.notices.say(session.words()("toast.link_opened"));
        }
        const fs::path whole = fs::absolute(file);
        kind_of(whole).open(session, whole);
        session.edit().folder = whole.parent_path().string();
    });
}

// Commands.

static bool can_export(const Session& session) {
    return !export_suffixes(session).empty();
}

static const char* why_no_export(const Session& session) {
    return session.shown().export_offer().why_none;
}

// A page sees the user's files only through the browser's own dialog.
static void open(Session& session) {
    if (platform::kBrowser)
        platform::pick_file(".cl,.cu,.cuh,.redlab,.json,.md");
    else
        session.overlay = "open";
}

constexpr std::array kFileCommands{
    Command{"open", "Ctrl+O", always, open},
    Command{"save", "Ctrl+S", always, save_state},
    Command{"link", "Alt+L", always, copy_link},
    Command{"export", "Ctrl+E", can_export, export_again, false, why_no_export},
    Command{"export.as", "Ctrl+Shift+E", can_export, [](Session& s) { s.overlay = "export"; },
            false, why_no_export},
};

std::span<const Command> file_commands() {
    return kFileCommands;
}

}  // namespace lab::session
