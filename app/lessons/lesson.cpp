#include "lessons/lesson.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <map>

#include <fmt/format.h>
#include <md4c.h>

#include "base/paths.h"
#include "base/ranges.h"
#include "base/text.h"
#include "catalogue/number.h"
#include "lessons/prose.h"
#include "lessons/question.h"

namespace lab::lessons {

// Reads a lesson's file: its first lines, its pages and their blocks.
namespace {

namespace fs = std::filesystem;

// What a file has: words, and blocks that are the same in every language.
struct File {
    std::string name;
    std::vector<Entry> front;
    std::vector<Block> blocks;
    std::optional<Problem> open;  // a fence that does not end; blocks are those before it
};

// The line of the fence that is not closed until the text's end, and where it begins.
struct OpenFence {
    std::uint32_t line = 0;
    std::size_t begin = 0;
    std::string fence;
};
std::optional<OpenFence> open_fence(std::string_view text) {
    std::optional<OpenFence> open;
    std::uint32_t number = 0;
    for (const std::string_view whole : text_lines(text)) {
        const std::string_view line = trimmed(whole);
        const char sign = line.empty() ? ' ' : line.front();
        const std::size_t length = std::min(line.find_first_not_of(sign), line.size());
        if ((sign == '`' || sign == '~') && length >= 3) {
            const std::string_view info = line.substr(length);
            if (!open && (sign == '~' || info.find('`') == std::string_view::npos))
                open = OpenFence{number, static_cast<std::size_t>(whole.data() - text.data()),
                                 std::string(length, sign)};
            else if (open && info.empty() && sign == open->fence[0] && length >= open->fence.size())
                open.reset();
        }
        ++number;
    }
    return open;
}

std::pair<std::string, std::string> first_word(const std::string& info) {
    const std::string text(trimmed(info));
    const auto end = text.find(' ');
    if (end == std::string::npos) return {text, {}};
    return {text.substr(0, end), std::string(trimmed(text.substr(end + 1)))};
}

bool has_words(const std::string& info) {
    const std::string word = first_word(info).first;
    return word == "reason" || word == "hint" || word == "wrong" || word == "after";
}

// A lesson's words in the terms of its prose; what the other blocks say stays.
std::string in_terms(std::string_view text, const Prose& prose) {
    std::string result, part;
    std::string_view fence;  // of the block that is open
    bool words = true;
    const auto end_part = [&] {
        result += words ? prose.said(part) : part;
        part.clear();
    };
    while (!text.empty()) {
        const std::string_view whole =
            text.substr(0, std::min(text.find('\n'), text.size() - 1) + 1);
        const std::string_view line = trimmed(whole);
        if (fence.empty() ? line.starts_with("```") || line.starts_with("~~~") : line == fence) {
            end_part();
            const std::size_t length = std::min(line.find_first_not_of(line[0]), line.size());
            words = !fence.empty() || has_words(std::string(line.substr(length)));
            fence = fence.empty() ? line.substr(0, length) : "";
            result += whole;
        } else {
            part += whole;
        }
        text.remove_prefix(whole.size());
    }
    end_part();
    return result;
}

File read_file_blocks(const fs::path& path, const Prose& prose) {
    File file;
    file.name = path.filename().string();
    std::string text;
    if (const auto problem = thrown_by([&] { text = read_text_file(path, 1U << 22U); }))
        throw problem->at(file.name + ":1:1");
    std::string_view rest = text;
    std::uint32_t line = 1;
    if (rest.starts_with("---\n")) {
        const auto end = rest.find("\n---", 3);
        if (end == std::string_view::npos)
            throw Problem("The first lines do not end", "A line of --- begins them",
                          "End them with another line of ---", file.name + ":1:1");
        const std::string_view front = rest.substr(4, end + 1 - 4);
        if (const auto problem = thrown_by([&] { file.front = read_entries(front, 2); }))
            throw problem->at(fmt::format("{}:{}", file.name, problem->where));
        const auto after = rest.find('\n', end + 1);
        const std::size_t used = after == std::string_view::npos ? rest.size() : after + 1;
        line += static_cast<std::uint32_t>(
            std::count(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(used), '\n'));
        rest.remove_prefix(used);
    }
    if (const auto open = open_fence(rest)) {
        file.open = Problem("The block that begins here does not end", "",
                            fmt::format("End it with a line of {}", open->fence),
                            fmt::format("{}:{}:1", file.name, line + open->line));
        rest = rest.substr(0, open->begin);
    }
    for (Entry& entry : file.front)
        if (entry.key == "title") entry.value = prose.said(entry.value);
    file.blocks = read_markdown(in_terms(rest, prose), line);
    return file;
}

class LessonReader {
  public:
    LessonReader(const fs::path& folder, const catalogue::Catalogue& catalogue)
        : library_{catalogue, folder} {
        lesson_.folder = folder;
        lesson_.id = folder.filename().string();
    }

    ReadLesson read(const std::string& language, Api api) {
        ReadLesson result;
        try {
            const fs::path file = lesson_.folder / "lesson.md";
            const fs::path other = lesson_.folder / fmt::format("lesson.{}.md", language);
            // Whose headings name the pages.
            const File english = read_file_blocks(file, Prose("en", Api::opencl));
            lesson_.language = "en";
            read_blocks(english);
            std::error_code error;
            const bool translated = language != "en" && fs::is_regular_file(other, error);
            const std::string words = translated ? language : "en";
            if (!english.open && (translated || api == Api::cuda))
                translate(read_file_blocks(translated ? other : file, Prose(words, api)), english,
                          words);
        } catch (const Problem& problem) {
            problems_.push_back(problem);
        }
        result.problems = std::move(problems_);
        if (!lesson_.pages.empty()) result.lesson = std::move(lesson_);
        return result;
    }

  private:
    void note(const File& file, const Problem& problem, std::uint32_t line) {
        const bool placed = problem.where.find(':') != std::string::npos;
        problems_.push_back(
            problem.at(placed ? fmt::format("{}:{}", file.name, problem.where)
                              : fmt::format("{}:{}:{}", file.name, line,
                                            problem.where.empty() ? "1" : problem.where)));
    }

