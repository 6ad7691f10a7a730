#include "base/translations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <locale>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "base/paths.h"
#include "base/problem.h"
#include "support/temporary_folder.h"

namespace lab {
namespace {

using testing::HasSubstr;

// Tables written for a test, in a data folder of their own.
class Tables {
  public:
    Tables() {
        ::setenv("REDUCTION_LAB_DATA", folder_.path().c_str(), 1);
        write("messages", "{}");
    }
    ~Tables() { ::unsetenv("REDUCTION_LAB_DATA"); }
    Tables(const Tables&) = delete;
    Tables& operator=(const Tables&) = delete;

    fs::path file(const std::string& language) const {
        return folder_.path() / "assets" / "lang" / (language + ".json");
    }
    void write(const std::string& language, std::string_view text) const {
        write_file(file(language), text);
    }

  private:
    TemporaryFolder folder_;
};

Problem problem_of(std::string_view language) {
    try {
        const Translations table(language);
    } catch (const Problem& problem) {
        return problem;
    }
    ADD_FAILURE() << "no Problem";
    return {};
}

TEST(Translations, AnUnknownLanguageNamesTheKnownOnes) {
    EXPECT_THAT(problem_of("fr").text(), HasSubstr("en, zh, ru"));
    EXPECT_THAT(problem_of("../../etc/x").text(), HasSubstr("en, zh, ru"));
}

TEST(Translations, EnglishStandsBehindEachLanguage) {
    const Tables tables;
    tables.write("en", R"({"both": "house", "only": "home"})");
    tables.write("ru", R"({"both": "дом"})");
    const Translations tr("ru");
    EXPECT_EQ(tr.language(), "ru");
    EXPECT_EQ(tr("both"), "дом");
    EXPECT_EQ(tr("only"), "home");
    EXPECT_EQ(tr.get("only", "fallback"), "home");
    EXPECT_EQ(tr.get("none", "fallback"), "fallback");
    EXPECT_EQ(tr.texts().size(), 1U);
}

TEST(Translations, AMissingKeyIsShownAndStaysValid) {
    const Translations tr;
    const std::string& first = tr("first.key");
    for (int i = 0; i < 1000; ++i)
        tr(fmt::format("other.{}", i));
    EXPECT_EQ(first, "first.key");
    EXPECT_EQ(&tr("first.key"), &first);
}

TEST(Translations, FillsNamedArguments) {
    const Tables tables;
    tables.write("en",
                 R"({"step": "Step {k} of {n}", "turned": "{n}: {k}", "fine": "{k:5.2f} s"})");
    const Translations tr("en");
    EXPECT_EQ(tr("step", fmt::arg("k", 2), fmt::arg("n", "five")), "Step 2 of five");
    EXPECT_EQ(tr("turned", fmt::arg("k", 2), fmt::arg("n", std::string("five"))), "five: 2");
    EXPECT_EQ(tr("fine", fmt::arg("k", 1.5)), " 1.50 s");
    EXPECT_EQ(tr("none", fmt::arg("k", 1.5)), "none");
}

TEST(Translations, ATextThatDoesNotFitIsShownUnfilled) {
    const Tables tables;
    tables.write("en", R"({"a": "{missing}", "b": "{k", "c": "}", "d": "{k:d}", "e": "{0} {}"})");
    const Translations tr("en");
    for (const auto& [key, text] : tr.texts())
        EXPECT_EQ(tr(key, fmt::arg("k", "text")), text);
}

TEST(Translations, NumbersDoNotFollowTheLocale) {
    struct German : std::numpunct<char> {
        char do_decimal_point() const override { return ','; }
        char do_thousands_sep() const override { return '.'; }
        std::string do_grouping() const override { return "\3"; }
    };
    const Tables tables;
    tables.write("en", R"({"n": "{n} {n:L}"})");
    const std::locale before = std::locale::global(std::locale(std::locale(), new German));
    const Translations tr("en");
    EXPECT_EQ(tr("n", fmt::arg("n", 1234567)), "1234567 1234567");
    EXPECT_EQ(tr("n", fmt::arg("n", 1234.5)), "1234.5 1234.5");
    std::locale::global(before);
}

TEST(Translations, ADamagedFileSaysWhere) {
    const Tables tables;
    tables.write("en", "{}");
    const std::string file = tables.file("zh");

    tables.write("zh", "{\n\"a\": \"b\",\n\"c\" \"d\"\n}");
    EXPECT_EQ(problem_of("zh").where, file + ":3");
    EXPECT_THAT(problem_of("zh").why, HasSubstr("expected ':'"));
    tables.write("zh", "{\n\"a\": \"b\",\n\"c\": 3\n}");
    EXPECT_EQ(problem_of("zh").where, file + ":3");
    tables.write("zh", "\n[1]");
    EXPECT_EQ(problem_of("zh").where, file + ":1");
    tables.write("zh", "");
    EXPECT_EQ(problem_of("zh").where, file + ":1");
    tables.write("zh", "{\"a\": \"\xff\"}");
    EXPECT_EQ(problem_of("zh").where, file + ":1");
    EXPECT_EQ(problem_of("ru").where, tables.file("ru"));  // missing
}

// The tables that the program ships.

using nlohmann::json;

// Each key once: a key twice means that one of its texts is lost without a word.
json shipped(const std::string& language) {
    const fs::path file = fs::path(LAB_SOURCE_DIR) / "assets" / "lang" / (language + ".json");
    std::set<std::string> keys;
    return json::parse(read_file(file), [&](int, json::parse_event_t event, json& parsed) {
        const bool again = event == json::parse_event_t::key && !keys.insert(parsed).second;
        EXPECT_FALSE(again) << file << " has twice: " << parsed;
        return true;
    });
}

// The names in braces: "{k} of {n:3}" -> k, n. Doubled braces are braces.
std::set<std::string> placeholders(const std::string& text) {
    std::set<std::string> names;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '{') continue;
        if (text.compare(i, 2, "{{") == 0) {
            ++i;
            continue;
        }
        names.insert(text.substr(i + 1, text.find_first_of(":}", i) - i - 1));
    }
    return names;
}

