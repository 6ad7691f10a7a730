#include "counter_view.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "base/paths.h"
#include "session/session.h"
#include "session/view.h"

namespace lab {
namespace {

using session::Session;

constexpr std::array kCommands{session::Command{
    "counter.more", "Alt+0", [](const Session& s) { return s.shows<CounterView>(); },
    [](Session& s) { ++s.view<CounterView>().count; }}};

nlohmann::json save(const Session& session) {
    return {{"count", session.view<CounterView>().count}};
}

std::function<void(Session&)> read(const nlohmann::json& part) {
    return [count = part.at("count").get<std::size_t>()](Session& session) {
        session.view<CounterView>().count = count;
    };
}

struct PanelState {
    int frames = 0;
};

void panel(gui::Ui& ui, const gui::Area& area) {
    ImGui::SetCursorScreenPos(area.at);
    ImGui::Text("counted %d in %d frames", static_cast<int>(ui.view<CounterView>().count),
                ++ui.state<PanelState>().frames);
    if (ImGui::Button("more###counter.more", {80, 30})) ui.run("counter.more");
}
constexpr std::array kPanels{gui::Panel{"counter", gui::Place::whole, panel}};

void write_count(gui::Ui& ui, const std::filesystem::path& file, const std::string& suffix) {
    write_file(file, fmt::format("{}{}", ui.view<CounterView>().count, suffix));
}

}  // namespace

session::ExportOffer CounterView::export_offer() const {
    static constexpr std::array kText{".txt"};
    return {"count", kText};
}

constinit const session::ViewType kCounterView{.id = "counter",
                                               .create = session::create_view<CounterView>,
                                               .commands = kCommands,
                                               .save = save,
                                               .read = read};
const gui::WindowView kCounterWindow{&kCounterView, kPanels, write_count};

}  // namespace lab
