// The open kernel file: its edited text, its errors, and how it differs from the file on disk.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "catalogue/variant.h"
#include "session/files/file_watch.h"
#include "session/kernels/user_kernel_form.h"
#include "session/kernels/user_kernel_memory.h"
#include "session/shell/settings.h"

namespace lab::session {

// Larger than any readable kernel; settings and saved states contain the text.
inline constexpr std::size_t kMostKernelText = std::size_t{128} << 10U;
// From the last keystroke until the text runs.
inline constexpr auto kTypingPause = std::chrono::milliseconds(500);

// A kernel's text from a file. Throws Problem if it is missing, too large, or no text.
std::string read_kernel_file(const std::filesystem::path& file);

class KernelEditor {
  public:
    explicit KernelEditor(std::function<void()> wake);

    // The current choice; if its text is another one than before, it becomes the draft.
    void show(const Choice& choice, const catalogue::Catalogue& catalogue);

    bool is_open() const { return !file_.empty(); }
    const std::string& file() const { return file_; }  // whole path, or a name if it has none
    bool has_path() const;                             // else it was never saved
    const std::string& draft() const { return draft_; }
    std::uint64_t version() const { return version_; }  // new for each text not edited here
    bool waits() const { return due_.has_value(); }     // edited, and not run yet
    bool unsaved() const { return is_open() && disk_ != draft_; }
    // The file was changed outside while there are unsaved edits here.
    bool differs() const { return outside_.has_value(); }
    bool gone() const { return gone_; }
    const TextFacts& facts() const { return facts_; }  // of the text that was run last
    const TextFacts& good() const { return good_; }    // of the last one that compiled
    const std::optional<Problem>& problem() const { return problem_; }
    void set_problem(std::optional<Problem> problem) {
        problem_ = std::move(problem);
        unreadable_ = false;
    }
    // All kernels opened since the start, in their last state.
    const std::vector<Choice>& opened() const { return opened_; }
    bool edited(const std::string& file) const;  // its text is not the file's
    void forget(const std::string& file);
    // Adds those of earlier starts; call before anything is shown.
    void recall(const std::vector<OpenedKernel>& kernels);
    // All of them, including the current draft; the count changes with the result.
    std::vector<OpenedKernel> memory() const;
    std::uint64_t memory_version() const { return memory_version_; }

    void edit(std::string text);
    // The draft if it is due to run: after a pause, or at once.
    std::optional<std::string> take_due(bool at_once);
    // If the file was changed outside: its new text, unless edits here would be lost.
    std::optional<std::string> take_outside();
    // The file's text, discarding edits.
    std::optional<std::string> file_text();
    void save();  // throws Problem
    std::optional<Clock::time_point> next_move() const;

  private:
    void watch();
    void remember(const Choice& choice);

    std::function<void()> wake_;
    std::string file_, draft_;
    std::optional<std::string> disk_, outside_;  // as last read or written; as changed outside
    bool gone_ = false;
    std::uint64_t version_ = 0;
    std::optional<Clock::time_point> due_;
    std::optional<Choice> shown_;
    TextFacts facts_, good_;
    std::optional<Problem> problem_;
    bool unreadable_ = false;  // that is what the problem says of the file
    std::vector<Choice> opened_;
    std::set<std::string> edited_;  // files; of the one that is shown, as it was when it was shown
    std::uint64_t memory_version_ = 0;
    std::unique_ptr<FileWatch> watch_;
};

}  // namespace lab::session