// "race.turns" of "race.turns.few"; empty for a key that is no form for a count.
std::string without_form(const json& table, const std::string& key) {
    for (const std::string form : {".one", ".few"})
        if (key.ends_with(form))
            if (std::string many = key.substr(0, key.size() - form.size()); table.contains(many))
                return many;
    return {};
}

TEST(ShippedTranslations, FormsForCountsFillInWhatTheTextForManyDoes) {
    for (const char* language : kLanguages) {
        const json table = shipped(language);
        for (const auto& [key, text] : table.items()) {
            const std::string many = without_form(table, key);
            if (many.empty()) continue;
            for (const std::string& name : placeholders(text))
                EXPECT_TRUE(placeholders(table[many]).contains(name)) << language << ": " << key;
        }
    }
}

TEST(Translations, CountsHaveTheFormsOfTheirLanguage) {
    const Tables tables;
    tables.write("en", R"({"n": "{count} items", "n.one": "{count} item"})");
    tables.write("ru",
                 R"({"n": "{count} групп", "n.one": "{count} группа", "n.few": "{count} группы"})");
    tables.write("zh", R"({"n": "{count} 个"})");
    const Translations en("en"), ru("ru"), zh("zh");
    EXPECT_EQ(en.counted("n", 1), "1 item");
    for (const std::uint64_t many : {0U, 2U, 11U, 21U, 101U})
        EXPECT_EQ(en.counted("n", many), fmt::format("{} items", many));
    for (const std::uint64_t one : {1U, 21U, 101U})
        EXPECT_EQ(ru.counted("n", one), fmt::format("{} группа", one));
    for (const std::uint64_t few : {2U, 4U, 22U, 134U})
        EXPECT_EQ(ru.counted("n", few), fmt::format("{} группы", few));
    for (const std::uint64_t many : {0U, 5U, 11U, 12U, 14U, 20U, 111U, 112U})
        EXPECT_EQ(ru.counted("n", many), fmt::format("{} групп", many));
    EXPECT_EQ(zh.counted("n", 1), "1 个");
}

