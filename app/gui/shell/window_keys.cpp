// The keys that GLFW tells the window of, on a desktop and in a page.
#include <GLFW/glfw3.h>

#include <utility>

#include "gui/shell/window.h"

namespace lab::gui {

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

std::vector<KeyPress> Window::take_presses() {
    return std::exchange(presses_, {});
}

}  // namespace lab::gui
