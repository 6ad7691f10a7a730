#include "figures/bank_figure.h"

#include <algorithm>

#include <fmt/format.h>

#include "figures/run_text.h"
#include "figures/scene.h"

namespace lab::figures {
namespace {

using fmt::arg;

constexpr std::size_t kMostBankRows = 36;  // of words that are touched
constexpr float kLeastBankCell = 25, kWidestBankCell = 34,
                kBankCellHeight = 24;  // points at scale 1

struct CellLook {
    Role fill, edge;
    float width;
    bool hatch;
};
// Of words that are read, written, changed atomically; in the order of ActionKind.
constexpr std::array<CellLook, 3> kTouched{{{Role::read_fill, Role::read, 1.5F, false},
                                            {Role::wrote_fill, Role::wrote, 1.5F, false},
                                            {Role::act_fill, Role::act, 1.5F, false}}};
constexpr std::array<const char*, 3> kBankKinds{"banks.load", "banks.store", "banks.atomic"};
constexpr CellLook kEmpty{Role::panel, Role::border, 1, false};
constexpr CellLook kFetched{Role::panel, Role::barrier, 1, true};

class BankFigure {
  public:
    BankFigure(const analysis::RequestDetail& request, const RunSubject& subject,
               const FigureOptions& options, const Fonts& fonts, const Translations& tr)
        : request_(request),
          subject_(subject),
          tr_(tr),
          page_(options, fonts, tr),
          words_(words_of(request)),
          local_(request.cost.local),
          columns_(local_ ? request.banks : request.line_bytes / kGlobalWord),
          per_sector_(local_ ? columns_ : request.sector_bytes / kGlobalWord) {}

    Scene make() {
        float y = page_.heading(subject_, kPageMargin);
        y = add_line(y);
        place();
        y = add_captions_at(y);
        y = add_rows(y);
        if (local_) y = add_turns(y);
        y = page_.legend(legend(), y + s(12)) + s(10);
        const std::string text = bank_sentence(request_, words_, tr_);
        page_.paragraph(text, kSentenceText, y);
        return page_.finish(
            title_of(subject_, tr_) + ": " + tr_(local_ ? "banks.name" : "banks.name_sectors"),
            cost_text(request_, tr_) + tr_("figure.stop") + tr_("figure.space") + text);
    }

  private:
    float s(float points) const { return page_.s(points); }
    std::size_t kind() const {
        return std::min<std::size_t>(static_cast<std::size_t>(request_.kind), 2);
    }

    // The line of the text, who asks, and what it costs.
    float add_line(float y) {
        std::string code = request_.text;
        code.erase(0, std::min(code.find_first_not_of(" \t"), code.size()));
        const std::string line = tr_("lanes.line", arg("line", request_.line));
        const float x = page_.left() + page_.width(line, kLabelText) + s(14);
        const float wide = std::min(page_.width(code, kCodeText.sized(14)), page_.right() - x);
        page_.scene.add([&] {
            Rect back = box(x - s(7), y, wide + s(14), s(26), Role::act_fill);
            back.radius = s(4);
            return back;
        }());
        page_.text({page_.left(), y + s(13)}, line, kLabelText);
        page_.fitted({x, y + s(13)}, code, kCodeText.sized(14), wide + 1);
        y += s(44);
        const bool dear = local_ ? request_.cost.degree > request_.cost.least_degree
                                 : request_.cost.sectors > request_.cost.ideal_sectors;
        const std::string cost = cost_text(request_, tr_);
        page_.text({page_.left(), y}, cost,
                   kHeadingText.sized(16).in(dear ? Role::barrier_text : Role::text));
        y += s(22);
        const std::string who =
            tr_(kBankKinds.at(kind()), arg("array", request_.array)) + " · " +
            tr_("banks.who", arg("group", request_.space.group_name(request_.group)),
                arg("warp", request_.warp), arg("pass", request_.pass),
                arg("launch", request_.launch + 1));
        for (const std::string& part : page_.wrapped(who, kLabelText, page_.room())) {
            page_.text({page_.left(), y}, part, kLabelText);
            y += s(19);
        }
        return y + s(6);
    }

