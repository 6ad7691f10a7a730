#include "session/app_commands.h"

#include <array>
#include <filesystem>
#include <tuple>

#include "base/ranges.h"
#include "base/text.h"

namespace lab::session {

// The app itself: undo, what can be ended, looks.
namespace {

constexpr std::array kThemes{"light", "dark", "projector"};

// What runs for the view on screen, else for another one.
View* running(Session& session) {
    if (session.shown().can_cancel()) return &session.shown();
    for (const std::unique_ptr<View>& view : session.views())
        if (view->can_cancel()) return view.get();
    return nullptr;
}

bool searches(const Session& session) {
    return session.kernels.search.open && session.shown().edits_text();
}

bool can_cancel(const Session& session) {
    return !session.overlay.empty() || session.glossary.focus || searches(session) ||
           session.presenting ||
           any_of(session.views(), [](const auto& view) { return view->can_cancel(); });
}

// The nearest thing that can be ended: what lies over the view, then what runs.
void cancel(Session& session) {
    if (!session.overlay.empty())
        session.overlay = "";
    else if (session.glossary.focus)
        session.glossary.focus.reset();
    else if (searches(session))
        session.kernels.search.open = false;
    else if (session.presenting)
        session.presenting = false;
    else if (View* view = running(session))
        view->cancel();
}

// By a tenth, as far as the window has room for it.
void enlarge(Session& session) {
    const float scale = session.settings().scale, most = session.most_scale;
    if (scale >= most && most < kLargestScale)
        session.notices.say(session.words()("toast.most_scale"));
    else
        session.set_scale(std::min(scale * 1.1F, std::max(most, scale)));
}

void shrink(Session& session) {
    session.set_scale(session.scale() / 1.1F);
}

constexpr std::array kAppCommands{
    Command{"undo", "Ctrl+Z", [](const Session& s) { return s.can_undo(); },
            [](Session& s) { s.undo(); }},
    Command{"redo", "Ctrl+Shift+Z", [](const Session& s) { return s.can_redo(); },
            [](Session& s) { s.redo(); }},
    Command{"cancel", "Escape", can_cancel, cancel},
    Command{"devices", "Ctrl+D", always, toggle<kDevicesPanel>},
    Command{"devices.ask", "F5", always, [](Session& s) { s.start(); }, true},
    Command{"quit", "Ctrl+Q", always, [](Session& s) { s.wants_to_quit = true; }, true},
    Command{"present", "F11", always, [](Session& s) { s.presenting = !s.presenting; }},
    Command{"scale.larger", "Ctrl++", always, enlarge},
    Command{"scale.smaller", "Ctrl+-", always, shrink},
    Command{"scale.reset", "Ctrl+0", always, [](Session& s) { s.set_scale(1); }},
    Command{"theme.next", "Ctrl+T", always,
            [](Session& s) { s.set_theme(next_of(kThemes, s.settings().theme, 1)); }},
    Command{"language.next", "Ctrl+L", always,
            [](Session& s) { s.set_language(next_of(kLanguages, s.settings().language, 1)); }},
    Command{"terms.next", "Ctrl+Shift+L", always,
            [](Session& s) { s.set_terms(next_of(kTerms, s.settings().terms, 1)); }},
};

}  // namespace

std::span<const Command> app_commands() {
    return kAppCommands;
}
std::span<const char* const> themes() {
    return kThemes;
}

// Finding one's way: all commands by name, what keys there are, what went wrong.

constexpr char kMenu[] = "menu", kPaletteId[] = "palette", kHelp[] = "help",
               kGlossary[] = "glossary";

constexpr std::array kHelpCommands{
    Command{"help", "F1", always, toggle<kHelp>},
    Command{"glossary", "Ctrl+Shift+G", always, toggle<kGlossary>},
    Command{"glossary.word", "Alt+W",
            [](const Session& s) { return s.overlay.empty() && !s.glossary.in_sight.empty(); },
            [](Session& s) { focus_next(s.glossary); }},
    Command{"palette", "Ctrl+P", always, toggle<kPaletteId>},
    Command{"menu", "F10", always, toggle<kMenu>},
    Command{"log", "Ctrl+J", always, [](Session& s) { s.log_shown = !s.log_shown; }},
    Command{"hints.again", "Ctrl+H",
            [](const Session& s) { return !s.settings().hints_done.empty(); },
            [](Session& s) { s.edit().hints_done.clear(); }},
};

std::span<const Command> help_commands() {
    return kHelpCommands;
}

namespace {

// Of Latin and Cyrillic letters the small ones; others are as they are.
char32_t small(char32_t c) {
    if ((c >= U'A' && c <= U'Z') || (c >= U'А' && c <= U'Я')) return c + 32;
    return c == U'Ё' || c == U'ё' ? U'е' : c;
}

std::u32string letters_of(std::string_view text) {
    std::u32string letters = decode_utf8(text);
    for (char32_t& letter : letters)
        letter = small(letter);
    return letters;
}

bool ends_word(char32_t c) {
    return c < 128 && !(c >= U'a' && c <= U'z') && !(c >= U'0' && c <= U'9');
}

// From each place where the first letter is, the others as early as they come.
std::optional<int> best_from(std::u32string_view letters, std::u32string_view text,
                             std::size_t start) {
    int score = 0;
    std::size_t index = start;
    std::size_t last = start;
    for (std::size_t i = 0; i < letters.size(); ++i) {
        index = i == 0 ? start : text.find(letters[i], last + 1);
        if (index == std::u32string_view::npos) return {};
        const bool begins = index == 0 || ends_word(text[index - 1]);
        score += begins ? 10 : 1;
        if (i > 0)
            score +=
                index == last + 1 ? 12 : -static_cast<int>(std::min<std::size_t>(index - last, 8));
        last = index;
    }
    return score - static_cast<int>(std::min<std::size_t>(start, 20)) / 2;
}

struct Field {
    std::string text;
    int weight;    // of a hit, percent
    bool in_rows;  // only letters that follow each other count: a long text has all letters
};

std::optional<int> score_of(const std::vector<std::string>& words,
                            const std::array<Field, 3>& fields) {
    int total = 0;
    for (const std::string& word : words) {
        std::optional<int> best;
        for (const Field& field : fields) {
            if (field.in_rows &&
                letters_of(field.text).find(letters_of(word)) == std::u32string::npos)
                continue;
            if (const auto hit = letters_in(word, field.text))
                best = std::max(best.value_or(-1000), *hit * field.weight / 100);
        }
        if (!best) return {};
        total += *best;
    }
    return total;
}

std::array<Field, 3> fields_of(const lessons::Word& word) {
    std::string names = word.id + ' ' + word.opencl + ' ' + word.cuda + ' ' + word.webgpu;
    for (const std::string& form : word.forms)
        names += ' ' + form;
    return {Field{word.title, 100, false}, Field{std::move(names), 80, true},
            Field{plain_text(word.words), 40, true}};
}

std::vector<std::string> query_words(std::string_view query) {
    std::vector<std::string> words = split(query, ' ');
    std::erase(words, "");
    return words;
}

}  // namespace

std::optional<int> letters_in(std::string_view letters, std::string_view text) {
    const std::u32string wanted = letters_of(letters);
    const std::u32string in = letters_of(text);
    if (wanted.empty()) return 0;
    std::optional<int> best;
    for (std::size_t index = in.find(wanted[0]); index != std::u32string::npos;
         index = in.find(wanted[0], index + 1))
        if (const auto score = best_from(wanted, in, index); score && (!best || *score > *best))
            best = score;
    return best;
}

std::string opened_name(const RunChoice& opened) {
    return std::filesystem::path(file_of(opened)).filename().string();
}

std::vector<Found> find(const Session& session, std::string_view query, const Translations& words) {
    struct Scored {
        Found found;
        int score;
    };
    std::vector<Scored> hits;
    const std::vector<std::string> wanted = query_words(query);
    const auto add = [&](Found found, const std::array<Field, 3>& fields) {
        const auto score = score_of(wanted, fields);
        if (!score) return;
        found.title = fields[0].text;
        found.explained = fields[2].text;
        hits.push_back({std::move(found), *score});
    };
    for (const Command& command : session.commands().all()) {
        const std::string key = std::string("command.") + command.id;
        add({.command = &command, .enabled = command.enabled(session)},
            {Field{words(key), 100, false}, Field{command.id, 80, false},
             Field{words(key + ".tip"), 40, true}});
    }
    if (!wanted.empty())
        for (const catalogue::Kernel& variant : session.catalogue().variants) {
            const std::string key = "variant." + variant.id;
            add({.variant = &variant},
                {Field{words.get(key + ".title", variant.title), 100, false},
                 Field{variant.id, 80, false},
                 Field{words.get(key + ".teaches", variant.teaches), 40, true}});
        }
    if (!wanted.empty())
        for (const RunChoice& opened : session.kernels.editor.opened)
            if (opened.user_kernel)  // one with a header is among the variants
                add({.opened = &opened}, {Field{opened_name(opened), 100, false},
                                          Field{opened.user_kernel->kernel, 80, false},
                                          Field{file_of(opened), 40, true}});
    const std::vector<lessons::Word>& glossary = session.glossary.glossary.words;
    if (!wanted.empty())
        for (std::size_t i = 0; i < glossary.size(); ++i)
            add({.word = i}, fields_of(glossary[i]));
    stable_sort(hits, [](const Scored& a, const Scored& b) {
        return std::tuple(a.score, a.found.enabled) > std::tuple(b.score, b.found.enabled);
    });
    return mapped<Found>(hits, &Scored::found);
}

std::vector<std::size_t> find_words(const lessons::Glossary& glossary, std::string_view query) {
    const std::vector<std::string> wanted = query_words(query);
    std::vector<std::pair<int, std::size_t>> hits;
    for (std::size_t i = 0; i < glossary.words.size(); ++i)
        if (const auto score = score_of(wanted, fields_of(glossary.words[i])))
            hits.emplace_back(-*score, i);
    stable_sort(hits, [](const auto& one, const auto& other) { return one.first < other.first; });
    return mapped<std::size_t>(hits, &std::pair<int, std::size_t>::second);
}

constexpr std::array<std::string_view, 2> kPalette{"palette", "help"};
constexpr std::array kEverywhere{Hint{"palette", kPalette}};

static bool is_done(const Session& session, const Hint& hint) {
    return contains(session.settings().hints_done, hint.id);
}

static bool can_be_done(const Session& session, const Hint& hint) {
    return any_of(hint.done_by, [&](std::string_view id) {
        const Command& command = session.command(id);
        return !is_missing(command) && (command.enabled(session) || command.why_not == nullptr ||
                                        command.why_not(session) == nullptr);
    });
}

std::vector<Hint> hints(const Session& session) {
    std::vector<Hint> all;
    for (const ViewType* view : session.options().views)
        all.insert(all.end(), view->hints.begin(), view->hints.end());
    all.insert(all.end(), kEverywhere.begin(), kEverywhere.end());
    return all;
}

const Hint* hint_for(const Session& session) {
    for (const std::span<const Hint> each :
         {session.shown_type().hints, std::span<const Hint>(kEverywhere)})
        for (const Hint& hint : each)
            if (!is_done(session, hint) && can_be_done(session, hint)) return &hint;
    return nullptr;
}

void note_done(Session& session, std::string_view command) {
    for (const Hint& hint : hints(session))
        if (!is_done(session, hint) && contains(hint.done_by, command))
            session.edit().hints_done.push_back(hint.id);
}

}  // namespace lab::session
