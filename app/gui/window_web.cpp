// The window in a browser: a canvas, which web/page.js makes as large as the page. Keys and the
// mouse come through Emscripten's GLFW; the wheel, fingers and the canvas's size from web/page.js.
#include <algorithm>
#include <cmath>
#include <utility>

#include <GLFW/glfw3.h>
#include <emscripten.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>
#include <imgui_internal.h>  // its queue of input: whether anything came in

#include "base/platform.h"
#include "base/problem.h"
#include "gui/window.h"

// Its header wants GL's.

namespace lab::gui {
namespace {

using std::chrono::milliseconds;

constexpr auto kLively = milliseconds(700);
constexpr int kSettling = 3;  // frames
constexpr float kStill = 10;  // CSS pixels that a finger moves in a tap

struct Canvas {
    int width = 0, height = 0;  // pixels
    float scale = 1;            // pixels a CSS pixel
    std::vector<std::filesystem::path> drops;
    GLFWwindow* window = nullptr;
    float closer = 0;  // steps of a wheel that two fingers zoomed since the last frame
    ImVec2 from, last,
        swipe;  // where a finger came down and is; how far it went since the last frame
    bool swipes = false, released = true;
};

Canvas& canvas() {
    static Canvas only;
    return only;
}

// A finger that moves over what scrolls, scrolls it: text, lists, code. What it came down on lets
// go, unless it is a scroll bar or is dragged across the direction in which the window scrolls.
void scroll_by_finger() {
    Canvas& screen = canvas();
    const ImVec2 swipe = std::exchange(screen.swipe, {});
    if (swipe.x == 0 && swipe.y == 0) return;
    ImGuiContext& g = *ImGui::GetCurrentContext();
    ImGuiWindow* window = g.HoveredWindow;
    const bool upright = std::abs(swipe.y) > std::abs(swipe.x);
    const ImGuiAxis axis = upright ? ImGuiAxis_Y : ImGuiAxis_X;
    while (window != nullptr && window->ScrollMax[axis] <= 0)
        window =
            (window->Flags & ImGuiWindowFlags_ChildWindow) != 0 ? window->ParentWindow : nullptr;
    if (window == nullptr) return;
    if (!screen.swipes) {
        const float way = std::hypot(screen.last.x - screen.from.x, screen.last.y - screen.from.y);
        if (way < kStill * screen.scale) return;
        if (g.ActiveId != 0 && g.ActiveId == ImGui::GetWindowScrollbarID(window, axis)) return;
        if (g.MovingWindow == nullptr) ImGui::ClearActiveID();
        screen.swipes = true;
    }
    if (upright)
        ImGui::SetScrollY(window, window->Scroll.y - swipe.y);
    else
        ImGui::SetScrollX(window, window->Scroll.x - swipe.x);
}

// Tells the page what would bring a phone's keyboard up.
EM_JS(void, lab_wants_text, (bool wanted), { labPage.wantsText(wanted); });
EM_JS(void, lab_fill_screen, (bool on), { labPage.fillScreen(on); });

}  // namespace

Window::Window(const Options& options)
    : width_(options.width), height_(options.height), hidden_(options.hidden) {
    glfwInit();
    width_ = canvas().width;
    height_ = canvas().height;
    window_ = glfwCreateWindow(width_, height_, options.title.c_str(), nullptr, nullptr);
    if (window_ == nullptr)
        throw Problem("This browser has no WebGL 2", "The app draws with it",
                      "Try a newer browser, or switch its hardware acceleration on");
    glfwMakeContextCurrent(window_);
    canvas().window = window_;
    begin_imgui("#version 300 es");
    ImGui::GetIO().ConfigMacOSXBehaviors = platform::is_mac();
    ImGuiPlatformIO& platform = ImGui::GetPlatformIO();
    platform.Platform_SetClipboardTextFn = [](ImGuiContext*, const char* text) {
        platform::copy_text(text);
    };
    platform.Platform_GetClipboardTextFn = [](ImGuiContext*) {
        static std::string text;
        text = platform::pasted_text();
        return text.c_str();
    };
}

Window::~Window() {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
    glfwTerminate();
}

void Window::set_icon(std::span<const figures::Pixels>) {}

bool Window::closed() const {
    return false;
}

void Window::fill_screen(bool on) {
    if (std::exchange(filled_, on) != on) lab_fill_screen(on);
}

float Window::content_scale() const {
    return canvas().scale;
}

std::vector<std::filesystem::path> Window::take_drops() {
    return std::exchange(canvas().drops, {});
}

void Window::wake() {
    platform::wake();
}

// Says when the page is to call for the next frame; draws on for a moment after each event.
void Window::wait(std::optional<Clock::time_point> until) {
    const Clock::time_point now = Clock::now();
    if (!ImGui::GetCurrentContext()->InputEventsQueue.empty() || got_input_)
        lively_until_ = now + kLively;
    else if (asleep_)
        settling_ = kSettling;
    else if (settling_ > 0)
        --settling_;
    asleep_ = now >= lively_until_ && settling_ == 0;
    if (!asleep_) return platform::next_frame(0);
    if (!until) return platform::next_frame(-1);
    platform::next_frame(
        std::max(0.0, std::chrono::duration<double, std::milli>(*until - now).count()));
}

void Window::frame(const std::function<void()>& draw, const std::array<float, 3>& ground) {
    got_input_ = !ImGui::GetCurrentContext()->InputEventsQueue.empty();
    width_ = canvas().width;
    height_ = canvas().height;
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    ImGui::GetIO().DisplaySize = {static_cast<float>(width_), static_cast<float>(height_)};
    ImGui::GetIO().DisplayFramebufferScale = {1, 1};
    ImGui::NewFrame();
    scroll_by_finger();
    // After ImGui has scrolled by its own wheel: what draws reads this as Ctrl and the wheel.
    if (const float closer = std::exchange(canvas().closer, 0.0F); closer != 0) {
        ImGui::GetIO().KeyCtrl = true;
        ImGui::GetIO().MouseWheel = closer;
    }
    draw();
    ImGui::Render();
    ground_ = ground;
    render();
    lab_wants_text(ImGui::GetIO().WantTextInput);
    ++frames_;
    last_frame_ = Clock::now();
}

// Pictures of the window are the browser's own.
std::vector<std::uint8_t> Window::pixels() {
    return std::vector<std::uint8_t>(static_cast<std::size_t>(width_) *
                                     static_cast<std::size_t>(height_) * 4);
}

}  // namespace lab::gui