    void read_front(const File& file) {
        if (const Entry* twice = repeated(file.front, {}))
            note(file, twice_problem(*twice), twice->line);
        for (const Entry& entry : file.front) {
            if (entry.key == "title") {
                lesson_.title = entry.value;
            } else if (entry.key == "document") {
                lesson_.document = entry.value;
            } else if (entry.key == "needs") {
                lesson_.needs = entry.value;
                lesson_.needs_line = entry.line;
            } else if (entry.key == "minutes") {
                read_minutes(file, entry);
            } else {
                note(file,
                     Problem(fmt::format("'{}' is no key of a lesson", entry.key), "",
                             "The keys are title, document, minutes, needs"),
                     entry.line);
            }
        }
        if (lesson_.title.empty())
            note(file,
                 Problem("The lesson has no title", "",
                         "Begin the file with three lines: ---, title: Its name, ---"),
                 1);
    }

    void read_minutes(const File& file, const Entry& entry) {
        try {
            const std::uint64_t minutes = catalogue::parse_size(entry.value);
            if (minutes == 0 || minutes > 1000)
                throw Problem(fmt::format("'{}' is no number of minutes", entry.value), "", "");
            lesson_.minutes = static_cast<std::uint32_t>(minutes);
        } catch (const Problem& problem) {
            note(file,
                 Problem(problem.what_happened, "", "Write minutes: 10",
                         fmt::format("{}:{}", entry.line, entry.column)),
                 entry.line);
        }
    }

    void read_blocks(const File& file) {
        read_front(file);
        if (file.open) problems_.push_back(*file.open);
        for (const Block& block : file.blocks)
            if (const auto problem = thrown_by([&] { read_block(file, block); });
                problem && !(is_shared(block) && was_said(*problem)))
                note(file, *problem, block.line);
        for (Page& page : lesson_.pages)
            if (const auto problem = thrown_by([&] { check_varied(page); })) {
                if (!was_said(*problem)) note(file, *problem, page.vary_line);
                page.vary.clear();
            }
        if (lesson_.pages.empty())
            note(file, Problem("The lesson has no page", "", "Begin one with a line: ## Its name"),
                 1);
    }

    // Of a block that is the same in every language, its English problem is enough.
    bool was_said(const Problem& problem) const {
        return any_of(english_problems_, [&](const Problem& each) {
            return each.what_happened == problem.what_happened;
        });
    }

    void begin_page(const Block& block) {
        Page page;
        page.line = block.line;
        page.title = plain_text(block.paragraph);
        // "Fix it {#mend-it}" keeps the answers that were given under its former heading.
        const std::size_t named =
            page.title.ends_with('}') ? page.title.rfind(" {#") : page.title.npos;
        page.id = id_of(named == page.title.npos ? page.title : page.title.substr(named));
        page.title.resize(std::min(named, page.title.size()));
        if (!lesson_.pages.empty()) page.show = lesson_.pages.back().show;
        // A translation's pages get the names of the English ones.
        const bool twice = !translates_ && any_of(lesson_.pages, [&](const Page& each) {
            return each.id == page.id;
        });
        const bool nameless = page.id.empty();
        if (nameless) page.id = fmt::format("page-{}", lesson_.pages.size() + 1);
        lesson_.pages.push_back(std::move(page));
        if (nameless && plain_text(block.paragraph).empty())
            throw Problem("The page has no heading", "Answers are kept under it",
                          "Write its name behind the ##");
        if (twice)
            throw Problem("Two pages have the same heading",
                          "Answers are kept under the heading of a page", "Rename one of them");
    }

    void note_table(const File& file, const Paragraph& paragraph) {
        if (is_table(paragraph))
            note(file,
                 Problem("A page shows no table", "The words of a page are paragraphs and lists",
                         "Write a list, an item for each row"),
                 paragraph.line);
    }

    Text words_in(const File& file, const Block& block) {
        Text text = read_text(block.body, block.line + 1);
        for (const Paragraph& paragraph : text)
            note_table(file, paragraph);
        return text;
    }

    void read_block(const File& file, const Block& block) {
        if (block.kind == Block::Kind::heading && block.level == 1) return;
        if (block.kind == Block::Kind::heading && block.level == 2) return begin_page(block);
        if (lesson_.pages.empty())
            throw Problem("Something stands before the first page", "",
                          "Begin a page with a line: ## Its name");
        Page& page = lesson_.pages.back();
        if (block.kind != Block::Kind::fence) {
            page.words.push_back(block.paragraph);
            note_table(file, block.paragraph);
            return;
        }
        const auto [word, rest] = first_word(block.info);
        const bool answers = word == "wrong" || word == "reason";
        // What stands below a question that cannot be read says nothing more of it.
        if (answers && !page.ask && unread_ == lesson_.pages.size()) return;
        if (word == "show") {
            read_show(page, read_entries(block.body, block.line + 1));
        } else if (word == "ask") {
            unread_ = lesson_.pages.size();
            if (page.ask)
                throw Problem("The page asks twice", "",
                              "Begin another page for the second question");
            page.ask =
                read_ask(rest, read_entries(block.body, block.line + 1), block.line, library_);
            take_labels(page);
        } else if (word == "hint") {
            page.hints.push_back(words_in(file, block));
        } else if (word == "after") {
            if (!page.after.empty())
                throw Problem("The page has two blocks 'after'", "Only one can be shown",
                              "Put their words into one");
            page.after = words_in(file, block);
        } else if (word == "wrong") {
            if (!page.ask)
                throw Problem("Nothing was asked yet", "", "Put 'wrong' below the page's 'ask'");
            Reply reply = read_reply(rest, *page.ask, library_);
            reply.words = words_in(file, block);
            page.replies.push_back(std::move(reply));
        } else if (word == "reason") {
            page.reasons.push_back(read_reason(rest, words_in(file, block), page));
        } else {
            unread_ = lesson_.pages.size();
            throw Problem(fmt::format("'{}' is no block of a lesson", word), "",
                          "The blocks are show, ask, reason, hint, wrong, after");
        }
    }

