#include "cli/manual_page.h"

#include <fmt/format.h>

#include <array>

#include "manual/help.h"
#include "manual/page.h"
#include "manual/roff.h"

namespace lab::cli {
namespace {

using manual::bold;
using manual::entry;
using manual::example;
using manual::paragraph;
using manual::roff;

constexpr std::array kStatuses{
    manual::Status{Exit::done, "Done, and nothing was found."},
    manual::Status{Exit::found,
                   "Something was found: a wrong result, a race, more results than one, "
                   "or a search that did not end."},
    manual::Status{Exit::usage, "An argument is wrong, or a file could not be read or written."},
    manual::Status{Exit::no_device, "There is no OpenCL device, or not the one asked for."},
    manual::Status{Exit::kernel_fault, "The kernel did what no kernel may, or does not compile."},
    manual::Status{Exit::interrupted, "Interrupted by Ctrl+C; what was measured is kept."},
};

std::string examples() {
    return manual::section("EXAMPLES") +
           example("reduction-lab-cli step relaunch --input 7,1,6,8,5,6,7,1 --group 4",
                   "A sum of eight numbers, pass by pass") +
           example("reduction-lab-cli step relaunch --n 16 -o passes.svg", "The same as a figure") +
           example("reduction-lab-cli hazards span-modulo --set BARRIER=group --group 4",
                   "The two lines of a kernel that race") +
           example("reduction-lab-cli outcomes span-modulo --set BARRIER=group --group 4",
                   "Every result that the schedules can give") +
           example(
               "reduction-lab-cli step my.cl --global 64 --local 16 --arg in:float[64]=ramp "
               "--arg out:float[4]",
               "A kernel of your own on the virtual device") +
           example("reduction-lab-cli measure all --sizes 2^16..2^24 -o results.json -o chart.svg",
                   "Times, checked, with every sample and a chart") +
           example("reduction-lab-cli plot mine.json yours.json -o both.png --theme projector",
                   "Two computers in one chart");
}

}  // namespace

std::string manual_page(const CLI::App& app) {
    return manual::head("reduction-lab-cli",
                        "parallel reductions in OpenCL, stepped, searched for races and timed") +
           manual::section("SYNOPSIS") + bold("reduction-lab-cli") + " " +
           manual::italic("command") + " [" + manual::italic("option") + "]... [" +
           manual::italic("argument") + "]...\n" + manual::section("DESCRIPTION") +
           manual::opening(
               roff("Does without a window all that ") + bold("reduction-lab") +
               roff("(1) computes and exports. A variant is one of the kernels that ") +
               bold("reduction-lab-cli variants") +
               roff(" lists. It is stepped as the OpenCL device itself runs it, or on a virtual "
                    "device (the machine) that needs no driver and runs under any schedule.")) +
           paragraph(roff("Numbers are written as 1000, 1e6, 2^20 or 10Mi.")) +
           manual::section("OPTIONS") + manual::options(app) + manual::commands(app) +
           manual::statuses(kStatuses) + manual::environment() + manual::section("FILES") +
           entry(manual::italic("../share/reduction-lab/kernels/"),
                 roff("The text of every variant, beside the folder of the program.")) +
           examples() + manual::section("SEE ALSO") + bold("reduction-lab") + "(1)\n";
}

std::string help_footer() {
    std::string footer = "Exit status:\n";
    for (const auto& [exit, when] : kStatuses) {
        const std::string words = manual::wrapped(when, 70);
        std::string indented;
        for (const char c : words)
            indented += c == '\n' ? "\n       " : std::string(1, c);
        footer += fmt::format("  {:<5}{}\n", static_cast<int>(exit), indented);
    }
    return footer + "\nThe options of a command: reduction-lab-cli COMMAND --help";
}

}  // namespace lab::cli
