#include "figures/painters/save.h"

#include <gtest/gtest.h>

#include "base/problem.h"

namespace lab::figures {
namespace {

TEST(PngPixels, AreWhatThePictureWasMadeOf) {
    const std::vector<std::uint8_t> rgba{255, 0, 0, 255, 0,  200, 10,  255, 0,   0,   0,   0,
                                         1,   2, 3, 255, 80, 160, 240, 255, 255, 255, 255, 255};
    const Pixels read = pixels_of_png(png_of_pixels(3, 2, rgba));
    EXPECT_EQ(read.width, 3);
    EXPECT_EQ(read.height, 2);
    EXPECT_EQ(read.rgba, rgba);
}

TEST(PngPixels, KeepAColourThatShinesThrough) {
    const Pixels read =
        pixels_of_png(png_of_pixels(1, 1, std::vector<std::uint8_t>{200, 100, 40, 128}));
    EXPECT_NEAR(read.rgba[0], 200, 1);
    EXPECT_NEAR(read.rgba[1], 100, 1);
    EXPECT_NEAR(read.rgba[2], 40, 1);
    EXPECT_EQ(read.rgba[3], 128);
}

TEST(PngPixels, RefuseWhatIsNoPngOrEndsTooEarly) {
    const std::string png = png_of_pixels(1, 1, std::vector<std::uint8_t>{1, 2, 3, 255});
    EXPECT_THROW(pixels_of_png(""), Problem);
    EXPECT_THROW(pixels_of_png("P6 1 1"), Problem);
    EXPECT_THROW(pixels_of_png(png.substr(0, png.size() / 2)), Problem);
}

}  // namespace
}  // namespace lab::figures
