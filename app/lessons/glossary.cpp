#include "lessons/glossary.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "analysis/memory_traffic.h"
#include "base/json_fields.h"
#include "base/paths.h"
#include "base/ranges.h"
#include "base/text.h"
#include "base/translations.h"
#include "catalogue/number.h"

namespace lab::lessons {
namespace {

namespace fs = std::filesystem;
using Picture = Word::Picture;

struct PictureName {
    Picture picture;
    const char* name;
    const char* unit;  // of `from` and `to`
};
constexpr std::array kPictures{PictureName{Picture::diagram, "diagram", "pass"},
                               PictureName{Picture::lanes, "lanes", "pass"},
                               PictureName{Picture::memory, "memory", "request"},
                               PictureName{Picture::schedule, "schedule", "action"}};

const PictureName& entry_of(Picture picture) {
    return *find_if(kPictures, [&](const PictureName& each) { return each.picture == picture; });
}

// "pass 2" -> 2
std::uint64_t read_moment(const Word& word, const std::string& value) {
    const std::string unit = entry_of(word.picture).unit;
    if (value == "start") return 0;
    if (value.starts_with(unit + " ")) return catalogue::parse_size(value.substr(unit.size() + 1));
    throw Problem(fmt::format("'{}' is no moment of this picture", value), "",
                  fmt::format("Write start or {} 2; put 'panel' before it", unit));
}

void set_picture(Word& word, const std::string& value) {
    for (const PictureName& each : kPictures)
        if (value == each.name) return void(word.picture = each.picture);
    auto names = mapped<std::string>(kPictures, &PictureName::name);
    throw Problem(fmt::format("'{}' is no picture", value), "", choices_hint(value, names));
}

void set_show(Word& word, const Entry& entry, const Library& library) {
    if (entry.key == "panel")
        set_picture(word, entry.value);
    else if (entry.key == "from")
        word.from = read_moment(word, entry.value);
    else if (entry.key == "to")
        word.to = read_moment(word, entry.value);
    else if (entry.key == "holds")
        word.holds.emplace_back(entry.value, library);
    else
        set_key(word.show, entry.key, entry.value);
}

void set_name(Word& word, const Entry& entry) {
    const std::string name = entry.value == "-" ? std::string() : entry.value;
    if (entry.value.empty())
        throw Problem(fmt::format("'{}' has no value", entry.key), "",
                      "Write it after the colon, or - where there is no name");
    if (entry.key == "opencl") {
        word.opencl = name;
    } else if (entry.key == "cuda") {
        word.cuda = name;
    } else if (entry.key == "webgpu") {
        word.webgpu = name;
    } else if (entry.key == "forms") {
        const auto forms = split(entry.value, ',');
        word.forms.insert(word.forms.end(), forms.begin(), forms.end());
    } else {
        throw Problem(fmt::format("'{}' is no key of names", entry.key), "",
                      "The keys are opencl, cuda, webgpu, forms");
    }
}

class GlossaryReader {
  public:
    GlossaryReader(const fs::path& folder, std::string file, const catalogue::Catalogue& catalogue)
        : library_{catalogue, folder}, file_(std::move(file)) {}

    void read() {
        if (const auto problem = thrown_by([&] {
                blocks_ = read_markdown(read_text_file(library_.folder / file_, 1U << 22U));
            }))
            note(*problem, 1);
        for (const Block& block : blocks_)
            if (const auto problem = thrown_by([&] { read_block(block); }))
                note(*problem, block.line);
        end_word();
        if (words.empty() && problems.empty())
            note(Problem("The glossary has no word", "", "Begin one with a line: ## The word"), 1);
        find_doubles();
    }

    void note(const Problem& problem, std::uint32_t line) {
        const bool placed = problem.where.find(':') != std::string::npos;
        problems.push_back(problem.at(placed ? fmt::format("{}:{}", file_, problem.where)
                                             : fmt::format("{}:{}:1", file_, line)));
    }

    std::vector<Word> words;
    std::vector<Problem> problems;

  private:
    void read_block(const Block& block) {
        if (block.kind == Block::Kind::heading && block.level == 1) return;
        if (block.kind == Block::Kind::heading) {
            end_word();
            Word word;
            word.line = block.line;
            word.title = plain_text(block.paragraph);
            word.id = id_of(word.title);
            words.push_back(std::move(word));
            named_ = shown_ = false;
            return;
        }
        if (words.empty())
            throw Problem("Something stands before the first word", "",
                          "Begin a word with a line: ## The word");
        Word& word = words.back();
        if (block.kind == Block::Kind::paragraph) {
            word.words.push_back(block.paragraph);
            return;
        }
        const std::string info(trimmed(block.info));
        if (info != "names" && info != "show")
            throw Problem(fmt::format("'{}' is no block of a glossary", info), "",
                          "The blocks are names, show");
        (info == "names" ? named_ : shown_) = true;
        for (const Entry& entry : read_entries(block.body, block.line + 1)) {
            const auto problem = thrown_by(
                [&] { info == "names" ? set_name(word, entry) : set_show(word, entry, library_); });
            if (problem)
                note(problem->at(fmt::format("{}:{}", entry.line, entry.column)), entry.line);
        }
    }