using lab::gui::canvas;

// From web/page.js. Sizes and places are in pixels of the canvas.
extern "C" {

EMSCRIPTEN_KEEPALIVE void lab_resized(int width, int height, double scale) {
    canvas().width = width;
    canvas().height = height;
    canvas().scale = static_cast<float>(scale);
}

EMSCRIPTEN_KEEPALIVE void lab_wheel(double x, double y) {
    if (ImGui::GetCurrentContext() != nullptr)
        ImGui::GetIO().AddMouseWheelEvent(static_cast<float>(x), static_cast<float>(y));
}

// A finger: where it is, and whether it touches.
EMSCRIPTEN_KEEPALIVE void lab_touch(double x, double y, bool down) {
    if (ImGui::GetCurrentContext() == nullptr) return;
    ImGuiIO& io = ImGui::GetIO();
    auto& screen = canvas();
    const ImVec2 place(static_cast<float>(x), static_cast<float>(y));
    if (down && std::exchange(screen.released, false)) {
        screen.from = place;
        screen.swipes = false;
    } else if (down) {
        screen.swipe.x += place.x - screen.last.x;
        screen.swipe.y += place.y - screen.last.y;
    }
    screen.released = !down;
    screen.last = place;
    // Else its backend for GLFW puts the mouse back to where GLFW saw it last.
    ImGui_ImplGlfw_CursorEnterCallback(screen.window, 1);
    io.AddMouseSourceEvent(ImGuiMouseSource_TouchScreen);
    io.AddMousePosEvent(place.x, place.y);
    io.AddMouseButtonEvent(ImGuiMouseButton_Left, down);
}

// What a phone's keyboard typed.
EMSCRIPTEN_KEEPALIVE void lab_type(const char* text) {
    if (ImGui::GetCurrentContext() != nullptr) ImGui::GetIO().AddInputCharactersUTF8(text);
}
EMSCRIPTEN_KEEPALIVE void lab_key(int backspace, bool down) {
    if (ImGui::GetCurrentContext() != nullptr)
        ImGui::GetIO().AddKeyEvent(backspace != 0 ? ImGuiKey_Backspace : ImGuiKey_Enter, down);
}

// Two fingers: how many steps of a wheel closer, and how far they went, in CSS pixels.
EMSCRIPTEN_KEEPALIVE void lab_pinch(double closer, double x, double y) {
    if (ImGui::GetCurrentContext() == nullptr) return;
    // Its queue would hand the two out over several frames, each with the other's key.
    canvas().closer += static_cast<float>(closer);
    ImGui::GetIO().AddMouseWheelEvent(static_cast<float>(x / 40), static_cast<float>(y / 40));
}

// A file that was chosen, or dropped on the page.
EMSCRIPTEN_KEEPALIVE void lab_drop(const char* file) {
    canvas().drops.emplace_back(file);
}

}  // extern "C"
