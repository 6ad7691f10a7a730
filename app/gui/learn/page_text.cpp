#include "gui/learn/page_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/platform.h"
#include "base/text.h"
#include "gui/glossary/glossary_card.h"
#include "gui/parts/widgets.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;
using lessons::Paragraph;
using lessons::Span;

constexpr float kLine = 1.42F, kGap = 0.62F;  // of the size of text

// A piece of a span that is not broken: a word with the blanks after it, or one wide character.
struct Piece {
    std::string_view text;
    const Span* span;
    bool ends = true;  // a line may end after it
};

constexpr std::size_t kShortCode = 24;  // bytes: so much code is not broken

bool wide(unsigned char lead) {
    return lead >= 0xe3;  // CJK begins there; a line may break before any of its characters
}

// A full stop never begins a line.
bool closes(std::string_view text) {
    constexpr std::array<std::string_view, 7> kClosing = {"，", "。", "、", "；", "：", "？", "）"};
    return std::any_of(kClosing.begin(), kClosing.end(),
                       [&](std::string_view each) { return text.starts_with(each); });
}

// Whether a line may end between two pieces of different spans.
bool ends_between(std::string_view before, std::string_view after) {
    std::size_t last = before.size() - 1;
    while (last > 0 && continues_character(before[last]))
        --last;
    return before[last] == ' ' || after[0] == ' ' ||
           wide(static_cast<unsigned char>(before[last])) ||
           wide(static_cast<unsigned char>(after[0]));
}

std::vector<Piece> pieces_of(const Paragraph& paragraph) {
    std::vector<Piece> pieces;
    for (const Span& span : paragraph.spans) {
        const std::string_view text = span.text;
        std::size_t begin = 0;
        for (std::size_t at = 0; at < text.size();) {
            const auto lead = static_cast<unsigned char>(text[at]);
            const std::size_t next = at + first_code_point(text.substr(at)).length;
            const bool breaks =
                (text[at] == ' ' && !(span.code && text.size() <= kShortCode)) || wide(lead);
            const bool stop = next < text.size() && closes(text.substr(next));
            at = next;
            if (breaks && !stop) {
                pieces.push_back({text.substr(begin, at - begin), &span});
                begin = at;
            }
        }
        if (begin < text.size()) pieces.push_back({text.substr(begin), &span});
    }
    for (std::size_t i = 1; i < pieces.size(); ++i)
        if (pieces[i].span != pieces[i - 1].span)
            pieces[i - 1].ends =
                !closes(pieces[i].text) && ends_between(pieces[i - 1].text, pieces[i].text);
    return pieces;
}

Face face_of(const Span& span) {
    return span.code ? Face::mono : span.bold ? Face::bold : Face::sans;
}

Role role_of(const Span& span, const PageTextStyle& style) {
    if (!span.link.empty()) return Role::act;
    if (span.code && style.role == Role::text) return Role::text;
    // There is no slanted face: it is told apart by its colour.
    return span.italic && style.role == Role::text ? Role::act : style.role;
}

struct TextFlow {
    const Ui& ui;
    float left, right, x, y, line;
    bool draw;
};

// A word of the glossary, of which a part stands in each line.
struct MarkedWord {
    const Span* span;
    lessons::FoundWord found;
    std::vector<std::pair<ImVec2, ImVec2>> parts = {};
};

// What of the piece belongs to a marked word, `at` being where the piece stands.
template <typename WidthOf>
void mark_part(const TextFlow& flow, const Piece& piece, std::string_view drawn, ImVec2 point,
               float pixels, const WidthOf& width_of, std::vector<MarkedWord>& marked) {
    const auto begin = static_cast<std::size_t>(piece.text.data() - piece.span->text.data());
    for (MarkedWord& each : marked) {
        if (each.span != piece.span) continue;
        const std::size_t first = std::max(each.found.begin, begin);
        const std::size_t end =
            std::min(each.found.begin + each.found.length, begin + drawn.size());
        if (first >= end) continue;
        const float left = point.x + width_of(drawn.substr(0, first - begin));
        const float right = point.x + width_of(drawn.substr(0, end - begin));
        if (!each.parts.empty() && each.parts.back().first.y == point.y)
            each.parts.back().second.x = right;
        else
            each.parts.push_back({{left, point.y}, {right, point.y + pixels + flow.ui.px(3)}});
    }
}

std::vector<MarkedWord> marked_words(const Ui& ui, const Paragraph& paragraph) {
    std::vector<MarkedWord> marked;
    for (const Span& span : paragraph.spans) {
        if (span.code || !span.link.empty()) continue;
        for (const lessons::FoundWord& found : ui.session.glossary().finder().find(span.text))
            if (mark_word(ui, found.word)) marked.push_back({&span, found});
    }
    return marked;
}

// A piece's font and how wide text is in it.
struct PieceFont {
    ImFont* font;
    float pixels, pad;

    PieceFont(const Ui& ui, const Span& span, const PageTextStyle& style) {
        const Face face = face_of(span);
        font = ui.fonts.font(face);
        pixels = ui.px(ui.fonts.imgui_size(face, span.code ? style.size * 0.94F : style.size));
        pad = span.code ? ui.px(2) : 0;  // of the box around code
    }

    float width_of(std::string_view text) const {
        return font
            ->CalcTextSizeA(pixels, std::numeric_limits<float>::max(), 0, text.data(),
                            text.data() + text.size())
            .x;
    }
};

std::string_view without_blanks(std::string_view word) {
    while (!word.empty() && word.back() == ' ')
        word.remove_suffix(1);
    return word;
}

