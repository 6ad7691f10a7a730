#include "figures/parts/run_subject.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <string_view>
#include <vector>

#include "analysis/outcomes/witness.h"

namespace lab::figures {
using fmt::arg;

namespace {

// "recorded on NAME, run 9,912" in its language.
std::string recorded_text(const std::string& of, const Translations& tr) {
    const std::string order = analysis::recorded_in(of);
    constexpr std::string_view on = analysis::kRecordedOn, run = ", run ";
    const std::size_t at = order.rfind(run);
    if (at == std::string::npos) return order;
    return tr("run.recorded", arg("device", order.substr(on.size(), at - on.size())),
              arg("run", order.substr(at + run.size())));
}

}  // namespace

std::string sizes_text(const Coordinates& sizes, const NDRange& range, std::uint64_t items) {
    return range.dims > 1 ? size_text(sizes, range.dims) : std::to_string(items);
}

std::string order_text(const std::string& order, const Translations& tr) {
    constexpr std::string_view random = "random:";
    if (order == analysis::kAsOnDevice) return tr("run.as_on_device");
    if (order == analysis::kGoesWrong) return tr("run.goes_wrong");
    if (!analysis::recorded_in(order).empty()) return recorded_text(order, tr);
    if (order == "in-order") return tr("run.in_order");
    if (order == "round-robin") return tr("run.round_robin");
    if (order.starts_with(random))
        return tr("run.random", arg("seed", order.substr(random.size())));
    // A picture for others does not tell in which folder it was made.
    if (order.starts_with(machine::kTurnsPrefix)) return tr("run.chosen");
    return tr("run.turns", arg("name", std::filesystem::path(order).filename().string()));
}

std::string title_of(const RunSubject& subject, const Translations& tr) {
    return tr.get(fmt::format("variant.{}.title", subject.variant), subject.title);
}

std::string shape_text(const analysis::MachineUsed& machine, const Translations& tr) {
    const std::string lanes =
        machine.lanes == 1 ? tr("run.one_lane") : tr("run.lanes", arg("lanes", machine.lanes));
    const std::string groups = machine.resident == 0
                                   ? tr("run.all_groups")
                                   : tr("run.resident", arg("groups", machine.resident));
    return fmt::format("{} · {}", lanes, groups);
}

std::string machine_text(const analysis::MachineUsed& machine, const Translations& tr) {
    return fmt::format("{} · {}", shape_text(machine, tr), order_text(machine.order, tr));
}

std::string subtitle_of(const RunSubject& subject, const Translations& tr) {
    std::vector<std::string> parts;
    const bool recorded = !analysis::recorded_in(subject.machine.order).empty();
    if (recorded) parts.push_back(order_text(subject.machine.order, tr));  // what matters most
    if (subject.n > 0)
        parts.push_back(fmt::format("n = {}", subject.n));
    else if (subject.items > 0)
        parts.push_back(tr("run.items", arg("items", sizes_text(subject.range.global, subject.range,
                                                                subject.items))));
    if (subject.group > 0)
        parts.push_back(
            tr("figure.groups_of",
               arg("group", sizes_text(subject.range.local, subject.range, subject.group))));
    for (const std::string& part : {subject.op, subject.type, subject.settings})
        if (!part.empty()) parts.push_back(part);
    parts.push_back(recorded ? shape_text(subject.machine, tr) : machine_text(subject.machine, tr));
    return fmt::format("{}", fmt::join(parts, " · "));
}

}  // namespace lab::figures
