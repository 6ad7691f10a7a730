#include "gui/shell/manual_page.h"

#include <gmock/gmock.h>

#include "base/translations.h"
#include "gui/shell/window_view.h"
#include "manual/roff.h"
#include "session/shell/commands.h"

namespace lab::gui {
namespace {

using testing::HasSubstr;

TEST(ManualPage, HasEveryCommandWithItsKeyAndWhatItDoes) {
    const CLI::App none;
    const std::string page = manual_page(none);
    const Translations tr("en");
    const std::vector<const session::ViewType*> views = types_of(window_views());
    const session::CommandTable commands(views);
    for (const session::Command& command : commands.all()) {
        const std::string id = std::string("command.") + command.id;
        const std::string key = command.key;
        const std::string term =
            (key.empty() ? "" : manual::bold(key) + "  ") + manual::roff(tr(id)) + "\n";
        EXPECT_THAT(page, HasSubstr(".TP 4\n" + term + manual::roff(tr(id + ".tip"))))
            << command.id;
    }
    for (const session::CommandGroup& group : commands.groups())
        EXPECT_THAT(page, HasSubstr(manual::subsection(tr(std::string("menu.") + group.id))));
}

}  // namespace
}  // namespace lab::gui
