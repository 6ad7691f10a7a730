#include <gtest/gtest.h>

#include "results/documents.h"

namespace lab::results {
namespace {

double rate_of(const std::string& device) {
    const std::vector<Datasheet> all = datasheets();
    const Datasheet* sheet = datasheet_of(device, all);
    return sheet == nullptr ? 0 : sheet->gigabytes_per_second;
}

TEST(Datasheets, AreFoundByTheDriversName) {
    EXPECT_EQ(rate_of("NVIDIA H200"), 4800);
    EXPECT_EQ(rate_of("NVIDIA GeForce RTX 4090"), 1008);
    EXPECT_EQ(rate_of("Tesla V100-SXM2-16GB"), 900);
}

TEST(Datasheets, AreNotThoseOfASimilarName) {
    EXPECT_EQ(rate_of("NVIDIA GH200 480GB"), 0);
    EXPECT_EQ(rate_of("NVIDIA GeForce RTX 4090 Laptop GPU"), 0);
    EXPECT_EQ(rate_of("NVIDIA GeForce RTX 4090 D"), 0);
    EXPECT_EQ(rate_of("NVIDIA GeForce RTX 3090 Ti"), 0);
    EXPECT_EQ(rate_of("NVIDIA H100 NVL"), 0);
    EXPECT_EQ(rate_of("NVIDIA H100 80GB HBM3 MIG 1g.10gb"), 0);
    EXPECT_EQ(rate_of("NVIDIA H100 64GB HBM2"), 0);
    EXPECT_EQ(rate_of("NVIDIA H100 80GB HBM3"), 3350);
    EXPECT_EQ(rate_of("NVIDIA H100 PCIe"), 2000);
    EXPECT_EQ(rate_of("pthread-skylake-avx512-AMD EPYC"), 0);
}

TEST(Datasheets, SayWhereTheyAreFrom) {
    for (const Datasheet& sheet : datasheets()) {
        EXPECT_GT(sheet.gigabytes_per_second, 0) << sheet.device;
        EXPECT_FALSE(sheet.source.empty()) << sheet.device;
    }
}

}  // namespace
}  // namespace lab::results
