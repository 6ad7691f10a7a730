#include "figures/size_map_figure.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/text.h"

namespace lab::figures {
namespace {

using analysis::MapCondition;
using analysis::MapRule;
using analysis::ShapeJudgement;
using analysis::ShapeVerdict;
using fmt::arg;

constexpr float kLargestCell = 30, kSmallestCell = 12;  // points at scale 1
constexpr float kLeastCell = 4;                         // of a map whose height is limited

struct VerdictLook {
    char sign;
    Look look;
};
// By ShapeVerdict. Vermilion is what should not be; which kind of it, the sign and the frame say.
constexpr std::array kVerdictLooks{
    VerdictLook{'+', {Role::wrote_fill, Role::text, {Role::wrote, 1}}},
    VerdictLook{'=', {Role::read_fill, Role::text, {Role::read, 1}}},
    VerdictLook{'x', {Role::race_fill, Role::text, {Role::race, 1}}},
    VerdictLook{'!', {Role::race, Role::on_act, {Role::race, 1}}},
    VerdictLook{'u', {Role::race_fill, Role::text, {Role::race, 1, Dash::dotted}}},
    VerdictLook{'*', {Role::race_fill, Role::text, {Role::race, 1}, true}},
    VerdictLook{'F', {Role::race_fill, Role::text, {Role::race, 2.5F}}},
    VerdictLook{'~', {Role::race_fill, Role::text, {Role::race, 1.5F, Dash::dashed}}},
    VerdictLook{'-', {Role::none, Role::muted, {Role::border, 1}}},
    VerdictLook{'?', {Role::idle_fill, Role::text, {Role::idle, 1, Dash::dotted}}}};
static_assert(kVerdictLooks.size() == analysis::kShapeVerdicts.size());

const VerdictLook& verdict_look(ShapeVerdict verdict) {
    return kVerdictLooks[static_cast<std::size_t>(verdict)];
}

std::string verdict_text(ShapeVerdict verdict, const Translations& tr) {
    return tr(fmt::format("sizes.{}", name_of(verdict)));
}

std::string condition_text(const MapCondition& condition, const Translations& tr) {
    const bool number = !condition.value.empty() && condition.value.front() >= '0' &&
                        condition.value.front() <= '9';
    return tr(fmt::format("sizes.rule.{}",
                          analysis::kMapConditions[static_cast<std::size_t>(condition.kind)]),
              arg("axis", axis_text(condition.quantity, tr)),
              arg("value", number ? condition.value : axis_text(condition.value, tr)));
}

std::string rule_text(const MapRule& rule, std::size_t all, const Translations& tr) {
    const std::string verdict = verdict_text(rule.verdict, tr);
    if (rule.everywhere) return tr.counted("sizes.everywhere", all, arg("verdict", verdict));
    if (rule.conditions.empty())
        return tr.counted("sizes.count", all, arg("verdict", verdict), arg("cells", rule.cells));
    std::string where = condition_text(rule.conditions.front(), tr);
    for (std::size_t i = 1; i < rule.conditions.size(); ++i)
        where = tr("sizes.both", arg("first", where),
                   arg("second", condition_text(rule.conditions[i], tr)));
    return tr.counted("sizes.where", all, arg("verdict", verdict), arg("where", where),
                      arg("cells", rule.cells));
}

constexpr float kSmallestSign = 9;  // points

void add_map_cell(Scene& scene, const Box& at, ShapeVerdict verdict, const Fonts& fonts,
                  std::string tip, std::string name) {
    const VerdictLook& shown = verdict_look(verdict);
    const float inset = shown.look.stroke.width / 2 + 0.5F;
    scene.add(box(at.left + inset, at.top + inset, at.width() - 2 * inset, at.height() - 2 * inset,
                  shown.look),
              std::move(tip), std::move(name));
    // In a smaller cell its colour has to do.
    if (at.height() < kSmallestSign || at.width() < kSmallestSign) return;
    const float size = std::max(kSmallestSign, at.height() * 0.62F);
    scene.add(fonts.line_at(at.middle(), std::string(1, shown.sign), size, Face::mono,
                            shown.look.text, Anchor::middle));
}

class SizeMapFigure {
  public:
    SizeMapFigure(const analysis::SizeMap& map, const RunSubject& subject,
                  const FigureOptions& options, const Fonts& fonts, const Translations& tr)
        : map_(map), subject_(subject), options_(options), tr_(tr), page_(options, fonts, tr) {}

