// The glossary: words with their names in OpenCL, CUDA and WebGPU, and a run that shows each; and
// where texts have them. docs/lessons.md describes its files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/problem.h"
#include "lessons/facts.h"
#include "lessons/lesson.h"
namespace lab::lessons {

struct Word {
    std::string id;  // of its English heading: "work-group"
    std::uint32_t line = 0;
    std::string title;
    Text words;
    std::string opencl, cuda, webgpu;  // its names; empty: it has none there
    std::vector<std::string> forms;    // as texts of the language write it
    Show show;
    // The picture that is drawn of the run.
    enum class Picture : std::uint8_t {
        diagram,
        lanes,
        memory,
        schedule
    } picture = Picture::diagram;
    // The part of the run that is gone through: passes, memory requests or actions.
    std::optional<std::uint64_t> from, to;
    std::vector<Expression> holds;  // true of the run, as the word says
};

struct Glossary {
    std::string language;
    std::vector<Word> words;

    std::optional<std::size_t> find(std::string_view id) const;
};

struct ReadGlossary {
    Glossary glossary;              // what could be read
    std::vector<Problem> problems;  // with where = file:line:column
};

// Reads FOLDER/glossary.md, with the words of FOLDER/glossary.LANGUAGE.md if there is one. Throws
// nothing: what is wrong is in `problems`.
ReadGlossary read_glossary(const std::filesystem::path& folder, const std::string& language,
                           const catalogue::Catalogue& catalogue);
bool is_glossary_folder(const std::filesystem::path& folder);

// The moments that its picture goes through: rows of the run's table (0: the start), or actions
// taken. Throws Problem: the run cannot be made, or has no such part.
std::vector<std::uint64_t> moments_of(const Word& word, Runs& runs);

struct FoundWord {
    std::size_t begin = 0, length = 0;  // bytes of the text
    std::size_t word = 0;               // of the glossary

    bool operator==(const FoundWord&) const = default;
};

// Finds forms as whole words, the longest where several begin, in small or capital letters. Chinese
// has no spaces, so there a form is found anywhere.
class WordFinder {
  public:
    WordFinder() = default;
    explicit WordFinder(const Glossary& glossary);

    std::vector<FoundWord> find(std::string_view text) const;

  private:
    std::vector<std::pair<std::string, std::size_t>> forms_;  // small letters; the longest first
};

struct CheckedWord {
    std::string id, title, kernel, picture;
    std::size_t moments = 0;
    std::vector<std::string> holds;
};
struct CheckedGlossary {
    std::vector<std::string> languages;  // "en" first
    std::vector<CheckedWord> words;
    std::vector<Problem> problems;
};
void to_json(nlohmann::json& json, const CheckedGlossary& glossary);
// Runs every word, and sees whether what it says holds.
CheckedGlossary check_glossary(const std::filesystem::path& folder,
                               const catalogue::Catalogue& catalogue);

const char* name_of(Word::Picture picture);

}  // namespace lab::lessons
