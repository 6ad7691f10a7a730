#include "gui/parts/choice_fields.h"

#include <fmt/format.h>

#include <algorithm>

#include "figures/parts/run_subject.h"
#include "session/step/step_view.h"

namespace lab::gui {
namespace {

// A combo of numbers; `words` says one of them. Where the run that is shown has another one,
// `used`, the chosen one says so: "4 → 1".
template <typename Numbers, typename Words>
void number_field(Ui& ui, const char* id, const Numbers& numbers, std::uint32_t& value,
                  std::uint32_t used, float width, Words&& words) {
    std::vector<std::string> texts;
    int chosen = -1;
    for (const std::uint32_t number : numbers) {
        if (number == value) chosen = static_cast<int>(texts.size());
        texts.push_back(words(number));
    }
    if (chosen < 0) {
        chosen = static_cast<int>(texts.size());
        texts.push_back(words(value));
    }
    if (used != value) texts[static_cast<std::size_t>(chosen)] += " → " + words(used);
    const int now = combo(ui, id, texts, chosen, width);
    if (now >= 0 && static_cast<std::size_t>(now) < numbers.size())
        value = numbers[static_cast<std::size_t>(now)];
}

std::string automatic_words(const Ui& ui, const analysis::MachineUsed& shown) {
    return ui.tr()("order.auto_now", fmt::arg("order", figures::order_text(shown.order, ui.tr())));
}

// Automatic, in order, round robin, or one of some random ones; and what else is set, such as a
// file of turns.
void order_field(Ui& ui, session::Choice& choice, bool named, float width) {
    std::vector<std::string> orders{session::kAutomatic, "in-order", "round-robin"};
    std::vector<std::string> texts{ui.tr()("order.auto"), ui.tr()("order.in_order"),
                                   ui.tr()("order.round_robin")};
    // What was left to us is named as it came out.
    const auto& shown = ui.view<session::StepView>().table().answer;
    if (named && shown && shown->machine) texts.front() = automatic_words(ui, *shown->machine);
    for (std::uint64_t seed = 1; seed <= session::kRandomOrders; ++seed) {
        orders.push_back(fmt::format("random:{}", seed));
        texts.push_back(ui.tr()("order.random", fmt::arg("seed", seed)));
    }
    const std::string& now = choice.machine.order;
    const auto found = std::find(orders.begin(), orders.end(), now);
    const auto chosen = static_cast<int>(found - orders.begin());
    if (found == orders.end()) {
        const auto seed = session::random_seed(now);
        texts.push_back(seed ? ui.tr()("order.random", fmt::arg("seed", *seed))
                        : now.starts_with(machine::kTurnsPrefix) ? figures::order_text(now, ui.tr())
                                                                 : now);
        orders.push_back(now);
    }
    const int picked = combo(ui, "###order", texts, chosen, width);
    if (picked >= 0) choice.machine.order = orders[static_cast<std::size_t>(picked)];
    key_tip(ui, "order.next");
}

}  // namespace

std::vector<std::string> op_names(const Ui& ui) {
    std::vector<std::string> names;
    for (const catalogue::OpInfo& op : catalogue::ops())
        names.push_back(ui.tr()(std::string("op.") + op.name));
    return names;
}

std::vector<std::string> type_names() {
    std::vector<std::string> names;
    for (const catalogue::TypeInfo& type : catalogue::types())
        names.emplace_back(type.name);
    return names;
}

void key_tip(Ui& ui, const char* first, const char* second) {
    const session::Command& command = ui.session.command(first);
    std::string keys = command.key;
    if (second != nullptr) keys += fmt::format("   {}", ui.session.command(second).key);
    tip(ui, ui.tr()(std::string("command.") + command.id + ".tip"), keys.c_str());
}

void toggle_fields(Ui& ui, session::Choice& choice, Flow& flow) {
    const catalogue::Variant* variant = ui.session.variant();
    if (variant == nullptr) return;
    for (const catalogue::Toggle& toggle : variant->toggles)
        flow.field(toggle.name, 122, [&](float width) {
            const auto set = choice.shape.set.find(toggle.name);
            const std::string& value =
                set == choice.shape.set.end() ? toggle.values.front() : set->second;
            const auto position = std::find(toggle.values.begin(), toggle.values.end(), value);
            const int now = combo(ui, ("###" + toggle.name).c_str(), toggle.values,
                                  static_cast<int>(position - toggle.values.begin()), width);
            if (now >= 0)
                choice.shape.set[toggle.name] = toggle.values[static_cast<std::size_t>(now)];
            tip(ui, ui.tr()("field.toggle.tip", fmt::arg("name", toggle.name)));
        });
}

namespace {

// A combo of what the kernel takes; of a single thing it says why there is no other.
template <typename Value>
void taken_field(Ui& ui, const char* id, const std::vector<Value>& taken,
                 const std::vector<std::string>& texts, Value& value, const char* command,
                 const char* only, float width) {
    const auto now = std::find(taken.begin(), taken.end(), value) - taken.begin();
    ImGui::BeginDisabled(taken.size() == 1);
    const int chosen = combo(ui, id, texts, static_cast<int>(now), width);
    ImGui::EndDisabled();
    if (chosen >= 0) value = taken[static_cast<std::size_t>(chosen)];
    if (taken.size() == 1)
        tip(ui, ui.tr()(only));
    else
        key_tip(ui, command);
}

}  // namespace

void op_and_type_fields(Ui& ui, session::Choice& choice, Flow& flow) {
    const auto ops = ops_taken(ui.session);
    const auto types = types_taken(ui.session);
    flow.field(ui.tr()("field.op"), 100, [&](float w) {
        std::vector<std::string> names;
        for (const catalogue::Op op : ops)
            names.push_back(ui.tr()(std::string("op.") + name_of(op)));
        taken_field(ui, "###op", ops, names, choice.shape.op, "op.next", "field.op.only", w);
    });
    flow.field(ui.tr()("field.type"), 80, [&](float w) {
        std::vector<std::string> names;
        for (const catalogue::Type type : types)
            names.emplace_back(info(type).name);
        taken_field(ui, "###type", types, names, choice.shape.type, "type.next", "field.type.only",
                    w);
    });
}

void machine_fields(Ui& ui, session::Choice& choice, Flow& flow, bool of_shown) {
    // A search may have found the shown run on another machine than the chosen one.
    const bool automatic = of_shown && session::is_automatic(choice) && !choice.user_kernel;
    const auto& shown = ui.view<session::StepView>().table().answer;
    const analysis::MachineUsed used =
        automatic && shown && shown->machine ? *shown->machine : choice.machine;
    const auto used_tip = [&](const char* command, bool other) {
        if (other)
            tip(ui, ui.tr()("field.used.tip"), ui.session.command(command).key);
        else
            key_tip(ui, command);
    };
    const bool lanes = used.lanes != choice.machine.lanes;
    flow.field(ui.tr()("field.lanes"), lanes ? 92 : 66, [&](float width) {
        number_field(ui, "###lanes", session::kLanes, choice.machine.lanes, used.lanes, width,
                     [](std::uint32_t count) { return std::to_string(count); });
        used_tip("lanes.next", lanes);
    });
    const bool groups = used.resident != choice.machine.resident;
    flow.field(ui.tr()("field.resident"), groups ? 128 : 96, [&](float width) {
        number_field(ui, "###resident", session::kResident, choice.machine.resident, used.resident,
                     width, [&](std::uint32_t count) {
                         return count == 0 ? ui.tr()("resident.all") : std::to_string(count);
                     });
        used_tip("resident.next", groups);
    });
    float width = 122;
    if (automatic && shown && shown->machine)
        width = std::max(width, 44 + ui.metrics.text_width(automatic_words(ui, *shown->machine),
                                                           kTextSize, figures::Face::sans));
    flow.field(ui.tr()("field.order"), width,
               [&](float room) { order_field(ui, choice, automatic, room); });
}

}  // namespace lab::gui