    void read_show(Page& page, const std::vector<Entry>& entries) const {
        Show& show = page.show;
        std::string n, input;  // as they stand in this block
        if (const Entry* twice = repeated(entries, {"set", "arg"})) throw twice_problem(*twice);
        for (const Entry& entry : entries)
            try {
                if (entry.key == "vary") {
                    page.vary = read_vary(entry.value, library_);
                    page.vary_line = entry.line;
                    continue;
                }
                set_key(show, entry.key, entry.value);
                if (entry.key == "kernel") n = input = {};  // which starts afresh
                if (entry.key == "n") n = entry.value;
                if (entry.key == "input") input = entry.value;
                if (!n.empty() && !input.empty()) check_count(n, input);
            } catch (const Problem& problem) {
                throw problem.at(fmt::format("{}:{}", entry.line,
                                             is_show_key(entry.key) || entry.key == "vary"
                                                 ? entry.column
                                                 : entry.key_column));
            }
        show.in_lockstep = false;  // a page's lanes are those of its picture
    }

    // Whether a whole page can vary.
    static void check_varied(const Page& page) {
        const auto varies = [&](std::string_view key) {
            return any_of(page.vary, [&](const auto& each) { return each.first == key; });
        };
        if (page.vary.empty()) return;
        if (varies("n") && !varies("input") &&
            page.show.shape.input.kind == catalogue::Input::Kind::values)
            throw Problem("'n' varies, and the numbers are typed", "",
                          "Vary them, too: vary: n=4,8 input=1..9");
        const Kind kind = page.ask ? page.ask->kind : Kind::number;
        if (kind == Kind::edit || kind == Kind::measure || kind == Kind::reflect ||
            kind == Kind::input)
            throw Problem(fmt::format("Nothing varies with '{}'", name_of(kind)),
                          kind == Kind::input ? "The numbers are the student's"
                                              : "A kernel is checked with new numbers anyway",
                          "Leave 'vary' out, or ask for what is predicted");
    }

    // The list at the end of the words so far is that of the options, or of the numbers.
    static void take_labels(Page& page) {
        const Ask& ask = *page.ask;
        const std::size_t wanted = ask.kind == Kind::choose   ? ask.options.size()
                                   : ask.kind == Kind::number ? ask.values.size()
                                                              : 0;
        std::size_t items = 0;
        while (items < page.words.size() &&
               page.words[page.words.size() - 1 - items].kind != Paragraph::Kind::plain)
            ++items;
        if (wanted == 0 || (ask.kind == Kind::number && wanted == 1 && items != 1)) return;
        if (items != wanted)
            throw Problem(
                fmt::format("{} asked, and the list above has {}",
                            wanted == 1 ? "1 thing is" : fmt::format("{} things are", wanted),
                            items),
                "The list before the block names them, in their order", "Write one item for each",
                fmt::format("{}:1", ask.line));
        page.labels.assign(page.words.end() - static_cast<std::ptrdiff_t>(items), page.words.end());
        page.words.resize(page.words.size() - items);
    }

    // Its body is the same in every language.
    static bool is_shared(const Block& block) {
        return block.kind == Block::Kind::fence && !has_words(block.info);
    }

    // The words of another language in place of the English ones. Its blocks must be the same.
    void translate(const File& other, const File& english, const std::string& language) {
        std::vector<const Block*> here, there;
        for (const Block& block : english.blocks)
            if (block.kind != Block::Kind::paragraph) here.push_back(&block);
        for (const Block& block : other.blocks)
            if (block.kind != Block::Kind::paragraph) there.push_back(&block);
        for (std::size_t i = 0; i < std::max(here.size(), there.size()); ++i) {
            const bool missing = i >= there.size();
            const Block& block = missing ? *here[i] : *there[i];
            const bool same = !missing && i < here.size() && here[i]->kind == there[i]->kind &&
                              (block.kind == Block::Kind::heading
                                   ? here[i]->level == there[i]->level
                                   : trimmed(here[i]->info) == trimmed(there[i]->info) &&
                                         (has_words(block.info) ||
                                          trimmed(here[i]->body) == trimmed(there[i]->body)));
            if (same) continue;
            const std::uint32_t line =
                missing ? (other.blocks.empty() ? 1 : other.blocks.back().line) : block.line;
            problems_.emplace_back(
                missing ? "A block of the English lesson is missing"
                        : "The block is another one than in the English lesson",
                i < here.size() ? fmt::format("There it is in line {}", here[i]->line)
                                : std::string("There are fewer there"),
                "Pages and blocks are the same in every language, only words differ",
                fmt::format("{}:{}:1", other.name, line));
            return;
        }
        LessonReader reader(lesson_.folder, library_.catalogue);
        reader.translates_ = true;
        reader.english_problems_ = problems_;
        reader.read_blocks(other);
        if (other.name != english.name)
            problems_.insert(problems_.end(), reader.problems_.begin(), reader.problems_.end());
        if (reader.lesson_.pages.size() != lesson_.pages.size()) return;
        for (std::size_t i = 0; i < lesson_.pages.size(); ++i)
            reader.lesson_.pages[i].id = lesson_.pages[i].id;
        reader.lesson_.language = language;
        reader.lesson_.minutes = lesson_.minutes;
        reader.lesson_.needs = lesson_.needs;
        reader.lesson_.document = lesson_.document;
        lesson_ = std::move(reader.lesson_);
    }

    Library library_;
    bool translates_ = false;
    std::size_t unread_ = 0;  // which page, from 1, has a question that may not be readable
    std::vector<Problem> english_problems_;
    Lesson lesson_;
    std::vector<Problem> problems_;
};

}  // namespace

std::string id_of(const std::string& title) {
    std::string id;
    for (const char c : title) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0)
            id += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        else if (!id.empty() && id.back() != '-')
            id += '-';
    }
    while (!id.empty() && id.back() == '-')
        id.pop_back();
    return id;
}

ReadLesson read_lesson(const fs::path& folder, const std::string& language,
                       const catalogue::Catalogue& catalogue, Api api) {
    return LessonReader(folder, catalogue).read(language, api);
}

