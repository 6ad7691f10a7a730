#include <cmath>
#include <cstdlib>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/paths.h"
#include "support/subprocess.h"
#include "support/temporary_folder.h"
#include "views/shell/app.h"

namespace lab::gui {
namespace {

TEST(WindowIcon, IsThereInTheSizesThatWindowManagersAskFor) {
    std::vector<int> sizes;
    for (const figures::Pixels& icon : window_icons()) {
        EXPECT_EQ(icon.width, icon.height);
        EXPECT_LT(icon.rgba[3], 64) << "its corners are round";
        const std::size_t middle = icon.rgba.size() / 2 + static_cast<std::size_t>(icon.width) * 2;
        EXPECT_EQ(icon.rgba[middle + 3], 255);
        sizes.push_back(icon.width);
    }
    EXPECT_EQ(sizes, (std::vector{16, 32, 48, 128}));
}

// Another version of librsvg may round an edge otherwise; another drawing differs by far more.
TEST(WindowIcon, PixelsAreThoseOfTheDrawings) {
    const fs::path kept = LAB_SOURCE_DIR "/assets/icons";
    const TemporaryFolder fresh;
    const Finished finished = run_program("bash", {kept / "make.sh", fresh.path()});
    ASSERT_EQ(finished.status, 0) << finished.err;
    for (const int size : {16, 22, 24, 32, 48, 64, 128, 256, 512}) {
        const std::string name = fmt::format("{}.png", size);
        const figures::Pixels a = figures::pixels_of_png(read_file(kept / name));
        const figures::Pixels b = figures::pixels_of_png(read_file(fresh.path() / name));
        EXPECT_EQ(a.width, size);
        ASSERT_EQ(a.rgba.size(), b.rgba.size());
        double difference = 0;
        for (std::size_t i = 0; i < a.rgba.size(); ++i)
            difference += std::abs(a.rgba[i] - b.rgba[i]);
        EXPECT_LT(difference / static_cast<double>(a.rgba.size()), 1.0)
            << "run assets/icons/make.sh for " << name;
    }
}

}  // namespace
}  // namespace lab::gui
