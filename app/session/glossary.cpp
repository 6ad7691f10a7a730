#include "session/glossary.h"

#include <algorithm>

#include "base/paths.h"

namespace lab::session {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kTicks = 10;  // a second each; of a longer run all together take ten

}  // namespace

std::vector<Problem> follow(GlossaryBook& book, const std::string& language,
                            const catalogue::Catalogue& catalogue) {
    if (book.runs && book.glossary.language == language) return {};
    const std::filesystem::path folder = data_folder() / "assets" / "glossary";
    const std::string word = book.shown && *book.shown < book.glossary.words.size()
                                 ? book.glossary.words[*book.shown].id
                                 : "";
    lessons::ReadGlossary read = lessons::read_glossary(folder, language, catalogue);
    book.glossary = std::move(read.glossary);
    book.glossary.language = language;  // English words where there are no others
    book.finder = lessons::WordFinder(book.glossary);
    book.runs = std::make_unique<lessons::Runs>(lessons::Library{catalogue, folder});
    book.in_sight.clear();
    book.focus.reset();
    show_word(book, book.glossary.find(word));
    return std::move(read.problems);
}

void show_word(GlossaryBook& book, std::optional<std::size_t> word) {
    book.shown = word && *word < book.glossary.words.size() ? word : std::nullopt;
    book.run = nullptr;
    book.moments.clear();
    book.step = book.tick = 0;
    book.next_tick.reset();
    if (!book.shown) return;
    try {
        const lessons::Word& entry = book.glossary.words[*book.shown];
        book.moments = lessons::moments_of(entry, *book.runs);
        book.run = &book.runs->facts(entry.show).run();
    } catch (const Problem&) {
        return;  // the card has no picture then; `lesson check` says why
    }
    if (book.moments.size() < 2) return;
    // The last moment stays for two ticks, and the whole is repeated as often as it fits.
    const std::size_t cycle = book.moments.size() + 1;
    book.ticks = cycle * std::max<std::size_t>(kTicks / cycle, 1) - 2;
    book.interval =
        cycle > kTicks ? std::chrono::duration_cast<Clock::duration>(std::chrono::seconds(kTicks)) /
                             static_cast<Clock::duration::rep>(cycle)
                       : Clock::duration(1s);
    book.next_tick = Clock::now() + book.interval;
}

void go_on(GlossaryBook& book, Clock::time_point now) {
    while (book.next_tick && *book.next_tick <= now) {
        ++book.tick;
        book.step = std::min(book.tick % (book.moments.size() + 1), book.moments.size() - 1);
        book.next_tick =
            book.tick < book.ticks ? std::optional(*book.next_tick + book.interval) : std::nullopt;
    }
}

void set_in_sight(GlossaryBook& book, std::vector<std::size_t> words) {
    book.in_sight = std::move(words);
    if (book.focus &&
        std::find(book.in_sight.begin(), book.in_sight.end(), *book.focus) == book.in_sight.end())
        book.focus.reset();
}

void focus_next(GlossaryBook& book) {
    if (book.in_sight.empty()) return;
    const auto here = book.focus
                          ? std::find(book.in_sight.begin(), book.in_sight.end(), *book.focus)
                          : book.in_sight.end();
    const auto next = here == book.in_sight.end() ? book.in_sight.begin() : here + 1;
    book.focus = next == book.in_sight.end() ? std::nullopt : std::optional(*next);
}

}  // namespace lab::session
