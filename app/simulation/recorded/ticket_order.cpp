#include "simulation/recorded/ticket_order.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "simulation/recorded/ticket_queue.h"

namespace lab::simulation {
namespace {

using lang::RecordedAccess;
using lang::RecordedElement;
using lang::Site;

constexpr std::array<std::uint32_t, 4> kSlacks{0, 64, 4096, UINT32_MAX};
constexpr std::uint64_t kWordBytes = 4;  // in which accesses are said to meet
constexpr unsigned kBlockBit = 40;       // of a word's number: its block stands above its place

bool writes(const Site& site) {
    return site.kind == Site::Kind::store || site.kind == Site::Kind::atomic;
}
bool reads(const Site& site) {
    return site.kind == Site::Kind::load || site.kind == Site::Kind::atomic;
}

// Depth first: what can do no harm is done at once, and where stores are open to choice, one is
// tried after another.
class Search {
  public:
    Search(const std::vector<Site>& sites, const lang::RecordedLaunch& launch,
           const RecordedPlaces& places, std::vector<RecordedMemory> memory, std::uint32_t slack,
           const std::vector<std::vector<std::uint8_t>>& left)
        : sites_(sites),
          launch_(launch),
          places_(places),
          memory_(std::move(memory)),
          queue_(sites, launch, slack),
          left_(left) {
        made_.slack = slack;
        prepare();
    }

    TicketOrder run() {
        const std::uint64_t most_steps = 20 * std::uint64_t{done_.size()} + 1'000'000;
        bool over = false;
        while (!over && steps_ < most_steps) {
            advance();
            if (made_.order.size() == launch_.accesses.size()) {
                made_.found = leaves_what_was_left();
                if (made_.found) break;
                over = !go_back();
                continue;
            }
            std::vector<std::uint32_t> stores = open_stores();
            if (stores.empty()) {
                note_blocked();
                over = !go_back();
                continue;
            }
            const std::uint32_t first = stores.front();
            stores.erase(stores.begin());
            choices_.push_back({made_.order.size(), first, std::move(stores)});
            act(first);
        }
        made_.tried_all = over && !jumped_;
        if (made_.found) count_exchanged();
        return std::move(made_);
    }

    std::vector<RecordedMemory> memory() { return std::move(memory_); }

  private:
    struct Choice {
        std::size_t mark = 0;  // accesses before it
        std::uint32_t taken = 0;
        std::vector<std::uint32_t> rest;
    };
    struct Change {
        std::size_t order = 0;  // the access's place in it
        std::size_t block = 0;
        std::uint64_t offset = 0;
        std::uint8_t value = 0;
        bool known = false;
    };
    struct Met {
        std::vector<std::uint32_t> accesses;
        std::size_t from = 0;  // all before it are done
    };

    const Site& site(std::uint32_t access) const { return sites_[launch_.accesses[access].site]; }

    void prepare() {
        done_.assign(launch_.accesses.size(), false);
        for (std::uint32_t i = 0; i < done_.size(); ++i)
            for (const std::uint64_t word : words(i))
                met_[word].accesses.push_back(i);
    }

    // The words that it touches, each with its block; none where it touches what nobody writes.
    std::vector<std::uint64_t> words(std::uint32_t index) const {
        std::vector<std::uint64_t> all;
        const RecordedAccess& access = launch_.accesses[index];
        if (access.object < 0) return all;
        const std::uint64_t end = access.offset + bytes(index);
        for (std::uint64_t at = access.offset / kWordBytes; at * kWordBytes < end; ++at)
            all.push_back(std::uint64_t{block(access)} << kBlockBit | at);
        return all;
    }

    std::uint64_t bytes(std::uint32_t index) const {
        return std::uint64_t{lang::info(site(index).type).bytes} * site(index).count;
    }

    std::size_t block(const RecordedAccess& access) const {
        const auto object = static_cast<std::size_t>(access.object);
        return places_.blocks[object] + (places_.of_group[object]
                                             ? access.item / launch_.local * places_.per_group
                                             : std::size_t{0});
    }

    // Whether memory holds what it has read; the value there, if not.
    bool matches(std::uint32_t index, std::uint64_t* there = nullptr) const {
        const RecordedAccess& access = launch_.accesses[index];
        if (access.object < 0 || !reads(site(index))) return true;
        const std::size_t size = lang::info(site(index).type).bytes;
        const RecordedMemory& at = memory_[block(access)];
        for (std::size_t i = 0; i < site(index).count; ++i) {
            const std::uint64_t value = launch_.elements[access.first + i].before;
            const std::uint64_t found = at.read(access.offset + i * size, size, value);
            if (found == value) continue;
            if (there != nullptr) *there = found;
            return false;
        }
        return true;
    }

