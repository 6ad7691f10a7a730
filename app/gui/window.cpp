#include "gui/window.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <utility>

#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <glad/gl.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>
#include <imgui_internal.h>  // its queue of input: whether anything came in

#include "base/problem.h"

// glad first: GLFW then leaves GL's declarations alone.

namespace lab::gui {
namespace {

using std::chrono::milliseconds;

constexpr auto kLively = milliseconds(700);
constexpr int kSettling = 3;  // frames: on a slow machine each may take long
constexpr auto kFrameTime = milliseconds(16);
std::atomic<bool> woken = false;  // by another thread, since it was last looked at

constexpr const char* kNeedsDisplay =
    "Start it in a desktop session, over `ssh -X`, or under `xvfb-run` (packages xvfb and xauth)";
constexpr const char* kNeedsGl =
    "Install the system's OpenGL (on Debian and Ubuntu libgl1 and libgl1-mesa-dri) or the "
    "display's "
    "driver";

[[noreturn]] void no_window(const std::string& what, const std::string& hint) {
    const char* why = nullptr;
    glfwGetError(&why);
    const std::string reason = why != nullptr ? why : "";
    glfwTerminate();
    throw Problem(what, reason,
                  hint + "; everything can also be done without a window by reduction-lab-cli", "",
                  Exit::no_device);
}

}  // namespace

Window::Window(const Options& options)
    : width_(options.width), height_(options.height), hidden_(options.hidden) {
#ifdef GLFW_PLATFORM
    // GLFW 3.4 tries Wayland first; without a session its library complains on the terminal.
    if (std::getenv("XDG_RUNTIME_DIR") == nullptr) glfwInitHint(GLFW_PLATFORM, GLFW_PLATFORM_X11);
#endif
    if (glfwInit() == GLFW_FALSE) no_window("No window can be opened", kNeedsDisplay);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_VISIBLE, options.hidden ? GLFW_FALSE : GLFW_TRUE);
    // GLFW takes the title for both unless both are given; desktops find our entry by the class.
    glfwWindowHintString(GLFW_X11_CLASS_NAME, "reduction-lab");
    glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "reduction-lab");
    window_ = glfwCreateWindow(options.hidden ? 64 : width_, options.hidden ? 64 : height_,
                               options.title.c_str(), nullptr, nullptr);
    if (window_ == nullptr) no_window("No window with GL 3.3 can be opened", kNeedsGl);
    glfwMakeContextCurrent(window_);
    glfwSwapInterval(0);  // wait() keeps the pace
    // A teacher who looks something up on the other screen presents on.
    glfwSetWindowAttrib(window_, GLFW_AUTO_ICONIFY, GLFW_FALSE);
    if (gladLoadGL(glfwGetProcAddress) == 0) no_window("The display's GL cannot be used", kNeedsGl);

    glfwSetDropCallback(window_, on_drop);
    begin_imgui("#version 330 core");
    if (hidden_) make_offscreen();
}

Window::~Window() {
    if (framebuffer_ != 0) glDeleteFramebuffers(1, &framebuffer_);
    if (texture_ != 0) glDeleteTextures(1, &texture_);
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
    glfwDestroyWindow(window_);
    glfwTerminate();
}

void Window::make_offscreen() {
    glGenTextures(1, &texture_);
    glBindTexture(GL_TEXTURE_2D, texture_);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width_, height_, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glGenFramebuffers(1, &framebuffer_);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_, 0);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        throw Problem(fmt::format("A picture of {} x {} cannot be drawn", width_, height_),
                      "GL refuses a target of that size", "Choose a smaller --size", "--size");
}

void Window::set_icon(std::span<const figures::Pixels> sizes) {
    std::vector<GLFWimage> images;
    for (const figures::Pixels& size : sizes)  // GLFW copies them, and writes none
        images.push_back({size.width, size.height, const_cast<unsigned char*>(size.rgba.data())});
    glfwSetWindowIcon(window_, static_cast<int>(images.size()), images.data());
}

bool Window::closed() const {
    return glfwWindowShouldClose(window_) != GLFW_FALSE;
}

namespace {

struct ScreenArea {
    int x = 0, y = 0, width = 0, height = 0;

