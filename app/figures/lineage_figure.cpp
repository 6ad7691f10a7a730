#include "figures/lineage_figure.h"

#include <algorithm>
#include <queue>
#include <tuple>

#include <fmt/format.h>

#include "base/ranges.h"
#include "figures/chart.h"
#include "figures/pass_text.h"
#include "figures/run_text.h"
#include "figures/scene.h"

namespace lab::figures {
namespace {

using analysis::TreeNode;
using fmt::arg;

constexpr float kLeastLeaf = 29, kWidestLeaf = 130, kReadableLeaf = 58;  // slots, points at scale 1
constexpr float kLineageCell = 30, kLevel = 58, kPadding = 12;           // heights; beside a value
constexpr std::size_t kMostLeaves = 32;
constexpr TextStyle kNodeText{14, Face::mono, Role::text, Anchor::middle};
constexpr TextStyle kNodeName = kCodeText.sized(11).in(Role::muted).at(Anchor::middle);

// How the cells of a lineage tree look.
constexpr Look kInputCell{Role::panel, Role::text, {Role::border, 1.25F}};
constexpr Look kCombinedCell{Role::wrote_fill, Role::text, {Role::wrote, 1.5F}};
constexpr Look kRightCell{Role::wrote_fill, Role::text, {Role::wrote, 3}};
constexpr Look kWrongCell{Role::race_fill, Role::text, {Role::race, 3}, true};
constexpr Look kAskedCell{Role::act_fill, Role::text, {Role::act, 3}};
constexpr Look kTwiceCell{Role::race_fill, Role::text, {Role::race, 2}, true};
constexpr Look kLostCell{Role::race_fill, Role::text, {Role::race, 2, Dash::dashed}, true};
constexpr Look kUnwrittenCell{Role::race_fill, Role::text, {Role::race, 2, Dash::dotted}, true};

// In a corner of the cell, so that its value stays readable.
void add_cross(Scene& scene, const Box& cell) {
    const Stroke stroke{Role::race, 1.5F};
    const float d = (cell.height()) * 0.28F;
    const float x = cell.right, y = cell.top;
    scene.add(disc({x, y}, d * 1.1F, Role::panel));
    scene.add(line({x - d * 0.6F, y - d * 0.6F}, {x + d * 0.6F, y + d * 0.6F}, stroke));
    scene.add(line({x + d * 0.6F, y - d * 0.6F}, {x - d * 0.6F, y + d * 0.6F}, stroke));
}

// Below `top`: for what is not shown.
Path cut_triangle(Point top, float half, float height) {
    return polygon({top, {top.x + half, top.y + height}, {top.x - half, top.y + height}},
                   Role::act_fill, {Role::act, 1.5F});
}

constexpr std::size_t kMostDepth = 14, kMostRoots = 12;

class Placer {
  public:
    Placer(const analysis::LineageTree& tree, std::size_t most) : tree_(tree), most_(most) {}

    TreePlaces make() {
        const std::size_t shown = std::min(tree_.roots.size(), kMostRoots);
        made_.roots_left_out = tree_.roots.size() - shown;
        for (std::size_t i = 0; i < shown; ++i) {
            made_.roots.push_back(made_.nodes.size());
            add(tree_.roots[i].node, 0);
        }
        std::size_t leaves = shown;
        while (!open_.empty() && leaves < most_) {
            const std::size_t index = std::get<2>(open_.top());
            open_.pop();
            open(index);
            ++leaves;
        }
        for (const std::size_t root : made_.roots)
            place(root);
        return std::move(made_);
    }

  private:
    // What has most below it comes first, then what is nearer to its root, then what is older.
    using Rank = std::tuple<std::uint64_t, std::size_t, std::size_t>;
    struct Less {
        bool operator()(const Rank& a, const Rank& b) const {
            const auto& [leaves_a, depth_a, at_a] = a;
            const auto& [leaves_b, depth_b, at_b] = b;
            return std::tuple(leaves_a, depth_b, at_b) < std::tuple(leaves_b, depth_a, at_a);
        }
    };

