#include "draw/run_subject.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <vector>

namespace lab::draw {
namespace {

using fmt::arg;

// In the order of Order::Kind.
constexpr std::array<const char*, 4> kOrders{"run.in_order", "run.round_robin", "run.random",
                                             "run.turns"};

}  // namespace

std::string title_of(const RunSubject& subject, const Translations& tr) {
    return tr.get(fmt::format("variant.{}.title", subject.variant), subject.title);
}

std::string subtitle_of(const RunSubject& subject, const Translations& tr) {
    std::vector<std::string> parts;
    if (subject.n > 0)
        parts.push_back(fmt::format("n = {}", subject.n));
    else if (subject.items > 0)
        parts.push_back(tr("run.items", arg("items", subject.items)));
    if (subject.group > 0) parts.push_back(tr("figure.groups_of", arg("group", subject.group)));
    for (const std::string& part : {subject.op, subject.type, subject.settings})
        if (!part.empty()) parts.push_back(part);
    const machine::Config& config = subject.config;
    parts.push_back(config.lanes == 1 ? tr("run.one_lane")
                                      : tr("run.lanes", arg("lanes", config.lanes)));
    parts.push_back(config.resident == 0 ? tr("run.all_groups")
                                         : tr("run.resident", arg("groups", config.resident)));
    parts.push_back(tr(kOrders.at(static_cast<std::size_t>(subject.order.kind)),
                       arg("seed", subject.order.seed), arg("name", subject.order.name)));
    return fmt::format("{}", fmt::join(parts, " · "));
}

}  // namespace lab::draw
