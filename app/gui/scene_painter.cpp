#include "gui/scene_painter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include <imgui_internal.h>  // the hooks of its test engine

#include "base/platform.h"
#include "figures/pass_text.h"

namespace lab::gui {
namespace {

using figures::Box;
using figures::Path;
using figures::Point;
using figures::Rect;
using figures::Stroke;
using figures::Text;

class ScenePainter {
  public:
    ScenePainter(const Ui& ui, ImDrawList& into, ImVec2 point) : ui_(ui), into_(into), at_(point) {}

    // Without the width of its strokes.
    Box bounds(const figures::Shape& shape) const {
        if (const auto* text = std::get_if<Text>(&shape.what)) return ui_.metrics.bounds(*text);
        if (const auto* rect = std::get_if<Rect>(&shape.what))
            return {rect->x, rect->y, rect->x + rect->width, rect->y + rect->height};
        constexpr float kFar = std::numeric_limits<float>::max();
        Box box{kFar, kFar, -kFar, -kFar};
        for (const Point& point : std::get<Path>(shape.what).points)
            box = {std::min(box.left, point.x), std::min(box.top, point.y),
                   std::max(box.right, point.x), std::max(box.bottom, point.y)};
        return box;
    }

    void paint(const Rect& rect) {
        const ImVec2 low = pixel({rect.x, rect.y});
        const ImVec2 high = pixel({rect.x + rect.width, rect.y + rect.height});
        const float radius = ui_.px(rect.radius);
        if (rect.fill != Role::none) into_.AddRectFilled(low, high, ui_.colour(rect.fill), radius);
        if (rect.hatch) hatch(low, high, rect.stroke.role);
        if (rect.stroke.role == Role::none) return;
        if (rect.stroke.dash == figures::Dash::solid) {
            into_.AddRect(low, high, ui_.colour(rect.stroke.role), radius, 0, width(rect.stroke));
        } else {
            line(outline(low, high, radius), rect.stroke);
        }
    }

    void paint(const Path& path) {
        if (path.points.size() < 2) return;
        std::vector<ImVec2> points{pixel(path.points[0])};
        if (path.curved) {
            for (std::size_t i = 1; i + 2 < path.points.size(); i += 3)
                flatten(points, pixel(path.points[i]), pixel(path.points[i + 1]),
                        pixel(path.points[i + 2]));
        } else {
            for (std::size_t i = 1; i < path.points.size(); ++i)
                points.push_back(pixel(path.points[i]));
        }
        if (path.fill != Role::none)
            into_.AddConcavePolyFilled(points.data(), static_cast<int>(points.size()),
                                       ui_.colour(path.fill, path.opacity));
        if (path.closed) points.push_back(points.front());
        if (path.stroke.role != Role::none) line(points, path.stroke);
    }

    void paint(const Text& text) {
        ImFont* font = ui_.fonts.font(text.face);
        const float size = ui_.px(ui_.fonts.imgui_size(text.face, text.size));
        const char* begin = text.text.data();
        const char* end = begin + text.text.size();
        ImVec2 point = pixel({text.x, text.y});
        if (text.anchor != figures::Anchor::start) {
            const float full = font->CalcTextSizeA(size, FLT_MAX, 0, begin, end).x;
            point.x -= text.anchor == figures::Anchor::middle ? full / 2 : full;
        }
        point.y -= ui_.px(ui_.metrics.ascent(text.size, text.face));
        into_.AddText(font, size, {std::round(point.x), std::round(point.y)}, ui_.colour(text.role),
                      begin, end);
    }

    ImVec2 pixel(Point p) const { return {at_.x + ui_.px(p.x), at_.y + ui_.px(p.y)}; }

  private:
    float width(const Stroke& stroke) const {
        return std::max(1.0F, ui_.px(stroke.width * ui_.palette.stroke_scale));
    }