TEST(ShippedTranslations, EveryLanguageHasTheKeysAndPlaceholdersOfEnglish) {
    EXPECT_EQ(placeholders("{{x}} {k} of {n:3}{k}"), (std::set<std::string>{"k", "n"}));
    const json english = shipped("en");
    for (const char* language : kLanguages) {
        const json table = shipped(language);
        for (const auto& [key, text] : english.items()) {
            if (!without_form(english, key).empty()) continue;
            ASSERT_TRUE(table.contains(key)) << language << " lacks " << key;
            EXPECT_EQ(placeholders(table[key]), placeholders(text)) << language << ": " << key;
            // A language may do without the space that English puts between words.
            EXPECT_TRUE(text == " " || !table[key].get<std::string>().empty())
                << language << ": " << key;
        }
        for (const auto& [key, text] : table.items())
            EXPECT_TRUE(english.contains(key) || !without_form(table, key).empty())
                << language << " has " << key << ", en has not";
    }
}

TEST(ShippedTranslations, EveryLanguageLoads) {
    ::setenv("REDUCTION_LAB_DATA", LAB_SOURCE_DIR, 1);
    for (const char* language : kLanguages)
        EXPECT_NO_THROW(Translations{language}) << language;
    ::unsetenv("REDUCTION_LAB_DATA");
}

json shipped_once(const std::string& table) {
    return json::parse(read_file(fs::path(LAB_SOURCE_DIR) / "assets" / "lang" / (table + ".json")));
}

// The other API's terms, in bytes that no other word of the language has.
bool has_terms(const std::string& text, const std::string& language, Api api) {
    static const std::map<std::string, std::regex> opencl{
        {"en", std::regex("(^|[^a-z_-])(work-)?(item|group)s?([^a-z_-]|$)|sub-group|"
                          "local memory|OpenCL",
                          std::regex::icase)},
        {"ru", std::regex("групп|Групп|(Р|р)абоч\\S* элемент|(Л|л)окальн|OpenCL")},
        {"zh", std::regex("工作项|工作组|子组|局部|(每|同|各|整|本|跨|个)组|组内|组大小|OpenCL")}};
    // A block is also one of a text, of a picture, or of a device that computes.
    static const std::map<std::string, std::regex> cuda{
        {"en",
         std::regex("(^|[^a-z_-])threads?([^a-z_-]|$)|shared memory|CUDA", std::regex::icase)},
        {"ru", std::regex("(^|[ («])(П|п)оток|(Р|р)азделяем|CUDA")},
        {"zh", std::regex("线程(?!束)|共享|CUDA")}};
    static const std::regex others("[{][^}]*[}]|数组");  // arguments and arrays
    return std::regex_search(std::regex_replace(text, others, ""),
                             (api == Api::cuda ? cuda : opencl).at(language));
}

// Texts that may have terms of both, and why.
const std::map<std::string, const char*> kOfBoth{
    {"command.glossary.tip", "names all three"},
    {"command.terms.next.tip", "names both"},
    {"terms.opencl", "names it"},
    {"terms.cuda", "names it"},
    {"command.menu.tip", "groups of commands"},
    {"command.opencl.show", "is about a text in OpenCL C beside one in CUDA C++"},
    {"command.opencl.show.tip", "the same"},
    {"side.opencl", "the same"},
    {"side.opencl.tip", "the same"},
    {"command.user_kernel.plain", "is about the language OpenCL C"},
    {"variant.workgroup-builtin.teaches", "is about a function that only OpenCL C has"},
    {"hazard.legacy", "is about atomics that only OpenCL has"},
    {"hazard.ended", "is about what only CUDA allows"},
    {"learn.goal.barriers <= log2(group)", "names the value `group` of a goal"},
    {"learn.goal.depth <= 2 * log2(group) + 1", "the same"},
    {"learn.goal.depth <= n / group + 1 + log2(group)", "the same"},
    {"device.collectives", "is about devices, which are OpenCL's"},
    {"device.sub_groups", "the same"},
    {"lacks.sub_groups", "the same"},
    {"measure.browser", "the same"},
    {"missing.device.why", "the same"},
    {"missing.gpu.why", "the same"},
    {"missing.nothing", "the same"},
    {"missing.sub_groups", "the same"},
    {"missing.sub_groups.why", "the same"},
    {"status.no_device", "the same"}};

