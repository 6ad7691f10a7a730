// Everything that a person can tell the app to do, one table: menus, keys, tooltips and help are
// made from it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lab::session {

class Session;
struct ViewType;

struct Command {
    const char* id;   // its text is the translations "command.<id>" and "command.<id>.tip"
    const char* key;  // as "Ctrl+Shift+Z", "Space", "1"; names as keyboards show them
    bool (*enabled)(const Session& session);
    void (*act)(Session& session);
    bool desktop = false;  // it needs what a browser does not have, and is not offered there
    // Where it is not enabled: the translation that says why, which its key shows; null: nothing.
    const char* (*why_not)(const Session& session) = nullptr;
};

bool is_missing(const Command& command);  // here

// Commands that belong together: a menu, a chapter of the help.
struct CommandGroup {
    const char* id;  // its name is the translation "menu.<id>"
    std::vector<Command> commands;
};

// The commands of the views, and of the app around them; "view.<id>" shows a view, and its key is
// the view's digit. In the order of menus; no two commands share an id or a key.
class CommandTable {
  public:
    explicit CommandTable(std::span<const ViewType* const> views);

    const std::vector<CommandGroup>& groups() const { return groups_; }
    const std::vector<Command>& all() const { return all_; }
    const Command& find(std::string_view id) const;  // throws Problem if there is none

  private:
    std::vector<std::string> view_ids_, view_keys_;  // that commands point to
    std::vector<CommandGroup> groups_;
    std::vector<Command> all_;
};

std::span<const char* const> themes();

}  // namespace lab::session