    // Closed, with round corners.
    static std::vector<ImVec2> outline(ImVec2 low, ImVec2 high, float radius) {
        const float r = std::min({radius, (high.x - low.x) / 2, (high.y - low.y) / 2});
        if (r <= 0) return {low, {high.x, low.y}, high, {low.x, high.y}, low};
        const std::array<ImVec2, 4> centres{{{high.x - r, high.y - r},
                                             {low.x + r, high.y - r},
                                             {low.x + r, low.y + r},
                                             {high.x - r, low.y + r}}};
        constexpr int kPieces = 8;  // of a corner
        constexpr float kQuarter = std::numbers::pi_v<float> / 2;
        std::vector<ImVec2> points;
        for (int corner = 0; corner < 4; ++corner)
            for (int i = 0; i <= kPieces; ++i) {
                const float angle = kQuarter * (static_cast<float>(corner) +
                                                static_cast<float>(i) / float(kPieces));
                const ImVec2& centre = centres[static_cast<std::size_t>(corner)];
                points.push_back({centre.x + r * std::cos(angle), centre.y + r * std::sin(angle)});
            }
        points.push_back(points.front());
        return points;
    }

    static void flatten(std::vector<ImVec2>& into, ImVec2 b, ImVec2 c, ImVec2 d) {
        const ImVec2 a = into.back();
        const float length = std::hypot(b.x - a.x, b.y - a.y) + std::hypot(c.x - b.x, c.y - b.y) +
                             std::hypot(d.x - c.x, d.y - c.y);
        const int pieces = std::clamp(static_cast<int>(length / 6), 4, 64);
        for (int i = 1; i <= pieces; ++i) {
            const float t = static_cast<float>(i) / static_cast<float>(pieces);
            const float s = 1 - t;
            const float wa = s * s * s;
            const float wb = 3 * s * s * t;
            const float wc = 3 * s * t * t;
            const float wd = t * t * t;
            into.push_back({wa * a.x + wb * b.x + wc * c.x + wd * d.x,
                            wa * a.y + wb * b.y + wc * c.y + wd * d.y});
        }
    }

    void line(const std::vector<ImVec2>& points, const Stroke& stroke) {
        const ImU32 colour = ui_.colour(stroke.role);
        if (stroke.dash == figures::Dash::solid) {
            into_.AddPolyline(points.data(), static_cast<int>(points.size()), colour, 0,
                              width(stroke));
            return;
        }
        const auto [dash, gap] = figures::dash_lengths(stroke.dash, stroke.width);
        dashes(points, std::max(ui_.px(dash), 1.0F), ui_.px(gap), colour, stroke);
    }

    // Walks along the points, the pen down for `dash` pixels and up for `gap`.
    void dashes(const std::vector<ImVec2>& points, float dash, float gap, ImU32 colour,
                const Stroke& stroke) {
        const bool dots = stroke.dash == figures::Dash::dotted;
        float at = 0;  // since the last pen down
        for (std::size_t i = 1; i < points.size(); ++i) {
            const ImVec2 a = points[i - 1];
            const ImVec2 b = points[i];
            const float length = std::hypot(b.x - a.x, b.y - a.y);
            for (float done = 0; done < length;) {
                const bool down = at < dash;
                const float step = std::min(length - done, (down ? dash : dash + gap) - at);
                const auto on = [&](float t) {
                    return ImVec2{a.x + (b.x - a.x) * t / length, a.y + (b.y - a.y) * t / length};
                };
                if (down && dots)
                    into_.AddCircleFilled(on(done), width(stroke) / 2, colour);
                else if (down)
                    into_.AddLine(on(done), on(done + step), colour, width(stroke));
                done += std::max(step, 0.01F);
                at += std::max(step, 0.01F);
                if (at >= dash + gap) at = 0;
            }
        }
    }

    void hatch(ImVec2 low, ImVec2 high, Role role) {
        const ImU32 colour = ui_.colour(role, figures::kHatchOpacity);
        const float height = high.y - low.y;
        const float step = ui_.px(figures::kHatchSpacing) * std::sqrt(2.0F);
        into_.PushClipRect(low, high, true);
        for (float x = low.x - height; x < high.x; x += step)
            into_.AddLine({x, high.y}, {x + height, low.y}, colour, ui_.px(figures::kHatchWidth));
        into_.PopClipRect();
    }