    // Whether somebody else's access to the same words may come before or after it.
    bool is_contested(std::uint32_t index) {
        const RecordedAccess& access = launch_.accesses[index];
        for (const std::uint64_t word : words(index)) {
            Met& met = met_.at(word);
            while (met.from < met.accesses.size() && done_[met.accesses[met.from]])
                ++met.from;
            for (std::size_t i = met.from; i < met.accesses.size(); ++i) {
                const std::uint32_t other = met.accesses[i];
                if (launch_.accesses[other].begin >= queue_.bound(access.end)) break;
                if (!done_[other] && launch_.accesses[other].item != access.item) return true;
            }
        }
        return false;
    }

    // A load of what is there, and a store that nobody else's access can be exchanged with, are in
    // the right place wherever they may come.
    bool is_free(std::uint32_t index) {
        if (!matches(index)) return false;
        return !writes(site(index)) || !is_contested(index);
    }

    void advance() {
        for (bool any = true; any;) {
            any = false;
            for (const std::uint32_t first : queue_.candidates()) {
                const std::uint32_t item = launch_.accesses[first].item;
                while (const auto next = queue_.candidate(item)) {
                    if (!is_free(*next)) break;
                    act(*next);
                    any = true;
                }
            }
        }
    }

    void act(std::uint32_t index) {
        queue_.take(index);
        done_[index] = true;
        change_memory(index);
        made_.order.push_back(index);
        ++steps_;
    }

    // What is read where nothing was known is known from then on.
    void change_memory(std::uint32_t index) {
        const RecordedAccess& access = launch_.accesses[index];
        if (access.object < 0) return;
        const std::size_t size = lang::info(site(index).type).bytes, to = block(access);
        RecordedMemory& at = memory_[to];
        for (std::size_t i = 0; i < site(index).count * size; ++i) {
            const std::uint64_t place = access.offset + i;
            if (place >= at.bytes.size()) continue;
            const auto byte = static_cast<std::uint8_t>(
                launch_.elements[access.first + i / size].after >> (8 * (i % size)));
            if (at.known[place] && at.bytes[place] == byte) continue;
            changes_.push_back(
                {made_.order.size(), to, place, at.bytes[place], bool(at.known[place])});
            at.bytes[place] = byte;
            at.known[place] = true;
        }
    }

    void undo_to(std::size_t mark) {
        for (; !changes_.empty() && changes_.back().order >= mark; changes_.pop_back()) {
            RecordedMemory& at = memory_[changes_.back().block];
            at.bytes[changes_.back().offset] = changes_.back().value;
            at.known[changes_.back().offset] = changes_.back().known;
        }
        for (; made_.order.size() > mark; made_.order.pop_back()) {
            const std::uint32_t index = made_.order.back();
            queue_.put_back(index);
            done_[index] = false;
            for (const std::uint64_t word : words(index)) {
                Met& met = met_.at(word);
                const auto place =
                    std::lower_bound(met.accesses.begin(), met.accesses.end(), index);
                met.from =
                    std::min(met.from, static_cast<std::size_t>(place - met.accesses.begin()));
            }
        }
    }

    // Whether it stores what the device left there in the end.
    bool stores_what_is_left(std::uint32_t store) const {
        const RecordedAccess& access = launch_.accesses[store];
        if (access.object < 0 || block(access) >= left_.size()) return false;
        const std::vector<std::uint8_t>& left = left_[block(access)];
        const std::size_t size = lang::info(site(store).type).bytes;
        for (std::size_t i = 0; i < site(store).count * size; ++i) {
            const std::uint64_t value = launch_.elements[access.first + i / size].after;
            const auto byte = static_cast<std::uint8_t>(value >> (8 * (i % size)));
            if (access.offset + i < left.size() && left[access.offset + i] != byte) return false;
        }
        return true;
    }

    // Else it notes who stored there.
    bool leaves_what_was_left() {
        steps_ += 1 + met_.size() / 64;
        for (const auto& [word, met] : met_) {
            const std::size_t number = word >> kBlockBit;
            const std::uint64_t first = (word & ((std::uint64_t{1} << kBlockBit) - 1)) * kWordBytes;
            if (number >= left_.size()) continue;
            const std::uint64_t end =
                std::min<std::uint64_t>(first + kWordBytes, left_[number].size());
            for (std::uint64_t at = first; at < end; ++at) {
                if (!memory_[number].known[at] || memory_[number].bytes[at] == left_[number][at])
                    continue;
                blocked_ = met.accesses;
                return false;
            }
        }
        return true;
    }

    bool meet(std::uint32_t a, std::uint32_t b) const {
        const RecordedAccess& first = launch_.accesses[a];
        const RecordedAccess& second = launch_.accesses[b];
        return first.object >= 0 && second.object >= 0 && block(first) == block(second) &&
               first.offset < second.offset + bytes(b) && second.offset < first.offset + bytes(a);
    }

