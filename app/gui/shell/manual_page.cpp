#include "gui/shell/manual_page.h"

#include <array>

#include "base/translations.h"
#include "gui/shell/window_view.h"
#include "manual/page.h"
#include "manual/roff.h"
#include "session/shell/commands.h"

namespace lab::gui {
namespace {

using manual::bold;
using manual::entry;
using manual::example;
using manual::paragraph;
using manual::roff;

constexpr std::array kStatuses{
    manual::Status{Exit::done, "The window was closed, or the picture written."},
    manual::Status{Exit::usage, "An argument is wrong, or a file could not be read or written."},
    manual::Status{Exit::no_device,
                   "No window can be opened: there is no display, or it has no "
                   "OpenGL 3.3."},
};

std::string commands() {
    const Translations tr("en");
    std::string page = manual::section("COMMANDS AND KEYS");
    page += manual::opening(
        roff("No key acts while text is typed into a field. Every control tells its "
             "key when the mouse rests on it."));
    const std::vector<const session::ViewType*> views = types_of(window_views());
    const session::CommandTable table(views);
    for (const session::CommandGroup& group : table.groups()) {
        page += manual::subsection(tr(std::string("menu.") + group.id));
        for (const session::Command& command : group.commands) {
            const std::string id = std::string("command.") + command.id;
            const std::string key = command.key;
            page += entry((key.empty() ? "" : bold(key) + "  ") + roff(tr(id)),
                          roff(tr(id + ".tip") + "."));
        }
    }
    return page;
}

std::string examples() {
    return manual::section("EXAMPLES") +
           example("reduction-lab --variant relaunch --n 8 --group 4",
                   "Eight numbers in two groups, a launch for each pass") +
           example("reduction-lab --variant span-modulo --set BARRIER=group --order in-order",
                   "The same in one launch, under a schedule that makes it go wrong") +
           example("reduction-lab --theme projector --scale 1.6 --lang ru",
                   "For a class: large, in strong colours, in Russian") +
           example("xvfb-run -a reduction-lab --screenshot lesson.png --size 1600x1000",
                   "A picture of the window, also without a display");
}

}  // namespace

std::string manual_page(const CLI::App& options) {
    return manual::head("reduction-lab",
                        "step through parallel reductions in OpenCL, and time them") +
           manual::section("SYNOPSIS") + bold("reduction-lab") + " [" + manual::italic("option") +
           "]... [" + manual::italic("file") + "]...\n" + manual::section("DESCRIPTION") +
           manual::opening(
               roff("Opens a window in which a parallel reduction is stepped, pass by pass, on a "
                    "few numbers: which work-item writes which cell, who waits at which "
                    "barrier, and what goes wrong where nobody waits. The same kernel text is "
                    "then timed at full size on the OpenCL device, and its result checked.")) +
           paragraph(roff("The window never loads an OpenCL driver itself. It asks ") +
                     bold("reduction-lab-cli") +
                     roff(", which is started again if a driver takes it down. Without any driver, "
                          "kernels are stepped on a virtual device whose schedule you choose.")) +
           manual::section("OPTIONS") +
           manual::opening(
               roff("What is not given is as it was when the window was last closed.")) +
           manual::options(options) + commands() + manual::statuses(kStatuses) +
           manual::environment() + manual::section("FILES") +
           entry(manual::italic("~/.config/reduction-lab/settings.json"),
                 roff("What the window was last set to. It may be removed at any time.")) +
           entry(manual::italic("*.redlab"),
                 roff("A moment that was saved: what was chosen, and where in it one was.")) +
           entry(manual::italic("*.json"),
                 roff("Results of a measurement, shown beside those of this machine.")) +
           examples() + manual::section("SEE ALSO") + bold("reduction-lab-cli") + "(1)\n";
}

}  // namespace lab::gui
