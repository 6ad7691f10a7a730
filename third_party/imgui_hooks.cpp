// The hooks that ImGui has for a test engine, as they are without one. A program that lists widgets
// defines its own (tests/support/driver).
#include <imgui_internal.h>

[[gnu::weak]] void ImGuiTestEngineHook_ItemAdd(ImGuiContext*, ImGuiID, const ImRect&,
                                               const ImGuiLastItemData*) {}
[[gnu::weak]] void ImGuiTestEngineHook_ItemInfo(ImGuiContext*, ImGuiID, const char*,
                                                ImGuiItemStatusFlags) {}
[[gnu::weak]] void ImGuiTestEngineHook_Log(ImGuiContext*, const char*, ...) {}
[[gnu::weak]] const char* ImGuiTestEngine_FindItemDebugLabel(ImGuiContext*, ImGuiID) {
    return nullptr;
}
