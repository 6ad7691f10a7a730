#include "gui/learn/page_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

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
};

bool wide(unsigned char lead) {
    return lead >= 0xe3;  // CJK begins there; a line may break before any of its characters
}

std::size_t length_of(unsigned char lead) {
    return lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

std::vector<Piece> pieces_of(const Paragraph& paragraph) {
    std::vector<Piece> pieces;
    for (const Span& span : paragraph.spans) {
        const std::string_view text = span.text;
        std::size_t begin = 0;
        for (std::size_t at = 0; at < text.size();) {
            const auto lead = static_cast<unsigned char>(text[at]);
            const std::size_t next = std::min(at + length_of(lead), text.size());
            const bool breaks = text[at] == ' ' || wide(lead);
            // A full stop never begins a line.
            const bool stop =
                next < text.size() &&
                (text.substr(next).starts_with("，") || text.substr(next).starts_with("。") ||
                 text.substr(next).starts_with("、") || text.substr(next).starts_with("；") ||
                 text.substr(next).starts_with("：") || text.substr(next).starts_with("？") ||
                 text.substr(next).starts_with("）"));
            at = next;
            if (breaks && !stop) {
                pieces.push_back({text.substr(begin, at - begin), &span});
                begin = at;
            }
        }
        if (begin < text.size()) pieces.push_back({text.substr(begin), &span});
    }
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

struct Flow {
    const Ui& ui;
    float left, right, x, y, line;
    bool draw;
    // The last piece of code, and where its box ends: what follows in its line has the same box.
    const Span* code = nullptr;
    ImVec2 code_end = {0, 0};
};

// A word of the glossary, of which a part stands in each line.
struct MarkedWord {
    const Span* span;
    lessons::FoundWord found;
    std::vector<std::pair<ImVec2, ImVec2>> parts = {};
};

// What of the piece belongs to a marked word, `at` being where the piece stands.
template <typename WidthOf>
void mark_part(const Flow& flow, const Piece& piece, std::string_view drawn, ImVec2 point,
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

void put(Flow& flow, const Piece& piece, const PageTextStyle& style,
         std::vector<MarkedWord>& marked) {
    const Span& span = *piece.span;
    const float size = span.code ? style.size * 0.94F : style.size;
    const Face face = face_of(span);
    ImFont* font = flow.ui.fonts.font(face);
    const float pixels = flow.ui.px(flow.ui.fonts.imgui_size(face, size));
    const auto width_of = [&](std::string_view text) {
        return font
            ->CalcTextSizeA(pixels, std::numeric_limits<float>::max(), 0, text.data(),
                            text.data() + text.size())
            .x;
    };
    std::string_view word = piece.text;
    while (!word.empty() && word.back() == ' ')
        word.remove_suffix(1);
    const float width = width_of(word);
    if (flow.x > flow.left && flow.x + width > flow.right) {
        flow.x = flow.left;
        flow.y += flow.line;
    }
    if (flow.draw && !word.empty()) {
        ImDrawList& into = *ImGui::GetWindowDrawList();
        const ImVec2 at{flow.x, flow.y + (flow.line - pixels) / 2};
        if (span.code) {
            const bool goes_on = flow.code == &span && flow.code_end.y == flow.y;
            const float begin = goes_on ? flow.code_end.x - flow.ui.px(2) : at.x - flow.ui.px(2);
            into.AddRectFilled({begin, at.y - flow.ui.px(1)},
                               {at.x + width + flow.ui.px(2), at.y + pixels + flow.ui.px(1)},
                               flow.ui.colour(Role::idle_fill), flow.ui.px(3),
                               goes_on ? ImDrawFlags_RoundCornersRight : 0);
            flow.code = &span;
            flow.code_end = {at.x + width + flow.ui.px(2), flow.y};
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
    flow.x += width_of(piece.text);
}

// Returns the height that it takes.
float flow_text(const Ui& ui, const Paragraph& paragraph, ImVec2 point, float width,
                const PageTextStyle& style, bool draw) {
    const float line = ui.px(style.size) * kLine;
    const bool item = paragraph.kind != Paragraph::Kind::plain;
    const float indent = item ? ui.px(style.size * 1.3F) : 0;
    Flow flow{ui, point.x + indent, point.x + width, point.x + indent, point.y, line, draw};
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
    for (const Piece& piece : pieces_of(paragraph))
        put(flow, piece, style, marked);
    for (const MarkedWord& each : marked)
        for (std::size_t part = 0; part < each.parts.size(); ++part)
            marked_part(ui, each.found.word, part, each.parts[part].first, each.parts[part].second);
    return flow.y + line - point.y;
}

}  // namespace

void page_paragraph(const Ui& ui, const Paragraph& paragraph, float width, PageTextStyle style) {
    const ImVec2 point = ImGui::GetCursorScreenPos();
    const float height = flow_text(ui, paragraph, point, width, style, true);
    ImGui::SetCursorScreenPos(point);
    ImGui::Dummy({width, height});
}

void page_text(const Ui& ui, const lessons::Text& text, float width, PageTextStyle style) {
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    for (std::size_t i = 0; i < text.size(); ++i) {
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