    std::size_t add(std::size_t node, std::size_t depth) {
        const TreeNode& tree_node = tree_.nodes[node];
        PlacedNode& placed_node = made_.nodes.emplace_back();
        placed_node.node = node;
        placed_node.depth = depth;
        placed_node.cut = tree_node.kind == TreeNode::Kind::combined;
        made_.depth = std::max(made_.depth, depth);
        if (placed_node.cut && tree_node.left != 0 && depth < kMostDepth)
            open_.emplace(tree_node.leaves, depth, made_.nodes.size() - 1);
        return made_.nodes.size() - 1;
    }

    void open(std::size_t index) {
        const TreeNode& node = tree_.nodes[made_.nodes[index].node];
        const std::size_t depth = made_.nodes[index].depth + 1;
        const std::size_t left = add(node.left, depth), right = add(node.right, depth);
        made_.nodes[index].left = left;
        made_.nodes[index].right = right;
        made_.nodes[index].cut = false;
    }

    // No deeper than kMostDepth.
    float place(std::size_t index) {
        const auto [left, right] = std::pair(made_.nodes[index].left, made_.nodes[index].right);
        if (left == 0) return made_.nodes[index].slot = static_cast<float>(made_.leaves++) + 0.5F;
        const float first = place(left), last = place(right);
        return made_.nodes[index].slot = (first + last) / 2;
    }

    const analysis::LineageTree& tree_;
    const std::size_t most_;
    TreePlaces made_;
    std::priority_queue<Rank, std::vector<Rank>, Less> open_;
};

class LineageFigure {
  public:
    LineageFigure(const analysis::LineageTree& tree, const RunSubject& subject,
                  const FigureOptions& options, const Fonts& fonts, const Translations& tr)
        : tree_(tree), subject_(subject), tr_(tr), page_(options, fonts, tr) {}

    Scene make() {
        float y = page_.heading(subject_, kPageMargin);
        choose();
        y = add_tree(y + s(14));
        y = add_lost(y);
        y = page_.legend(legend(), y + s(10)) + s(10);
        const std::string text = lineage_sentence(tree_, tr_);
        std::string all = verdict();
        all += (all.empty() ? "" : tr_("figure.stop") + tr_("figure.space")) + text;
        y = page_.paragraph(places_.roots.size() > 1 ? all : text, kSentenceText, y);
        for (const std::string& way : loss_sentences(tree_, tr_)) {
            y = page_.paragraph(way, kSentenceText, y + s(4));
            all += tr_("figure.space") + way;
        }
        return page_.finish(title_of(subject_, tr_) + ": " + tr_("lineage.name"), all);
    }

  private:
    float s(float points) const { return page_.s(points); }
    const TreeNode& node(const PlacedNode& placed_node) const {
        return tree_.nodes[placed_node.node];
    }

    std::string verdict() const {
        if (!tree_.judged) return {};
        if (tree_.right)
            return right_text(tree_.result, tree_.exactness, tree_.roots.size() > 1, tr_);
        return tr_("figure.wrong", arg("result", tree_.result), arg("expected", tree_.expected));
    }

    void choose() {
        const auto fitting = static_cast<std::size_t>(page_.room() / s(kLeastLeaf));
        places_ = place_tree(tree_, std::min(kMostLeaves, std::max<std::size_t>(fitting, 4)));
        // Fewer leaves where their values would not be readable.
        const float needed = std::min(leaf_width(), s(kReadableLeaf));
        if (needed * static_cast<float>(places_.leaves) > page_.room())
            places_ = place_tree(tree_, static_cast<std::size_t>(page_.room() / needed));
        const auto slots = static_cast<float>(std::max<std::size_t>(places_.leaves, 1));
        slot_ = std::clamp(page_.room() / slots, s(kLeastLeaf), s(kWidestLeaf));
        float widest = 0, names = 0;
        for (const PlacedNode& placed_node : places_.nodes) {
            if (placed_node.left == 0)
                widest = std::max(widest, page_.width(shown(node(placed_node)), kNodeText));
            names = std::max(names, page_.width(node(placed_node).name, kCodeText.sized(11)));
        }
        // No wider than what stands in it needs, as far as names leave it.
        const float wanted = std::max({widest + s(kPadding + 6), names + s(8), s(kLeastLeaf)});
        slot_ = std::min(slot_, wanted);
        bare_ = names + s(4) > slot_;
    }

