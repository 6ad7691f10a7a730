// The kernel file that is open: its text as edited, what is wrong with it, and how it stands to the
// file on the disk.
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

// More than any kernel that one reads; settings and states hold the text.
inline constexpr std::size_t kMostKernelText = std::size_t{128} << 10U;
// From the last keystroke until the text runs.
inline constexpr auto kTypingPause = std::chrono::milliseconds(500);

// A kernel's text from a file. Throws Problem where there is none, it is too large, or no text.
std::string read_kernel_file(const std::filesystem::path& file);

class KernelEditor {
  public:
    explicit KernelEditor(std::function<void()> wake);

    // What is chosen now; where that is another text than before, the draft is that text.
    void show(const Choice& choice, const catalogue::Catalogue& catalogue);

    bool is_open() const { return !file_.empty(); }
    const std::string& file() const { return file_; }  // whole path; without one a name for it
    bool has_path() const;                             // else it was never saved
    const std::string& draft() const { return draft_; }
    std::uint64_t version() const { return version_; }  // another one for each text not edited here
    bool waits() const { return due_.has_value(); }     // edited, and not run yet
    bool unsaved() const { return is_open() && disk_ != draft_; }
    // The file was changed by others while there are edits here: its text waits to be taken.
    bool differs() const { return outside_.has_value(); }
    bool gone() const { return gone_; }
    const TextFacts& facts() const { return facts_; }  // of the text that was run last
    const TextFacts& good() const { return good_; }    // of the last one that compiled
    const std::optional<Problem>& problem() const { return problem_; }
    void set_problem(std::optional<Problem> problem) {
        problem_ = std::move(problem);
        unreadable_ = false;
    }
    // What was opened since the start, each as it was last.
    const std::vector<Choice>& opened() const { return opened_; }
    bool edited(const std::string& file) const;  // its text is not the file's
    void forget(const std::string& file);
    // … from earlier starts; before anything is shown.
    void recall(const std::vector<OpenedKernel>& kernels);
    // All of them with the draft as it is now; another count for each other answer.
    std::vector<OpenedKernel> memory() const;
    std::uint64_t memory_version() const { return memory_version_; }

    void edit(std::string text);
    // The draft, where it is to be run now: after a pause, or at once.
    std::optional<std::string> take_due(bool at_once);
    // Looks at the file where somebody changed it: its text, if nothing here would be lost by that.
    std::optional<std::string> take_outside();
    // The file's text, whatever was edited here.
    std::optional<std::string> file_text();
    void save();  // throws Problem
    std::optional<Clock::time_point> next_move() const;

  private:
    void watch();
    void remember(const Choice& choice);

    std::function<void()> wake_;
    std::string file_, draft_;
    std::optional<std::string> disk_, outside_;  // as read or written last; as others wrote it
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
