#include "gui/shell/window_icon.h"

#include <fmt/format.h>

#include "base/paths.h"
#include "base/problem.h"

namespace lab::gui {
namespace {

constexpr const char* kIcon = "org.reduction_lab.ReductionLab.png";
constexpr int kSizes[] = {16, 32, 48, 128};  // pixels; what window managers ask for

}  // namespace

std::vector<figures::Pixels> window_icons() {
    std::vector<figures::Pixels> icons;
    const fs::path folder = data_folder().parent_path() / "icons" / "hicolor";
    for (const int size : kSizes) {
        const fs::path file = folder / fmt::format("{0}x{0}", size) / "apps" / kIcon;
        try {
            if (fs::exists(file)) icons.push_back(figures::pixels_of_png(read_file(file)));
        } catch (const Problem&) {  // a damaged file: the other sizes do
        }
    }
    return icons;
}

}  // namespace lab::gui
