#include "figures/text.h"

#include <algorithm>
#include <tuple>

#include "base/ranges.h"
#include "base/text.h"

namespace lab::figures {
namespace {

// Ideographs, their signs, and full-width forms.
bool wide(char32_t code) {
    return (code >= 0x2E80 && code <= 0x9FFF) || (code >= 0xF900 && code <= 0xFAFF) ||
           (code >= 0xFF00 && code <= 0xFFEF);
}

constexpr std::u32string_view kClosing = U"，。、；：？！）》」』”’%.,:;!?)]",
                              kOpening = U"（《「『“‘";

}  // namespace

std::vector<std::string> pieces_of(const std::string& text) {
    std::vector<std::string> pieces{""};
    char32_t before = 0;
    for (const char32_t code : decode_utf8(text)) {
        const bool between_wide = (wide(code) || wide(before)) && before != U' ' && before != 0 &&
                                  !contains(kClosing, code) && !contains(kOpening, before);
        if ((code == U' ' && before != U' ') || (between_wide && code != U' '))
            pieces.emplace_back();
        append_utf8(pieces.back(), code);
        before = code;
    }
    return pieces;
}

std::vector<std::string> lines_of(const std::string& text, float width, float size, Face face,
                                  const Fonts& fonts) {
    std::vector<std::string> lines;
    std::string line;
    const auto end_line = [&] {
        if (!line.empty()) lines.push_back(fonts.shortened(line, width, size, face));
        line.clear();
    };
    for (const std::string& piece : pieces_of(text)) {
        if (!line.empty() && fonts.text_width(line + piece, size, face) > width) end_line();
        const std::size_t blanks = std::min(piece.find_first_not_of(' '), piece.size());
        line += line.empty() ? piece.substr(blanks) : piece;
    }
    end_line();
    return lines;
}

namespace {

constexpr float kMonoSize = 0.92F;  // of the size of the words around it

float size_of(const StyledSpan& span, float size) {
    return span.face == Face::mono ? size * kMonoSize : size;
}

// Valid UTF-8 with single blanks.
std::string clean(const std::string& text) {
    std::string result;
    char32_t before = 0;
    for (char32_t code : decode_utf8(text)) {
        if (code == U'\n' || code == U'\t' || code == U'\r') code = U' ';
        if (code != U' ' || before != U' ') append_utf8(result, code);
        before = code;
    }
    return result;
}

// What is never broken, in parts of one style.
using StyledWord = std::vector<StyledSpan>;

std::vector<StyledWord> styled_words(std::span<const StyledSpan> spans) {
    std::string whole;
    std::vector<std::pair<std::size_t, StyledSpan>> ends;  // where each span ends
    for (StyledSpan span : spans) {
        whole += clean(span.text);
        ends.emplace_back(whole.size(), std::move(span));
    }
    std::vector<StyledWord> words;
    std::size_t at = 0, span = 0;
    for (std::string_view piece : pieces_of(whole)) {
        StyledWord& word = words.emplace_back();
        while (!piece.empty()) {
            while (span < ends.size() && ends[span].first <= at)
                ++span;
            const std::size_t count = std::min(piece.size(), ends[span].first - at);
            StyledSpan part = ends[span].second;
            part.text = piece.substr(0, count);
            word.push_back(std::move(part));
            piece.remove_prefix(count);
            at += count;
        }
    }
    return words;
}

}  // namespace

std::vector<RichLine> rich_lines(std::span<const StyledSpan> spans, float width, float size,
                                 const Fonts& fonts) {
    const auto width_of = [&](const StyledSpan& span) {
        return fonts.text_width(span.text, size_of(span, size), span.face);
    };
    std::vector<RichLine> lines(1);
    float x = 0;
    const auto add = [&](StyledSpan span) {
        if (span.text.empty()) return;
        RichLine& line = lines.back();
        const auto style = [](const StyledSpan& of) {
            return std::tie(of.face, of.role, of.tinted);
        };
        if (!line.empty() && style(line.back().span) == style(span)) {
            line.back().span.text += span.text;
            line.back().width = width_of(line.back().span);
        } else {
            line.push_back({x, width_of(span), std::move(span)});
        }
        x = line.back().x + line.back().width;
    };
    for (StyledWord& word : styled_words(spans)) {
        float wide = 0;
        for (const StyledSpan& part : word)
            wide += width_of(part);
        if (x > 0 && x + wide > width) {
            lines.emplace_back();
            x = 0;
        }
        for (StyledSpan& part : word) {
            if (x <= 0) part.text.erase(0, part.text.find_first_not_of(' '));
            if (part.text.find_first_not_of(' ') == std::string::npos && x <= 0) continue;
            part.text = fonts.shortened(part.text, std::max(width - x, size), size_of(part, size),
                                        part.face);
            add(std::move(part));
        }
    }
    if (lines.back().empty()) lines.pop_back();
    return lines;
}

void add_line(Scene& scene, const RichLine& line, float x, float y, float size,
              const Fonts& fonts) {
    for (const RichPart& part : line) {
        const StyledSpan& span = part.span;
        const float own = size_of(span, size);
        if (span.tinted) {
            // Not under a blank before the word.
            const auto blanks = span.text.find_first_not_of(' ');
            const float skip = blanks == 0 || blanks == std::string::npos
                                   ? 0
                                   : fonts.text_width(span.text.substr(0, blanks), own, span.face);
            scene.add(box(x + part.x + skip - size * 0.12F, y - size * 0.88F,
                          part.width - skip + size * 0.24F, size * 1.2F, Role::idle_fill, {},
                          size * 0.2F));
        }
        scene.add(Text{x + part.x, y, span.text, own, span.face, span.role});
    }
}

}  // namespace lab::figures
