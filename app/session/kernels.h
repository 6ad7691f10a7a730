// The kernels to choose from: those of the catalogue and opened files; the edited text of the
// chosen one, its errors, and how it differs from the file on disk; and the devices that run it.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analysis/launch_guess.h"
#include "analysis/simulate.h"
#include "base/file_watch.h"
#include "catalogue/form.h"
#include "catalogue/kernel.h"
#include "results/device_info.h"
#include "session/background.h"
#include "session/settings.h"

namespace lab::session {

class Session;

using catalogue::facts_of;
using catalogue::TextFacts;
using catalogue::TextMark;

// Settings and saved states contain the text. Bytes of a kernel's file in the window; more are
// refused.
inline constexpr std::size_t kMostKernelText = std::size_t{128} << 10U;
// From the last keystroke until the text runs.
inline constexpr auto kTypingPause = std::chrono::milliseconds(500);

// Opened kernels are remembered between starts, with launches and edits: kernels.json in the user's
// configuration folder.
struct OpenedKernel {
    RunChoice choice;     // only file, text and launch matter
    bool edited = false;  // its text is not the file's
};

// Files that are remembered; older ones are forgotten.
inline constexpr std::size_t kMostRemembered = 32;
// Bytes of all edits that are remembered; older ones are forgotten.
inline constexpr std::size_t kMostRememberedText = std::size_t{1} << 20U;

std::filesystem::path kernels_file();
// The last ones, up to the limits. For a file without edits only its name and launch.
std::string memory_text(const std::vector<OpenedKernel>& opened);
// Reads them back; a file without edits is read again, or left out if it is gone. Throws Problem if
// the text has another format.
std::vector<OpenedKernel> opened_of_memory(const std::string& text);
// Returns what the file remembers; nothing if there is none. A damaged file is kept beside as
// kernels.json.damaged, and `problem` says so.
std::vector<OpenedKernel> load_opened(std::optional<Problem>& problem);

// The open kernel file.
struct KernelEditor {
    std::string file;  // whole path, or a name if it was never saved; empty: none is open
    std::string draft;
    std::uint64_t version = 0;                 // another one for each text that was not typed here
    std::optional<Clock::time_point> due;      // edited, and not run yet: when it runs
    std::optional<std::string> disk, outside;  // as last read or written; as changed outside while
                                               // there are unsaved edits here
    bool gone = false;
    TextFacts facts, good;  // of the text that was run last; of the last one that compiled
    std::optional<Problem> problem;
    bool unreadable = false;  // that is what the problem says of the file
    std::optional<RunChoice> shown;
    // All kernels opened since the start, in their last state, and before it; and those of them
    // that are edited, the one that is shown as it was when it was shown.
    std::vector<RunChoice> opened;
    std::set<std::string> edited_files;
    std::uint64_t memory_version = 0;  // changes with what is to be remembered
    std::unique_ptr<FileWatch> watch;

    bool is_open() const { return !file.empty(); }
    bool has_path() const { return std::filesystem::path(file).is_absolute(); }
    bool unsaved() const { return is_open() && disk != draft; }
    bool edited(const std::string& which) const;  // its text is not the file's
};

// Keeps what is looked for in the text of the editor on screen.
struct TextSearch {
    bool open = false;
    bool begins = false;  // its field takes the keys and what is selected
    int steps = 0;        // to the matches that follow; below 0: to those before
    std::string sought;
    std::size_t number = 0, count = 0;  // the match that is shown, from 1, of all
};
// The bytes of a text at which `sought` begins, whatever the case of Latin letters.
std::vector<std::size_t> matches_in(std::string_view text, std::string_view sought);

struct Kernels {
    explicit Kernels(std::function<void()> wake_app);

    std::function<void()> wake;
    catalogue::Catalogue catalogue;
    KernelEditor editor;
    TextSearch search;
    std::uint64_t saved_version = 0;     // of the editor's memory
    catalogue::LaunchForm guessed_from;  // the launch that the text suggests
    bool guess_amends = false;           // what was chosen last, rather than changing it
    std::optional<analysis::LaunchGuess> found;
    Background<analysis::LaunchGuess> guesser;
};

// Returns what the chosen kernel takes in the shape of now, and at least what is chosen.
std::vector<catalogue::Op> ops_taken(const Session& session);
std::vector<catalogue::Type> types_taken(const Session& session);
// True if it reads what is chosen as input: plan `iterate` begins with ones.
bool takes_input(const Session& session);

// The shape of a kernel's own example: the eight numbers in groups of 4; where that is one group
// and there can be two, smaller groups, or as many numbers counting up as two take.
catalogue::Shape example_of(const Session& session, const std::string& variant);
// An id of the catalogue; with its own example: input, n, group and toggles.
void choose_kernel(Session& session, const std::string& variant);
// A file with a header is a variant, any other one a user kernel. Throws Problem if it cannot be
// read; one with errors is opened.
void open_kernel(Session& session, const std::filesystem::path& path);
void choose_opened(Session& session, const RunChoice& known);  // one of editor.opened
void close_opened(Session& session, const RunChoice& known);   // no longer one; can be undone
void forget_opened(Session& session, const RunChoice& known);  // the same of one that is not shown
// Runs what is chosen as its example, or with the launch that fits its text.
void reset_kernel(Session& session);
void copy_variant(Session& session, bool expanded);  // the chosen variant as a user kernel
// Plain OpenCL C with all macros expanded for the shape, and the variant's first launch for `n`
// elements. Throws Problem if the variant cannot be launched like that.
catalogue::LaunchForm plain_copy(const catalogue::Kernel& variant, const catalogue::Shape& shape,
                                 std::uint64_t n);

void set_launch(Session& session, catalogue::LaunchForm kernel);  // with launch and macros
// A launch that fits the text, then, in the background, one with which it runs: where nobody has
// changed the launch by then, it is taken. An opened file of which no launch is known gets one so.
void guess_launch(Session& session);
// How the launch of the chosen kernel was found; null where it was not found so, or changed.
const analysis::LaunchGuess* guess_of(const Session& session);

void set_problem(KernelEditor& editor, std::optional<Problem> problem);
void edit_text(KernelEditor& editor, std::string text);
void run_edits(Session& session);  // without waiting for a pause in typing
void take_file(Session& session);  // replaces the edited text by the file's
void save_file(Session& session);  // a copy gets a file in the user's documents

// The devices that OpenCL finds on this computer.
using FoundDevices = Asked<results::Devices>;
// Their panel over the view, and the name of the view that it was until version 0.1: settings and
// moments may still have it.
inline constexpr char kDevicesPanel[] = "devices";

std::string device_in_use(const Session& session);  // an id; empty while they are not known
const results::DeviceInfo* info_in_use(const Session& session);  // null while it is not known
void look_for_devices(Session& session);                         // also again

// For the shell.
void recall_kernels(Session& session);  // opens what was open last time
void save_kernels(Session& session);    // for next time, if it changed
void kernel_chosen(Session& session);   // the choice is another one now
void poll_kernels(Session& session);
std::optional<Clock::time_point> next_move(const KernelEditor& editor);

}  // namespace lab::session