    // That the values of all leaves would fit into, at the least size.
    float leaf_width() const {
        float widest = 0;
        for (const PlacedNode& leaf : places_.nodes)
            if (leaf.left == 0)
                widest = std::max(widest, page_.width(shown(node(leaf)), kNodeText.sized(10)));
        return widest + s(9);
    }

    static std::string shown(const TreeNode& node) {
        return node.kind == TreeNode::Kind::unwritten ? "?" : node.value;
    }

    float x_of(const PlacedNode& node) const { return left_ + node.slot * slot_; }
    // Inputs all stand at the bottom.
    float y_of(const PlacedNode& node) const {
        const bool bottom = node.left == 0 && !node.cut;
        const auto depth = static_cast<float>(bottom ? places_.depth : node.depth);
        return top_ + s(kLineageCell) / 2 + depth * s(kLevel);
    }
    bool is_root(std::size_t index) const { return contains(places_.roots, index); }

    float add_tree(float y) {
        const bool several = places_.roots.size() > 1;
        top_ = y + s(20);
        const float tree = slot_ * static_cast<float>(places_.leaves);
        left_ = page_.left() + std::max(0.0F, (s(120) - tree) / 2);
        for (const PlacedNode& node : places_.nodes)
            add_edges(node);
        for (std::size_t index = 0; index < places_.nodes.size(); ++index)
            add_node(index);
        const float bottom = top_ + static_cast<float>(places_.depth) * s(kLevel) + s(kLineageCell);
        if (several && places_.roots_left_out > 0)
            page_.text({left_ + tree + s(8), top_ + s(kLineageCell) / 2},
                       tr_("lineage.more_roots", arg("count", places_.roots_left_out)), kLabelText);
        const bool cut_at_bottom = any_of(places_.nodes, [&](const auto& node) {
            return node.cut && node.depth == places_.depth;
        });
        return bottom + s(cut_at_bottom ? 58 : 30);
    }

    void add_edges(const PlacedNode& node) {
        if (node.left == 0) return;
        const Point from{x_of(node), y_of(node)};
        for (const std::size_t part : {node.left, node.right}) {
            const PlacedNode& below = places_.nodes[part];
            const Point to{x_of(below), y_of(below)};
            const float turn = from.y + s(kLevel);  // where the next level is
            const Stroke stroke{Role::act, 2};
            page_.scene.add(arc(from, {to.x, turn}, stroke));
            if (to.y > turn) page_.scene.add(line({to.x, turn}, to, stroke));
        }
    }

    Look look_of(std::size_t index) const {
        const TreeNode& tree_node = node(places_.nodes[index]);
        if (is_root(index))
            return !tree_.judged ? kAskedCell : tree_.right ? kRightCell : kWrongCell;
        if (tree_node.kind == TreeNode::Kind::unwritten) return kUnwrittenCell;
        if (tree_node.kind == TreeNode::Kind::combined) return kCombinedCell;
        return tree_node.times > 1 && !tree_.chooses ? kTwiceCell : kInputCell;
    }

