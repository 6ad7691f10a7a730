// Reads a lesson's file: its first lines, its pages and their blocks.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/paths.h"
#include "base/text.h"
#include "lessons/files/lesson.h"
#include "lessons/files/markdown.h"
#include "lessons/files/read_ask.h"

namespace lab::lessons {
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
    for (std::size_t begin = 0; begin < text.size(); ++number) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view line = trimmed(text.substr(begin, end - begin));
        const char sign = line.empty() ? ' ' : line.front();
        const std::size_t length = std::min(line.find_first_not_of(sign), line.size());
        if ((sign == '`' || sign == '~') && length >= 3) {
            const std::string_view info = line.substr(length);
            if (!open && (sign == '~' || info.find('`') == std::string_view::npos))
                open = OpenFence{number, begin, std::string(length, sign)};
            else if (open && info.empty() && sign == open->fence[0] && length >= open->fence.size())
                open.reset();
        }
        begin = end + 1;
    }
    return open;
}

File read_file_blocks(const fs::path& path) {
    File file;
    file.name = path.filename().string();
    std::string text;
    try {
        text = read_text_file(path, std::size_t{1} << 22U);
    } catch (const Problem& problem) {
        throw Problem(problem.what_happened, problem.why, problem.hint, file.name + ":1:1");
    }
    std::string_view rest = text;
    std::uint32_t line = 1;
    if (rest.starts_with("---\n")) {
        const auto end = rest.find("\n---", 3);
        if (end == std::string_view::npos)
            throw Problem("The first lines do not end", "A line of --- begins them",
                          "End them with another line of ---", file.name + ":1:1");
        const std::string_view front = rest.substr(4, end + 1 - 4);
        try {
            file.front = read_entries(front, 2);
        } catch (const Problem& problem) {
            throw Problem(problem.what_happened, problem.why, problem.hint,
                          fmt::format("{}:{}", file.name, problem.where));
        }
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
    file.blocks = read_markdown(rest, line);
    return file;
}

std::pair<std::string, std::string> first_word(const std::string& info) {
    const std::string text(trimmed(info));
    const auto end = text.find(' ');
    if (end == std::string::npos) return {text, {}};
    return {text.substr(0, end), std::string(trimmed(text.substr(end + 1)))};
}

class LessonReader {
  public:
    LessonReader(const fs::path& folder, const catalogue::Catalogue& catalogue)
        : library_{catalogue, folder} {
        lesson_.folder = folder;
        lesson_.id = folder.filename().string();
    }

    ReadLesson read(const std::string& language) {
        ReadLesson result;
        try {
            const File english = read_file_blocks(lesson_.folder / "lesson.md");
            const fs::path other = lesson_.folder / fmt::format("lesson.{}.md", language);
            std::error_code error;
            lesson_.language = "en";
            read_blocks(english);
            if (!english.open && language != "en" && fs::is_regular_file(other, error))
                translate(read_file_blocks(other), english, language);
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
        problems_.emplace_back(problem.what_happened, problem.why, problem.hint,
                               placed ? fmt::format("{}:{}", file.name, problem.where)
                                      : fmt::format("{}:{}:{}", file.name, line,
                                                    problem.where.empty() ? "1" : problem.where));
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
        for (const Block& block : file.blocks) {
            try {
                read_block(file, block);
            } catch (const Problem& problem) {
                note(file, problem, block.line);
            }
        }
        if (lesson_.pages.empty())
            note(file, Problem("The lesson has no page", "", "Begin one with a line: ## Its name"),
                 1);
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
        const bool twice =
            !translates_ && std::any_of(lesson_.pages.begin(), lesson_.pages.end(),
                                        [&](const Page& each) { return each.id == page.id; });
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

    void note_tables(const File& file, const Text& text) {
        for (const Paragraph& paragraph : text)
            if (is_table(paragraph))
                note(
                    file,
                    Problem("A page shows no table", "The words of a page are paragraphs and lists",
                            "Write a list, an item for each row"),
                    paragraph.line);
    }

    Text words_in(const File& file, const Block& block) {
        Text text = read_text(block.body, block.line + 1);
        note_tables(file, text);
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
            note_tables(file, {block.paragraph});
            return;
        }
        const auto [word, rest] = first_word(block.info);
        if (word == "show") {
            read_show(page.show, read_entries(block.body, block.line + 1));
        } else if (word == "ask") {
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
        } else {
            throw Problem(fmt::format("'{}' is no block of a lesson", word), "",
                          "The blocks are show, ask, hint, wrong, after");
        }
    }

    static void read_show(Show& show, const std::vector<Entry>& entries) {
        std::string n, input;  // as they stand in this block
        if (const Entry* twice = repeated(entries, {"set", "arg"})) throw twice_problem(*twice);
        for (const Entry& entry : entries)
            try {
                set_key(show, entry.key, entry.value);
                if (entry.key == "kernel") n = input = {};  // which starts afresh
                if (entry.key == "n") n = entry.value;
                if (entry.key == "input") input = entry.value;
                if (!n.empty() && !input.empty()) check_count(n, input);
            } catch (const Problem& problem) {
                throw Problem(
                    problem.what_happened, problem.why, problem.hint,
                    fmt::format("{}:{}", entry.line,
                                is_show_key(entry.key) ? entry.column : entry.key_column));
            }
        show.in_lockstep = false;  // a page's lanes are those of its picture
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

    static bool has_words(const Block& block) {
        const std::string word = first_word(block.info).first;
        return word == "hint" || word == "wrong" || word == "after";
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
            const bool same =
                !missing && i < here.size() && here[i]->kind == there[i]->kind &&
                (block.kind == Block::Kind::heading
                     ? here[i]->level == there[i]->level
                     : trimmed(here[i]->info) == trimmed(there[i]->info) &&
                           (has_words(block) || trimmed(here[i]->body) == trimmed(there[i]->body)));
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
        reader.read_blocks(other);
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
                       const catalogue::Catalogue& catalogue) {
    return LessonReader(folder, catalogue).read(language);
}

bool is_lesson_folder(const fs::path& folder) {
    std::error_code error;
    return fs::is_regular_file(folder / "lesson.md", error);
}

std::vector<fs::path> lesson_folders(const fs::path& folder) {
    if (is_lesson_folder(folder)) return {folder};
    std::vector<fs::path> result;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error))
        if (is_lesson_folder(entry.path())) result.push_back(entry.path());
    std::sort(result.begin(), result.end());
    return result;
}

}  // namespace lab::lessons
