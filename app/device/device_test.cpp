#include <cstdlib>
#include <string>

#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include "device/device.h"

namespace lab::device {
namespace {

class Drivers : public testing::Test {
  protected:
    void SetUp() override {
        if (const char* value = std::getenv(kName)) before_ = value;
        unsetenv(kName);
        ASSERT_EQ(sched_getaffinity(0, sizeof(allowed_), &allowed_), 0);
    }
    void TearDown() override {
        sched_setaffinity(0, sizeof(allowed_), &allowed_);
        if (before_.empty())
            unsetenv(kName);
        else
            setenv(kName, before_.c_str(), 1);
    }
    static std::string affinity() {
        const char* value = std::getenv(kName);
        return value == nullptr ? "" : value;
    }

    static constexpr const char* kName = "POCL_AFFINITY";
    cpu_set_t allowed_{};

  private:
    std::string before_;
};

TEST_F(Drivers, PoclsThreadsStayApartWhereAllProcessorsAreToBeHad) {
    const bool all = CPU_COUNT(&allowed_) == sysconf(_SC_NPROCESSORS_CONF);
    set_driver_defaults();
    EXPECT_EQ(affinity(), all ? "1" : "");
}

TEST_F(Drivers, WhatTheUserSetStays) {
    setenv(kName, "0", 1);
    set_driver_defaults();
    EXPECT_EQ(affinity(), "0");
}

// PoCL would end the program.
TEST_F(Drivers, WithSomeProcessorsOnlyNothingIsSet) {
    if (CPU_COUNT(&allowed_) < 2) GTEST_SKIP() << "there is one processor only";
    cpu_set_t one;
    CPU_ZERO(&one);
    for (int cpu = 0; CPU_COUNT(&one) == 0; ++cpu)
        if (CPU_ISSET(cpu, &allowed_)) CPU_SET(cpu, &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
    set_driver_defaults();
    EXPECT_EQ(affinity(), "");
}

}  // namespace
}  // namespace lab::device