    Scene make() {
        float y = options_.heading ? page_.heading(subject_, kPageMargin) : s(8);
        const std::string down = axis_text(map_.rows.name, tr_);
        float names = page_.width(down, kSmallText);
        for (const std::string& each : map_.rows.values)
            names = std::max(names, page_.width(each, kSmallText));
        const float left = page_.left() + names + s(12);
        float widest = 0;
        for (const std::string& each : map_.columns.values)
            widest = std::max(widest, page_.width(each, kSmallText));
        const float room = (page_.right() - left) / static_cast<float>(map_.columns.values.size());
        const bool limited = !std::isinf(options_.height);
        constexpr float kCaptions = 38, kGap = 14;  // above the rows, and below them
        const float around = s(kCaptions + kGap) + Page(page_).legend(legend(), 0) + kPageMargin;
        const float high =
            (options_.height - y - around) / static_cast<float>(map_.rows.values.size());
        cell_ = std::clamp(std::min(room, high), s(limited ? kLeastCell : kSmallestCell),
                           s(kLargestCell));
        // Few columns have room for the words of a toggle.
        pitch_ = std::max(cell_, std::min(room, widest + s(10)));
        const std::size_t step = step_for(pitch_, widest + s(4));
        page_.text({left, y + s(8)}, axis_text(map_.columns.name, tr_), kSmallText);
        page_.text({left - s(8), y + s(26)}, down, kSmallText.at(Anchor::end));
        for (std::size_t i = 0; i < map_.columns.values.size(); i += step)
            page_.text({left + (static_cast<float>(i) + 0.5F) * pitch_, y + s(26)},
                       map_.columns.values[i], kSmallText.at(Anchor::middle));
        y += s(kCaptions);
        for (std::size_t row = 0; row < map_.rows.values.size(); ++row)
            add_row(row, left, y + static_cast<float>(row) * cell_);
        y += static_cast<float>(map_.rows.values.size()) * cell_ + s(kGap);
        y = page_.legend(legend(), y) + s(8);
        const std::string sentence = size_map_sentence(map_, tr_);
        if (options_.heading) page_.paragraph(sentence, kSentenceText, y);
        return page_.finish(title_of(subject_, tr_) + ": " + tr_("sizes.name"), sentence);
    }

  private:
    float s(float points) const { return page_.s(points); }

    // Every first, second, fourth … value has a caption: as many as there is room for.
    static std::size_t step_for(float pitch, float widest) {
        std::size_t step = 1;
        while (static_cast<float>(step) * pitch < widest)
            step *= 2;
        return step;
    }

    void add_row(std::size_t row, float left, float y) {
        if (row % step_for(cell_, s(kSmallText.size * 1.5F)) == 0)
            page_.text({left - s(8), y + cell_ / 2}, map_.rows.values[row],
                       kSmallText.at(Anchor::end));
        for (std::size_t column = 0; column < map_.columns.values.size(); ++column) {
            if (!map_.at(row, column).known()) continue;
            const float x = left + static_cast<float>(column) * pitch_;
            add_map_cell(page_.scene, {x, y, x + pitch_, y + cell_}, map_.at(row, column).verdict,
                         page_.fonts(), map_cell_text(map_, row, column, tr_),
                         fmt::format("shape {} {}", row, column));
        }
    }

    std::vector<LegendEntry> legend() const {
        std::vector<LegendEntry> entries;
        for (std::size_t i = 0; i < kVerdictLooks.size(); ++i) {
            const auto verdict = static_cast<ShapeVerdict>(i);
            if (map_.count(verdict) == 0) continue;
            entries.push_back(
                {verdict_text(verdict, tr_), [this, verdict](Scene& to, const Box& at) {
                     const float half = at.height() / 2;
                     const Point middle = at.middle();
                     add_map_cell(
                         to, {middle.x - half, middle.y - half, middle.x + half, middle.y + half},
                         verdict, page_.fonts(), {}, {});
                 }});
        }
        return entries;
    }

