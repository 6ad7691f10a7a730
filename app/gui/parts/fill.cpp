#include "gui/parts/fill.h"

#include <glad/gl.h>

#include <algorithm>
#include <cmath>

namespace lab::gui {
namespace {

struct Ground {
    ImVec2 low, high;  // as ImGui counts, from the window's upper left corner
    ImVec4 colour;
};

// Within ImGui's own drawing: its scissor test is on, and set again for whatever comes next.
void clear(const ImDrawList*, const ImDrawCmd* command) {
    const auto& ground = *static_cast<const Ground*>(command->UserCallbackData);
    const ImGuiIO& io = ImGui::GetIO();
    const ImVec2 pixels = io.DisplayFramebufferScale;
    const auto whole = [](float value) { return static_cast<GLint>(std::lround(value)); };
    const GLint left = whole(ground.low.x * pixels.x), right = whole(ground.high.x * pixels.x);
    const GLint top = whole(ground.low.y * pixels.y), bottom = whole(ground.high.y * pixels.y);
    glScissor(left, whole(io.DisplaySize.y * pixels.y) - bottom, std::max(right - left, 0),
              std::max(bottom - top, 0));
    glClearColor(ground.colour.x, ground.colour.y, ground.colour.z, 1);
    glClear(GL_COLOR_BUFFER_BIT);
}

}  // namespace

void fill_area(ImDrawList& into, ImVec2 low, ImVec2 high, ImU32 colour) {
    const ImVec2 clip_low = into.GetClipRectMin(), clip_high = into.GetClipRectMax();
    Ground ground{{std::max(low.x, clip_low.x), std::max(low.y, clip_low.y)},
                  {std::min(high.x, clip_high.x), std::min(high.y, clip_high.y)},
                  ImGui::ColorConvertU32ToFloat4(colour)};
    if (ground.low.x >= ground.high.x || ground.low.y >= ground.high.y) return;
    into.AddCallback(clear, &ground, sizeof ground);  // which is copied
}

void fill_round(ImDrawList& into, ImVec2 low, ImVec2 high, ImU32 colour, float radius) {
    // The edges are straight but for a strip at the top and one at the bottom, which are drawn and
    // reach a pixel into the rest, so that there is no seam.
    const float strip = radius + 1;
    if (high.y - low.y < 3 * strip) {
        into.AddRectFilled(low, high, colour, radius);
        return;
    }
    fill_area(into, {low.x, low.y + radius}, {high.x, high.y - radius}, colour);
    into.AddRectFilled(low, {high.x, low.y + strip}, colour, radius, ImDrawFlags_RoundCornersTop);
    into.AddRectFilled({low.x, high.y - strip}, high, colour, radius,
                       ImDrawFlags_RoundCornersBottom);
}

}  // namespace lab::gui
