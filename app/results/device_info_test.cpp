#include <gmock/gmock.h>

#include "results/device_info.h"

namespace lab::results {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

DeviceInfo device(const char* kind, bool sub_groups) {
    DeviceInfo info;
    info.kind = kind;
    info.sub_groups = sub_groups;
    return info;
}

TEST(MissingOn, AComputerIsAnyDeviceOrAGpuOrSubGroups) {
    EXPECT_THAT(missing_on({}), ElementsAre(MissingCapability::device));
    EXPECT_THAT(missing_on({{device("CPU", false)}, {}}),
                ElementsAre(MissingCapability::gpu, MissingCapability::sub_groups));
    EXPECT_THAT(missing_on({{device("CPU", true)}, {}}), ElementsAre(MissingCapability::gpu));
    EXPECT_THAT(missing_on({{device("GPU", false)}, {}}),
                ElementsAre(MissingCapability::sub_groups));
    // Sub-groups of any device will do: each kernel can be run on the one that has them.
    EXPECT_THAT(missing_on({{device("GPU", false), device("CPU", true)}, {}}), IsEmpty());
}

}  // namespace
}  // namespace lab::results