bool is_lesson_folder(const fs::path& folder) {
    std::error_code error;
    return fs::is_regular_file(folder / "lesson.md", error);
}

// The lesson that this one says to do first; empty: none.
static std::string needs_of(const fs::path& folder) {
    std::ifstream file(folder / "lesson.md");
    std::size_t rules = 0;
    for (std::string line; rules < 2 && std::getline(file, line);) {
        if (trimmed(line) == "---") ++rules;
        if (line.starts_with("needs:"))
            return std::string(trimmed(std::string_view(line).substr(6)));
    }
    return {};
}

std::vector<fs::path> lesson_folders(const fs::path& folder) {
    if (is_lesson_folder(folder)) return {folder};
    std::map<fs::path, std::string> left;  // with what each needs
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error))
        if (is_lesson_folder(entry.path())) left[entry.path()] = needs_of(entry.path());
    std::vector<fs::path> result;
    while (!left.empty()) {
        auto next = std::find_if(left.begin(), left.end(), [&](const auto& each) {
            return each.second.empty() || !left.contains(folder / each.second);
        });
        if (next == left.end()) next = left.begin();  // each of them needs another one
        result.push_back(next->first);
        left.erase(next);
    }
    return result;
}

namespace {

[[noreturn]] void reject(std::string what, std::string hint, std::string why = {}) {
    throw Problem(std::move(what), std::move(why), std::move(hint));
}

Place read_row(const std::string& value) {
    if (value == "start") return {};
    if (value == "end" || value == "last") return {Place::Kind::end, 0};
    if (value.starts_with("pass "))
        return {Place::Kind::row, static_cast<std::size_t>(catalogue::parse_size(value.substr(5)))};
    reject(fmt::format("'{}' is no row", value), "Write start, pass 2 or end");
}

template <typename Word>
using Words = std::vector<std::pair<const char*, Word>>;

template <typename Word>
Word word_of(const std::string& value, const Words<Word>& words) {
    std::vector<std::string> names;
    for (const auto& [name, word] : words) {
        if (value == name) return word;
        names.emplace_back(name);
    }
    reject(fmt::format("'{}' is none of the words that fit", value), choices_hint(value, names));
}

struct Reading {
    Ask& ask;
    const std::string& value;
    const Library& library;
};

void set_cells(Reading r) {
    if (r.value == "all") return;
    for (const std::string& cell : split(r.value, ','))
        r.ask.cells.push_back(catalogue::parse_size(cell));
}

void set_pick(Reading r) {
    using Use = Facts::CellUse;
    r.ask.kind = Kind::pick;
    r.ask.use = word_of<Use>(r.value, {{"missing", Use::missing},
                                       {"doubled", Use::doubled},
                                       {"read", Use::read},
                                       {"written", Use::written},
                                       {"stale", Use::stale},
                                       {"raced", Use::raced}});
}

void set_state(Reading r) {
    using State = Facts::Activity;
    r.ask.state = word_of<State>(r.value, {{"active", State::active},
                                           {"idle", State::idle},
                                           {"waiting", State::waiting},
                                           {"done", State::done},
                                           {"diverged", State::diverged},
                                           {"stale", State::stale}});
}

double percent(const std::string& text) {
    const bool sign = text.ends_with('%');
    try {
        return std::stod(text) * (sign ? 0.01 : 1);
    } catch (const std::exception&) {
        reject(fmt::format("'{}' is no number", text), "Write 5%");
    }
}

void add_values(std::vector<Expression>& to, const std::string& text, const Library& library) {
    for (const std::string& each : split(text, ',', true))
        to.emplace_back(each, library);
}

void set_right(Reading r) {
    constexpr std::array kWords{"race", "stale",     "fault", "barrier", "diverged",
                                "wait", "expensive", "read",  "write"};
    if (r.ask.kind == Kind::line) {
        if (contains(kWords, r.value))
            r.ask.right = r.value;
        else
            r.ask.values.emplace_back(r.value, r.library);
        return;
    }
    const bool most = r.value.starts_with("max(");
    if ((!most && !r.value.starts_with("min(")) || !r.value.ends_with(')'))
        reject(fmt::format("'{}' does not choose among kernels", r.value),
               "Write max(EXPRESSION) or min(EXPRESSION)");
    r.ask.most = most;
    r.ask.values.emplace_back(r.value.substr(4, r.value.size() - 5), r.library);
}

void set_until(Reading r) {
    if (r.value.starts_with("result ")) {
        r.ask.until = "result";
        r.ask.values.emplace_back(r.value.substr(7), r.library);
    } else {
        r.ask.until = word_of<const char*>(
            r.value, {{"wrong", "wrong"}, {"right", "right"}, {"hang", "hang"}});
    }
}

// Values of a range in a goal, as "n=1..64"; a longer one is refused.
constexpr std::int64_t kMostRangeValues = 128;

// A range of counts comes to each of them.
std::vector<std::string> without_ranges(const std::string& key, std::vector<std::string> values) {
    std::vector<std::string> all;
    for (std::string& value : values) {
        const auto range = read_range(value, key);
        if (!range) {
            all.push_back(std::move(value));
            continue;
        }
        if (range->second - range->first >= kMostRangeValues)
            reject(fmt::format("'{}={}' is too long", key, value),
                   fmt::format("Write a range of at most {} values", kMostRangeValues));
        for (std::int64_t each = range->first; each <= range->second; ++each)
            all.push_back(std::to_string(each));
    }
    return all;
}

void add_steps(Reading r) {
    using Step = machine::ActionKind;
    for (const std::string& word : split(r.value, ','))
        r.ask.steps.push_back(word_of<Step>(word, {{"loads", Step::load},
                                                   {"stores", Step::store},
                                                   {"atomics", Step::atomic},
                                                   {"barriers", Step::barrier},
                                                   {"collectives", Step::collective}}));
}

void set_step_lines(Reading r) {
    Show trial;
    set_key(trial, "lines", r.value);
    r.ask.lines = trial.lines;
}

// "n=8,16 group=4". Typed numbers have commas of their own; a bar stands between several.
KeyValues read_key_values(const std::string& text, const std::string& hint, bool vary = false) {
    KeyValues result;
    for (const std::string& word : split(text, ' ')) {
        if (word.empty()) continue;
        const auto equals = word.find('=');
        std::string key = word.substr(0, equals);
        if (equals == std::string::npos || !(is_toggle(key) || is_show_key(key)))
            reject(fmt::format("'{}' is {}", word, vary ? "nothing that varies" : "no shape"),
                   hint);
        const bool signs = key == "set" || key == "input";
        std::vector<std::string> values = split(word.substr(equals + 1), signs ? '|' : ',');
        const bool toggle = is_toggle(key);
        if (!vary && (key == "n" || key == "group"))
            values = without_ranges(key, std::move(values));
        Show trial;
        for (std::string& value : values) {
            if (value.empty())
                reject(fmt::format("A value of '{}' is missing", key),
                       fmt::format("Write its values without blanks: {}=4,8", key));
            if (toggle)
                value = key + "=" + value;
            else if (!vary || key != "input" || !read_range(value))
                set_key(trial, key, value);
        }
        result.emplace_back(toggle ? "set" : key, std::move(values));
    }
    return result;
}

// "races == 0 for n=8,16 group=4"
void add_goal(Reading r) {
    Goal goal;
    goal.text = r.value;
    const auto at = r.value.find(" for ");
    goal.condition = Expression(r.value.substr(0, at), r.library);
    if (at != std::string::npos)
        goal.shapes = read_key_values(r.value.substr(at + 5), "Write n=8,16 group=4");
    for (const auto& [key, counts] : goal.shapes)
        for (const auto& [other, inputs] : goal.shapes)
            if (key == "n" && other == "input")
                for (const std::string& n : counts)
                    check_count(n, inputs.front());
    r.ask.goals.push_back(std::move(goal));
}

struct AskKey {
    const char* name;
    std::vector<Kind> kinds;
    void (*set)(Reading reading);
};

const std::vector<AskKey>& ask_keys() {
    static const std::vector<AskKey> all{
        {"row",
         {Kind::cells, Kind::pick, Kind::items},
         [](Reading r) { r.ask.row = read_row(r.value); }},
        {"cells", {Kind::cells}, set_cells},
        {"pick", {Kind::cells, Kind::pick}, set_pick},
        {"state", {Kind::items}, set_state},
        {"value",
         {Kind::number, Kind::choose},
         [](Reading r) { r.ask.values.emplace_back(r.value, r.library); }},
        {"within", {Kind::number}, [](Reading r) { r.ask.within = percent(r.value); }},
        {"unit", {Kind::number}, [](Reading r) { r.ask.unit = r.value; }},
        {"option",
         {Kind::choose},
         [](Reading r) { r.ask.options.emplace_back(r.value, r.library); }},
        {"others", {Kind::choose}, [](Reading r) { add_values(r.ask.others, r.value, r.library); }},
        {"kernels",
         {Kind::choose, Kind::measure},
         [](Reading r) { r.ask.kernels = split(r.value, ','); }},
        {"right", {Kind::choose, Kind::line}, set_right},
        {"item", {Kind::order}, [](Reading r) { r.ask.item = Expression(r.value, r.library); }},
        {"of", {Kind::order}, add_steps},
        {"lines", {Kind::order, Kind::edit}, set_step_lines},
        {"until", {Kind::schedule}, set_until},
        {"most", {Kind::schedule}, [](Reading r) { r.ask.limit = Expression(r.value, r.library); }},
        {"par", {Kind::schedule}, [](Reading r) { r.ask.par = catalogue::parse_size(r.value); }},
        {"start", {Kind::edit}, [](Reading r) { r.ask.start = r.value; }},
        {"solution", {Kind::edit, Kind::input}, [](Reading r) { r.ask.solution = r.value; }},
        {"goal", {Kind::edit, Kind::input}, add_goal},
        {"limit",
         {Kind::edit},
         [](Reading r) {
             r.ask.only_barriers = word_of<bool>(r.value, {{"barriers", true}});
         }},
        {"uses",
         {Kind::edit},
         [](Reading r) {
             (void)word_of<bool>(r.value, {{"local", true}});
             const std::string goal = "used_local_loads > 0";
             add_goal({r.ask, goal, r.library});
         }},
        {"n",
         {Kind::measure},
         [](Reading r) {
             (void)catalogue::parse_size(r.value);
             r.ask.n = r.value;
         }},
        {"predict",
         {Kind::measure},
         [](Reading r) {
             r.ask.predict = word_of<Predict>(
                 r.value,
                 {{"ratio", Predict::ratio}, {"order", Predict::order}, {"share", Predict::share}});
         }},
        {"band", {Kind::measure}, [](Reading r) { r.ask.band = percent(r.value); }},
        {"trials",
         {Kind::measure},
         [](Reading r) { r.ask.trials = catalogue::parse_size(r.value); }},
    };
    return all;
}

}  // namespace