    int shared_with(const ScreenArea& other) const {
        const int wide = std::min(x + width, other.x + other.width) - std::max(x, other.x);
        const int high = std::min(y + height, other.y + other.height) - std::max(y, other.y);
        return std::max(wide, 0) * std::max(high, 0);
    }
};

// The one with most of the area; null if there is none.
GLFWmonitor* monitor_of(const ScreenArea& area) {
    int count = 0;
    GLFWmonitor** monitors = glfwGetMonitors(&count);
    GLFWmonitor* best = glfwGetPrimaryMonitor();
    int most = 0;
    for (int i = 0; i < count; ++i) {
        const GLFWvidmode* mode = glfwGetVideoMode(monitors[i]);
        if (mode == nullptr) continue;
        ScreenArea screen{0, 0, mode->width, mode->height};
        glfwGetMonitorPos(monitors[i], &screen.x, &screen.y);
        if (screen.shared_with(area) <= most) continue;
        most = screen.shared_with(area);
        best = monitors[i];
    }
    return best;
}

}  // namespace

void Window::fill_screen(bool on) {
    if (on == (glfwGetWindowMonitor(window_) != nullptr)) return;
    if (!on) {
        const auto [x, y, width, height] = own_place_;
        glfwSetWindowMonitor(window_, nullptr, x, y, width, height, GLFW_DONT_CARE);
        return;
    }
    ScreenArea own;
    glfwGetWindowPos(window_, &own.x, &own.y);
    glfwGetWindowSize(window_, &own.width, &own.height);
    own_place_ = {own.x, own.y, own.width, own.height};
    GLFWmonitor* monitor = monitor_of(own);
    const GLFWvidmode* mode = monitor != nullptr ? glfwGetVideoMode(monitor) : nullptr;
    if (mode == nullptr) return;  // then it fills the window alone
    glfwSetWindowMonitor(window_, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
}

float Window::content_scale() const {
    float x = 1;
    float y = 1;
    glfwGetWindowContentScale(window_, &x, &y);
    return std::max(x, 1.0F);
}

void Window::on_drop(GLFWwindow* window, int count, const char** paths) {
    auto& drops = static_cast<Window*>(glfwGetWindowUserPointer(window))->drops_;
    drops.insert(drops.end(), paths, paths + count);
}

std::vector<std::filesystem::path> Window::take_drops() {
    return std::exchange(drops_, {});
}

void Window::wake() {
    woken = true;
    glfwPostEmptyEvent();
}

void Window::wait(std::optional<Clock::time_point> until) {
    const auto sleep = [](Clock::duration time) {
        if (time > Clock::duration::zero())
            glfwWaitEventsTimeout(std::chrono::duration<double>(time).count());
        else
            glfwPollEvents();
    };
    const Clock::time_point now = Clock::now();
    if (hidden_ || now < lively_until_ || settling_ > 0)
        sleep(last_frame_ + kFrameTime - now);
    else if (until)
        sleep(*until - now);
    else
        glfwWaitEvents();
    // What came in is worth some frames, what woke us up otherwise a few: also what came while
    // those of the one before were drawn.
    const bool input = !ImGui::GetCurrentContext()->InputEventsQueue.empty();
    const bool settled = settling_ == 0;
    if (input) lively_until_ = Clock::now() + kLively;
    if (woken.exchange(false) || (settled && now >= lively_until_))
        settling_ = kSettling;
    else if (!settled)
        --settling_;
}

void Window::frame(const std::function<void()>& draw, const std::array<float, 3>& ground) {
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    if (hidden_) {
        ImGui::GetIO().DisplaySize = {static_cast<float>(width_), static_cast<float>(height_)};
        ImGui::GetIO().DisplayFramebufferScale = {1, 1};
        ImGui::GetIO().AddMousePosEvent(-1e6F, -1e6F);
    } else {
        glfwGetFramebufferSize(window_, &width_, &height_);
    }
    ImGui::NewFrame();
    draw();
    ImGui::Render();
    ground_ = ground;
    if (painted_) {
        render();
        if (!hidden_) glfwSwapBuffers(window_);
    } else {
        for (ImTextureData* texture : *ImGui::GetDrawData()->Textures)
            if (texture->Status != ImTextureStatus_OK) ImGui_ImplOpenGL3_UpdateTexture(texture);
    }
    ++frames_;
    last_frame_ = Clock::now();
}

std::vector<std::uint8_t> Window::pixels() {
    if (!hidden_ || !painted_) render();  // what was shown is the display's
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    return read_pixels(0, 0, width_, height_).rgba;
}

}  // namespace lab::gui
