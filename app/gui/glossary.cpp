#include "gui/glossary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <vector>

#include "analysis/machine_run.h"
#include "analysis/memory_traffic.h"
#include "base/platform.h"
#include "base/ranges.h"
#include "base/text.h"
#include "figures/lane_figure.h"
#include "figures/pass_figure.h"
#include "figures/pass_text.h"
#include "figures/schedule_figure.h"
#include "gui/choice_fields.h"
#include "gui/scene_painter.h"
#include "gui/widgets.h"
#include "session/app_commands.h"

namespace lab::gui {
namespace {

struct Explained {
    std::optional<std::size_t> word;  // asked for in this frame
    ImVec2 low, high;                 // where it stands
    std::string note;
    std::vector<std::size_t> marked;  // in this frame
    std::optional<std::size_t> scrolled_to;
};

struct GlossaryListState {
    PickState pick;
    std::optional<std::size_t> asked;  // the word to begin with
};

// What is drawn from `low` to `high` (pixels), and is the last item, is this word.
void explain(const Ui& ui, std::size_t word, ImVec2 low, ImVec2 high, std::string note = {}) {
    Explained& state = ui.state<Explained>();
    const bool focused = ui.session.glossary.focus == word;
    const bool hovered =
        ImGui::IsItemHovered(ImGuiHoveredFlags_DelayShort | ImGuiHoveredFlags_NoSharedDelay);
    if (focused && state.scrolled_to != word) ImGui::SetScrollHereY(0.3F);
    if (focused) state.scrolled_to = word;
    if (!hovered && !(focused && !state.word)) return;
    state.word = word;
    state.low = low;
    state.high = high;
    state.note = std::move(note);
}

// Each word is marked once a frame, the first time: whether this is it.
bool mark_word(const Ui& ui, std::size_t word) {
    std::vector<std::size_t>& marked = ui.state<Explained>().marked;
    if (contains(marked, word)) return false;
    marked.push_back(word);
    return true;
}

// Dots below a word that is drawn from `low` to `high` (pixels), or below the part of it that
// stands in one line; the mouse on it brings its card, a click the list. Leaves the cursor
// somewhere else.
void marked_part(const Ui& ui, std::size_t word, std::size_t part, ImVec2 low, ImVec2 high) {
    const session::GlossaryBook& book = ui.session.glossary;
    const std::string& id = book.glossary.words[word].id;
    const Pen pen(ui);
    const float dot = ui.px(1.5F), y = high.y - ui.px(1.5F);
    for (float x = low.x; x < high.x; x += 2.2F * dot)
        pen.fill({x, y}, {x + dot, y + dot}, Role::act);
    if (book.focus == word)
        pen.frame({low.x - ui.px(1), low.y - ui.px(2)}, {high.x + ui.px(1), high.y + ui.px(2)},
                  Role::act, ui.px(4), ui.px(1.6F));
    ImGui::SetCursorScreenPos(low);
    const std::string name = part == 0 ? "word." + id : fmt::format("word.{}.{}", id, part + 1);
    if (ImGui::InvisibleButton(name.c_str(), {std::max(high.x - low.x, 1.0F), high.y - low.y}))
        open_word(ui, word);
    if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    explain(ui, word, low, high);
}

// The text of a page.

using lessons::Paragraph;
using lessons::Span;

constexpr float kLineHigh = 1.42F, kParagraphGap = 0.62F;  // of the size of text

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
    return any_of(kClosing, [&](std::string_view each) { return text.starts_with(each); });
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

std::vector<Piece> text_pieces(const Paragraph& paragraph) {
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

// What of the piece belongs to a marked word, `at` being where the piece stands.
void mark_part(const TextFlow& flow, const Piece& piece, std::string_view drawn, ImVec2 point,
               const PieceFont& font, std::vector<MarkedWord>& marked) {
    const auto begin = static_cast<std::size_t>(piece.text.data() - piece.span->text.data());
    for (MarkedWord& each : marked) {
        if (each.span != piece.span) continue;
        const std::size_t first = std::max(each.found.begin, begin);
        const std::size_t end =
            std::min(each.found.begin + each.found.length, begin + drawn.size());
        if (first >= end) continue;
        const float left = point.x + font.width_of(drawn.substr(0, first - begin));
        const float right = point.x + font.width_of(drawn.substr(0, end - begin));
        if (!each.parts.empty() && each.parts.back().first.y == point.y)
            each.parts.back().second.x = right;
        else
            each.parts.push_back({{left, point.y}, {right, point.y + font.pixels + flow.ui.px(3)}});
    }
}

std::vector<MarkedWord> marked_words(const Ui& ui, const Paragraph& paragraph) {
    std::vector<MarkedWord> marked;
    for (const Span& span : paragraph.spans) {
        if (span.code || !span.link.empty()) continue;
        for (const lessons::FoundWord& found : ui.session.glossary.finder.find(span.text))
            if (mark_word(ui, found.word)) marked.push_back({&span, found});
    }
    return marked;
}

std::string_view without_blanks(std::string_view word) {
    while (!word.empty() && word.back() == ' ')
        word.remove_suffix(1);
    return word;
}

// `beside`: how wide the pieces are that stay in its line.
void put(TextFlow& flow, const Piece& piece, float beside, const PageTextStyle& style,
         std::vector<MarkedWord>& marked) {
    const Span& span = *piece.span;
    const PieceFont font(flow.ui, span, style);
    const float pixels = font.pixels, pad = font.pad;
    const std::string_view word = without_blanks(piece.text);
    const float width = font.width_of(word);
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
                                   : std::min(at.x + font.width_of(piece.text) + 2 * pad,
                                              std::max(flow.right, at.x + width) + pad);
            into.AddRectFilled({at.x - pad, at.y - flow.ui.px(1)},
                               {end, at.y + pixels + flow.ui.px(1)},
                               flow.ui.colour(Role::idle_fill), flow.ui.px(3));
        }
        mark_part(flow, piece, word, at, font, marked);
        into.AddText(font.font, pixels, at, flow.ui.colour(role_of(span, style)), word.data(),
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
    flow.x += font.width_of(piece.text) + 2 * pad;
}

// Returns the height that it takes.
float flow_text(const Ui& ui, const Paragraph& paragraph, ImVec2 point, float width,
                const PageTextStyle& style, bool draw) {
    const float line = ui.px(style.size) * kLineHigh;
    const bool item = paragraph.kind != Paragraph::Kind::plain;
    const float indent = item ? ui.px(style.size * 1.3F) : 0;
    TextFlow flow{ui, point.x + indent, point.x + width, point.x + indent, point.y, line, draw};
    if (item && draw) {
        const std::string sign =
            paragraph.kind == Paragraph::Kind::bullet ? "•" : fmt::format("{}.", paragraph.number);
        const TextStyle text(ui, Face::sans, style.size, Role::muted);
        Pen(ui).text({point.x + ui.px(3), point.y + (line - ImGui::GetFontSize()) / 2}, sign,
                     Role::muted);
    }
    std::vector<MarkedWord> marked;
    if (draw && style.explains) marked = marked_words(ui, paragraph);
    const std::vector<Piece> pieces = text_pieces(paragraph);
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

// The picture of a word.

using Picture = lessons::Word::Picture;

struct WordPictureState {
    CachedScene upper, lower;
};

struct WordScenes {
    const figures::Scene* upper = nullptr;
    const figures::Scene* lower = nullptr;  // may be null
};

// Rows up to the last one that is gone through.
figures::Scene diagram_scene(const Ui& ui, const session::GlossaryBook& book, float width) {
    analysis::StepTable table = book.run->table;
    if (book.moments.back() + 1 < table.rows.size()) table.rows.resize(book.moments.back() + 1);
    figures::PassFigureOptions options;
    options.shown = book.moments[book.step] + 1;
    options.width = width;
    options.text_scale = ui.palette.text_scale;
    options.legend = false;
    options.announce = true;
    return figures::pass_figure(table, options, ui.metrics, ui.tr());
}

figures::Scene lane_scene(const Ui& ui, const session::GlossaryBook& book,
                          const figures::FigureOptions& options) {
    const analysis::MachineRun& run = *book.run;
    const std::uint64_t pass = book.moments[book.step];
    const figures::LaneChart chart{run.activity, run.lanes.total, run.lanes.branches,
                                   pass == 0 ? std::nullopt : std::optional<std::size_t>(pass - 1)};
    return figures::lane_figure(chart, subject_of(ui, run.table), options, ui.metrics, ui.tr());
}

// The actions so far, what each warp would do next, and memory below.
figures::Scene schedule_scene(const Ui& ui, const session::GlossaryBook& book,
                              const figures::FigureOptions& options) {
    const analysis::MachineRun& run = *book.run;
    const std::uint64_t time = book.moments[book.step];
    const analysis::StateView state = analysis::state_view_of(*run.run, time);
    analysis::Timeline timeline = run.timeline;
    timeline.actions.resize(time);
    std::erase_if(timeline.stale, [&](const analysis::StaleArc& arc) { return arc.read >= time; });
    std::erase_if(timeline.launches,
                  [&](const analysis::TimelineLaunch& launch) { return launch.first > time; });
    std::vector<const analysis::WarpView*> ready;
    for (const analysis::WarpView& warp : state.warps)
        if (warp.next) ready.push_back(&warp);
    return figures::schedule_now(timeline, state, ready, ready.size(), {}, options, ui.metrics,
                                 ui.tr())
        .scene;
}

figures::Scene memory_scene(const Ui& ui, const session::GlossaryBook& book,
                            const figures::FigureOptions& options) {
    return figures::state_figure(analysis::state_view_of(*book.run->run, book.moments[book.step]),
                                 {.figure = options, .items = false, .legend = false}, ui.metrics,
                                 ui.tr());
}

WordScenes word_scenes(const Ui& ui, Picture picture, float width) {
    const session::GlossaryBook& book = ui.session.glossary;
    WordPictureState& state = ui.state<WordPictureState>();
    const std::string key = fmt::format("{} {} {}", *book.shown, book.step, width);
    const figures::FigureOptions options{width, ui.palette.text_scale, false};
    const figures::Scene& upper = state.upper.get(ui, key, [&]() -> figures::Scene {
        if (picture == Picture::diagram) return diagram_scene(ui, book, width);
        if (picture == Picture::lanes) return lane_scene(ui, book, options);
        if (picture == Picture::schedule) return schedule_scene(ui, book, options);
        const auto request = analysis::request_at(*book.run->run, book.moments[book.step]);
        return request ? figures::bank_figure(*request, subject_of(ui, book.run->table), options,
                                              ui.metrics, ui.tr())
                       : figures::Scene();
    });
    if (picture != Picture::schedule) return {&upper, nullptr};
    return {&upper, &state.lower.get(ui, key, [&] { return memory_scene(ui, book, options); })};
}

float word_picture_height(const Ui& ui, std::size_t word) {
    const Picture picture = ui.session.glossary.glossary.words[word].picture;
    return picture == Picture::memory ? 300 : picture == Picture::schedule ? 270 : 250;
}

void word_picture(Ui& ui, ImVec2 room) {
    const session::GlossaryBook& book = ui.session.glossary;
    const ImVec2 point = ImGui::GetCursorScreenPos();
    ImGui::Dummy(room);
    if (!book.shown || book.run == nullptr || book.run->run == nullptr) return;
    constexpr float kBetween = 10, kMostCard = 1.3F;
    const Picture picture = book.glossary.words[*book.shown].picture;
    const WordScenes scenes = word_scenes(ui, picture, room.x / ui.scale);
    const float height =
        scenes.upper->height + (scenes.lower != nullptr ? scenes.lower->height + kBetween : 0);
    const float width =
        std::max(scenes.upper->width, scenes.lower != nullptr ? scenes.lower->width : 0);
    const float fit = std::min(
        {room.x / ui.px(std::max(width, 1.0F)), room.y / ui.px(std::max(height, 1.0F)), kMostCard});
    const Ui fitted = ui.smaller(fit);
    ImGui::PushClipRect(point, {point.x + room.x, point.y + room.y}, true);
    const float left = point.x + std::max(0.0F, (room.x - fitted.px(width)) / 2);
    paint(fitted, *scenes.upper, {left, point.y});
    if (scenes.lower != nullptr)
        paint(fitted, *scenes.lower, {left, point.y + fitted.px(scenes.upper->height + kBetween)});
    ImGui::PopClipRect();
}

// The card of a word.

constexpr float kWordSize = 17, kNameColumn = 66, kLeastPicture = 90, kCardPad = 14;

constexpr std::array<std::pair<const char*, std::string lessons::Word::*>, 3> kNameLines{
    {{"OpenCL", &lessons::Word::opencl},
     {"CUDA", &lessons::Word::cuda},
     {"WebGPU", &lessons::Word::webgpu}}};

// Returns the height of the words; draws them if `draw`.
float words_part(const Ui& ui, const lessons::Word& word, const std::string& note, float width,
                 bool draw) {
    const ImVec2 point = ImGui::GetCursorScreenPos();
    float y = point.y;
    if (!note.empty()) {
        const lessons::Text words = lessons::words_of(note);
        const PageTextStyle muted{kSmallSize, Role::muted};
        if (draw) page_text(ui, words, width, muted);
        y += page_text_height(ui, words, width, muted) + ui.px(6);
    }
    {
        const TextStyle style(ui, Face::bold, kWordSize);
        if (draw) Pen(ui).text({point.x, y}, word.title, Role::text);
        y += ImGui::GetTextLineHeight() + ui.px(4);
    }
    const PageTextStyle text{kTextSize, Role::text};
    if (draw) {
        ImGui::SetCursorScreenPos({point.x, y});
        page_text(ui, word.words, width, text);
    }
    y += page_text_height(ui, word.words, width, text) + ui.px(8);
    const float column = ui.px(kNameColumn);
    const PageTextStyle small{kSmallSize, Role::text}, label{kSmallSize, Role::muted};
    // What no language has a name for is a word of mathematics.
    if (word.opencl.empty() && word.cuda.empty() && word.webgpu.empty()) return y - point.y;
    for (const auto& [system, member] : kNameLines) {
        const std::string& own = word.*member;
        const lessons::Text name =
            lessons::words_of(own.empty() ? ui.tr()("glossary.no_name") : own);
        if (draw) {
            ImGui::SetCursorScreenPos({point.x, y});
            page_text(ui, lessons::words_of(system), column, label);
            ImGui::SetCursorScreenPos({point.x + column, y});
            page_text(ui, name, width - column, own.empty() ? label : small);
        }
        y += page_text_height(ui, name, width - column, small);
    }
    return y - point.y;
}

// How high its words are alone.
float word_card_words(const Ui& ui, std::size_t word, float width, const std::string& note = {}) {
    return words_part(ui, ui.session.glossary.glossary.words[word], note, width, false);
}

// Below the word, else above it, else beside it; never on it.
Area place_card(const Ui& ui, const Explained& shown) {
    const ImVec2 window = ImGui::GetMainViewport()->Size;
    const float edge = ui.px(8), gap = ui.px(6), pad = 2 * ui.px(kCardPad);
    const bool memory =
        ui.session.glossary.glossary.words[*shown.word].picture == lessons::Word::Picture::memory;
    const float width = std::min(ui.px(memory ? 560.0F : 440.0F), window.x - 2 * edge);
    const float words = word_card_words(ui, *shown.word, width - pad, shown.note) + pad;
    const float best = words + ui.px(word_picture_height(ui, *shown.word) + 26);
    // Where there is no room for the picture, the card is as high as its words.
    const auto fitting = [&](float room) {
        const float height = std::min(best, room);
        return height < words + ui.px(kLeastPicture + 26) ? std::min(words, room) : height;
    };
    const float above = shown.low.y - gap - edge, below = window.y - shown.high.y - gap - edge;
    const float x = std::clamp(shown.low.x - ui.px(30), edge, window.x - width - edge);
    if (below >= best || (below >= above && below >= words))
        return {{x, shown.high.y + gap}, {width, fitting(below)}};
    if (above >= words) {
        const float height = fitting(above);
        return {{x, shown.low.y - gap - height}, {width, height}};
    }
    // Beside it, as high as the window.
    const float right = window.x - shown.high.x - gap - edge, left = shown.low.x - gap - edge;
    const float wide = std::min(width, std::max(left, right));
    const float high = fitting(window.y - 2 * edge);
    const float top = std::clamp(shown.low.y - high / 2, edge, window.y - edge - high);
    return {{right >= left ? shown.high.x + gap : shown.low.x - gap - wide, top}, {wide, high}};
}

// The card from the cursor on. `height`: pixels that it may take; the picture gets what words leave
// of it. The picture is that of the session's shown word.
void word_card(Ui& ui, std::size_t word, float width, float height, const std::string& note = {}) {
    const session::GlossaryBook& book = ui.session.glossary;
    const ImVec2 point = ImGui::GetCursorScreenPos();
    const float words = words_part(ui, book.glossary.words[word], note, width, true);
    float y = point.y + words + ui.px(8);
    const float line = ui.px(18), room = height - (y - point.y) - line;
    ImGui::SetCursorScreenPos({point.x, y});
    if (room >= ui.px(kLeastPicture) && book.run != nullptr && book.shown == word) {
        word_picture(ui, {width, room});
        y += room;
        ImGui::SetCursorScreenPos({point.x, y});
        label(ui, ui.metrics.shortened(figures::subtitle(book.run->table, ui.tr()),
                                       width / ui.scale, kSmallSize, Face::sans));
    }
    ImGui::SetCursorScreenPos(point);
    ImGui::Dummy({width, height});
}

}  // namespace

void open_word(const Ui& ui, std::size_t word) {
    ui.state<GlossaryListState>().asked = word;
    ui.change().overlay = "glossary";
}

void explain_item(const Ui& ui, const char* word_id, const std::string& note) {
    if (const auto word = ui.session.glossary.glossary.find(word_id))
        explain(ui, *word, ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), note);
    else
        tip(ui, note);
}

void mark_words(const Ui& ui, const std::string& text, ImVec2 point, float width) {
    std::vector<lessons::FoundWord> found = ui.session.glossary.finder.find(text);
    std::erase_if(found, [&](const auto& each) { return !mark_word(ui, each.word); });
    ImFont* font = ImGui::GetFont();
    const float size = ImGui::GetFontSize(), line = ImGui::GetTextLineHeight();
    const char* const end = text.data() + text.size();
    float y = point.y;
    for (const char* begin = text.data(); begin < end && !found.empty(); y += line) {
        const char* stop = font->CalcWordWrapPosition(size, begin, end, width);
        stop = std::find(begin, stop, '\n');
        for (const lessons::FoundWord& each : found) {
            const char* const word = text.data() + each.begin;
            const char *first = std::max(word, begin), *last = std::min(word + each.length, stop);
            if (first >= last) continue;
            const float left = ImGui::CalcTextSize(begin, first).x;
            const float right = ImGui::CalcTextSize(begin, last).x;
            marked_part(ui, each.word, first > word ? 1 : 0, {point.x + left, y},
                        {point.x + right, y + line + ui.px(1)});
        }
        begin = stop;
        if (begin < end && *begin == '\n')
            ++begin;
        else
            while (begin < end && *begin == ' ')  // as ImGui does after a line
                ++begin;
    }
}

void page_paragraph(const Ui& ui, const Paragraph& paragraph, float width, PageTextStyle style) {
    if (platform::kBrowser) platform::describe(plain_text(paragraph));
    const ImVec2 point = ImGui::GetCursorScreenPos();
    const float height = flow_text(ui, paragraph, point, width, style, true);
    ImGui::SetCursorScreenPos(point);
    ImGui::Dummy({width, height});
}

void page_text(const Ui& ui, const lessons::Text& text, float width, PageTextStyle style) {
    const Scope spacing = with_style(ImGuiStyleVar_ItemSpacing, {0, 0});
    const float left = ImGui::GetCursorScreenPos().x;
    for (std::size_t i = 0; i < text.size(); ++i) {
        ImGui::SetCursorScreenPos({left, ImGui::GetCursorScreenPos().y});
        const bool list = i + 1 < text.size() && text[i].kind != Paragraph::Kind::plain &&
                          text[i + 1].kind == text[i].kind;
        page_paragraph(ui, text[i], width, style);
        if (i + 1 < text.size())
            ImGui::Dummy({0, ui.px(style.size * (list ? 0.2F : kParagraphGap))});
    }
}

float page_text_height(const Ui& ui, const lessons::Text& text, float width, PageTextStyle style) {
    float height = 0;
    for (std::size_t i = 0; i < text.size(); ++i)
        height += flow_text(ui, text[i], {0, 0}, width, style, false) +
                  (i + 1 < text.size() ? ui.px(style.size * kParagraphGap) : 0);
    return height;
}

void word_tip(Ui& ui) {
    Explained& state = ui.state<Explained>();
    const session::GlossaryBook& book = ui.session.glossary;
    set_in_sight(ui.change().glossary, std::exchange(state.marked, {}));
    // Where a field has the keys, Escape is no command, but it closes the card all the same.
    if (book.focus && ImGui::GetIO().WantTextInput && ImGui::IsKeyPressed(ImGuiKey_Escape)) {
        ui.change().glossary.focus.reset();
        state.word.reset();
    }
    if (!book.focus) state.scrolled_to.reset();
    const bool list = ui.session.overlay == "glossary";
    if (list || (state.word && *state.word >= book.glossary.words.size())) state.word.reset();
    if (!list && book.shown != state.word) show_word(ui.change().glossary, state.word);
    if (!state.word) return;
    const Area place = place_card(ui, state);
    ImGui::SetNextWindowPos(place.at);
    ImGui::SetNextWindowSize(place.size);
    const Scope border = with_colour(ui, ImGuiCol_Border, Role::idle);
    begin_window("word", {ui.px(kCardPad), ui.px(kCardPad)}, ui.px(8),
                 ImGui::GetStyle().WindowBorderSize,
                 ImGuiWindowFlags_Tooltip | ImGuiWindowFlags_NoInputs);
    const ImVec2 room = ImGui::GetContentRegionAvail();
    word_card(ui, *state.word, room.x, room.y, state.note);
    ImGui::End();
    state.word.reset();
}

void glossary_overlay(Ui& ui) {
    GlossaryListState& state = ui.state<GlossaryListState>();
    PickState& pick = state.pick;
    const session::GlossaryBook& book = ui.session.glossary;
    const bool appears = overlay_appears(ui);
    if (appears || state.asked) {
        pick = {};
        pick.at = state.asked.value_or(0);
        pick.moved = state.asked.has_value();
        state.asked.reset();
    }
    const Scope overlay = begin_list_overlay(ui, "glossary", 980, 620);
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const bool stacked = ui.window().x < 644;
    const float list = stacked ? room.x : std::min(ui.px(280), room.x * 0.34F);
    bold_line(ui, ui.tr()("command.glossary"), 16);
    close_overlay_button(ui);
    const ImVec2 point = ImGui::GetCursorScreenPos();
    const float below = ImGui::GetContentRegionAvail().y;
    ImGui::BeginChild("words", {list, stacked ? below * 0.32F : below});
    const bool entered = pick_field(ui, pick, ui.tr()("glossary.hint"), list);
    const std::vector<std::size_t> places = session::find_words(book.glossary, pick.text);
    std::vector<PickEntry> entries;
    for (const std::size_t place : places)
        entries.push_back({book.glossary.words[place].title, {}, {}, true, false});
    pick_list(ui, pick, entries, ImGui::GetContentRegionAvail().y, entered);
    if (places.empty()) wrapped_label(ui, ui.tr()("glossary.none"), list);
    ImGui::EndChild();
    if (entered) pick.wants_focus = true;
    const std::optional<std::size_t> word =
        places.empty() ? std::nullopt : std::optional(places[std::min(pick.at, places.size() - 1)]);
    if (book.shown != word || appears) show_word(ui.change().glossary, word);
    if (word) {
        const float gap = ui.px(18);
        const ImVec2 at{stacked ? point.x : point.x + list + gap,
                        stacked ? point.y + below * 0.32F + gap : point.y};
        ImGui::SetCursorScreenPos(at);
        const Scope child = begin_child("word", {ImGui::GetContentRegionAvail().x, 0});
        const ImVec2 card = ImGui::GetContentRegionAvail();
        const float needed = word_card_words(ui, *word, card.x) + ui.px(140);
        word_card(ui, *word, card.x, std::max(card.y, needed));
    }
}

}  // namespace lab::gui
