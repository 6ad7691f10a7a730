#include <gmock/gmock.h>

#include "results/request.h"

namespace lab::results {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

DeviceInfo device(const std::string& id, const std::string& name, const std::string& kind) {
    DeviceInfo info;
    info.id = id;
    info.name = name;
    info.kind = kind;
    info.platform = id.substr(0, 1) == "0" ? "one vendor" : "another";
    info.compute_units = 10;
    info.max_group = id == "0:0" ? 1024 : 256;
    info.largest_buffer = std::uint64_t{1} << 33U;
    info.doubles = id == "0:0";
    return info;
}

TEST(DeviceTeam, IsAllOrAList) {
    EXPECT_TRUE(names_several("all"));
    EXPECT_TRUE(names_several("0:0,1:0"));
    EXPECT_FALSE(names_several(""));
    EXPECT_FALSE(names_several("0:0"));
    EXPECT_THAT(listed_devices("1:0,0:0,1:0"), ElementsAre("1:0", "0:0"));
    EXPECT_THROW(listed_devices("0:0,"), Problem);
    EXPECT_THROW(listed_devices(",0:0"), Problem);
}

TEST(DeviceTeam, HasTheNamesAndWhatAllHaveTogether) {
    const DeviceInfo all = together(
        {device("0:0", "H200", "GPU"), device("0:1", "H200", "GPU"), device("1:0", "EPYC", "CPU")},
        "all");
    EXPECT_EQ(all.id, "all");
    EXPECT_EQ(all.name, "2 x H200 + EPYC");
    EXPECT_EQ(all.platform, "one vendor + another");
    EXPECT_EQ(all.kind, "GPU + CPU");
    EXPECT_EQ(all.compute_units, 30U);
    EXPECT_EQ(all.largest_buffer, std::uint64_t{3} << 33U);
    EXPECT_EQ(all.max_group, 256U);
    EXPECT_FALSE(all.doubles);
}

TEST(DeviceTeam, DoubtsWhatMayBeOnePieceOfHardware) {
    EXPECT_THAT(doubts_about({device("0:0", "H200", "GPU"), device("0:1", "H200", "GPU")}),
                IsEmpty());
    EXPECT_THAT(doubts_about({device("0:0", "H200", "GPU"), device("1:0", "H200", "GPU")}),
                ElementsAre(HasSubstr("may be one device")));
    EXPECT_THAT(doubts_about({device("0:0", "EPYC", "CPU"), device("1:0", "pthread-EPYC", "CPU")}),
                ElementsAre(HasSubstr("0:0, 1:0 are CPUs")));
}

}  // namespace
}  // namespace lab::results