KeyValues read_vary(const std::string& text, const Library& library) {
    constexpr std::array kKeys{"kernel", "input", "n",     "group",    "op",    "type",
                               "order",  "at",    "lanes", "resident", "banks", "local"};
    const std::string hint = fmt::format(
        "Write vary: n=4,8 group=4,8 input=1..9; {} and toggles vary", fmt::join(kKeys, ", "));
    KeyValues vary = read_key_values(text, hint, true);
    if (vary.empty()) reject("Nothing is named that varies", hint);
    for (auto each = vary.begin(); each != vary.end(); ++each) {
        const auto& [key, values] = *each;
        if (key != "set" && std::any_of(vary.begin(), each, [&](const auto& before) {
                return before.first == each->first;
            }))
            reject(fmt::format("'{}' varies twice", key), "Write all of its values together");
        if (key != "set" && !contains(kKeys, key))
            reject(fmt::format("'{}' does not vary", key), hint);
        if (key == "kernel")
            for (const std::string& kernel : values)
                if (!library.has(kernel))
                    reject(fmt::format("There is no kernel '{}'", kernel), "Check the name");
    }
    return vary;
}

std::vector<Entry> read_entries(std::string_view body, std::uint32_t first_line) {
    std::vector<Entry> entries;
    std::uint32_t number = first_line;
    for (const std::string_view line : text_lines(body)) {
        if (!trimmed(line).empty()) {
            const auto colon = line.find(':');
            if (colon == std::string_view::npos)
                throw Problem(fmt::format("'{}' is no setting", trimmed(line)), "",
                              "Write key: value, one a line", fmt::format("{}:1", number));
            const std::string_view value = trimmed(line.substr(colon + 1));
            const auto column = value.empty()
                                    ? colon + 2
                                    : static_cast<std::size_t>(value.data() - line.data()) + 1;
            const std::string_view key = trimmed(line.substr(0, colon));
            entries.push_back({std::string(key), std::string(value), number, column,
                               static_cast<std::size_t>(key.data() - line.data()) + 1});
        }
        ++number;
    }
    return entries;
}