    const Ui& ui_;
    ImDrawList& into_;
    ImVec2 at_;
};

// For programs that look at the window; nobody else asks for it.
void name_place(const char* name, ImVec2 low, ImVec2 high) {
    ImGuiContext& g = *ImGui::GetCurrentContext();
    if (!g.TestEngineHookItems) return;
    const ImGuiID item = ImGui::GetID(name);
    IMGUI_TEST_ENGINE_ITEM_ADD(item, ImRect(low, high), nullptr);
    IMGUI_TEST_ENGINE_ITEM_INFO(item, name, 0);
}

// A scene as text: its title, and what stands in it, a row a line.
std::string words_of(const figures::Scene& scene) {
    std::string words = scene.title;
    float row = -1;
    for (const figures::Shape& shape : scene.shapes) {
        const auto* text = std::get_if<Text>(&shape.what);
        if (text == nullptr) continue;
        words += std::abs(text->y - row) < 4 ? " " : "\n";
        words += text->text;
        row = text->y;
    }
    return words;
}

}  // namespace

Hovered paint(const Ui& ui, const figures::Scene& scene, ImVec2 point,
              const PaintOptions& options) {
    ImDrawList& into = *ImGui::GetWindowDrawList();
    if (platform::kBrowser) platform::describe(words_of(scene));
    ScenePainter painter(ui, into, point);
    const ImVec2 clip_low = into.GetClipRectMin();
    const ImVec2 clip_high = into.GetClipRectMax();
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const bool in_window = ImGui::IsWindowHovered() && ImRect(clip_low, clip_high).Contains(mouse);
    const Point mouse_at{(mouse.x - point.x) / ui.scale, (mouse.y - point.y) / ui.scale};
    const session::Pointed& pointed = ui.session.pointed;
    Hovered hovered;
    std::vector<const figures::Shape*> lit;
    const figures::Shape* ringed = nullptr;
    for (const figures::Shape& shape : scene.shapes) {
        const Box bounds = painter.bounds(shape);
        constexpr float kMargin = 4;
        if (point.x + ui.px(bounds.right + kMargin) < clip_low.x ||
            point.x + ui.px(bounds.left - kMargin) > clip_high.x ||
            point.y + ui.px(bounds.bottom + kMargin) < clip_low.y ||
            point.y + ui.px(bounds.top - kMargin) > clip_high.y)
            continue;
        std::visit([&](const auto& what) { painter.paint(what); }, shape.what);
        const bool has_area = !std::holds_alternative<Path>(shape.what);
        if (!shape.name.empty()) {
            if (options.linked && pointed.lit(shape.name)) lit.push_back(&shape);
            if (ringed == nullptr && shape.name == options.ringed) ringed = &shape;
            if (options.linked && has_area)
                name_place(shape.name.c_str(), painter.pixel({bounds.left, bounds.top}),
                           painter.pixel({bounds.right, bounds.bottom}));
        }
        if (in_window && has_area && mouse_at.x >= bounds.left && mouse_at.x <= bounds.right &&
            mouse_at.y >= bounds.top && mouse_at.y <= bounds.bottom) {
            if (!shape.tip.empty()) hovered.tip = shape.tip;
            if (!shape.name.empty()) hovered.name = shape.name;
        }
    }
    const auto around = [&](const figures::Shape& shape, Role role) {
        const Box bounds = painter.bounds(shape);
        const auto* rect = std::get_if<Rect>(&shape.what);
        ring(ui, painter.pixel({bounds.left, bounds.top}),
             painter.pixel({bounds.right, bounds.bottom}), role,
             rect != nullptr ? rect->radius : 3);
    };
    for (const figures::Shape* shape : lit)
        around(*shape, Role::act);
    if (ringed != nullptr) around(*ringed, Role::text);
    if (options.linked && !hovered.name.empty()) ui.change().pointed.point_at(hovered.name);
    return hovered;
}

Hovered paint_pinned(const Ui& ui, const figures::Scene& scene, ImVec2 point,
                     const PaintOptions& options) {
    ImDrawList& into = *ImGui::GetWindowDrawList();
    const ImRect seen = ImGui::GetCurrentWindow()->InnerRect;
    const ImVec2 end{point.x + ui.px(scene.width), point.y + ui.px(scene.height)};
    float top = seen.Min.y > point.y ? ui.px(scene.pinned.top) : 0;
    float bottom = seen.Max.y < end.y ? ui.px(scene.pinned.bottom) : 0;
    float right = seen.Max.x < end.x ? ui.px(scene.pinned.right) : 0;
    if (2 * (top + bottom) > seen.GetHeight()) top = bottom = 0;
    float left = seen.Min.x > point.x ? ui.px(scene.pinned.left) : 0;
    if (2 * (left + right) > seen.GetWidth()) left = right = 0;
    struct Band {
        float from, to, at;  // `at`: the scene's edge
    };
    const std::array<Band, 3> rows{
        {{seen.Min.y, seen.Min.y + top, seen.Min.y},
         {seen.Min.y + top, seen.Max.y - bottom, point.y},
         {seen.Max.y - bottom, seen.Max.y, point.y + seen.Max.y - end.y}}};
    const std::array<Band, 3> columns{
        {{seen.Min.x, seen.Min.x + left, seen.Min.x},
         {seen.Min.x + left, seen.Max.x - right, point.x},
         {seen.Max.x - right, seen.Max.x, point.x + seen.Max.x - end.x}}};
    Hovered hovered;
    for (const Band& row : rows)
        for (const Band& column : columns) {
            if (row.from >= row.to || column.from >= column.to) continue;
            into.PushClipRect({column.from, row.from}, {column.to, row.to}, true);
            const Hovered here = paint(ui, scene, {column.at, row.at}, options);
            into.PopClipRect();
            if (!here.tip.empty()) hovered.tip = here.tip;
            if (!here.name.empty()) hovered.name = here.name;
        }
    const float edge = seen.Min.y + top;  // what scrolls goes on below it
    if (top > 0) {
        constexpr float kFade = 14;  // points: no arrow ends as if it began at the edge
        const ImU32 panel = ui.colour(Role::panel), clear = panel & ~IM_COL32_A_MASK;
        into.AddRectFilledMultiColor({seen.Min.x, edge}, {seen.Max.x - right, edge + ui.px(kFade)},
                                     panel, panel, clear, clear);
        into.AddLine({seen.Min.x, edge}, {seen.Max.x, edge}, ui.colour(Role::border));
    }
    return hovered;
}

void ring(const Ui& ui, ImVec2 low, ImVec2 high, Role role, float radius) {
    ImDrawList& into = *ImGui::GetWindowDrawList();
    const float gap = ui.px(3), stroke = std::max(2.0F, ui.px(2));
    // At the edge of its panel it is drawn closer, and not cut; what has scrolled out is.
    const ImVec2 least = into.GetClipRectMin(), most = into.GetClipRectMax();
    const auto inside = [&](float side, float edge, float shape, float way) {
        const float limit = edge - way * stroke / 2;
        const bool out = way * (side - limit) > 0 && way * (shape - edge) <= 0;
        return out ? limit : side;
    };
    into.AddRect({inside(low.x - gap, least.x, low.x, -1), inside(low.y - gap, least.y, low.y, -1)},
                 {inside(high.x + gap, most.x, high.x, 1), inside(high.y + gap, most.y, high.y, 1)},
                 ui.colour(role), ui.px(radius + 3), 0, stroke);
}

bool lit_place(const Ui& ui, const std::string& name, ImVec2 low, ImVec2 high) {
    name_place(name.c_str(), low, high);
    if (ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows) &&
        ImGui::IsMouseHoveringRect(low, high))
        ui.change().pointed.point_at(name);
    return ui.session.pointed.lit(name);
}