    // "buf[32…63]", "flag[0]": the elements that lie in a row.
    std::string row_name(std::uint64_t row) const {
        const std::uint64_t size = std::uint64_t{columns_} * word_bytes(request_);
        const std::uint64_t first = std::max(row * size, request_.array_first);
        const std::uint64_t end = std::min((row + 1) * size, request_.array_end);
        const std::uint64_t element = std::max(request_.element_bytes, 1U);
        if (end <= first) return request_.array;
        const std::uint64_t from = (first - request_.array_first) / element;
        const std::uint64_t to = (end - request_.array_first - 1) / element;
        return from == to ? fmt::format("{}[{}]", request_.array, from)
                          : fmt::format("{}[{}…{}]", request_.array, from, to);
    }

    void place() {
        for (const auto& [number, word] : words_)
            if (rows_.empty() || rows_.back() != number / columns_)
                rows_.push_back(number / columns_);
        left_out_ = rows_.size() > kMostBankRows ? rows_.size() - kMostBankRows : 0;
        rows_.resize(rows_.size() - left_out_);
        float names = page_.width(tr_(local_ ? "banks.bank" : "banks.sector_word"), kSmallText);
        names = std::max(names, page_.width(tr_("banks.turns_label"), kSmallText));
        for (const std::uint64_t row : rows_)
            names = std::max(names, page_.width(row_name(row), kCodeText));
        left_ = page_.left() + names + s(14);
        gap_ = local_ ? 0 : s(8);
        const std::uint32_t sectors = columns_ / per_sector_;  // in a row
        const float gaps = gap_ * static_cast<float>(sectors - 1);
        pitch_ = std::clamp((page_.right() - left_ - gaps) / static_cast<float>(columns_),
                            s(kLeastBankCell), s(kWidestBankCell));
    }

    float x_of(std::uint64_t column) const {
        const std::uint64_t sector = column / per_sector_;
        return left_ + static_cast<float>(column) * pitch_ + gap_ * static_cast<float>(sector);
    }

    float add_captions_at(float y) {
        if (local_) {
            page_.text({left_ - s(14), y + s(8)}, tr_("banks.bank"), kSmallText.at(Anchor::end));
            for (std::uint32_t bank = 0; bank < columns_; ++bank)
                page_.text({x_of(bank) + pitch_ / 2, y + s(8)}, std::to_string(bank),
                           kCodeText.sized(11).in(Role::muted).at(Anchor::middle));
            return y + s(20);
        }
        for (std::uint32_t first = 0; first < columns_; first += per_sector_)
            page_.text({(x_of(first) + x_of(first + per_sector_ - 1) + pitch_) / 2, y + s(8)},
                       tr_("banks.sector", arg("n", first / per_sector_),
                           arg("bytes", request_.sector_bytes)),
                       kCaptionText.at(Anchor::middle));
        return y + s(22);
    }

    float add_rows(float y) {
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            if (i > 0 && rows_[i] != rows_[i - 1] + 1) y = add_untouched(i, y);
            add_row(rows_[i], y);
            y += s(kBankCellHeight + 3);
        }
        if (left_out_ == 0) return y;
        page_.text({left_, y + s(10)}, tr_("banks.left_out", arg("rows", left_out_)), kLabelText);
        return y + s(24);
    }

    // Three dots for rows that nobody touches.
    float add_untouched(std::size_t i, float y) {
        const std::uint64_t rows = rows_[i] - rows_[i - 1] - 1;
        const float x = x_of(0) + pitch_ / 2;
        for (const float at : {3.0F, 8.0F, 13.0F})
            page_.scene.add(disc({x, y + s(at)}, s(1.5F), Role::idle),
                            tr_("banks.untouched", arg("rows", rows)));
        page_.text({x_of(1), y + s(8)}, tr_("banks.untouched", arg("rows", rows)), kSmallText);
        return y + s(20);
    }

    bool fetched(std::uint64_t number) const {
        const std::uint64_t first = number / per_sector_ * per_sector_;
        const auto position = words_.lower_bound(first);
        return position != words_.end() && position->first < first + per_sector_;
    }