    // Stores that may come now. First what a load waits for; last what takes away the value that
    // another is still to read; and what is there in the end after what is not.
    std::vector<std::uint32_t> open_stores() {
        std::vector<std::uint32_t> stores, waiting;
        for (const std::uint32_t next : queue_.candidates()) {
            if (!matches(next))
                waiting.push_back(next);
            else if (writes(site(next)))
                stores.push_back(next);
        }
        std::vector<std::pair<int, std::uint32_t>> ranked;
        for (const std::uint32_t store : stores) {
            const bool wanted =
                std::any_of(waiting.begin(), waiting.end(), [&](std::uint32_t load) {
                    return meet(store, load) && after(store) == before(load);
                });
            ranked.emplace_back((wanted ? -4 : 0) + (takes_away(store) ? 2 : 0) +
                                    (stores_what_is_left(store) ? 1 : 0),
                                store);
        }
        std::stable_sort(ranked.begin(), ranked.end());
        std::transform(ranked.begin(), ranked.end(), stores.begin(),
                       [](const auto& each) { return each.second; });
        return stores;
    }

    std::uint64_t before(std::uint32_t index) const {
        return launch_.elements[launch_.accesses[index].first].before;
    }
    std::uint64_t after(std::uint32_t index) const {
        return launch_.elements[launch_.accesses[index].first].after;
    }

    bool takes_away(std::uint32_t store) const {
        const RecordedAccess& access = launch_.accesses[store];
        for (const std::uint64_t word : words(store)) {
            const Met& met = met_.at(word);
            for (std::size_t i = met.from; i < met.accesses.size(); ++i) {
                const std::uint32_t other = met.accesses[i];
                if (launch_.accesses[other].begin >= queue_.bound(access.end)) break;
                if (other != store && !done_[other] && reads(site(other)) &&
                    before(other) != after(store) && matches(other))
                    return true;
            }
        }
        return false;
    }

    void note_blocked() {
        blocked_ = queue_.candidates();
        if (blocked_.empty() || made_.order.size() < deepest_) return;
        deepest_ = made_.order.size();
        made_.unexplained = blocked_.front();
        (void)matches(blocked_.front(), &made_.in_memory);
    }

    // To the last choice that has to do with what cannot go on, and what is left of it.
    bool go_back() {
        for (; !choices_.empty(); choices_.pop_back()) {
            Choice& choice = choices_.back();
            if (choice.rest.empty()) continue;
            const auto matters = [&](std::uint32_t store) {
                return std::any_of(blocked_.begin(), blocked_.end(),
                                   [&](std::uint32_t each) { return meet(store, each); });
            };
            if (!matters(choice.taken) &&
                std::none_of(choice.rest.begin(), choice.rest.end(), matters)) {
                jumped_ = true;
                continue;
            }
            undo_to(choice.mark);
            choice.taken = choice.rest.front();
            choice.rest.erase(choice.rest.begin());
            act(choice.taken);
            return true;
        }
        return false;
    }

    void count_exchanged() {
        std::uint32_t latest = 0;
        for (const std::uint32_t index : made_.order) {
            if (index < latest) ++made_.exchanged;
            latest = std::max(latest, index);
        }
    }

    const std::vector<Site>& sites_;
    const lang::RecordedLaunch& launch_;
    const RecordedPlaces& places_;
    std::vector<RecordedMemory> memory_;
    TicketQueue queue_;
    const std::vector<std::vector<std::uint8_t>>& left_;
    std::vector<bool> done_;
    std::unordered_map<std::uint64_t, Met> met_;
    std::vector<std::uint32_t> blocked_;
    std::vector<Choice> choices_;
    std::vector<Change> changes_;
    std::uint64_t steps_ = 0;
    std::size_t deepest_ = 0;
    bool jumped_ = false;
    TicketOrder made_;
};

}  // namespace

std::uint64_t RecordedMemory::read(std::uint64_t offset, std::size_t size,
                                   std::uint64_t value) const {
    for (std::size_t k = 0; k < size && offset + k < bytes.size(); ++k) {
        if (!known[offset + k]) continue;
        const auto byte = static_cast<std::uint8_t>(value >> (8 * k));
        value ^= std::uint64_t{static_cast<std::uint8_t>(byte ^ bytes[offset + k])} << (8 * k);
    }
    return value;
}

TicketOrder order_by_tickets(const std::vector<Site>& sites, const lang::RecordedLaunch& launch,
                             const RecordedPlaces& places, std::vector<RecordedMemory>& memory,
                             const std::vector<std::vector<std::uint8_t>>& left) {
    TicketOrder first;
    for (const std::uint32_t slack : kSlacks) {
        Search search(sites, launch, places, memory, slack, left);
        TicketOrder order = search.run();
        if (order.found) {
            memory = search.memory();
            return order;
        }
        if (slack == 0) first = order;
        // The last search leaves the most open: only it can have tried all orders.
        if (slack == kSlacks.back()) first.tried_all = order.tried_all;
    }
    return left.empty() ? first : order_by_tickets(sites, launch, places, memory);
}

}  // namespace lab::simulation
