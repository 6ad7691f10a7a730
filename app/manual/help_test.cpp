#include "manual/help.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>

#include "manual/option_text.h"

namespace lab::manual {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(OptionWords, SayWhatMayBeChosenAndWhatHoldsWithout) {
    CLI::App app;
    std::string theme = "light";
    std::string text;
    int lanes = 4;
    std::vector<std::string> files;
    bool flag = true;
    const CLI::Option* chosen = app.add_option("--theme", theme, "Colours")
                                    ->check(CLI::IsMember({"light", "dark"}))
                                    ->capture_default_str();
    EXPECT_EQ(value(*chosen), "VALUE");
    EXPECT_EQ(description(*chosen), "Colours: light, dark [light]");
    const CLI::Option* option = app.add_option("--source", text, "device or machine [device]")
                                    ->check(CLI::IsMember({"device", "machine"}));
    EXPECT_EQ(description(*option), "device or machine [device]") << "said once is enough";
    const CLI::Option* number =
        app.add_option("--lanes", lanes, "In lockstep")->check(CLI::Range(1, 64));
    EXPECT_EQ(value(*number), "N");
    const CLI::Option* several =
        app.add_option("-o,--output", files, "Draw")->type_name("FILE")->required();
    EXPECT_THAT(names(*several), ElementsAre("-o", "--output"));
    EXPECT_EQ(value(*several), "FILE ...");
    EXPECT_EQ(description(*several), "Draw (required)");
    const CLI::Option* either = app.add_flag("--documents,!--no-documents", flag, "Theirs");
    EXPECT_THAT(names(*either), ElementsAre("--documents", "--no-documents"));
    EXPECT_EQ(value(*either), "");
}

TEST(Help, LinesFitATerminalAndTheOneForTheManualIsHidden) {
    CLI::App app("Does it", "it");
    prepare(app, {});
    std::string text;
    app.add_option("--long", text,
                   std::string(30, 'a') + std::string(200, ' ').append("b c d") +
                       std::string(40, 'e') + " " + std::string(40, 'f'));
    const std::string help = app.help();
    std::istringstream lines(help);
    for (std::string line; std::getline(lines, line);)
        EXPECT_LE(line.size(), 98U) << line;
    EXPECT_THAT(help, Not(HasSubstr("--help-all")));
    EXPECT_THAT(help, Not(HasSubstr("\n\n\n")));
    EXPECT_EQ(wrapped("a bb ccc", 4), "a bb\nccc");
}

TEST(Help, AWrongArgumentIsToldInTheFormOfOurProblems) {
    CLI::App app("Does it", "it");
    prepare(app, {});
    int lanes = 1;
    std::string chart;
    app.require_subcommand(1);
    CLI::App* command = app.add_subcommand("do", "Do it");
    command->add_option("--lanes", lanes)->check(CLI::Range(1, 64));
    command->add_option("--chart", chart)->check(CLI::IsMember({"time", "bandwidth"}));
    const auto said = [&](std::vector<std::string> arguments) {
        std::ostringstream out;
        std::ostringstream err;
        std::reverse(arguments.begin(), arguments.end());  // as CLI11 takes them
        try {
            app.parse(arguments);
        } catch (const CLI::ParseError& error) {
            EXPECT_NE(app.exit(error, out, err), 0);
        }
        EXPECT_EQ(out.str(), "");
        return err.str();
    };
    EXPECT_EQ(said({}), "error: No command was given\n  hint: it --help lists what may be given\n");
    EXPECT_EQ(
        said({"do", "--lanes"}),
        "error: --lanes: its value is missing\n  hint: it do --help lists what may be given\n");
    EXPECT_EQ(said({"do", "--lanes", "3", "--lanes", "4"}),
              "error: --lanes: it is given more than once\n  hint: it do --help lists what may be "
              "given\n");
    EXPECT_THAT(said({"do", "--lanes", "65"}), HasSubstr("error: --lanes: Value 65 not in range"));
    EXPECT_THAT(said({"do", "this"}), HasSubstr("not expected: this\n  hint: it do --help"));
    EXPECT_THAT(said({"do", "--lanez", "3"}),
                HasSubstr("hint: Did you mean --lanes? it do --help"));
    EXPECT_EQ(said({"do", "--chart", "tiem"}),
              "error: --chart: There is no 'tiem'\n"
              "  hint: Did you mean time? Choose one of: time, bandwidth\n");
    EXPECT_EQ(said({"do", "--chart", "colours"}),
              "error: --chart: There is no 'colours'\n"
              "  hint: Choose one of: time, bandwidth\n");
}

TEST(Help, AllOfItIsOneTextForHelp2man) {
    CLI::App app("Does it", "it");
    prepare(app, [] { return "*Exit status*\n\n  0  Done.\n"; });
    std::string text;
    for (const char* name : {"first", "second"}) {
        CLI::App* command = app.add_subcommand(name, "Do this");
        command->group("Commands");
        command->add_option("what", text, "With this");
        command->add_option(std::string("--of-") + name, text, "Its own");
    }
    app.footer("Exit status: 0");
    const std::string page = app.help("", CLI::AppFormatMode::All);
    EXPECT_THAT(page, HasSubstr("\nOptions:\n  -h, --help "));
    EXPECT_THAT(page, HasSubstr("\n\n*Commands*\n\nfirst:\n  first [OPTIONS] [what]\n" +
                                std::string(28, ' ') + "Do this.\n\n  what "));
    EXPECT_THAT(page, HasSubstr("\nsecond:\n  second [OPTIONS] [what]\n"));
    EXPECT_THAT(page, HasSubstr("\n  --of-first "));
    EXPECT_THAT(page, HasSubstr("\n  --of-second "));
    EXPECT_THAT(page, testing::EndsWith("\n\n*Exit status*\n\n  0  Done.\n"));
    EXPECT_THAT(page, Not(HasSubstr("--help-all")));
    EXPECT_EQ(page.find("--help "), page.rfind("--help "));
    EXPECT_THAT(page, Not(HasSubstr("Exit status: 0")));
}

}  // namespace
}  // namespace lab::manual