    void add_row(std::uint64_t row, float y) {
        page_.text({left_ - s(14), y + s(kBankCellHeight) / 2}, row_name(row),
                   kCodeText.in(Role::muted).at(Anchor::end));
        for (std::uint32_t column = 0; column < columns_; ++column) {
            const std::uint64_t number = row * columns_ + column;
            const std::uint64_t byte = number * word_bytes(request_);
            if (byte >= request_.array_end || byte + word_bytes(request_) <= request_.array_first)
                continue;
            const auto found = words_.find(number);
            if (found != words_.end())
                add_word(number, found->second, y);
            else
                add_blank(number, y);
        }
        if (local_) return;
        for (std::uint32_t first = 0; first < columns_; first += per_sector_) {
            if (!fetched(row * columns_ + first)) continue;
            Rect frame =
                box(x_of(first) - s(1), y - s(1), pitch_ * static_cast<float>(per_sector_) + s(1),
                    s(kBankCellHeight + 2), Role::none);
            frame.stroke = {Role::barrier, 2, Dash::solid};
            frame.radius = s(3);
            page_.scene.add(frame, tr_("banks.tip_sector", arg("bytes", request_.sector_bytes)));
        }
    }

    Rect cell(std::uint64_t number, float y, const CellLook& look) const {
        Rect rect =
            box(x_of(number % columns_) + s(1), y, pitch_ - s(2), s(kBankCellHeight), look.fill);
        rect.stroke = {look.edge, look.width, Dash::solid};
        rect.hatch = look.hatch;
        rect.radius = s(2);
        return rect;
    }

    void add_blank(std::uint64_t number, float y) {
        const bool wasted = !local_ && fetched(number);
        wasted_ = wasted_ || wasted;
        page_.scene.add(cell(number, y, wasted ? kFetched : kEmpty),
                        wasted ? tr_("banks.tip_wasted") : std::string());
    }

    void add_word(std::uint64_t number, const Word& word, float y) {
        Rect rect = cell(number, y, kTouched.at(kind()));
        const bool waits = word.of > 1;
        conflict_ = conflict_ || waits;
        shared_ = shared_ || word.lanes.size() > 1;
        if (waits) rect.stroke = {Role::barrier, 2, Dash::solid};
        page_.scene.add(rect, tip(number, word));
        const std::string lanes = lanes_text(word);
        const float x = rect.x + rect.width / 2, wide = rect.width - s(5);
        const float fits = 12 * std::min(1.0F, wide / page_.width(lanes, kCodeText));
        page_.text({x, y + s(kBankCellHeight) / 2},
                   fits >= 9 ? lanes : fmt::format("{}×", word.lanes.size()),
                   kCodeText.sized(std::max(fits, 9.0F)).at(Anchor::middle), tip(number, word));
        if (waits) add_turn(rect, word.turn);
    }

    // A flag in the corner, for a word that is served after others of its bank.
    void add_turn(const Rect& rect, std::uint32_t turn) {
        if (turn == 1) return;
        const float size = s(9);
        page_.scene.add(polygon({{rect.x + rect.width - size, rect.y},
                                 {rect.x + rect.width, rect.y},
                                 {rect.x + rect.width, rect.y + size}},
                                Role::barrier));
    }

    std::string tip(std::uint64_t number, const Word& word) const {
        const std::string who =
            word.lanes.size() == 1
                ? tr_("banks.tip_lane", arg("lane", word.lanes.front()),
                      arg("item", request_.space.item_name(word.items.front())))
                : tr_("banks.tip_lanes", arg("count", word.lanes.size()),
                      arg("first", word.lanes.front()), arg("last", word.lanes.back()));
        const std::uint64_t byte = number * word_bytes(request_) - request_.array_first;
        const std::string where =
            fmt::format("{}[{}]", request_.array, byte / std::max(request_.element_bytes, 1U));
        if (!local_) return where + ": " + who;
        return where + ": " + who + "; " +
               tr_("banks.tip_turn", arg("bank", number % columns_), arg("turn", word.turn),
                   arg("of", word.of));
    }