void diagram_item(const char* id, ImVec2 size) {
    ImGui::Dummy(size);
    name_place(id, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
}

void drag_to_scroll(const Ui& ui) {
    const ImGuiIO& io = ImGui::GetIO();
    if (ImGui::GetScrollMaxX() <= 0 && ImGui::GetScrollMaxY() <= 0) return;
    const ImVec2 low = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    const ImRect seen(low.x, low.y, low.x + size.x, low.y + size.y);
    // A press on nothing makes the window itself active.
    const ImGuiContext& g = *ImGui::GetCurrentContext();
    const bool held = g.ActiveId != 0 && g.ActiveId != g.ActiveIdWindow->MoveId;
    if (!seen.Contains(io.MouseClickedPos[0]) || held ||
        !ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) ||
        !ImGui::IsMouseDragging(ImGuiMouseButton_Left, ui.px(3)))
        return;
    ImGui::SetScrollX(ImGui::GetScrollX() - io.MouseDelta.x);
    ImGui::SetScrollY(ImGui::GetScrollY() - io.MouseDelta.y);
}

void pinch(float& zoom, ImVec2 corner, ImVec2 size) {
    constexpr float kNotch = 1.25F, kMost = 8;
    const ImGuiIO& io = ImGui::GetIO();
    ImGuiStorage& kept = *ImGui::GetStateStorage();
    const ImGuiID waits = ImGui::GetID("pinched"), part_x = ImGui::GetID("pinched_x"),
                  part_y = ImGui::GetID("pinched_y");
    const bool waited = kept.GetBool(waits);
    if (waited) {  // the window knows by now how large its contents have become
        kept.SetBool(waits, false);
        const ImVec2 there{corner.x + kept.GetFloat(part_x) * size.x,
                           corner.y + kept.GetFloat(part_y) * size.y};
        ImGui::SetScrollX(ImGui::GetScrollX() + there.x - io.MousePos.x);
        ImGui::SetScrollY(ImGui::GetScrollY() + there.y - io.MousePos.y);
    }
    if (!ImGui::IsWindowHovered()) return;
    const float before = zoom;
    if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) zoom = 1;
    if (io.KeyCtrl && io.MouseWheel != 0)
        zoom = std::clamp(zoom * std::pow(kNotch, io.MouseWheel), 1.0F, kMost);
    if (zoom == before) return;
    kept.SetBool(waits, true);
    if (waited)
        return;  // where the mouse is on is known; the scroll to it comes with the next frame
    kept.SetFloat(part_x, (io.MousePos.x - corner.x) / size.x);
    kept.SetFloat(part_y, (io.MousePos.y - corner.y) / size.y);
}

