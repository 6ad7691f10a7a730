// reduction-lab-driven: the app as it is, which answers requests on its standard streams. With
// LAB_UNPAINTED in the environment it paints only what it is asked a picture of.
#include <cstdlib>
#include <memory>

#include "support/driver/driver.h"
#include "views/shell/app.h"

int main(int argc, char** argv) {
    return lab::gui::run_app(argc, argv, [](lab::gui::Window& window) {
        window.paint(!std::getenv("LAB_UNPAINTED"));
        const auto driver = std::make_shared<lab::driver::Driver>(window);
        return lab::gui::FrameHook{
            [driver] { driver->before_frame(); },
            [driver](const auto& app) { driver->after_frame(app); },
            [driver](const auto& session) { return driver->next_frame(session); }};
    });
}
