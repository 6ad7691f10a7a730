#include "gui/keys.h"

#include <fmt/format.h>

#include <array>
#include <vector>

namespace lab::gui {
namespace {

struct NamedKey {
    const char* name;
    ImGuiKey key;
};
constexpr std::array kNamed{
    NamedKey{"Space", ImGuiKey_Space},
    NamedKey{"Left", ImGuiKey_LeftArrow},
    NamedKey{"Right", ImGuiKey_RightArrow},
    NamedKey{"Up", ImGuiKey_UpArrow},
    NamedKey{"Down", ImGuiKey_DownArrow},
    NamedKey{"Home", ImGuiKey_Home},
    NamedKey{"End", ImGuiKey_End},
    NamedKey{"Escape", ImGuiKey_Escape},
    NamedKey{"F5", ImGuiKey_F5},
    NamedKey{"+", ImGuiKey_Equal},
    NamedKey{"-", ImGuiKey_Minus},
    NamedKey{"Enter", ImGuiKey_Enter},
};
constexpr std::array kModifiers{
    NamedKey{"Ctrl+", static_cast<ImGuiKey>(ImGuiMod_Ctrl)},
    NamedKey{"Shift+", static_cast<ImGuiKey>(ImGuiMod_Shift)},
    NamedKey{"Alt+", static_cast<ImGuiKey>(ImGuiMod_Alt)},
};

bool pressed(ImGuiKeyChord chord) {
    return ImGui::IsKeyChordPressed(chord);
}

// + is Shift and = on many keyboards, and has a key of its own on the number pad, as - has.
bool pressed_any_way(ImGuiKeyChord chord) {
    if (ImGui::IsKeyChordPressed(chord)) return true;
    const int modifiers = chord & ImGuiMod_Mask_;
    const int key = chord & ~ImGuiMod_Mask_;
    if (key == ImGuiKey_Equal)
        return pressed(modifiers | ImGuiMod_Shift | ImGuiKey_Equal) ||
               pressed(modifiers | ImGuiKey_KeypadAdd);
    if (key == ImGuiKey_Minus) return pressed(modifiers | ImGuiKey_KeypadSubtract);
    if (key >= ImGuiKey_0 && key <= ImGuiKey_9)
        return pressed(modifiers | (ImGuiKey_Keypad0 + (key - ImGuiKey_0)));
    return false;
}

}  // namespace

ImGuiKeyChord parse_key(std::string_view key) {
    ImGuiKeyChord chord = 0;
    std::string_view rest = key;
    for (bool found = true; found;) {
        found = false;
        for (const NamedKey& modifier : kModifiers)
            if (rest.starts_with(modifier.name)) {
                chord |= modifier.key;
                rest.remove_prefix(std::string_view(modifier.name).size());
                found = true;
            }
    }
    for (const NamedKey& named : kNamed)
        if (rest == named.name) return chord | named.key;
    if (rest.size() == 1 && rest[0] >= 'A' && rest[0] <= 'Z')
        return chord | (ImGuiKey_A + (rest[0] - 'A'));
    if (rest.size() == 1 && rest[0] >= '0' && rest[0] <= '9')
        return chord | (ImGuiKey_0 + (rest[0] - '0'));
    throw Problem(fmt::format("There is no key '{}'", key), "", "");
}

void press_keys(session::Session& session) {
    if (ImGui::GetIO().WantTextInput || ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup)) return;
    static const std::vector<ImGuiKeyChord> chords = [] {
        std::vector<ImGuiKeyChord> made;
        for (const session::Command& command : session::commands())
            made.push_back(parse_key(command.key));
        return made;
    }();
    for (std::size_t i = 0; i < chords.size(); ++i)
        if (pressed_any_way(chords[i])) session::run(session, session::commands()[i]);
}

}  // namespace lab::gui