    void end_word() {
        if (words.empty()) return;
        const Word& word = words.back();
        const auto lacks = [&](const char* what, const char* hint) {
            note(Problem(fmt::format("'{}' has no {}", word.title, what), "", hint), word.line);
        };
        if (word.words.empty()) lacks("sentence", "Say in one or two sentences what it is");
        if (!named_) lacks("names", "Add a block names, with opencl, cuda, webgpu, forms");
        if (named_ && word.forms.empty())
            lacks("forms", "Add to its names: forms: item, items; as texts write it");
        if (!shown_) lacks("picture", "Add a block show, with a kernel");
    }

    // A form says which word is meant, so it belongs to one.
    void find_doubles() {
        std::map<std::string, std::string> seen;
        for (const Word& word : words)
            for (const std::string& form : word.forms) {
                const auto [place, fresh] = seen.emplace(form, word.title);
                if (!fresh)
                    note(Problem(fmt::format("The form '{}' is given twice", form),
                                 fmt::format("'{}' has it, too", place->second),
                                 "Leave it to one of them"),
                         word.line);
            }
    }

    Library library_;
    std::string file_;
    std::vector<Block> blocks_;
    bool named_ = false, shown_ = false;
};

// What differs from the English word though it may not; empty: nothing.
const char* difference(const Word& here, const Word& there) {
    if (here.opencl != there.opencl || here.cuda != there.cuda || here.webgpu != there.webgpu)
        return "names";
    const auto texts = [](const Word& word) {
        return mapped<std::string>(word.holds, &Expression::text);
    };
    if (here.show != there.show || here.picture != there.picture || here.from != there.from ||
        here.to != there.to || texts(here) != texts(there))
        return "picture";
    return nullptr;
}

}  // namespace

const char* name_of(Word::Picture picture) {
    return entry_of(picture).name;
}

std::optional<std::size_t> Glossary::find(std::string_view id) const {
    for (std::size_t i = 0; i < words.size(); ++i)
        if (words[i].id == id) return i;
    return std::nullopt;
}

bool is_glossary_folder(const fs::path& folder) {
    std::error_code error;
    return fs::is_regular_file(folder / "glossary.md", error);
}

ReadGlossary read_glossary(const fs::path& folder, const std::string& language,
                           const catalogue::Catalogue& catalogue) {
    GlossaryReader english(folder, "glossary.md", catalogue);
    english.read();
    ReadGlossary result{{"en", std::move(english.words)}, std::move(english.problems)};
    const std::string name = fmt::format("glossary.{}.md", language);
    std::error_code error;
    if (language == "en" || !fs::is_regular_file(folder / name, error)) return result;
    GlossaryReader other(folder, name, catalogue);
    other.read();
    std::vector<Word>& words = result.glossary.words;
    for (std::size_t i = 0; i < other.words.size() && i < words.size(); ++i) {
        const Word& word = other.words[i];
        if (const char* what = difference(words[i], word))
            other.note(Problem(fmt::format("'{}' has other {} than the English '{}'", word.title,
                                           what, words[i].title),
                               "", "Only the words and the forms differ between languages"),
                       word.line);
    }
    if (other.words.size() != words.size())
        other.note(Problem(fmt::format("There are {} words, in English {}", other.words.size(),
                                       words.size()),
                           "", "All languages have the same words, in the same order"),
                   1);
    const bool whole = other.problems.empty();
    result.problems.insert(result.problems.end(), other.problems.begin(), other.problems.end());
    if (!whole) return result;
    for (std::size_t i = 0; i < words.size(); ++i)
        other.words[i].id = words[i].id;
    result.glossary = {language, std::move(other.words)};
    return result;
}

std::vector<std::uint64_t> moments_of(const Word& word, Runs& runs) {
    const analysis::MachineRun& run = runs.facts(word.show).run();
    std::vector<std::uint64_t> all;
    if (word.picture == Picture::memory) {
        if (run.run != nullptr) all = analysis::request_times(*run.run, word.show.lines);
        all.insert(all.begin(), 0);  // so that the first request is number 1
    } else {
        all.resize(word.picture == Picture::diagram ? run.table.rows.size()
                   : word.picture == Picture::lanes ? run.activity.size() + 1
                                                    : run.actions() + 1);
        std::iota(all.begin(), all.end(), std::uint64_t{0});
    }
    const std::uint64_t least = word.picture == Picture::memory ? 1 : 0;
    const std::uint64_t first = std::max(word.from.value_or(least), least);
    const std::uint64_t last = word.to.value_or(all.size() - 1);
    if (first >= all.size() || last >= all.size() || last < first)
        throw Problem("The run has no such part",
                      fmt::format("It has {} of {}", all.size() - 1, entry_of(word.picture).unit),
                      "Change from and to, or what is shown");
    return {all.begin() + static_cast<std::ptrdiff_t>(first),
            all.begin() + static_cast<std::ptrdiff_t>(last + 1)};
}

LAB_JSON_LOCAL_FIELDS(CheckedWord, id, title, kernel, picture, moments, holds)
LAB_JSON_FIELDS(CheckedGlossary, languages, words, problems)

CheckedGlossary check_glossary(const fs::path& folder, const catalogue::Catalogue& catalogue) {
    CheckedGlossary result;
    Runs runs({catalogue, folder});
    for (const char* language : kLanguages) {
        const bool english = std::string_view(language) == "en";
        ReadGlossary read = read_glossary(folder, language, catalogue);
        for (const Problem& problem : read.problems)
            if (none_of(result.problems,
                        [&](const Problem& each) { return each.text() == problem.text(); }))
                result.problems.push_back(problem);
        if (read.glossary.language == language) result.languages.emplace_back(language);
        if (!english) continue;
        for (const Word& word : read.glossary.words) {
            CheckedWord checked{word.id, word.title, word.show.variant, name_of(word.picture),
                                0,       {}};
            const auto note = [&](const Problem& problem) {
                result.problems.push_back(problem.at(fmt::format("glossary.md:{}:1", word.line)));
            };
            try {
                checked.moments = moments_of(word, runs).size();
                for (const Expression& each : word.holds) {
                    checked.holds.push_back(each.text());
                    if (each(word.show, runs) == 0)
                        note(Problem(fmt::format("'{}' does not hold: {}", word.title, each.text()),
                                     "The run does not show what the word says",
                                     "Show another one"));
                }
            } catch (const Problem& problem) {
                note(problem);
            }
            result.words.push_back(std::move(checked));
        }
    }
    return result;
}

// Finds the words of a glossary in a text.
static unsigned char byte_at(std::string_view text, std::size_t at) {
    return static_cast<unsigned char>(text[at]);
}

// Latin and Russian letters in their small form, which is as long.
static std::string small_letters(std::string_view text) {
    std::string small(text);
    for (std::size_t i = 0; i < small.size(); ++i) {
        const unsigned char lead = byte_at(small, i);
        if (lead < 0x80) {
            small[i] = static_cast<char>(std::tolower(lead));
        } else if (lead == 0xd0 && i + 1 < small.size()) {
            const unsigned char next = byte_at(small, i + 1);
            const auto put = [&](unsigned first, unsigned second) {
                small[i] = static_cast<char>(first);
                small[i + 1] = static_cast<char>(second);
            };
            if (next >= 0x90 && next <= 0x9f) put(0xd0, next + 0x20U);
            if (next >= 0xa0 && next <= 0xaf) put(0xd1, next - 0x20U);
            if (next == 0x81) put(0xd1, 0x91);
            ++i;
        }
    }
    return small;
}

// Whether the character that begins there, or ends before, is a letter or digit that would go on a
// word.
static bool letter_at(std::string_view text, std::size_t at) {
    if (at >= text.size()) return false;
    const unsigned char lead = byte_at(text, at);
    return lead < 0x80 ? std::isalnum(lead) != 0 || lead == '_' : lead >= 0xc3 && lead < 0xe2;
}
static bool letter_before(std::string_view text, std::size_t at) {
    if (at == 0) return false;
    std::size_t begin = at - 1;
    while (begin > 0 && continues_character(text[begin]))
        --begin;
    return letter_at(text, begin);
}

static bool fits(std::string_view text, std::size_t at, std::string_view form) {
    if (text.substr(at, form.size()) != form) return false;
    const bool wide = any_of(form, [](char letter) {
        return static_cast<unsigned char>(letter) >= 0xe3;  // CJK begins there
    });
    return wide || (!letter_before(text, at) && !letter_at(text, at + form.size()));
}

WordFinder::WordFinder(const Glossary& glossary) {
    for (std::size_t i = 0; i < glossary.words.size(); ++i)
        for (const std::string& form : glossary.words[i].forms)
            forms_.emplace_back(small_letters(form), i);
    stable_sort(forms_, [](const auto& one, const auto& other) {
        return one.first.size() > other.first.size();
    });
}

std::vector<FoundWord> WordFinder::find(std::string_view text) const {
    const std::string small = small_letters(text);
    std::vector<FoundWord> found;
    for (std::size_t at = 0; at < small.size();) {
        const auto* form = find_if(forms_, [&](const auto& each) {
            return each.first.front() == small[at] && fits(small, at, each.first);
        });
        if (form != nullptr) found.push_back({at, form->first.size(), form->second});
        at += form != nullptr ? form->first.size() : 1;
    }
    return found;
}

}  // namespace lab::lessons