// The same of messages, by a part of their English.
const std::map<std::string, const char*> kMessagesOfBoth{
    {"OpenCL", "says what that language or its drivers want"},
    {"CUDA", "the same of CUDA"},
    {"standard streams", "the same word in Russian"},
    {"shared memory", "is an error of CUDA C++ alone"},
    {"global and local", "is about OpenCL C's spaces of memory"},
    {"global or local", "the same"},
    {"local or global", "the same"},
    {"local variable", "the same"},
    {"sub-group functions", "is about functions that only OpenCL C has"},
    {"work-group functions", "the same"},
    {"work_group_reduce", "the same"},
    {"cl_khr_subgroups", "the same"},
    {"render or video", "groups of users"},
    {"cooperative groups", "is CUDA's name"},
    {"clusters of thread blocks", "are CUDA's"}};

TEST(ShippedTranslations, NoTextHasTheOtherApisTerms) {
    const auto expect_own = [](const std::string& text, const std::string& language,
                               const std::string& of) {
        static const json terms = shipped_once("terms");
        for (const auto& [api, other] :
             {std::pair(Terms(), Api::cuda), std::pair(Terms(terms, language), Api::opencl)})
            EXPECT_FALSE(has_terms(api.resolved(text), language, other))
                << language << ": " << of << ": " << api.resolved(text);
    };
    const json messages = shipped_once("messages");
    for (const std::string language : kLanguages) {
        const json table = shipped(language);
        for (const auto& [key, text] : table.items())
            if (!kOfBoth.contains(key)) expect_own(text, language, key);
        for (const auto& [english, texts] : messages.items()) {
            const bool of_both = std::any_of(kMessagesOfBoth.begin(), kMessagesOfBoth.end(),
                                             [&key = english](const auto& each) {
                                                 return key.find(each.first) != std::string::npos;
                                             });
            if (!of_both && texts.contains(language))
                expect_own(texts[language], language, english);
        }
    }
}

TEST(ShippedTranslations, EveryMarkIsAFormOfTheTableOrNamesBoth) {
    const json terms = shipped_once("terms"), messages = shipped_once("messages");
    for (const std::string language : kLanguages) {
        const json table = shipped(language);
        std::map<std::string, bool> unused;
        if (language != "en")  // whose forms are also found in what is said in English
            for (const auto& [form, text] : terms[language].items())
                unused[form] = true;
        const auto check = [&](const std::string& text) {
            std::size_t close = 0;
            for (std::size_t open = 0; (open = text.find("[[", close)) != text.npos;) {
                close = text.find("]]", open);
                ASSERT_NE(close, text.npos) << text;
                const std::string mark = text.substr(open + 2, close - open - 2);
                EXPECT_TRUE(mark.find('|') != mark.npos || terms[language].contains(mark)) << text;
                unused.erase(mark);
            }
            EXPECT_EQ(text.find("]]", text.rfind("[[") == text.npos ? 0 : close + 2), text.npos)
                << text;
        };
        for (const auto& [key, text] : table.items())
            check(text);
        for (const auto& [english, texts] : messages.items())
            if (texts.contains(language)) check(texts[language]);
        for (const auto& [form, never] : unused)
            ADD_FAILURE() << language << ": no text has " << form;
    }
}

TEST(ShippedTranslations, TheTermsOfAnApiAreInTextsAndMessages) {
    ::setenv("REDUCTION_LAB_DATA", LAB_SOURCE_DIR, 1);
    const Translations en("en", Api::cuda), ru("ru", Api::cuda), opencl("ru");
    ::unsetenv("REDUCTION_LAB_DATA");
    EXPECT_EQ(en.api(), Api::cuda);
    EXPECT_EQ(en("figure.legend_barrier"), "barrier of each block");
    EXPECT_EQ(ru("figure.legend_barrier"), "барьер каждого блока");
    EXPECT_EQ(opencl("figure.legend_barrier"), "барьер каждой группы");
    const std::string said = "They are of different groups: no barrier orders them";
    EXPECT_EQ(en.message(said), "They are of different blocks: no barrier orders them");
    EXPECT_EQ(ru.message(said), "Они из разных блоков: никакой барьер их не упорядочит");
    EXPECT_EQ(opencl.message(said), "Они из разных групп: никакой барьер их не упорядочит");
}

}  // namespace
}  // namespace lab
