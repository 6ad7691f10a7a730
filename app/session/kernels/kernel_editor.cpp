#include "session/kernels/kernel_editor.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/paths.h"
#include "base/text.h"
#include "catalogue/plan.h"

namespace lab::session {
namespace {

bool is_text(std::string_view bytes) {
    while (!bytes.empty()) {
        const CodePoint point = first_code_point(bytes);
        if (!point.valid || point.value == 0) return false;
        bytes.remove_prefix(point.length);
    }
    return true;
}

// What a header's Problem says, at its line.
TextFacts facts_of_header(const Problem& problem) {
    TextFacts facts;
    TextMark mark;
    const std::size_t colon = problem.where.rfind(':');
    if (colon != std::string::npos)
        mark.line =
            parse_number<decltype(mark.line)>(std::string_view(problem.where).substr(colon + 1))
                .value_or(mark.line);
    mark.message = problem.what_happened;
    mark.why = problem.why;
    mark.hint = problem.hint;
    facts.marks.push_back(std::move(mark));
    return facts;
}

TextFacts facts_of_choice(const Choice& choice, const catalogue::Catalogue& catalogue) {
    if (choice.user_kernel) return facts_of(*choice.user_kernel);
    try {
        const catalogue::Variant variant =
            parse_opened(catalogue, choice.opened->file, choice.opened->text);
        const catalogue::KernelText text = kernel_text(variant, choice.shape);
        return facts_of({text.file, text.text, text.macros}, variant.entry);
    } catch (const Problem& problem) {
        return facts_of_header(problem);
    }
}

}  // namespace

std::string read_kernel_file(const std::filesystem::path& file) {
    std::string text = read_file(file, kMostKernelText);
    if (!is_text(text))
        throw Problem(fmt::format("{} is no kernel", file.filename().string()),
                      "It holds bytes that are no text in UTF-8",
                      "Open a .cl file; an editor can save it as UTF-8", file.string());
    return text;
}

KernelEditor::KernelEditor(std::function<void()> wake) : wake_(std::move(wake)) {}

bool KernelEditor::has_path() const {
    return std::filesystem::path(file_).is_absolute();
}

void KernelEditor::watch() {
    watch_.reset();
    disk_.reset();
    outside_.reset();
    gone_ = false;
    if (!has_path()) return;
    watch_ = std::make_unique<FileWatch>(file_, wake_);
    try {
        disk_ = read_kernel_file(file_);
    } catch (const Problem&) {
        gone_ = true;
    }
}

void KernelEditor::remember(const Choice& choice) {
    const auto same = std::find_if(opened_.begin(), opened_.end(), [&](const Choice& other) {
        return file_of(other) == file_of(choice);
    });
    if (same == opened_.end())
        opened_.push_back(choice);
    else
        *same = choice;
    ++memory_version_;
}

bool KernelEditor::edited(const std::string& file) const {
    return file == file_ ? unsaved() : edited_.contains(file);
}

void KernelEditor::forget(const std::string& file) {
    std::erase_if(opened_, [&](const Choice& choice) { return file_of(choice) == file; });
    edited_.erase(file);
    ++memory_version_;
}

void KernelEditor::recall(const std::vector<OpenedKernel>& kernels) {
    for (const OpenedKernel& kernel : kernels) {
        opened_.push_back(kernel.choice);
        if (kernel.edited) edited_.insert(file_of(kernel.choice));
    }
}

std::vector<OpenedKernel> KernelEditor::memory() const {
    std::vector<OpenedKernel> kernels;
    for (const Choice& choice : opened_) {
        OpenedKernel& kernel = kernels.emplace_back(OpenedKernel{choice, edited(file_of(choice))});
        if (file_of(choice) == file_)
            (kernel.choice.user_kernel ? kernel.choice.user_kernel->text
                                       : kernel.choice.opened->text) = draft_;
    }
    return kernels;
}

void KernelEditor::show(const Choice& choice, const catalogue::Catalogue& catalogue) {
    if (file_of(choice) != file_) {
        if (unsaved())
            edited_.insert(file_);
        else
            edited_.erase(file_);
        file_ = file_of(choice);
        good_ = {};
        due_.reset();
        shown_.reset();
        problem_.reset();
        watch();
    }
    if (!is_open() || shown_ == choice) return;
    remember(choice);
    if (!shown_ || text_of(*shown_) != text_of(choice)) {
        due_.reset();
        if (draft_ != text_of(choice)) {
            draft_ = text_of(choice);
            ++version_;
        }
    }
    shown_ = choice;
    facts_ = facts_of_choice(choice, catalogue);
    if (facts_.compiles) good_ = facts_;
}

void KernelEditor::edit(std::string text) {
    if (!is_open() || text == draft_) return;
    draft_ = std::move(text);
    ++memory_version_;
    due_ = Clock::now() + kTypingPause;
}

std::optional<std::string> KernelEditor::take_due(bool at_once) {
    if (!due_ || (!at_once && Clock::now() < *due_)) return std::nullopt;
    due_.reset();
    return draft_;
}

std::optional<std::string> KernelEditor::take_outside() {
    if (!watch_ || !watch_->changed()) return std::nullopt;
    std::string now;
    try {
        now = read_kernel_file(file_);
    } catch (const Problem& problem) {
        std::error_code error;
        gone_ = !std::filesystem::exists(file_, error);
        unreadable_ = !gone_;
        if (unreadable_) problem_ = problem;
        return std::nullopt;
    }
    gone_ = false;
    if (std::exchange(unreadable_, false)) problem_.reset();
    const bool edited = unsaved();
    if (disk_ == now || now == draft_) {
        disk_ = std::move(now);
        outside_.reset();
        return std::nullopt;
    }
    if (edited) {
        outside_ = std::move(now);
        return std::nullopt;
    }
    disk_ = now;
    return now;
}

std::optional<std::string> KernelEditor::file_text() {
    if (!has_path()) return std::nullopt;
    try {
        disk_ = read_kernel_file(file_);
        outside_.reset();
        gone_ = false;
        problem_.reset();
        return disk_;
    } catch (const Problem& problem) {
        problem_ = problem;
        return std::nullopt;
    }
}

void KernelEditor::save() {
    write_file(file_, draft_);
    ++memory_version_;
    disk_ = draft_;
    outside_.reset();
    gone_ = false;
    problem_.reset();
}

std::optional<Clock::time_point> KernelEditor::next_move() const {
    std::optional<Clock::time_point> next = due_;
    if (watch_)
        if (const auto look = watch_->next_look(); look && (!next || *look < *next)) next = look;
    return next;
}

}  // namespace lab::session
