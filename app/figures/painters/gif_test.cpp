#include "figures/painters/save.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "base/paths.h"
#include "base/problem.h"
#include "support/subprocess.h"
#include "support/temporary_folder.h"

namespace lab::figures {
namespace {

// Few enough colours for a palette; `blue` changes all of them.
Pixels stripes(int width, int height, int blue) {
    Pixels pixels{width, height, {}};
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            for (const int part : {x / 7 % 3 * 120, y / 5 % 4 * 80, x * y % 11 + blue, 255})
                pixels.rgba.push_back(static_cast<std::uint8_t>(part));
    return pixels;
}

Finished decoded(const std::string& program, const std::vector<std::string>& arguments) {
    try {
        return run_program(program, arguments);
    } catch (const Problem&) {
        return {77, {}, {}};
    }
}

TEST(Gif, OfOneFrameIsTheSimplestThatThereIs) {
    Gif gif(1, 1, 150);
    gif.add({1, 1, {10, 20, 30, 255}});
    const std::string bytes = std::move(gif).finish();
    EXPECT_EQ(bytes.substr(0, 13), std::string("GIF89a\1\0\1\0\0\0\0", 13));
    EXPECT_EQ(bytes.substr(bytes.size() - 8 - 768, 3), "\x0a\x14\x1e");
    EXPECT_EQ(bytes.back(), ';');
}

// Enough pixels that the codes run out and are begun anew, more than once.
TEST(Gif, IsDecodedByAnotherProgramToThePixelsThatWentIn) {
    const TemporaryFolder folder;
    const auto file = folder.path() / "a.gif", pixels = folder.path() / "a.rgb";
    for (const int frames : {1, 2, 3}) {
        Gif gif(320, 200, 150);
        std::string last;
        for (int i = 0; i < frames; ++i) {
            const Pixels frame = stripes(320, 200, 40 * i);
            gif.add(frame);
            last.clear();
            for (std::size_t k = 0; k < frame.rgba.size(); ++k)
                if (k % 4 < 3) last += static_cast<char>(frame.rgba[k]);
        }
        write_file(file, std::move(gif).finish());
        const Finished run = decoded("gif2rgb", {"-1", "-o", pixels.string(), file.string()});
        if (run.status == 77) GTEST_SKIP() << "gif2rgb is not installed";
        ASSERT_EQ(run.status, 0) << run.err;
        EXPECT_TRUE(read_file(pixels) == last) << frames;
    }
}

TEST(Gif, KeepsOfAFrameWhatDiffersFromTheOneBefore) {
    const TemporaryFolder folder;
    Gif gif(320, 200, 150);
    Pixels frame = stripes(320, 200, 0);
    gif.add(frame);
    for (const int at : {120 * 320 + 30, 140 * 320 + 90})
        frame.rgba[static_cast<std::size_t>(4 * at)] = 7;
    gif.add(frame);
    gif.add(frame);
    write_file(folder.path() / "a.gif", std::move(gif).finish());
    const Finished run = decoded("giftext", {(folder.path() / "a.gif").string()});
    if (run.status == 77) GTEST_SKIP() << "giftext is not installed";
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_NE(run.out.find("Left = 30, Top = 120, Width = 61, Height = 21"), std::string::npos)
        << run.out;
    EXPECT_NE(run.out.find("Left = 0, Top = 0, Width = 1, Height = 1"), std::string::npos);
}

}  // namespace
}  // namespace lab::figures
