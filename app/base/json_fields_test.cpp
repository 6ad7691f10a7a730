#include "base/json_fields.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lab {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string trouble(const std::string& text) {
    try {
        (void)nlohmann::json::parse(text).at("rows").get<std::string>();
    } catch (const nlohmann::json::exception& error) {
        return json_trouble(error, text);
    }
    return "none";
}

TEST(JsonTrouble, TellsLineColumnAndByteOfWhatIsNoJson) {
    const std::string text = trouble("{\n  \"rows\": [1,\n  ]\n}\n");
    EXPECT_THAT(text, StartsWith("Line 3, column 3 (byte 19) is no JSON: "));
    EXPECT_THAT(text, HasSubstr("']'"));
    EXPECT_THAT(text, Not(HasSubstr("json.exception")));
}

TEST(JsonTrouble, TellsOfAFileThatWasCutShort) {
    EXPECT_EQ(trouble("{\n\"rows\": [1,"), "It ends in the middle, at line 2, column 12 (byte 14)");
    EXPECT_EQ(trouble(" \n"), "It is empty");
}

TEST(JsonTrouble, TellsWhatIsMissingOrOfAnotherKind) {
    EXPECT_EQ(trouble("{}"), "It has no 'rows'");
    const std::string text = trouble("{\"rows\": 3}");
    EXPECT_THAT(text, HasSubstr("string"));
    EXPECT_THAT(text, Not(HasSubstr("json.exception")));
}

}  // namespace
}  // namespace lab