    const analysis::SizeMap& map_;
    const RunSubject& subject_;
    const FigureOptions& options_;
    const Translations& tr_;
    Page page_;
    float cell_ = 0, pitch_ = 0;  // height and width of a cell
};

}  // namespace

char verdict_sign(ShapeVerdict verdict) {
    return verdict_look(verdict).sign;
}

std::string axis_text(const std::string& axis, const Translations& tr) {
    return tr.get("sizes.axis." + axis, axis);
}

std::string judgement_text(const ShapeJudgement& judgement, const Translations& tr) {
    std::string text = verdict_text(judgement.verdict, tr);
    if (judgement.verdict == ShapeVerdict::wrong)
        text += ", " + tr("sizes.tip_wrong", arg("result", judgement.result),
                          arg("expected", judgement.expected));
    if (judgement.verdict == ShapeVerdict::several)
        text += ", " + tr("sizes.tip_several", arg("count", judgement.results));
    if (judgement.line != 0)
        text += ", " + (judgement.other == 0 ? tr("sizes.tip_line", arg("line", judgement.line))
                                             : tr("sizes.tip_lines", arg("line", judgement.line),
                                                  arg("other", judgement.other)));
    return judgement.what.empty() ? text : text + ": " + tr.message(judgement.what);
}

std::string judgement_without(const analysis::SyncPoint& point, const Translations& tr) {
    std::string text = judgement_text(point.without, tr);
    if (point.without.verdict == point.with.verdict) text += " " + tr("sizes.other_results");
    return text;
}

std::string map_cell_text(const analysis::SizeMap& map, std::size_t row, std::size_t column,
                          const Translations& tr) {
    return fmt::format("{} {}, {} {}: {}", axis_text(map.rows.name, tr), map.rows.values[row],
                       axis_text(map.columns.name, tr), map.columns.values[column],
                       judgement_text(map.at(row, column), tr));
}

std::string size_map_sentence(const analysis::SizeMap& map, const Translations& tr) {
    const std::vector<MapRule> rules = analysis::rules_of(map);
    const std::size_t none = map.count(ShapeVerdict::not_launched);
    const std::size_t all = map.cells.size() - none;
    std::string text;
    const auto add = [&](const std::string& sentence) {
        text += (text.empty() || tr.language() == "zh" ? "" : " ") + sentence;
    };
    for (const MapRule& rule : rules)
        add(rule_text(rule, all, tr));
    if (none > 0) add(all > 0 ? tr.counted("sizes.none", none) : tr("sizes.none_launched"));
    return text;
}

RunSubject map_subject(const analysis::RunSpec& spec, const analysis::SizeMap& map) {
    const auto is_side = [&](const std::string& name) {
        return map.rows.name == name || map.columns.name == name;
    };
    RunSubject subject;
    subject.variant = spec.kernel.id;
    subject.title = spec.kernel.title;
    if (!is_side("n") && !is_side("groups")) subject.n = spec.shape.n.value_or(0);
    if (!is_side("group")) subject.group = spec.shape.group;
    if (!is_side("op")) subject.op = name_of(spec.shape.op);
    if (!is_side("type")) subject.type = info(spec.shape.type).name;
    auto settings = toggle_settings(spec.kernel, spec.shape);
    std::erase_if(settings, [&](const auto& each) { return is_side(each.first); });
    subject.settings = catalogue::settings_text(settings);
    subject.machine = analysis::machine_used(spec.machine.config, spec.machine.order);
    for (const catalogue::MachineOption& option : catalogue::machine_options())
        if (is_side(option.id)) subject.varied.emplace_back(option.id);
    return subject;
}

std::string size_map_csv(const analysis::SizeMap& map) {
    std::string text = fmt::format("{},{},verdict,line,other,result,expected,results,what\n",
                                   map.rows.name, map.columns.name);
    for (std::size_t row = 0; row < map.rows.values.size(); ++row)
        for (std::size_t column = 0; column < map.columns.values.size(); ++column) {
            const analysis::ShapeJudgement& each = map.at(row, column);
            text += fmt::format("{},{},{},{},{},{},{},{},{}\n", map.rows.values[row],
                                map.columns.values[column], name_of(each.verdict), each.line,
                                each.other, csv_field(each.result), csv_field(each.expected),
                                each.results, csv_field(each.what));
        }
    return text;
}

nlohmann::json size_map_json(const analysis::SizeMap& map, const analysis::RunSpec& spec) {
    const Translations english("en");
    nlohmann::json object = analysis::with_head(map, spec);
    object["shared"] = subtitle_of(map_subject(spec, map), english);
    object["sentence"] = size_map_sentence(map, english);
    return object;
}

Scene size_map_figure(const analysis::SizeMap& map, const RunSubject& subject,
                      const FigureOptions& options, const Fonts& fonts, const Translations& tr) {
    return SizeMapFigure(map, subject, options, fonts, tr).make();
}

}  // namespace lab::figures
