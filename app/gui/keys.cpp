#include "gui/window.h"

#include <algorithm>
#include <array>

#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <glad/gl.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>

#include "base/platform.h"
#include "base/problem.h"

namespace lab::gui {
namespace {

struct NamedKey {
    const char* name;
    int key;
};
constexpr std::array kNamed{
    NamedKey{"Space", GLFW_KEY_SPACE},
    NamedKey{"Left", GLFW_KEY_LEFT},
    NamedKey{"Right", GLFW_KEY_RIGHT},
    NamedKey{"Up", GLFW_KEY_UP},
    NamedKey{"Down", GLFW_KEY_DOWN},
    NamedKey{"Home", GLFW_KEY_HOME},
    NamedKey{"End", GLFW_KEY_END},
    NamedKey{"Escape", GLFW_KEY_ESCAPE},
    NamedKey{"F3", GLFW_KEY_F3},
    NamedKey{"F5", GLFW_KEY_F5},
    NamedKey{"+", GLFW_KEY_EQUAL},
    NamedKey{"-", GLFW_KEY_MINUS},
    NamedKey{"Enter", GLFW_KEY_ENTER},
    NamedKey{"PageUp", GLFW_KEY_PAGE_UP},
    NamedKey{"PageDown", GLFW_KEY_PAGE_DOWN},
    NamedKey{"Backspace", GLFW_KEY_BACKSPACE},
    NamedKey{"F1", GLFW_KEY_F1},
    NamedKey{"F10", GLFW_KEY_F10},
    NamedKey{"F11", GLFW_KEY_F11},
    NamedKey{"Tab", GLFW_KEY_TAB},
};
constexpr std::array kModifiers{
    NamedKey{"Ctrl+", GLFW_MOD_CONTROL},
    NamedKey{"Shift+", GLFW_MOD_SHIFT},
    NamedKey{"Alt+", GLFW_MOD_ALT},
};

// GLFW numbers letters and digits as ASCII does.
bool is_letter_or_digit(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

int by_layout(int key, int scancode) {
    if (platform::kBrowser) return key;  // a page is told the letter, not the place
    const char* name = key >= GLFW_KEY_SPACE && key <= GLFW_KEY_GRAVE_ACCENT
                           ? glfwGetKeyName(key, scancode)
                           : nullptr;
    if (name == nullptr || name[0] == 0 || name[1] != 0) return key;
    const char c =
        name[0] >= 'a' && name[0] <= 'z' ? static_cast<char>(name[0] - 'a' + 'A') : name[0];
    if (c == '+' || c == '=') return GLFW_KEY_EQUAL;
    if (c == '-') return GLFW_KEY_MINUS;
    return c >= 'A' && c <= 'Z' ? c : key;
}

}  // namespace

bool works_in_text_fields(const KeyPress& press) {
    const int held = press.modifiers & ~GLFW_MOD_SHIFT;
    if (held == GLFW_MOD_CONTROL) {  // but what selects, copies, pastes, cuts and undoes in a field
        constexpr std::string_view kOfFields = "ACVXYZ";
        return press.key >= GLFW_KEY_A && press.key <= GLFW_KEY_Z &&
               kOfFields.find(static_cast<char>(press.key)) == std::string_view::npos;
    }
    // Alt+Backspace takes away a word, for those who are used to it: never what the page has.
    return (held == GLFW_MOD_ALT && press.key != GLFW_KEY_BACKSPACE) ||
           (held == 0 && press.key >= GLFW_KEY_F1 && press.key <= GLFW_KEY_F25);
}

KeyPress parse_key(std::string_view key) {
    KeyPress press;
    std::string_view rest = key;
    for (bool found = true; found;) {
        found = false;
        for (const NamedKey& modifier : kModifiers)
            if (rest.starts_with(modifier.name)) {
                press.modifiers |= modifier.key;
                rest.remove_prefix(std::string_view(modifier.name).size());
                found = true;
            }
    }
    for (const NamedKey& named : kNamed)
        if (rest == named.name) press.key = named.key;
    if (rest.size() == 1 && is_letter_or_digit(rest[0])) press.key = rest[0];
    if (press.key == 0) throw Problem(fmt::format("There is no key '{}'", key), "", "");
    return press;
}

KeyPress plain_press(int key, int scancode, int modifiers) {
    if ((modifiers & GLFW_MOD_SUPER) != 0) {  // Command of a Mac; elsewhere the desktop's own
        if (!platform::kBrowser) return {};
        modifiers |= GLFW_MOD_CONTROL;
    }
    KeyPress press{by_layout(key, scancode),
                   modifiers & (GLFW_MOD_CONTROL | GLFW_MOD_SHIFT | GLFW_MOD_ALT)};
    if (key >= GLFW_KEY_KP_0 && key <= GLFW_KEY_KP_9)
        press.key = GLFW_KEY_0 + (key - GLFW_KEY_KP_0);
    if (key == GLFW_KEY_KP_ADD) press.key = GLFW_KEY_EQUAL;
    if (key == GLFW_KEY_KP_SUBTRACT) press.key = GLFW_KEY_MINUS;
    if (press.key == GLFW_KEY_EQUAL) press.modifiers &= ~GLFW_MOD_SHIFT;
    return press;
}

// The keys that GLFW tells the window of, on a desktop and in a page.

void Window::on_key(GLFWwindow* window, int key, int scancode, int action, int modifiers) {
    if (action == GLFW_RELEASE) return;
    static_cast<Window*>(glfwGetWindowUserPointer(window))
        ->presses_.push_back(plain_press(key, scancode, modifiers));
}

// A question mark has another place on each keyboard: it is known by what it writes.
void Window::on_letter(GLFWwindow* window, unsigned letter) {
    if (letter == '?')
        static_cast<Window*>(glfwGetWindowUserPointer(window))
            ->presses_.push_back(KeyPress{GLFW_KEY_F1, 0});
}

// What else a window has on a desktop as in a page.

void Window::begin_imgui(const char* glsl) {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    io.ConfigErrorRecoveryEnableTooltip = false;  // our mistakes are for the log, not for a class
    io.ConfigInputTextCursorBlink = false;        // a blinking cursor would draw frames for nothing
    io.MouseDoubleClickTime = 0.5F;               // as most desktops have it: frames may be slow
    glfwSetWindowUserPointer(window_, this);
    glfwSetKeyCallback(window_, on_key);  // ImGui calls it before it does its own part
    glfwSetCharCallback(window_, on_letter);
    ImGui_ImplGlfw_InitForOpenGL(window_, true);
    ImGui_ImplOpenGL3_Init(glsl);
}

void Window::render() {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glViewport(0, 0, width_, height_);
    glClearColor(ground_[0], ground_[1], ground_[2], 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

figures::Pixels read_pixels(int left, int bottom, int width, int height) {
    figures::Pixels pixels{width, height, {}};
    const std::ptrdiff_t line = std::ptrdiff_t{width} * 4;
    pixels.rgba.resize(static_cast<std::size_t>(line * height));
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(left, bottom, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels.rgba.data());
    for (auto low = pixels.rgba.begin(), high = pixels.rgba.end(); high - low > line; low += line) {
        high -= line;
        std::swap_ranges(low, low + line, high);
    }
    return pixels;
}

}  // namespace lab::gui
