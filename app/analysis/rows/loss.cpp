#include "analysis/rows/loss.h"

#include <algorithm>
#include <bit>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "analysis/rows/pass_numbers.h"
#include "analysis/rows/trace_walk.h"

namespace lab::analysis {
namespace {

using machine::Access;
using machine::Action;
using machine::ActionKind;
using machine::Lineage;
using machine::Node;

constexpr std::size_t kMostRounds = 16;

// A store or load of a cell, or the exchange that an atomic is.
struct LossTouch {
    std::uint64_t time = 0, item = 0;
    Node node = 0;  // of what was read or written
};

// The nodes that went into those given, kUnwritten apart.
struct Reach {
    std::vector<bool> nodes;
    bool unwritten = false;

    Reach(const Lineage& lineage, std::vector<Node> left) : nodes(lineage.size()) {
        while (!left.empty()) {
            const Node node = left.back();
            left.pop_back();
            if (node == machine::kUnwritten) unwritten = true;
            if (node == 0 || node == machine::kUnwritten || nodes[node]) continue;
            nodes[node] = true;
            if (lineage[node].is_input) continue;
            left.push_back(lineage[node].left);
            left.push_back(lineage[node].right);
        }
    }
    // Whether a load of this may have fed the result; of a constant nobody knows.
    bool feeds(Node node) const {
        return node == machine::kUnwritten ? unwritten : node == 0 || nodes[node];
    }
};

class Tracer {
  public:
    Tracer(const machine::Run& run, std::span<const Ingredient> missing)
        : run_(run), missing_(missing), numbers_(run) {
        for (std::size_t i = 0; i < missing_.size(); ++i)
            lost_[{missing_[i].buffer, missing_[i].index}] |= std::uint64_t{1} << i;
        holds_.resize(run.machine().lineage().size());
        const Lineage& lineage = run.machine().lineage();
        for (Node node = 1; node < holds_.size(); ++node) {  // parts are older than the whole
            const machine::Origin& origin = lineage[node];
            const auto own = lost_.find({origin.buffer, origin.index});
            holds_[node] = !origin.is_input     ? holds(origin.left) | holds(origin.right)
                           : own != lost_.end() ? own->second
                                                : 0;
        }
        made_.resize(missing_.size());
        for (std::size_t i = 0; i < missing_.size(); ++i)
            made_[i].input = missing_[i];
    }

    std::vector<Loss> trace(std::span<const MemoryCell> result) {
        forward();
        std::vector<Node> roots;
        for (const MemoryCell& cell : result) {
            const auto found = contents_of(run_.machine(), run_.end(), cell);
            if (found) roots.push_back(found->node);
            result_.insert(key(cell));
            blame(cell, {run_.trace().size(), 0, 0}, false);
        }
        // What is not explained by that may have been lost on its way to a store that came too
        // late itself: so whatever else was stored to the cells that were read counts, too.
        for (std::size_t round = 0; round < kMostRounds; ++round) {
            const std::size_t known = widened_.size();
            backward(Reach(run_.machine().lineage(), roots));
            if (found_ == all()) break;
            widened_.insert(read_.begin(), read_.end());
            if (widened_.size() == known) break;
            for (const Key cell : read_)
                for (const LossTouch& each : stores_[cell])
                    roots.push_back(each.node);
            read_.clear();
            guesses_ = false;
        }
        for (std::size_t i = 0; i < made_.size(); ++i)
            if (((found_ | guessed_) >> i & 1U) == 0) last_seen(i);
        return std::move(made_);
    }

  private:
    using Key = std::uint64_t;
    struct Seen {
        LossTouch touch;
        MemoryCell cell;
        bool stored = false;
    };

    std::uint64_t holds(Node node) const { return node == machine::kUnwritten ? 0 : holds_[node]; }

    Key key(const MemoryCell& cell) {
        const auto [at, news] =
            arrays_.try_emplace({cell.local, cell.launch, cell.group, cell.array}, arrays_.size());
        return std::uint64_t{at->second} << 32U | cell.index;
    }

    template <typename Each>
    void for_accesses(const Action& action, Each each) const {
        analysis::for_accesses(run_.trace(), run_.machine().context(action.launch), action, each);
    }

    bool is_constant(const Action& action) const {
        return run_.machine().context(action.launch).objects[action.object].space ==
               machine::Space::constant;
    }

