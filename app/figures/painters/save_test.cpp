#include "figures/painters/save.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/paths.h"
#include "base/problem.h"
#include "support/temporary_folder.h"

namespace lab::figures {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class Save : public testing::Test {
  protected:
    Save() {
        scene_.width = scene_.height = 10;
        scene_.add(Rect{1, 1, 8, 8, 0, Role::act, {}, false});
    }

    std::string saved(const char* name) {
        save(scene_, palette_, fonts_, folder_.path() / name);
        return read_file(folder_.path() / name);
    }

    const Fonts fonts_;
    const Palette palette_ = load_palette("light");
    const TemporaryFolder folder_;
    Scene scene_;
};

TEST_F(Save, TheSuffixTellsTheFormat) {
    EXPECT_THAT(saved("a.svg"), StartsWith("<svg"));
    EXPECT_THAT(saved("new/folder/a.PNG"), StartsWith("\x89PNG"));
    EXPECT_THAT(saved("a.b.Pdf"), StartsWith("%PDF"));
}

TEST_F(Save, AnUnknownSuffixListsTheKnownOnes) {
    for (const char* name : {"a.gif", "a", ".svg", "a.svg.bak"}) {
        try {
            saved(name);
            ADD_FAILURE() << name;
        } catch (const Problem& problem) {
            EXPECT_THAT(problem.hint, HasSubstr(".svg, .png, .pdf")) << name;
        }
        EXPECT_FALSE(fs::exists(folder_.path() / name));
    }
}

TEST_F(Save, AFileThatCannotBeDrawnLeavesTheOldOne) {
    write_file(folder_.path() / "a.png", "old");
    scene_.width = 0;
    EXPECT_THROW(saved("a.png"), Problem);
    EXPECT_EQ(read_file(folder_.path() / "a.png"), "old");
}

}  // namespace
}  // namespace lab::figures
