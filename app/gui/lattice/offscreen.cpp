#include "gui/lattice/offscreen.h"

#include <glad/gl.h>
#include <imgui_impl_opengl3.h>

#include <algorithm>
#include <cmath>

#include "base/problem.h"

namespace lab::gui {
namespace {

// The display is at least as large as this until the end of the scope.
class LargerDisplay {
  public:
    explicit LargerDisplay(ImVec2 least) : before_(ImGui::GetIO().DisplaySize) {
        ImGui::GetIO().DisplaySize = {std::max(before_.x, std::ceil(least.x)),
                                      std::max(before_.y, std::ceil(least.y))};
    }
    ~LargerDisplay() { ImGui::GetIO().DisplaySize = before_; }
    LargerDisplay(const LargerDisplay&) = delete;
    LargerDisplay& operator=(const LargerDisplay&) = delete;

  private:
    ImVec2 before_;
};

// A picture of the display's size, drawn to until the end of the scope.
class Target {
  public:
    Target(int width, int height) {
        glGetIntegerv(GL_FRAMEBUFFER_BINDING, &before_);
        glGenRenderbuffers(1, &colours_);
        glBindRenderbuffer(GL_RENDERBUFFER, colours_);
        glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
        glGenFramebuffers(1, &target_);
        glBindFramebuffer(GL_FRAMEBUFFER, target_);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colours_);
    }
    ~Target() {
        glBindFramebuffer(GL_FRAMEBUFFER, static_cast<unsigned>(before_));
        glDeleteFramebuffers(1, &target_);
        glDeleteRenderbuffers(1, &colours_);
    }
    Target(const Target&) = delete;
    Target& operator=(const Target&) = delete;

    static bool is_whole() {
        return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    }

  private:
    int before_ = 0;
    unsigned target_ = 0, colours_ = 0;
};

void render(ImDrawList& list, ImVec2 display) {
    ImDrawData data;
    data.DisplaySize = display;
    data.FramebufferScale = {1, 1};
    data.OwnerViewport = ImGui::GetMainViewport();
    data.Textures = &ImGui::GetPlatformIO().Textures;
    data.AddDrawList(&list);
    data.Valid = true;
    // Glyphs that this frame is the first to show are in a texture that the last one did not have.
    ImTextureData& glyphs = *ImGui::GetIO().Fonts->TexData;
    if (glyphs.Status != ImTextureStatus_OK) ImGui_ImplOpenGL3_UpdateTexture(&glyphs);
    ImGui_ImplOpenGL3_RenderDrawData(&data);
}

figures::Pixels read(int left, int bottom, int width, int height) {
    figures::Pixels pixels{width, height, {}};
    const std::size_t line = static_cast<std::size_t>(width) * 4;
    pixels.rgba.resize(line * static_cast<std::size_t>(height));
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(left, bottom, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels.rgba.data());
    for (auto low = pixels.rgba.begin(), high = pixels.rgba.end();
         high - low > std::ptrdiff_t(line); low += std::ptrdiff_t(line)) {
        high -= std::ptrdiff_t(line);
        std::swap_ranges(low, low + std::ptrdiff_t(line), high);
    }
    return pixels;
}

}  // namespace

figures::Pixels draw_offscreen(ImVec2 point, ImVec2 size, const figures::Colour& ground,
                               const std::function<void(ImDrawList&)>& paint) {
    const LargerDisplay larger({point.x + size.x, point.y + size.y});
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    ImDrawList list(ImGui::GetDrawListSharedData());
    list._ResetForNewFrame();
    list.PushTexture(ImGui::GetIO().Fonts->TexRef);
    list.PushClipRect({0, 0}, display);
    paint(list);
    const Target target(static_cast<int>(display.x), static_cast<int>(display.y));
    if (!Target::is_whole())
        throw Problem("The picture cannot be drawn", "This display's GL gives no room for it",
                      "Take a screenshot by the desktop's own means");
    glDisable(GL_SCISSOR_TEST);
    glViewport(0, 0, static_cast<int>(display.x), static_cast<int>(display.y));
    glClearColor(ground.r, ground.g, ground.b, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    render(list, display);
    const auto left = static_cast<int>(std::max(std::floor(point.x), 0.0F));
    const auto top = static_cast<int>(std::max(std::floor(point.y), 0.0F));
    const auto right = static_cast<int>(std::min(std::ceil(point.x + size.x), display.x));
    const auto bottom = static_cast<int>(std::min(std::ceil(point.y + size.y), display.y));
    return read(left, static_cast<int>(display.y) - bottom, std::max(right - left, 1),
                std::max(bottom - top, 1));
}

}  // namespace lab::gui