const Entry* repeated(const std::vector<Entry>& entries,
                      std::initializer_list<std::string_view> may) {
    for (auto entry = entries.begin(); entry != entries.end(); ++entry)
        if (!contains(may, entry->key) &&
            std::any_of(entries.begin(), entry,
                        [&](const Entry& before) { return before.key == entry->key; }))
            return &*entry;
    return nullptr;
}

Problem twice_problem(const Entry& entry) {
    return Problem(fmt::format("'{}' stands here twice", entry.key), "Only one can be meant",
                   "Take one away", fmt::format("{}:{}", entry.line, entry.key_column));
}

Ask read_ask(const std::string& kind, const std::vector<Entry>& entries, std::uint32_t line,
             const Library& library) {
    Ask ask;
    ask.line = line;
    const auto types = question_types();
    const QuestionType* found = find_if(types, [&](const QuestionType& each) {
        return each.kind != Kind::pick && kind == each.name;
    });
    if (found == nullptr) {
        std::vector<std::string> names;
        for (const QuestionType& each : types)
            if (each.kind != Kind::pick) names.emplace_back(each.name);
        throw Problem(fmt::format("'{}' is no kind of question", kind), "",
                      choices_hint(kind, names), fmt::format("{}:1", line));
    }
    ask.kind = found->kind;
    if (const Entry* twice = repeated(entries, {"value", "option", "others", "goal"}))
        throw twice_problem(*twice);
    for (const Entry& entry : entries) {
        const AskKey* key = find_if(ask_keys(), [&](const AskKey& each) {
            return each.name == entry.key && contains(each.kinds, ask.kind);
        });
        if (key == nullptr) {
            std::vector<std::string> names;
            for (const AskKey& each : ask_keys())
                if (contains(each.kinds, ask.kind)) names.emplace_back(each.name);
            throw Problem(fmt::format("'{}' is nothing that '{}' knows", entry.key, kind), "",
                          names.empty() ? "It takes no settings" : choices_hint(entry.key, names),
                          fmt::format("{}:{}", entry.line, entry.key_column));
        }
        try {
            key->set({ask, entry.value, library});
        } catch (const Problem& problem) {
            // A column within the value counts from there.
            std::size_t column = entry.column;
            if (!problem.where.empty() &&
                problem.where.find_first_not_of("0123456789") == std::string::npos)
                column += std::stoul(problem.where) - 1;
            throw problem.at(fmt::format("{}:{}", entry.line, column));
        }
    }
    if (const auto problem = thrown_by([&] { check_needs(ask); }))
        throw problem->at(fmt::format("{}:1", line));
    return ask;
}

bool Reason::right() const {
    return name == kRightReason;
}

Reason read_reason(const std::string& name, Text words, const Page& page) {
    if (!page.ask) reject("Nothing was asked yet", "Put 'reason' below the page's 'ask'");
    const Kind kind = page.ask->kind;
    if (kind == Kind::edit || kind == Kind::schedule || kind == Kind::reflect)
        reject(fmt::format("No reason is asked for with '{}'", name_of(kind)),
               "Ask for one with what is predicted: values, places, results, a line");
    if (name.empty() || id_of(name) != name)
        reject(fmt::format("'{}' does not name a reason", name),
               "Write reason right, or a word for the misconception, as reason group-0-first");
    if (any_of(page.reasons, [&](const Reason& each) { return each.name == name; }))
        reject(fmt::format("Two reasons are called '{}'", name),
               "One is right; name the others by different misconceptions");
    Reason reason{name, {}, {}};
    if (words.empty()) reject("The reason has no words", "Write what a student may think");
    if (!reason.right() && words.size() < 2)
        reject("The reason is not answered",
               "Write a second paragraph: what the run shows to those who think so");
    reason.words = {words.front()};
    reason.reply.assign(words.begin() + 1, words.end());
    return reason;
}

Reply read_reply(const std::string& what, const Ask& ask, const Library& library) {
    Reply reply;
    const auto number_after = [&](std::string_view word) {
        return static_cast<std::size_t>(catalogue::parse_size(
            std::string(trimmed(std::string_view(what).substr(word.size())))));
    };
    // "option 9" where there are fewer.
    const auto up_to = [&](std::size_t count, const char* thing) {
        if (reply.number == 0 || (count > 0 && reply.number > count))
            reject(fmt::format("There is no {} {}", thing, reply.number),
                   count > 0 ? fmt::format("There are {}, counted from 1", count)
                             : std::string("Count from 1"));
    };
    const std::size_t options = std::max(ask.options.size(), ask.kernels.size());
    const bool sets = type_of(ask.kind).sets;
    static const std::map<std::string, Reply::Kind> kSets{{"subset", Reply::Kind::subset},
                                                          {"superset", Reply::Kind::superset},
                                                          {"some", Reply::Kind::some},
                                                          {"all offered", Reply::Kind::all},
                                                          {"all", Reply::Kind::all}};
    if (what.empty()) {
        reply.kind = Reply::Kind::any;
    } else if (const bool option = what.starts_with("option ");
               ask.kind == Kind::choose && (option || what.starts_with("missing "))) {
        reply.kind = option ? Reply::Kind::option : Reply::Kind::missing;
        reply.number = number_after(option ? "option " : "missing ");
        up_to(options, "option");
    } else if (const auto set = kSets.find(what); sets && set != kSets.end()) {
        reply.kind = set->second;
    } else if (ask.kind == Kind::edit && what.starts_with("uses ")) {
        reply.kind = Reply::Kind::uses;
        reply.word = std::string(trimmed(std::string_view(what).substr(5)));
    } else if ((ask.kind == Kind::edit || ask.kind == Kind::input) && what.starts_with("goal ")) {
        reply.kind = Reply::Kind::goal;
        reply.number = number_after("goal ");
        up_to(ask.goals.size(), "goal");
    } else if (what.starts_with("if ")) {
        reply.kind = Reply::Kind::run;
        reply.expression = Expression(what.substr(3), library);
    } else if (!type_of(ask.kind).values) {
        reject(fmt::format("'wrong {}' fits no answer to this question", what),
               "docs/lessons.md lists what fits");
    } else {
        reply.kind = Reply::Kind::value;
        reply.expression = Expression(what, library);
    }
    if (ask.kind == Kind::input && reply.kind == Reply::Kind::value)
        reject(fmt::format("'wrong {}' is one number of a row", what),
               "Write wrong if, and what is true with the numbers that were typed");
    return reply;
}