    // All stores of each cell, and the last that was seen of each input.
    void forward() {
        const machine::Trace& trace = run_.trace();
        for (std::uint64_t time = 0; time < trace.size(); ++time) {
            const Action& action = trace.action(time);
            if (action.count == 0 || is_constant(action)) continue;
            for_accesses(action, [&](std::uint64_t item, const Access& access) {
                const MemoryCell cell = cell_of(run_.machine(), action, access);
                const LossTouch touch{time, item, access.node};
                const bool stores = action.kind != ActionKind::load;
                if (stores) add_store(cell, touch, action.kind);
                std::uint64_t seen = holds(access.node);
                if (seen != 0 && last_.empty()) last_.resize(made_.size());
                for (; seen != 0; seen &= seen - 1)
                    last_[static_cast<unsigned>(std::countr_zero(seen))] = {touch, cell, stores};
            });
        }
    }

    void add_store(const MemoryCell& cell, const LossTouch& touch, ActionKind kind) {
        const Key at = key(cell);
        std::vector<LossTouch>& stores = stores_[at];
        // A compare-exchange that failed stored nothing.
        if (kind == ActionKind::atomic && !stores.empty() && stores.back().node == touch.node)
            return;
        stores.push_back(touch);
        ever_[at] |= holds(touch.node);
    }

    // From the last action to the first: which cells and work-items the result still waits for.
    void backward(const Reach& reach) {
        const machine::Trace& trace = run_.trace();
        std::uint32_t launch = ~0U;
        wanted_ = result_;
        for (std::uint64_t time = trace.size(); time-- > 0 && found_ != all();) {
            const Action& action = trace.action(time);
            if (action.launch != launch) {  // work-items begin again
                items_.clear();
                groups_.clear();
                launch = action.launch;
            }
            if (action.kind == ActionKind::collective) exchange(action);
            if (action.count == 0 || is_constant(action)) continue;
            for_accesses(action, [&](std::uint64_t item, const Access& access) {
                const MemoryCell cell = cell_of(run_.machine(), action, access);
                if (action.kind == ActionKind::load)
                    load(cell, {time, item, access.node}, reach);
                else
                    store(cell, {time, item, access.node}, action);
            });
        }
    }

    void store(const MemoryCell& cell, const LossTouch& touch, const Action& action) {
        const Key at = key(cell);
        if (!wanted_.contains(at) && !widened_.contains(at)) return;
        items_.insert(touch.item);
        groups_.insert(action.group);
        if (action.kind == ActionKind::store) wanted_.erase(at);  // an atomic reads, too
    }

    void load(const MemoryCell& cell, const LossTouch& touch, const Reach& reach) {
        if (!items_.contains(touch.item) || !reach.feeds(touch.node)) return;
        wanted_.insert(key(cell));
        read_.insert(key(cell));
        blame(cell, touch, true);
    }

    // What one item of a group gave, all of them may have.
    void exchange(const Action& action) {
        if (!groups_.contains(action.group)) return;
        const machine::Context& context = run_.machine().context(action.launch);
        for (std::uint64_t lanes = action.mask; lanes != 0; lanes &= lanes - 1)
            items_.insert(std::uint64_t{action.group} * context.local +
                          std::uint64_t{action.warp} * context.lanes +
                          static_cast<unsigned>(std::countr_zero(lanes)));
    }

    // `read` fed the result with what `cell` held, which was none of the inputs in question: if
    // the cell held one at another time, that is how it was lost. `is_read`: not only the result.
    void blame(const MemoryCell& cell, const LossTouch& read, bool is_read) {
        const Key at = key(cell);
        const auto ever = ever_.find(at);
        std::uint64_t held = (ever == ever_.end() ? 0 : ever->second) | from_start(cell);
        held &= ~holds(read.node) & ~found_;
        for (; held != 0; held &= held - 1) {
            const auto i = static_cast<unsigned>(std::countr_zero(held));
            const std::uint64_t bit = std::uint64_t{1} << i;
            const Story story = story_of(cell, bit, read, is_read);
            if (story.over == nullptr && story.late == nullptr) continue;
            if (!story.raced && (!guesses_ || (guessed_ & bit) != 0)) continue;
            (story.raced ? found_ : guessed_) |= bit;
            add_loss(cell, story, read, is_read, made_[i]);
        }
    }

    // What became of an input in a cell, before and after a read that did not find it there.
    struct Story {
        const LossTouch* put = nullptr;   // the last that brought it before …
        const LossTouch* over = nullptr;  // … and the one after that took it away
        const LossTouch* late = nullptr;  // the first that brought it after
        bool raced = false;               // nothing but the schedule put these into that order
    };

