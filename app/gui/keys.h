// The keys of the command table, pressed and shown.
#pragma once

#include <imgui.h>

#include <string>
#include <string_view>

#include "session/commands.h"

namespace lab::gui {

// "Ctrl+Shift+Z" as ImGui knows it; throws Problem for a key that there is not.
ImGuiKeyChord parse_key(std::string_view key);

// Does the commands whose keys were pressed in this frame; none while text is being typed.
void press_keys(session::Session& session);

}  // namespace lab::gui
