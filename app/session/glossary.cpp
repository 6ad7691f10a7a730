#include "session/glossary.h"

#include <algorithm>

#include "base/paths.h"
#include "base/ranges.h"

namespace lab::session {

constexpr std::size_t kTicks = 10;  // a second each; of a longer run all together take ten

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
    const auto problem = thrown_by([&] {
        const lessons::Word& entry = book.glossary.words[*book.shown];
        book.moments = lessons::moments_of(entry, *book.runs);
        book.run = &book.runs->facts(entry.show).run();
    });
    // Without a run the card has no picture; `lesson check` says why.
    if (problem || book.moments.size() < 2) return;
    // The last moment stays for two ticks, and the whole is repeated as often as it fits.
    const std::size_t cycle = book.moments.size() + 1;
    book.ticks = cycle * std::max<std::size_t>(kTicks / cycle, 1) - 2;
    book.interval = Clock::duration(std::chrono::seconds(1));
    if (cycle > kTicks) book.interval = book.interval * kTicks / cycle;
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
    if (book.focus && !contains(book.in_sight, *book.focus)) book.focus.reset();
}

void focus_next(GlossaryBook& book) {
    const std::vector<std::size_t>& words = book.in_sight;
    const std::size_t here = book.focus ? position_of(words, *book.focus) : words.size();
    const std::size_t next = here == words.size() ? 0 : here + 1;
    book.focus = next < words.size() ? std::optional(words[next]) : std::nullopt;
}

}  // namespace lab::session
