#include "figures/account_figure.h"

#include <algorithm>

#include <fmt/format.h>

#include "figures/scene.h"

namespace lab::figures {
namespace {

using fmt::arg;

constexpr float kAccountCell = 30, kAccountGap = 6, kWord = 15;
constexpr std::size_t kMostCells = 256;

struct AccountLook {
    Role fill, text;
    Stroke stroke;
    bool hatch = false;
    const char* word = nullptr;  // a translation
};

AccountLook account_look(const analysis::CellAccount::Input& input,
                         const AccountFigureOptions& options) {
    if (input.times == 1) return {Role::wrote_fill, Role::text, {Role::wrote, 1.75F, Dash::solid}};
    if (input.times > 1)
        return options.chooses
                   ? AccountLook{Role::wrote_fill, Role::text, {Role::wrote, 1.75F, Dash::solid}}
                   : AccountLook{Role::race_fill,
                                 Role::text,
                                 {Role::race, 1.75F, Dash::solid},
                                 false,
                                 "account.twice"};
    if (options.whole)
        return {
            Role::race_fill, Role::text, {Role::race, 1.75F, Dash::dashed}, true, "account.lost"};
    return {Role::background, Role::muted, {Role::idle_fill, 1, Dash::solid}};
}

}  // namespace

Scene account_figure(const analysis::CellAccount& account, const AccountFigureOptions& options,
                     const Fonts& fonts, const Translations& tr) {
    Page page(options.figure, fonts, tr);
    float widest = page.s(26);
    for (const analysis::CellAccount::Input& input : account.inputs)
        widest = std::max(widest, page.width(input.value, kCodeText) + page.s(10));
    for (const char* word : {"account.lost", "account.twice"})
        widest = std::max(widest, page.width(tr(word, arg("times", 2)), kSmallText));
    widest = std::min(widest, page.s(80));
    const float step = widest + page.s(kAccountGap);
    const auto columns = std::max<std::size_t>(
        1, static_cast<std::size_t>((page.right() - page.left() + page.s(kAccountGap)) / step));
    const std::string text = tr("account.holds", arg("cell", account.cell),
                                arg("value", account.value.empty() ? "?" : account.value));
    float y = page.paragraph(text, kTitleText, page.s(4)) + page.s(6);
    const std::size_t shown = std::min(account.inputs.size(), kMostCells);
    for (std::size_t i = 0; i < shown; ++i) {
        const analysis::CellAccount::Input& input = account.inputs[i];
        const AccountLook look = account_look(input, options);
        const float x = page.left() + static_cast<float>(i % columns) * step;
        const float top = y + static_cast<float>(i / columns) * page.s(kAccountCell + kWord + 6);
        Rect rect = box(x, top, widest, page.s(kAccountCell), look.fill);
        rect.radius = page.s(4);
        rect.stroke = look.stroke;
        rect.hatch = look.hatch;
        const std::string tip =
            fmt::format("{} = {}{}", input.name, input.value,
                        input.times > 1 ? fmt::format(" × {}", input.times) : "");
        page.scene.add(rect, tip, options.row ? fmt::format("cell 0 {}", i) : std::string());
        page.fitted_value({x + widest / 2, top + page.s(kAccountCell) / 2}, input.value,
                          TextStyle{13, Face::mono, look.text, Anchor::middle}, widest - page.s(4),
                          tip);
        if (look.word != nullptr)
            page.fitted({x + widest / 2, top + page.s(kAccountCell + 9)},
                        tr(look.word, arg("times", input.times)),
                        kCaptionText.in(Role::race).at(Anchor::middle),
                        widest + page.s(kAccountGap));
    }
    y += static_cast<float>((shown + columns - 1) / columns) * page.s(kAccountCell + kWord + 6);
    if (shown < account.inputs.size())
        y = page.paragraph(tr("state.left_out", arg("count", account.inputs.size() - shown)),
                           kSmallText, y);
    if (account.unwritten > 0)
        page.paragraph(tr("account.unwritten", arg("count", account.unwritten)), kSmallText, y);
    return page.finish(text, text);
}

}  // namespace lab::figures
