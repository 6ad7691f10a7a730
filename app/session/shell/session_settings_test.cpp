// What is kept from one start to the next, and the words of commands, menus and variants.
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "support/session_test.h"

namespace lab::session {
namespace {

TEST_F(SessionTest, SettingsOfAnotherVersionKeepWhatTheyTell) {
    const auto read =
        nlohmann::json::parse(R"({"theme": "dark", "source": "moon", "machine": {"lanes": 8}})")
            .get<Settings>();
    EXPECT_EQ(read.theme, "dark");
    EXPECT_EQ(read.choice.machine.lanes, 8U);
    EXPECT_EQ(read.choice.machine.order, kAutomatic);
    // As 0.1 wrote it: the device's states were shown, and the order was the machine's.
    const auto of_device =
        nlohmann::json::parse(R"({"source": "device", "machine": {"order": "in-order"}})")
            .get<Settings>();
    EXPECT_EQ(of_device.choice.machine.order, kAutomatic);
    const auto of_machine =
        nlohmann::json::parse(R"({"source": "machine", "machine": {"order": "in-order"}})")
            .get<Settings>();
    EXPECT_EQ(of_machine.choice.machine.order, "in-order");
}

TEST_F(SessionTest, SettingsSurvive) {
    {
        Session session(options(), {});
        session.set_language("ru");
        session.set_theme("dark");
        session.set_scale(1.5F);
        Choice choice = session.settings().choice;
        choice.shape.group = 2;
        choice.shape.set["ITEMS"] = "2";
        session.choose(choice);
        MeasureChoice measure = session.settings().measure;
        measure.shown = "error";
        session.view<MeasureView>().set(measure);
        session.save_settings();
    }
    std::optional<Problem> problem;
    const Settings again = load_settings(problem);
    EXPECT_FALSE(problem.has_value());
    EXPECT_EQ(again.language, "ru");
    EXPECT_EQ(again.theme, "dark");
    EXPECT_EQ(again.measure.shown, "error");
    EXPECT_FLOAT_EQ(again.scale, 1.5F);
    EXPECT_EQ(again.choice.shape.group, 2U);
    EXPECT_EQ(again.choice.shape.set.at("ITEMS"), "2");
}

TEST_F(SessionTest, DamagedSettingsAreKeptBeside) {
    for (const char* damaged : {"{\"theme\": ", "[1, 2]", "{\"scale\": \"large\"}",
                                "{\"shape\": {\"op\": \"plus\"}}", "\xff\xfe"}) {
        fs::create_directories(settings_file().parent_path());
        std::ofstream(settings_file()) << damaged;
        std::optional<Problem> problem;
        const Settings standard = load_settings(problem);
        EXPECT_TRUE(problem.has_value()) << damaged;
        EXPECT_EQ(standard.theme, "light");
        EXPECT_EQ(read_file(settings_file().string() + ".damaged"), damaged);
    }
}

TEST_F(SessionTest, AForeignThemeOrLanguageInTheSettingsDoesNoHarm) {
    fs::create_directories(settings_file().parent_path());
    std::ofstream(settings_file()) << R"({"theme": "pink", "language": "xx", "view": "moon"})";
    std::optional<Problem> problem;
    const Session session(options(), load_settings(problem), problem);
    EXPECT_EQ(session.settings().theme, "light");
    EXPECT_EQ(session.settings().language, "en");
    EXPECT_EQ(session.settings().view, "step");
    EXPECT_TRUE(session.shows<StepView>());
}

TEST_F(SessionTest, SettingsWithTheViewOfTheDevicesBeginWithTheFirstView) {
    fs::create_directories(settings_file().parent_path());
    std::ofstream(settings_file()) << R"({"theme": "dark", "view": "devices"})";
    std::optional<Problem> problem;
    const Session session(options(), load_settings(problem), problem);
    EXPECT_FALSE(problem);
    EXPECT_EQ(session.settings().theme, "dark");
    EXPECT_TRUE(session.shows<StepView>());
    EXPECT_EQ(session.overlay(), "");
}

TEST_F(SessionTest, CommandsHaveWordsInEveryLanguageAndKeysOfTheirOwn) {
    std::set<std::string> ids;
    std::set<std::string> keys;
    const CommandTable table(kAllViews);
    for (const Command& command : table.all()) {
        EXPECT_TRUE(ids.insert(command.id).second) << command.id;
        EXPECT_TRUE(keys.insert(command.key).second) << command.key;
        for (const char* language : kLanguages) {
            const Translations words(language);
            const std::string key = std::string("command.") + command.id;
            EXPECT_TRUE(words.texts().contains(key)) << language << " " << key;
            EXPECT_TRUE(words.texts().contains(key + ".tip")) << language << " " << key;
        }
    }
}

TEST_F(SessionTest, MenusHaveNamesInEveryLanguage) {
    const CommandTable table(kAllViews);
    for (const CommandGroup& group : table.groups()) {
        EXPECT_FALSE(group.commands.empty()) << group.id;
        for (const char* language : kLanguages)
            EXPECT_TRUE(Translations(language).texts().contains(std::string("menu.") + group.id));
    }
}

TEST_F(SessionTest, VariantsAndChaptersHaveWordsInEveryLanguage) {
    for (const catalogue::Variant& variant : catalogue::load_catalogue().variants)
        for (const char* language : kLanguages) {
            const Translations words(language);
            for (const std::string& key :
                 {"variant." + variant.id + ".title", "variant." + variant.id + ".teaches",
                  "chapter." + variant.chapter})
                EXPECT_TRUE(words.texts().contains(key)) << language << " " << key;
            if (words.language() == "en") {
                EXPECT_EQ(words("variant." + variant.id + ".title"), variant.title);
                EXPECT_EQ(words("variant." + variant.id + ".teaches"), variant.teaches);
            }
            if (variant.gain.after.empty()) continue;
            const std::string why = "variant." + variant.id + ".why";
            EXPECT_TRUE(words.texts().contains(why)) << language << " " << why;
            if (words.language() == "en") {
                EXPECT_EQ(words(why), variant.gain.why);
            }
        }
}

}  // namespace
}  // namespace lab::session