    Story story_of(const MemoryCell& cell, std::uint64_t bit, const LossTouch& read, bool is_read) {
        Story story;
        bool held = (from_start(cell) & bit) != 0;
        for (const LossTouch& each : stores_[key(cell)]) {
            const bool has = (holds(each.node) & bit) != 0;
            if (each.time > read.time) {
                if (has && story.late == nullptr) story.late = &each;
                continue;
            }
            if (has) story.put = &each;
            if (held && !has) story.over = &each;
            held = has;
        }
        const bool overwritten = story.over != nullptr && story.put != nullptr &&
                                 unordered(cell, *story.put, *story.over);
        const bool early = is_read && story.late != nullptr && unordered(cell, read, *story.late);
        story.raced = overwritten || early;
        if (early && !overwritten) story.over = nullptr;
        return story;
    }

    void add_loss(const MemoryCell& cell, const Story& story, const LossTouch& read, bool is_read,
                  Loss& loss) const {
        loss = {story.over != nullptr ? Loss::Kind::overwritten : Loss::Kind::read_too_early,
                loss.input,
                cell,
                {},
                {},
                {}};
        if (is_read) loss.read = access_ref(read);
        if (story.over != nullptr) loss.overwritten = access_ref(*story.over);
        const LossTouch* stored = story.over != nullptr ? story.put : story.late;
        if (stored != nullptr) loss.stored = access_ref(*stored);
    }

    // Neither program order nor a barrier nor the end of a launch is between them.
    bool unordered(const MemoryCell& cell, const LossTouch& a, const LossTouch& b) const {
        const Action& first = run_.trace().action(a.time);
        const Action& second = run_.trace().action(b.time);
        if (first.launch != second.launch || a.item == b.item) return false;
        if (first.group != second.group) return true;
        return cell.local ? first.epoch_local == second.epoch_local
                          : first.epoch_global == second.epoch_global;
    }

    std::uint64_t from_start(const MemoryCell& cell) const {
        const auto found = cell.local
                               ? lost_.end()
                               : lost_.find({cell.array, static_cast<std::uint32_t>(cell.index)});
        return found == lost_.end() ? 0 : found->second;
    }

    void last_seen(std::size_t i) {
        Loss& loss = made_[i];
        loss.cell.array = loss.input.buffer;
        loss.cell.index = loss.input.index;
        if (last_.empty() || last_[i].touch.node == 0) return;  // never read
        const Seen& last = last_[i];
        loss.cell = last.cell;
        loss.kind = last.stored ? Loss::Kind::last_stored : Loss::Kind::last_read;
        (last.stored ? loss.stored : loss.read) = access_ref(last.touch);
    }

    AccessRef access_ref(const LossTouch& touch) const {
        const Action& action = run_.trace().action(touch.time);
        const auto& places = run_.machine().context(action.launch).code->places;
        return {touch.time, touch.item, action.launch, numbers_.of(action.launch, action.pass),
                places[action.place].line};
    }

    std::uint64_t all() const {
        return ~std::uint64_t{0} >> (64U - std::max<std::size_t>(1, missing_.size()));
    }

    const machine::Run& run_;
    std::span<const Ingredient> missing_;
    PassNumbers numbers_;
    // Bits are inputs that are missing.
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> lost_;  // by buffer and index
    std::vector<std::uint64_t> holds_;                                       // by node
    std::unordered_map<Key, std::uint64_t> ever_;  // at any time but the beginning
    std::uint64_t found_ = 0, guessed_ = 0;  // those that are explained, by a race or otherwise

    std::map<std::tuple<bool, std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> arrays_;
    std::unordered_map<Key, std::vector<LossTouch>> stores_;
    std::vector<Seen> last_;          // by input
    std::unordered_set<Key> result_;  // its cells
    std::unordered_set<Key> wanted_;  // cells whose last store before the action at hand counts …
    std::unordered_set<Key> widened_;  // … and those of which every store does
    std::unordered_set<Key> read_;     // cells that were read for the result
    bool guesses_ = true;              // whether what is no race may be told
    std::unordered_set<std::uint64_t> items_;
    std::unordered_set<std::uint32_t> groups_;
    std::vector<Loss> made_;
};

}  // namespace

std::vector<Loss> losses_of(const machine::Run& run, std::span<const MemoryCell> result,
                            std::span<const Ingredient> missing) {
    if (missing.empty()) return {};
    return Tracer(run, missing.first(std::min(missing.size(), kMostLosses))).trace(result);
}

}  // namespace lab::analysis
