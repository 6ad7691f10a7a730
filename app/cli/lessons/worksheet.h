// A lesson on paper: its words, figures and questions with room for answers, and the key to them.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/translations.h"
#include "figures/parts/sheet.h"
#include "figures/scene/rich_text.h"
#include "lessons/answers/question.h"

namespace lab::cli {

// Sizes of text, in points.
inline constexpr float kSheetText = 10.3F, kSheetLine = 15, kSheetSmall = 8.6F;

struct SheetTools {
    const figures::Fonts& fonts;
    const Translations& tr;
    bool key;  // with the answers
};

// A block that grows downward, kSheetRoom wide.
class SheetBlock {
  public:
    explicit SheetBlock(const figures::Fonts& fonts) : fonts_(fonts) {}

    figures::Scene scene;
    float y = 0;

    const figures::Fonts& fonts() const { return fonts_; }
    float width(const std::string& text, float size, figures::Face face) const {
        return fonts_.text_width(text, size, face);
    }
    // With its baseline at `baseline`; returns the x behind it.
    float text(float x, float baseline, const std::string& words, float size,
               figures::Face face = figures::Face::sans, figures::Role role = figures::Role::text);
    void centred(float x, float baseline, const std::string& words, float size, figures::Face face,
                 figures::Role role);
    // Broken into lines from `x` to `right`, at y, which it moves on.
    void paragraph(const std::vector<figures::StyledSpan>& spans, float x,
                   float right = figures::kSheetRoom, float size = kSheetText,
                   float leading = kSheetLine);
    void rule(float x, float right, float at, figures::Role role, float thickness = 0.7F);
    figures::Scene finish();

  private:
    const figures::Fonts& fonts_;
};

// The paragraph's words, on paper: links with their address.
std::vector<figures::StyledSpan> styled(const lessons::Paragraph& paragraph,
                                        figures::Role role = figures::Role::text);
lessons::Text for_paper(lessons::Text text, const Translations& tr);
void add_paragraphs(SheetBlock& block, const lessons::Text& text, float x,
                    float right = figures::kSheetRoom);

// Lines of a kernel, numbered as in the file.
struct Listing {
    std::string text;
    std::size_t first = 1, last = 0;  // lines
    std::vector<std::pair<std::uint32_t, std::uint32_t>> marked;
    std::set<std::uint64_t> answers;               // shown as right
    bool roomy = false;                            // to be written between
    std::set<std::uint32_t> left_out;              // lines that the toggles exclude
    std::map<std::uint32_t, std::string> remarks;  // behind a line
};
// All of it but its header, and without empty lines at its end.
Listing listing_of(const std::string& text);
// The same of what a page shows: where a line depends on a toggle, it says how that is set.
Listing listing_of(const lessons::Show& show, const lessons::Library& library);
void add_listing(SheetBlock& block, const Listing& listing);
// Takes in what is left of a statement that begins or ends with it.
void to_whole_statements(Listing& listing);
// Lines of `text` that are not in `before`, by the longest sequence that both have.
std::set<std::uint64_t> changed_lines(const std::string& before, const std::string& text);

// The question with its blanks, filled in where the tools have the key.
figures::Scene question_block(const lessons::Page& page, const lessons::Question& question,
                              lessons::Runs& runs, const SheetTools& tools);

// The sheets of one lesson, added to `sheets`.
void add_lesson(figures::Sheets& sheets, const lessons::Lesson& lesson,
                const catalogue::Catalogue& catalogue, const SheetTools& tools);

// At the foot of a page: the lessons' names, and which page it is.
void add_foot(figures::Scene& page, const std::string& title, std::size_t number, std::size_t count,
              const SheetTools& tools);

}  // namespace lab::cli
