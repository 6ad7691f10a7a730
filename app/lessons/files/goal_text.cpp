#include <fmt/format.h>

#include "base/translations.h"
#include "lessons/files/lesson.h"

namespace lab::lessons {

std::string text_of(const Goal& goal, const Translations& tr) {
    std::string text = tr.get("learn.goal." + goal.condition.text(), goal.condition.text());
    std::string shapes;
    for (const auto& [key, values] : goal.shapes)
        shapes +=
            fmt::format("{}{} = {}", shapes.empty() ? "" : "; ", key, fmt::join(values, ", "));
    if (shapes.empty()) return text;
    return tr("learn.goal_for", fmt::arg("goal", text), fmt::arg("shapes", shapes));
}

}  // namespace lab::lessons
