#include "base/help.h"

#include <gmock/gmock.h>

#include <sstream>

#include "base/problem.h"

namespace lab::manual {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Help, SaysWhatMayBeChosenAndWhatHoldsWithout) {
    CLI::App app("Does it", "it");
    prepare(app, {});
    std::string theme = "light";
    std::string text;
    int lanes = 4;
    std::vector<std::string> files;
    bool flag = true;
    add_choice(app, "--theme", theme, {"light", "dark"}, "Colours")->capture_default_str();
    add_choice(app, "--source", text, {"device", "machine"}, "device or machine [device]");
    app.add_option("--lanes", lanes, "In lockstep")->check(between(1, 64));
    app.add_option("-o,--output", files, "Draw")->type_name("FILE")->required();
    app.add_flag("--documents,!--no-documents", flag, "Theirs");
    const std::string help = app.help();
    EXPECT_THAT(help, HasSubstr("\n  --theme VALUE             Colours: light, dark [light]\n"));
    EXPECT_THAT(help, HasSubstr("\n  --source VALUE            device or machine [device]\n"))
        << "said once is enough";
    EXPECT_THAT(help, HasSubstr("\n  --lanes N                 In lockstep\n"));
    EXPECT_THAT(help, HasSubstr("\n  -o, --output FILE ...     Draw (required)\n"));
    EXPECT_THAT(help,
                HasSubstr("\n  --documents, --no-documents\n" + std::string(28, ' ') + "Theirs\n"));
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
    command->add_option("--lanes", lanes)->check(between(1, 64));
    add_choice(*command, "--chart", chart, {"time", "bandwidth"}, "What is drawn");
    const auto said = [&](std::vector<const char*> arguments) -> std::string {
        arguments.insert(arguments.begin(), "it");
        try {
            (void)parse(app, static_cast<int>(arguments.size()), arguments.data());
        } catch (const Problem& problem) {
            EXPECT_EQ(problem.exit, Exit::usage);
            return problem.text();
        }
        ADD_FAILURE() << "no problem";
        return {};
    };
    EXPECT_THAT(said({}), HasSubstr("required\n  hint: it --help lists what may be given"));
    for (const std::string& each :
         {said({"do", "--lanes"}), said({"do", "--lanes", "3", "--lanes", "4"})}) {
        EXPECT_THAT(each, HasSubstr("--lanes: "));
        EXPECT_THAT(each, HasSubstr("\n  why:  An option is given once, and with its value\n"
                                    "  hint: it do --help lists what may be given"));
    }
    EXPECT_THAT(said({"do", "--lanes", "65"}), HasSubstr("--lanes: Value 65 not in range"));
    EXPECT_THAT(said({"do", "this"}), HasSubstr("not expected: this\n  hint: it do --help"));
    EXPECT_THAT(said({"do", "--lanez", "3"}),
                HasSubstr("hint: Did you mean --lanes? it do --help"));
    EXPECT_EQ(said({"do", "--chart", "tiem"}),
              "--chart: There is no 'tiem'\n"
              "  hint: Did you mean time? Choose one of: time, bandwidth");
    EXPECT_EQ(said({"do", "--chart", "colours"}),
              "--chart: There is no 'colours'\n"
              "  hint: Choose one of: time, bandwidth");
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