    void add_node(std::size_t index) {
        const PlacedNode& place = places_.nodes[index];
        const TreeNode& tree_node = node(place);
        const Point middle{x_of(place), y_of(place)};
        const std::string value = shown(tree_node);
        if (value.empty() && tree_node.kind == TreeNode::Kind::combined && !is_root(index)) {
            page_.scene.add(disc(middle, s(6), Role::wrote), tip(tree_node));
            if (place.cut) add_triangle(middle, s(6), tree_node);
            return;
        }
        const bool single = is_root(index) && places_.roots.size() == 1;
        const bool inner = place.left != 0;
        const float most = single ? s(220) : inner ? slot_ * 1.8F : slot_ - s(4);
        const float wide =
            std::clamp(page_.width(value, kNodeText) + s(kPadding), std::min(s(26), most), most);
        const Box cell{middle.x - wide / 2, middle.y - s(kLineageCell) / 2, middle.x + wide / 2,
                       middle.y + s(kLineageCell) / 2};
        page_.scene.add(box(cell, look_of(index), s(4)), tip(tree_node));
        float size = 14;
        const float text = page_.width(value, kNodeText);
        if (text > wide - s(5)) size = std::max(10.0F, size * (wide - s(5)) / text);
        page_.fitted_value(middle, value, kNodeText.sized(size), wide - s(4), tip(tree_node));
        if (is_root(index)) add_root(index, cell);
        if (tree_node.kind == TreeNode::Kind::input) add_input_words(tree_node, middle.x, cell);
        if (place.cut) add_triangle({middle.x, cell.bottom}, 0, tree_node);
    }

    void add_root(std::size_t index, const Box& cell) {
        const float x = cell.middle().x;
        // The result needs no number to be told from arrays of its name in other launches.
        std::string name = tree_.roots[position_of(places_.roots, index)].cell;
        const std::size_t mark = name.find('#');
        if (tree_.judged && mark != std::string::npos) name.erase(mark, name.find('[') - mark);
        const TextStyle style = kCodeText.in(Role::muted).at(Anchor::middle);
        const float room = places_.roots.size() > 1 ? leaves_of(index) * slot_ - s(4) : s(400);
        if (page_.width(name, style) <= room)
            page_.text({std::max(x, page_.left() + page_.width(name, style) / 2), cell.top - s(11)},
                       name, style);
        if (!tree_.judged || places_.roots.size() > 1) return;
        const float y = cell.middle().y;
        const TextStyle style_of = kTitleText.in(tree_.right ? Role::wrote : Role::race);
        const float wide = s(34) + page_.width(verdict(), style_of);
        // Before the root where there is no room behind it.
        const bool before = cell.right + wide > page_.right() && cell.left - wide > page_.left();
        const float left = before ? cell.left - wide - s(10) : cell.right;
        add_badge(page_.scene, {left + s(18), y}, s(8), tree_.right);
        page_.text({left + s(34), y}, verdict(), style_of);
    }

    float leaves_of(std::size_t index) const {
        const PlacedNode& node = places_.nodes[index];
        return node.left == 0 ? 1 : leaves_of(node.left) + leaves_of(node.right);
    }

    void add_input_words(const TreeNode& node, float x, const Box& cell) {
        std::string name = node.name;
        if (bare_) {
            const std::size_t from = name.find('[') + 1;
            name = name.substr(from, name.find(']') - from);
        }
        page_.fitted({x, cell.bottom + s(11)}, name, kNodeName, slot_ - s(2), tip(node));
        if (node.times < 2) return;
        repeated_ = true;
        page_.text({x, cell.bottom + s(27)},
                   node.times == analysis::kCountless ? "∞×" : fmt::format("{}×", node.times),
                   kCaptionText.in(tree_.chooses ? Role::muted : Role::race).at(Anchor::middle),
                   tip(node));
    }

    static std::string leaves_text(const TreeNode& node) {
        return node.leaves == analysis::kCountless ? "∞" : std::to_string(node.leaves);
    }
    // For what is not shown: the inputs below, and how many they are.
    void add_triangle(Point top, float below, const TreeNode& node) {
        cut_ = true;
        const float half = std::min(slot_ / 2 - s(2), s(18));
        page_.scene.add(cut_triangle({top.x, top.y + below}, half, s(20)), tip(node));
        const std::string count = leaves_text(node);
        page_.fitted({top.x, top.y + below + s(30)}, count, kNodeName, slot_ - s(2), tip(node));
    }