void show_tip(const Ui& ui, std::string_view text) {
    if (text.empty() || !begin_tooltip(ui)) return;
    ImGui::PushTextWrapPos(ui.px(320));
    ImGui::TextUnformatted(text.data(), text.data() + text.size());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

Hovered show_scene(const Ui& ui, const figures::Scene& scene, const char* id, ImVec2 size,
                   const char* item, float below) {
    const Scope child = begin_child(id, size, ImGuiWindowFlags_HorizontalScrollbar);
    ImVec2 point = ImGui::GetCursorScreenPos();
    point.y += below;
    const Hovered hovered = paint(ui, scene, point);
    ImGui::SetCursorScreenPos(point);
    diagram_item(item != nullptr ? item : id,
                 {ui.px(scene.width), std::floor(ui.px(scene.height))});
    show_tip(ui, hovered.tip);
    drag_to_scroll(ui);
    return hovered;
}

figures::FigureOptions file_options(const Ui& ui) {
    const float scale = ui.palette.text_scale;
    return {figures::FigureOptions().width * scale, scale, true};
}

figures::RunSubject subject_of(const Ui& ui, const analysis::StepTable& table) {
    figures::RunSubject subject;
    subject.variant = table.variant;
    subject.title = table.title;
    subject.n = table.n;
    subject.group = table.group;
    subject.range = table.space.range();
    subject.op = table.op;
    subject.type = table.type;
    if (table.machine) subject.machine = *table.machine;
    subject.stopped = figures::fault_text(table, ui.tr());
    return subject;
}

constexpr float kHeadingSize = 22, kPositionSize = 16, kSentenceSize = 18;  // points

static void heading(Ui& ui, const Presented& what, float width) {
    const float x = ImGui::GetCursorPosX(), top = ImGui::GetCursorPosY();
    const float position = ui.metrics.text_width(what.position, kPositionSize, Face::sans);
    fitted_line(ui, what.title, width - ui.px(position + 20), Face::bold, kHeadingSize);
    const float below = ImGui::GetCursorPosY();
    ImGui::SetCursorPos({x + width - ui.px(position) - ui.px(2), top + ui.px(5)});
    text_line(ui, what.position, Face::sans, kPositionSize, Role::muted);
    // Pictures with names of their own begin beside the position.
    ImGui::SetCursorPos({x, what.title.empty() ? top : below + ui.px(4)});
}

void draw_presented(Ui& ui, const Presented& what) {
    const ImVec2 room = ImGui::GetContentRegionAvail();
    heading(ui, what, room.x);
    const TextStyle style(ui, Face::bold, kSentenceSize);
    const auto height_of = [&](const std::string& text) {
        return text.empty() ? 0.0F : message_height(ui, text, room.x);
    };
    const float left = ImGui::GetContentRegionAvail().y;
    // What is longer than half of the room scrolls.
    const float words =
        std::min(std::max(height_of(what.sentence), height_of(what.longest)), left / 2);
    const float end = ImGui::GetCursorPosY() + left - words;
    {
        const TextStyle plain(ui, Face::sans, kTextSize);
        what.picture({room.x, left - words - ui.px(8)});
    }
    if (what.sentence.empty()) return;
    ImGui::SetCursorPosY(end);
    message_box(ui, what.sentence, what.tone, room.x, words);
}

}  // namespace lab::gui