std::string text_of(const Goal& goal, const Translations& tr) {
    std::string text = tr.get("learn.goal." + goal.condition.text(), goal.condition.text());
    const auto at = goal.text.find(" for ");
    if (at == std::string::npos) return text;
    // As they are written: "n = 1..64; group = 4, 8".
    std::string shapes;
    for (const char c : goal.text.substr(at + 5))
        shapes += c == '=' ? " = " : c == ',' ? ", " : c == ' ' ? "; " : std::string(1, c);
    return tr("learn.goal_for", fmt::arg("goal", text), fmt::arg("shapes", shapes));
}

namespace fs = std::filesystem;

static std::string place_text(const Place& place) {
    if (place.kind == Place::Kind::start) return "start";
    if (place.kind == Place::Kind::end) return "end";
    return fmt::format("{} {}", place.kind == Place::Kind::row ? "pass" : "action", place.row);
}

static void write_kernel(const fs::path& file, const std::string& text) {
    std::error_code error;
    if (fs::exists(file, error) && read_file(file) != text)
        throw Problem(fmt::format("There is another {} in the folder", file.filename().string()),
                      "Pages of the lesson may show it", "Rename one of the two", file.string());
    write_file(file, text);
}

std::string show_text(const Show& show) {
    const Show usual;
    std::string text = fmt::format("kernel: {}\n", show.variant);
    const auto add = [&](const char* key, const std::string& value) {
        text += fmt::format("{}: {}\n", key, value);
    };
    const catalogue::Shape& shape = show.shape;
    if (!shape.set.empty()) {
        std::string settings;
        for (const auto& [name, value] : shape.set)
            settings += fmt::format("{}{}={}", settings.empty() ? "" : ", ", name, value);
        add("set", settings);
    }
    add("input", catalogue::text_of(shape.input));
    if (shape.n && shape.input.kind != catalogue::Input::Kind::values)
        add("n", fmt::format("{}", *shape.n));
    if (shape.group > 0) add("group", fmt::format("{}", shape.group));
    if (shape.op != usual.shape.op) add("op", name_of(shape.op));
    if (shape.type != usual.shape.type) add("type", info(shape.type).name);
    for (const catalogue::MachineOption& option : catalogue::machine_options())
        if (!option.is_usual(show.machine))
            add(option.id, option.text_of(show.machine.*option.field));
    if (const std::string& order = show.machine.order; order != usual.machine.order) {
        const bool turns = order.starts_with(machine::kTurnsPrefix);
        add("order", turns ? order.substr(machine::kTurnsPrefix.size()) : order);
    }
    const catalogue::LaunchForm form = show.user_kernel.value_or(catalogue::LaunchForm());
    if (form.global.given()) add("global", size_text(form.global));
    if (form.local.given()) add("local", size_text(form.local));
    if (form.offset.given()) add("offset", size_text(form.offset));
    for (const std::string& argument : form.arguments)
        add("arg", argument);
    add("at", place_text(show.at));
    if (show.view != usual.view) add("view", show.view);
    return text;
}

void add_page(const fs::path& folder, const std::string& heading, const Show& show,
              const std::string& kernel) {
    const std::string title(trimmed(heading));
    if (title.empty()) throw Problem("The page has no heading", "", "Write what it shows or asks");
    const fs::path file = folder / "lesson.md";
    std::error_code error;
    std::string text;
    if (fs::exists(file, error)) {
        text = read_file(file);
        if (text.find(fmt::format("\n## {}\n", title)) != std::string::npos)
            throw Problem("The lesson has a page with this heading",
                          "Answers are kept under the heading of a page", "Write another one",
                          file.string());
    } else {
        text = fmt::format("---\ntitle: {}\n---\n", folder.filename().string());
    }
    if (!kernel.empty()) write_kernel(folder / show.variant, kernel);
    write_file(file, fmt::format("{}\n## {}\n\n```show\n{}```\n", text, title, show_text(show)));
}

namespace {

class Reader {
  public:
    Reader(std::string_view text, std::uint32_t first_line)
        : text_(text), line_(first_line), first_line_(first_line) {}

    std::vector<Block> read() {
        MD_PARSER parser{};
        parser.flags = MD_FLAG_NOHTML;
        parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* self) {
            return static_cast<Reader*>(self)->enter(type, detail);
        };
        parser.leave_block = [](MD_BLOCKTYPE type, void*, void* self) {
            return static_cast<Reader*>(self)->leave(type);
        };
        parser.enter_span = [](MD_SPANTYPE type, void* detail, void* self) {
            return static_cast<Reader*>(self)->style(type, detail, true);
        };
        parser.leave_span = [](MD_SPANTYPE type, void* detail, void* self) {
            return static_cast<Reader*>(self)->style(type, detail, false);
        };
        parser.text = [](MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* self) {
            return static_cast<Reader*>(self)->add(type, {text, size});
        };
        if (md_parse(text_.data(), static_cast<MD_SIZE>(text_.size()), &parser, this) != 0)
            throw Problem("The lesson's text cannot be read", "md4c gave up on it",
                          "Is it a text file?");
        return std::move(blocks_);
    }

