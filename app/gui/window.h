// A window with a GL 3.3 context and an ImGui frame in it; asleep while nothing happens.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "figures/painters/save.h"

struct GLFWwindow;

namespace lab::gui {

// The keys of the command table, as they are pressed.

// A key with the modifiers that were down when it was pressed, in GLFW's numbers. They are taken
// as the events come: what is up again by the next frame was pressed all the same.
struct KeyPress {
    int key = 0, modifiers = 0;

    friend bool operator==(const KeyPress&, const KeyPress&) = default;
};

// "Ctrl+Shift+Z"; throws Problem for a key that there is not.
KeyPress parse_key(std::string_view key);

// A press as parse_key would give it: letters by the keyboard's layout where that has Latin ones,
// else by their place; the number pad's keys as the others; + with or without Shift.
KeyPress plain_press(int key, int scancode, int modifiers);

// True if no text field has a use for it: Alt with a key, or a function key. (AltGr, which types,
// is Ctrl+Alt where it is Alt at all.)
bool works_in_text_fields(const KeyPress& press);

// A part of what GL draws to, from its lower left corner: RGBA, top row first.
figures::Pixels read_pixels(int left, int bottom, int width, int height);

using Clock = std::chrono::steady_clock;

class Window {
  public:
    struct Options {
        std::string title;
        int width = 1440, height = 900;  // pixels
        bool hidden = false;             // for screenshots: drawn beside the screen
    };

    // Throws Problem if there is no display, or it has no GL 3.3.
    explicit Window(const Options& options);
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    void set_icon(std::span<const figures::Pixels> sizes);  // of the same picture; none is fine

    bool closed() const;
    // The whole of the screen that it is mostly on, or its own place again.
    void fill_screen(bool on);
    float content_scale() const;  // of the screen: 2 on a dense one
    int width() const { return width_; }
    int height() const { return height_; }

    // Sleeps until something happens, or `until`; draws on for a moment after each event, since
    // hovering and opening take a few frames.
    void wait(std::optional<Clock::time_point> until);
    void wake();  // from any thread: wait() returns

    // Since the last call, repeats of held keys too.
    std::vector<KeyPress> take_presses() { return std::exchange(presses_, {}); }
    std::vector<std::filesystem::path> take_drops();  // files dropped since the last call
    // One frame: `draw` makes the ImGui calls.
    void frame(const std::function<void()>& draw, const std::array<float, 3>& ground);
    // Off: frames are made as ever, but not painted until somebody asks for their pixels.
    void paint(bool on) { painted_ = on; }
    std::vector<std::uint8_t> pixels();  // of the last frame: RGBA, top row first
    std::uint64_t frames() const { return frames_; }

  private:
    void begin_imgui(const char* glsl);  // the first line of shaders
    void make_offscreen();
    void render();
    static void on_key(GLFWwindow* window, int key, int scancode, int action, int modifiers);
    static void on_letter(GLFWwindow* window, unsigned letter);
    static void on_drop(GLFWwindow* window, int count, const char** paths);

    GLFWwindow* window_ = nullptr;
    int width_, height_;
    bool hidden_, painted_ = true;
    unsigned framebuffer_ = 0, texture_ = 0;
    std::uint64_t frames_ = 0;
    std::vector<KeyPress> presses_;
    std::vector<std::filesystem::path> drops_;
    std::array<float, 3> ground_{};
    std::array<int, 4> own_place_{};  // x, y, width and height, while it fills the screen
    Clock::time_point lively_until_, last_frame_;
    int settling_ = 0;  // frames still to be drawn after what woke us up
    bool filled_ = false, got_input_ = false, asleep_ = true;  // of a page
};

}  // namespace lab::gui