    std::string tip(const TreeNode& node) const {
        const std::string value = node.value.empty() ? tr_("lineage.in_registers") : node.value;
        switch (node.kind) {
            case TreeNode::Kind::unwritten:
                return tr_("lineage.legend_unwritten");
            case TreeNode::Kind::input:
                return fmt::format("{} = {}", node.name, value) +
                       (node.times > 1 ? tr_("figure.comma") + times_text(node.times, tr_) : "");
            case TreeNode::Kind::combined:
                return tr_("lineage.tip_combined", arg("value", value),
                           arg("count", leaves_text(node)));
            case TreeNode::Kind::none:
                return tr_("lineage.tip_none", arg("value", value));
        }
        return {};
    }

    // Inputs that should be in the result and are not, as far as a row goes.
    float add_lost(float y) {
        if (tree_.lost.empty()) return y;
        y += s(6);
        page_.text({page_.left(), y + s(8)}, tr_("lineage.lost", arg("count", tree_.lost.size())),
                   kTitleText.in(Role::race));
        y += s(30);
        float widest = s(34);
        for (const analysis::LostInput& lost : tree_.lost)
            widest = std::max({widest, page_.width(lost.name, kCodeText.sized(11)) + s(10),
                               page_.width(lost.value, kNodeText) + s(kPadding + 8)});
        widest = std::min(widest, s(110));
        const float more = s(90);
        const auto fitting = static_cast<std::size_t>((page_.room() - more) / widest);
        const std::size_t shown = std::min(tree_.lost.size(), std::max<std::size_t>(fitting, 1));
        for (std::size_t i = 0; i < shown; ++i)
            add_lost_cell(tree_.lost[i], page_.left() + static_cast<float>(i) * widest, widest, y);
        if (shown < tree_.lost.size())
            page_.text(
                {page_.left() + static_cast<float>(shown) * widest + s(6), y + s(kLineageCell) / 2},
                tr_("lineage.more_lost", arg("count", tree_.lost.size() - shown)), kLabelText);
        return y + s(kLineageCell + 28);
    }

    void add_lost_cell(const analysis::LostInput& lost, float x, float wide, float y) {
        const Box cell{x + s(1), y, x + wide - s(9), y + s(kLineageCell)};
        const std::string words =
            fmt::format("{} = {}: {}", lost.name, lost.value, tr_("lineage.legend_lost"));
        page_.scene.add(box(cell, kLostCell, s(4)), words);
        const float middle = cell.middle().x;
        page_.fitted_value({middle, y + s(kLineageCell) / 2}, lost.value, kNodeText,
                           cell.width() - s(6), words);
        add_cross(page_.scene, cell);
        page_.fitted({middle, cell.bottom + s(11)}, lost.name, kNodeName.in(Role::race),
                     wide - s(2), words);
    }

    bool any(TreeNode::Kind kind, bool with_value) const {
        for (std::size_t index = 0; index < places_.nodes.size(); ++index) {
            const TreeNode& tree_node = node(places_.nodes[index]);
            if (tree_node.kind == kind && !is_root(index) && tree_node.value.empty() != with_value)
                return true;
        }
        return false;
    }