    // Below each bank a bar of the turns that it takes.
    float add_turns(float y) {
        std::vector<std::uint32_t> turns(columns_);
        for (const auto& [number, word] : words_)
            turns[number % columns_] = word.of;
        const std::uint32_t most = *std::max_element(turns.begin(), turns.end());
        const float step = std::min(s(9), s(54) / static_cast<float>(std::max(most, 1U)));
        y += s(10);
        page_.text({left_ - s(14), y + s(8)}, tr_("banks.turns_label"), kSmallText.at(Anchor::end));
        for (std::uint32_t bank = 0; bank < columns_; ++bank) {
            const std::uint32_t count = turns[bank];
            const bool dear = count > 1;
            page_.text({x_of(bank) + pitch_ / 2, y + s(8)}, std::to_string(count),
                       kCodeText.in(dear ? Role::barrier_text : Role::muted).at(Anchor::middle));
            if (count == 0) continue;
            Rect bar =
                box(x_of(bank) + s(3), y + s(20), pitch_ - s(6), step * static_cast<float>(count),
                    dear ? Role::barrier : Role::idle_fill);
            if (!dear) bar.stroke = {Role::idle, 1, Dash::solid};
            page_.scene.add(bar, tr_("banks.tip_bank", arg("bank", bank), arg("turns", count)));
            for (std::uint32_t turn = 1; turn < count && step > 3; ++turn) {
                const float at = bar.y + step * static_cast<float>(turn);
                page_.scene.add(
                    line({bar.x, at}, {bar.x + bar.width, at}, {Role::panel, 1, Dash::solid}));
            }
        }
        return y + s(26) + step * static_cast<float>(most);
    }

    std::vector<LegendEntry> legend() const {
        constexpr std::array<const char*, 3> kWords{"banks.legend_read", "banks.legend_write",
                                                    "banks.legend_atomic"};
        std::vector<LegendEntry> entries;
        const float scale = s(1);
        const auto add = [&](const char* key, CellLook look, const std::string& number, bool flag) {
            const Page& page = page_;
            entries.push_back(
                {tr_(key), [look, number, flag, scale, &page](Scene& scene, const Box& at) {
                     Rect rect =
                         box(at.left, at.top, at.right - at.left, at.bottom - at.top, look.fill);
                     rect.stroke = {look.edge, look.width, Dash::solid};
                     rect.hatch = look.hatch;
                     rect.radius = 2 * scale;
                     scene.add(rect);
                     const float size = 11 * scale;
                     if (!number.empty())
                         scene.add(Text{(at.left + at.right) / 2,
                                        (at.top + at.bottom) / 2 +
                                            page.fonts().cap_height(size, Face::mono) / 2,
                                        number, size, Face::mono, Role::text, Anchor::middle});
                     if (flag)
                         scene.add(polygon({{at.right - 9 * scale, at.top},
                                            {at.right, at.top},
                                            {at.right, at.top + 9 * scale}},
                                           Role::barrier));
                 }});
        };
        const CellLook touched = kTouched.at(kind());
        const CellLook waits{touched.fill, Role::barrier, 2, false};
        add(kWords.at(kind()), touched, "5", false);
        if (shared_) add("banks.legend_shared", touched, "0–3", false);
        if (conflict_) {
            add("banks.legend_conflict", waits, "5", false);
            add("banks.legend_later", waits, "6", true);
        }
        if (!local_) add("banks.legend_sector", {Role::none, Role::barrier, 2, false}, "", false);
        if (wasted_) add("banks.legend_wasted", kFetched, "", false);
        return entries;
    }

    const analysis::RequestDetail& request_;
    const RunSubject& subject_;
    const Translations& tr_;
    Page page_;
    const Words words_;
    const bool local_;
    const std::uint32_t columns_, per_sector_;  // words in a row, and in a sector
    std::vector<std::uint64_t> rows_;
    std::size_t left_out_ = 0;
    float left_ = 0, pitch_ = 0, gap_ = 0;
    bool conflict_ = false, shared_ = false, wasted_ = false;
};

}  // namespace

Scene bank_figure(const analysis::RequestDetail& request, const RunSubject& subject,
                  const FigureOptions& options, const Fonts& fonts, const Translations& tr) {
    return BankFigure(request, subject, options, fonts, tr).make();
}

}  // namespace lab::figures
