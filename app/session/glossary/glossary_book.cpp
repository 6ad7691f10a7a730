#include "session/glossary/glossary_book.h"

#include <algorithm>

#include "base/paths.h"

namespace lab::session {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kTicks = 10;  // a second each; of a longer run all together take ten

}  // namespace

std::vector<Problem> GlossaryBook::follow(const std::string& language,
                                          const catalogue::Catalogue& catalogue) {
    if (runs_ && glossary_.language == language) return {};
    const std::filesystem::path folder = data_folder() / "assets" / "glossary";
    const std::string word =
        shown_ && *shown_ < glossary_.words.size() ? glossary_.words[*shown_].id : "";
    lessons::ReadGlossary read = lessons::read_glossary(folder, language, catalogue);
    glossary_ = std::move(read.glossary);
    glossary_.language = language;  // English words where there are no others
    finder_ = lessons::WordFinder(glossary_);
    runs_ = std::make_unique<lessons::Runs>(lessons::Library{catalogue, folder});
    in_sight_.clear();
    focus_.reset();
    show(glossary_.find(word));
    return std::move(read.problems);
}

void GlossaryBook::show(std::optional<std::size_t> word) {
    shown_ = word && *word < glossary_.words.size() ? word : std::nullopt;
    run_ = nullptr;
    moments_.clear();
    step_ = tick_ = 0;
    next_tick_.reset();
    if (!shown_) return;
    try {
        const lessons::Word& entry = glossary_.words[*shown_];
        moments_ = lessons::moments_of(entry, *runs_);
        run_ = &runs_->facts(entry.show).run();
    } catch (const Problem&) {
        return;  // the card has no picture then; `lesson check` says why
    }
    if (moments_.size() < 2) return;
    // The last moment stays for two ticks, and the whole is repeated as often as it fits.
    const std::size_t cycle = moments_.size() + 1;
    ticks_ = cycle * std::max<std::size_t>(kTicks / cycle, 1) - 2;
    interval_ = cycle > kTicks
                    ? std::chrono::duration_cast<Clock::duration>(std::chrono::seconds(kTicks)) /
                          static_cast<Clock::duration::rep>(cycle)
                    : Clock::duration(1s);
    next_tick_ = Clock::now() + interval_;
}

void GlossaryBook::poll(Clock::time_point now) {
    while (next_tick_ && *next_tick_ <= now) {
        ++tick_;
        step_ = std::min(tick_ % (moments_.size() + 1), moments_.size() - 1);
        next_tick_ = tick_ < ticks_ ? std::optional(*next_tick_ + interval_) : std::nullopt;
    }
}

void GlossaryBook::set_in_sight(std::vector<std::size_t> words) {
    in_sight_ = std::move(words);
    if (focus_ && std::find(in_sight_.begin(), in_sight_.end(), *focus_) == in_sight_.end())
        focus_.reset();
}

void GlossaryBook::focus_next() {
    if (in_sight_.empty()) return;
    const auto here =
        focus_ ? std::find(in_sight_.begin(), in_sight_.end(), *focus_) : in_sight_.end();
    const auto next = here == in_sight_.end() ? in_sight_.begin() : here + 1;
    focus_ = next == in_sight_.end() ? std::nullopt : std::optional(*next);
}

}  // namespace lab::session