    std::vector<LegendEntry> legend() const {
        std::vector<LegendEntry> entries;
        const auto add = [&](bool there, const char* key,
                             std::function<void(Scene&, const Box&)> swatch) {
            if (there) entries.push_back({tr_(key), std::move(swatch)});
        };
        const float scale = s(1);
        const auto cell = [&](bool there, const char* key, const Look& look, bool crossed = false) {
            add(there, key, [look, crossed, scale](Scene& scene, const Box& at) {
                const Box cell_box{at.left + 1, at.top + 1, at.right - 3 * scale, at.bottom - 1};
                scene.add(box(cell_box, look, 3 * scale));
                if (crossed) add_cross(scene, cell_box);
            });
        };
        cell(any(TreeNode::Kind::input, true),
             bare_ ? "lineage.legend_input_index" : "lineage.legend_input", kInputCell);
        cell(any(TreeNode::Kind::combined, true), "lineage.legend_combined", kCombinedCell);
        add(any(TreeNode::Kind::combined, false), "lineage.legend_registers",
            [scale](Scene& scene, const Box& at) {
                scene.add(disc(at.middle(), 6 * scale, Role::wrote));
            });
        add(places_.nodes.size() > places_.roots.size(), "figure.legend_arc",
            [](Scene& scene, const Box& at) {
                const float x = at.middle().x;
                scene.add(arc({x + 6, at.top}, {x - 6, at.bottom}, {Role::act, 2}));
            });
        cell(!tree_.judged, "lineage.legend_asked", kAskedCell);
        cell(repeated_, "lineage.legend_twice", tree_.chooses ? kInputCell : kTwiceCell);
        cell(tree_.unwritten > 0, "lineage.legend_unwritten", kUnwrittenCell);
        cell(!tree_.lost.empty(), "lineage.legend_lost", kLostCell, true);
        add(cut_, "lineage.legend_cut", [scale](Scene& scene, const Box& at) {
            scene.add(cut_triangle({at.middle().x, at.top}, 9 * scale, at.height() - 1));
        });
        return entries;
    }

    const analysis::LineageTree& tree_;
    const RunSubject& subject_;
    const Translations& tr_;
    Page page_;
    TreePlaces places_;
    float slot_ = 0, left_ = 0, top_ = 0;
    bool bare_ = false, cut_ = false, repeated_ = false;
};

constexpr float kAccountCell = 30, kAccountGap = 6, kWord = 15;
constexpr std::size_t kMostCells = 256;

struct AccountLook {
    Look cell;
    const char* word = nullptr;  // a translation
};

AccountLook account_look(const analysis::CellCoverage::Input& input,
                         const AccountFigureOptions& options) {
    if (input.times == 1 || (input.times > 1 && options.chooses))
        return {{Role::wrote_fill, Role::text, {Role::wrote, 1.75F}}};
    if (input.times > 1)
        return {{Role::race_fill, Role::text, {Role::race, 1.75F}}, "account.twice"};
    if (options.whole)
        return {{Role::race_fill, Role::text, {Role::race, 1.75F, Dash::dashed}, true},
                "account.lost"};
    return {{Role::background, Role::muted, {Role::idle_fill, 1}}};
}

}  // namespace

TreePlaces place_tree(const analysis::LineageTree& tree, std::size_t most_leaves) {
    return Placer(tree, most_leaves).make();
}

Scene lineage_figure(const analysis::LineageTree& tree, const RunSubject& subject,
                     const FigureOptions& options, const Fonts& fonts, const Translations& tr) {
    return LineageFigure(tree, subject, options, fonts, tr).make();
}

Scene account_figure(const analysis::CellCoverage& account, const AccountFigureOptions& options,
                     const Fonts& fonts, const Translations& tr) {
    Page page(options.figure, fonts, tr);
    float widest = page.s(26);
    for (const analysis::CellCoverage::Input& input : account.inputs)
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
        const analysis::CellCoverage::Input& input = account.inputs[i];
        const auto [look, word] = account_look(input, options);
        const float x = page.left() + static_cast<float>(i % columns) * step;
        const float top = y + static_cast<float>(i / columns) * page.s(kAccountCell + kWord + 6);
        const std::string tip =
            fmt::format("{} = {}{}", input.name, input.value,
                        input.times > 1 ? fmt::format(" × {}", input.times) : "");
        page.scene.add(box(x, top, widest, page.s(kAccountCell), look, page.s(4)), tip,
                       options.row ? fmt::format("cell 0 {}", i) : std::string());
        page.fitted_value({x + widest / 2, top + page.s(kAccountCell) / 2}, input.value,
                          TextStyle{13, Face::mono, look.text, Anchor::middle}, widest - page.s(4),
                          tip);
        if (word != nullptr)
            page.fitted({x + widest / 2, top + page.s(kAccountCell + 9)},
                        tr(word, arg("times", input.times)),
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