// `beside`: how wide the pieces are that stay in its line.
void put(TextFlow& flow, const Piece& piece, float beside, const PageTextStyle& style,
         std::vector<MarkedWord>& marked) {
    const Span& span = *piece.span;
    const PieceFont measured(flow.ui, span, style);
    ImFont* font = measured.font;
    const float pixels = measured.pixels, pad = measured.pad;
    const auto width_of = [&](std::string_view text) { return measured.width_of(text); };
    const std::string_view word = without_blanks(piece.text);
    const float width = width_of(word);
    if (flow.x > flow.left && flow.x + width + 2 * pad + beside > flow.right) {
        flow.x = flow.left;
        flow.y += flow.line;
    }
    if (flow.draw && !word.empty()) {
        ImDrawList& into = *ImGui::GetWindowDrawList();
        const ImVec2 at{flow.x + pad, flow.y + (flow.line - pixels) / 2};
        if (span.code) {
            // The box goes on to the next word of the code, if that stands in the same line.
            const bool last = piece.text.end() == std::string_view(span.text).end();
            const float end = last ? at.x + width + pad
                                   : std::min(at.x + width_of(piece.text) + 2 * pad,
                                              std::max(flow.right, at.x + width) + pad);
            into.AddRectFilled({at.x - pad, at.y - flow.ui.px(1)},
                               {end, at.y + pixels + flow.ui.px(1)},
                               flow.ui.colour(Role::idle_fill), flow.ui.px(3));
        }
        mark_part(flow, piece, word, at, pixels, width_of, marked);
        into.AddText(font, pixels, at, flow.ui.colour(role_of(span, style)), word.data(),
                     word.data() + word.size());
        if (!span.link.empty()) {
            into.AddLine({at.x, at.y + pixels}, {at.x + width, at.y + pixels},
                         flow.ui.colour(Role::act), flow.ui.px(1));
            ImGui::SetCursorScreenPos(at);
            ImGui::PushID(static_cast<int>(flow.x) ^ static_cast<int>(flow.y));
            if (ImGui::InvisibleButton(span.link.c_str(), {std::max(width, 1.0F), pixels}))
                ImGui::GetPlatformIO().Platform_OpenInShellFn(ImGui::GetCurrentContext(),
                                                              span.link.c_str());
            ImGui::PopID();
            tip(flow.ui, span.link);
        }
    }
    flow.x += width_of(piece.text) + 2 * pad;
}

// Returns the height that it takes.
float flow_text(const Ui& ui, const Paragraph& paragraph, ImVec2 point, float width,
                const PageTextStyle& style, bool draw) {
    const float line = ui.px(style.size) * kLine;
    const bool item = paragraph.kind != Paragraph::Kind::plain;
    const float indent = item ? ui.px(style.size * 1.3F) : 0;
    TextFlow flow{ui, point.x + indent, point.x + width, point.x + indent, point.y, line, draw};
    if (item && draw) {
        const std::string sign =
            paragraph.kind == Paragraph::Kind::bullet ? "•" : fmt::format("{}.", paragraph.number);
        const TextStyle text(ui, Face::sans, style.size, Role::muted);
        ImGui::GetWindowDrawList()->AddText(
            {point.x + ui.px(3), point.y + (line - ImGui::GetFontSize()) / 2},
            ui.colour(Role::muted), sign.c_str());
    }
    std::vector<MarkedWord> marked;
    if (draw && style.explains) marked = marked_words(ui, paragraph);
    const std::vector<Piece> pieces = pieces_of(paragraph);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        float beside = 0;
        for (std::size_t next = i; !pieces[next].ends && next + 1 < pieces.size(); ++next) {
            const PieceFont measured(ui, *pieces[next + 1].span, style);
            beside += measured.width_of(without_blanks(pieces[next + 1].text)) + 2 * measured.pad;
        }
        put(flow, pieces[i], beside, style, marked);
    }
    for (const MarkedWord& each : marked)
        for (std::size_t part = 0; part < each.parts.size(); ++part)
            marked_part(ui, each.found.word, part, each.parts[part].first, each.parts[part].second);
    return flow.y + line - point.y;
}

}  // namespace

void page_paragraph(const Ui& ui, const Paragraph& paragraph, float width, PageTextStyle style) {
    if (platform::kBrowser) platform::describe(plain_text(paragraph));
    const ImVec2 point = ImGui::GetCursorScreenPos();
    const float height = flow_text(ui, paragraph, point, width, style, true);
    ImGui::SetCursorScreenPos(point);
    ImGui::Dummy({width, height});
}

void page_text(const Ui& ui, const lessons::Text& text, float width, PageTextStyle style) {
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    const float left = ImGui::GetCursorScreenPos().x;
    for (std::size_t i = 0; i < text.size(); ++i) {
        ImGui::SetCursorScreenPos({left, ImGui::GetCursorScreenPos().y});
        const bool list = i + 1 < text.size() && text[i].kind != Paragraph::Kind::plain &&
                          text[i + 1].kind == text[i].kind;
        page_paragraph(ui, text[i], width, style);
        if (i + 1 < text.size()) ImGui::Dummy({0, ui.px(style.size * (list ? 0.2F : kGap))});
    }
    ImGui::PopStyleVar();
}

float page_text_height(const Ui& ui, const lessons::Text& text, float width, PageTextStyle style) {
    float height = 0;
    for (std::size_t i = 0; i < text.size(); ++i)
        height += flow_text(ui, text[i], {0, 0}, width, style, false) +
                  (i + 1 < text.size() ? ui.px(style.size * kGap) : 0);
    return height;
}

}  // namespace lab::gui