  private:
    struct List {
        bool numbered = false;
        std::uint32_t next = 1;
        bool first = true;
    };

    // What the parser passes on is mostly a part of the text itself.
    void see(const char* place) {
        if (place < text_.data() || place > text_.data() + text_.size()) return;
        line_ = first_line_ + static_cast<std::uint32_t>(std::count(text_.data(), place, '\n'));
    }

    void begin(Block::Kind kind) {
        block_ = {};
        block_.kind = kind;
        block_.line = 0;
        open_ = true;
        now_ = {};
        length_ = 0;
    }

    int enter(MD_BLOCKTYPE type, void* detail) {
        switch (type) {
            case MD_BLOCK_H:
                begin(Block::Kind::heading);
                block_.level = static_cast<MD_BLOCK_H_DETAIL*>(detail)->level;
                break;
            case MD_BLOCK_P:
                if (open_) break;  // of a list's item
                begin(Block::Kind::paragraph);
                break;
            case MD_BLOCK_UL:
                lists_.push_back({});
                break;
            case MD_BLOCK_OL:
                lists_.push_back({true, static_cast<MD_BLOCK_OL_DETAIL*>(detail)->start, true});
                break;
            case MD_BLOCK_LI: {
                List& list = lists_.back();
                begin(Block::Kind::paragraph);
                block_.begins_list = std::exchange(list.first, false);
                block_.paragraph.kind =
                    list.numbered ? Paragraph::Kind::numbered : Paragraph::Kind::bullet;
                block_.paragraph.number = list.next++;
                break;
            }
            case MD_BLOCK_CODE: {
                begin(Block::Kind::fence);
                const MD_ATTRIBUTE& info = static_cast<MD_BLOCK_CODE_DETAIL*>(detail)->info;
                block_.info.assign(info.text == nullptr ? "" : info.text, info.size);
                ++line_;  // at least
                if (info.text != nullptr) see(info.text);
                block_.line = line_;
                break;
            }
            default:
                break;
        }
        return 0;
    }

    int leave(MD_BLOCKTYPE type) {
        switch (type) {
            case MD_BLOCK_UL:
            case MD_BLOCK_OL:
                lists_.pop_back();
                break;
            case MD_BLOCK_H:
            case MD_BLOCK_P:
            case MD_BLOCK_LI:
            case MD_BLOCK_CODE:
                if (!open_ ||
                    (type == MD_BLOCK_P && block_.paragraph.kind != Paragraph::Kind::plain))
                    break;
                if (block_.line == 0) block_.line = line_;
                block_.paragraph.line = block_.line;
                blocks_.push_back(std::move(block_));
                open_ = false;
                break;
            default:
                break;
        }
        return 0;
    }

    int style(MD_SPANTYPE type, void* detail, bool on) {
        if (type == MD_SPAN_EM) now_.italic = on;
        if (type == MD_SPAN_STRONG) now_.bold = on;
        if (type == MD_SPAN_CODE) now_.code = on;
        if (type == MD_SPAN_A) {
            now_.link.clear();
            const MD_ATTRIBUTE& address = static_cast<MD_SPAN_A_DETAIL*>(detail)->href;
            if (on) now_.link.assign(address.text, address.size);
        }
        return 0;
    }

    int add(MD_TEXTTYPE type, std::string_view text) {
        if (block_.kind == Block::Kind::fence) {
            block_.body += text;
            if (type == MD_TEXT_CODE) see(text.data());
            return 0;
        }
        if (type == MD_TEXT_SOFTBR || type == MD_TEXT_BR)
            text = " ";
        else
            see(text.data());
        if (block_.line == 0) block_.line = line_;
        std::vector<Span>& spans = block_.paragraph.spans;
        now_.text.clear();
        const auto same = [&](Span span) {
            span.text.clear();
            return span == now_;
        };
        if (spans.empty() || !same(spans.back())) spans.push_back(now_);
        spans.back().text += text;
        length_ += text.size();
        if (type == MD_TEXT_SOFTBR || type == MD_TEXT_BR)
            block_.paragraph.breaks.push_back(length_);
        return 0;
    }

    std::string_view text_;
    std::uint32_t line_, first_line_;
    std::vector<Block> blocks_;
    Block block_;
    bool open_ = false;
    Span now_;
    std::size_t length_ = 0;  // of the paragraph's text so far
    std::vector<List> lists_;
};

}  // namespace

std::vector<Block> read_markdown(std::string_view text, std::uint32_t first_line) {
    return Reader(text, first_line).read();
}

Text read_text(std::string_view text, std::uint32_t first_line) {
    Text result;
    for (Block& block : read_markdown(text, first_line))
        if (block.kind != Block::Kind::fence) result.push_back(std::move(block.paragraph));
    return result;
}

std::uint32_t Paragraph::line_at(std::size_t place) const {
    return line + static_cast<std::uint32_t>(std::upper_bound(breaks.begin(), breaks.end(), place) -
                                             breaks.begin());
}

// Its second line is of dashes and bars only, such as |---|:--|.
bool is_table(const Paragraph& paragraph) {
    if (paragraph.breaks.empty()) return false;
    const std::string text = plain_text(paragraph);
    const std::size_t begin = paragraph.breaks.front();
    const std::size_t end = paragraph.breaks.size() > 1 ? paragraph.breaks[1] : text.size();
    const std::string line = text.substr(begin, end - begin);
    return line.find('|') != std::string::npos && line.find('-') != std::string::npos &&
           line.find_first_not_of("|-: ") == std::string::npos;
}

std::string plain_text(const Paragraph& paragraph) {
    std::string text;
    for (const Span& span : paragraph.spans)
        text += span.text;
    return text;
}

std::string plain_text(const Text& text) {
    std::string result;
    for (const Paragraph& paragraph : text)
        result += plain_text(paragraph) + "\n";
    return result;
}

}  // namespace lab::lessons
