#include <algorithm>
#include <cmath>
#include <fstream>

#include <gmock/gmock.h>

#include "base/problem.h"
#include "catalogue/element.h"
#include "support/temporary_folder.h"

namespace lab::catalogue {
namespace {

TEST(Input, ReadsAndWritesItsForms) {
    for (const char* text : {"7,1,6,8", "@numbers.txt", "ramp", "random:42", "bits:7"})
        EXPECT_EQ(text_of(parse_input(text)), text);
    EXPECT_THROW(parse_input("@"), Problem);
    EXPECT_THROW(parse_input("random:x"), Problem);
    EXPECT_THROW(parse_input("random:-1"), Problem);
}

TEST(Input, HasAsManyElementsAsAskedFor) {
    EXPECT_EQ(count_of(make_values(parse_input("ramp"), Type::int_, 5)), 5U);
    EXPECT_EQ(count_of(make_values(parse_input("ramp"), Type::int_, 0)), 0U);
    EXPECT_EQ(count_of(make_values(parse_input("ramp"), Type::int_, std::nullopt)), 8U);
    EXPECT_EQ(count_of(make_values(parse_input("4,5,6"), Type::int_, std::nullopt)), 3U);
    EXPECT_THROW(make_values(parse_input("4,5,6"), Type::int_, 4), Problem);
}

TEST(Input, RandomDependsOnSeedAndIndexAlone) {
    const auto floats = [](const char* text, std::uint64_t n) {
        return std::get<std::vector<float>>(make_values(parse_input(text), Type::float_, n));
    };
    const std::vector<float> few = floats("random:3", 100);
    const std::vector<float> many = floats("random:3", 10'000);
    EXPECT_TRUE(std::equal(few.begin(), few.end(), many.begin()));
    EXPECT_NE(few, floats("random:4", 100));
    double sum = 0;
    for (const float value : many) {
        EXPECT_GE(value, 0);
        EXPECT_LT(value, 1);
        sum += static_cast<double>(value);
    }
    EXPECT_NEAR(sum / 10'000, 0.5, 0.02);
    const auto ints = std::get<std::vector<std::int32_t>>(
        make_values(parse_input("random:3"), Type::int_, 10'000));
    EXPECT_EQ(*std::min_element(ints.begin(), ints.end()), 0);
    EXPECT_EQ(*std::max_element(ints.begin(), ints.end()), 99);
}

TEST(Input, ToBeMultipliedNeitherVanishesNorOverflows) {
    for (const char* text : {"random:1", "bits:1"}) {
        const auto ints = std::get<std::vector<std::int32_t>>(
            make_values(parse_input(text), Type::int_, 1000, Op::product));
        EXPECT_TRUE(std::all_of(ints.begin(), ints.end(), [](int of) { return of % 2 != 0; }));
        const auto floats = std::get<std::vector<float>>(
            make_values(parse_input(text), Type::float_, 1 << 20, Op::product));
        double product = 1;
        for (const float of : floats)
            product *= static_cast<double>(of);
        EXPECT_GT(std::abs(product), 1e-3);
        EXPECT_LT(std::abs(product), 1e3);
    }
}

TEST(Input, OfManyFloatsToBeMultipliedFewRound) {
    const auto floats = std::get<std::vector<float>>(
        make_values(parse_input("random:1"), Type::float_, 1 << 22, Op::product));
    const auto rounding =
        std::count_if(floats.begin(), floats.end(), [](float of) { return std::abs(of) != 1.0F; });
    EXPECT_GT(rounding, 2000);
    EXPECT_LT(rounding, 8192);
    // Every element tells: some are negative, some are not.
    const auto negative =
        std::count_if(floats.begin(), floats.end(), [](float of) { return of < 0; });
    EXPECT_GT(negative, 1 << 20);
    EXPECT_LT(negative, 3 << 20);
}

TEST(Input, BitsUsesAllOfAType) {
    const auto longs =
        std::get<std::vector<std::int64_t>>(make_values(parse_input("bits:1"), Type::long_, 1000));
    EXPECT_GT(*std::max_element(longs.begin(), longs.end()), INT64_MAX / 2);
    EXPECT_LT(*std::min_element(longs.begin(), longs.end()), INT64_MIN / 2);
    const auto floats =
        std::get<std::vector<float>>(make_values(parse_input("bits:1"), Type::float_, 1000));
    EXPECT_GT(*std::max_element(floats.begin(), floats.end()), 512);
    EXPECT_LT(*std::min_element(floats.begin(), floats.end()), -512);
}

TEST(Input, ReadsAFileAndNamesItsMistakes) {
    const TemporaryFolder folder;
    const std::string file = (folder.path() / "numbers.txt").string();
    std::ofstream(file) << "1\n2\n3\n";
    EXPECT_EQ(count_of(make_values(parse_input("@" + file), Type::int_, std::nullopt)), 3U);
    std::ofstream(file) << "1\n2,x\n";
    try {
        make_values(parse_input("@" + file), Type::int_, std::nullopt);
        ADD_FAILURE();
    } catch (const Problem& problem) {
        EXPECT_EQ(problem.where, file + ":2:3");
    }
    EXPECT_THROW(make_values(parse_input("@" + file + ".not"), Type::int_, std::nullopt), Problem);
    EXPECT_THROW(make_values(parse_input("@" + folder.path().string()), Type::int_, std::nullopt),
                 Problem);
}

}  // namespace
}  // namespace lab::catalogue
