#include "analysis/recorded_run.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <unordered_map>

#include <fmt/format.h>

#include "analysis/step_table.h"
#include "base/ranges.h"
#include "lang/code.h"

namespace lab::analysis {
namespace {

using lang::RecordedAccess;
using lang::RecordedLaunch;
using lang::Site;

const char* name_of(Site::Kind kind) {
    static constexpr std::array<const char*, 4> kNames{"loads", "stores", "has the atomic",
                                                       "comes to the barrier"};
    return kNames.at(static_cast<std::size_t>(kind));
}

Site::Kind kind_of(machine::ActionKind kind) {
    return kind == machine::ActionKind::load     ? Site::Kind::load
           : kind == machine::ActionKind::store  ? Site::Kind::store
           : kind == machine::ActionKind::atomic ? Site::Kind::atomic
                                                 : Site::Kind::barrier;
}

RecordedMemory known(std::vector<std::uint8_t> bytes) {
    RecordedMemory memory;
    memory.known.assign(bytes.size(), true);
    memory.bytes = std::move(bytes);
    return memory;
}

std::vector<std::uint8_t> octets(const std::vector<std::byte>& bytes) {
    std::vector<std::uint8_t> all(bytes.size());
    if (!bytes.empty()) std::memcpy(all.data(), bytes.data(), bytes.size());
    return all;
}

class Replayer {
  public:
    Replayer(const machine::Job& job, const RecordedRun& recorded, const std::atomic<bool>* cancel)
        : job_(job), recorded_(recorded), cancel_(cancel) {}

    Replay make() {
        put_in_order();
        if (made_.difference.empty()) check_memory();
        add_turns();
        if (made_.difference.empty()) compare();
        return std::move(made_);
    }

  private:
    const Site& site(const RecordedAccess& access) const { return recorded_.sites[access.site]; }

    std::uint64_t cell_of(const RecordedAccess& access) const {
        return access.offset / std::max<std::size_t>(1, lang::info(site(access).type).bytes);
    }
    const lang::Watched& object_of(const RecordedAccess& access) const {
        return recorded_.objects[static_cast<std::size_t>(access.object)];
    }

    std::string name_of_cell(const RecordedAccess& access) const {
        if (access.object < 0) return "a cell that is in none of its arrays";
        const lang::Watched& object = object_of(access);
        return object.name + object.shape.at(access.offset / object.unit);
    }

    Replay::Value value_of(std::size_t launch, const RecordedAccess& access, std::string device,
                           std::string simulator) const {
        Replay::Value value;
        value.launch = launch;
        if (access.object >= 0) {
            const lang::Watched& object = object_of(access);
            value.array = object.name;
            if (object.space == lang::Space::local)
                value.in_group = access.item / recorded_.launches[launch].local;
        }
        value.cell = cell_of(access);
        value.device = std::move(device);
        value.simulator = std::move(simulator);
        return value;
    }

    // "launch 1, line 12, item 5 loads data[4]"
    std::string name_of_access(std::size_t launch, const RecordedAccess& access) const {
        const Site& where = site(access);
        std::string text =
            recorded_.launches.size() > 1 ? fmt::format("launch {}, ", launch + 1) : std::string();
        text += fmt::format("line {}: work-item {} {}", where.place.line,
                            IndexSpace(job_.launches[launch].range).item_name(access.item),
                            name_of(where.kind));
        return where.kind == Site::Kind::barrier
                   ? text
                   : fmt::format("{}{}", text + (where.kind == Site::Kind::atomic ? " on " : " "),
                                 name_of_cell(access));
    }

    RecordedPlaces places(std::size_t launch) const {
        RecordedPlaces places;
        std::size_t locals = 0;
        for (const lang::Watched& object : recorded_.objects) {
            const bool local = object.space == lang::Space::local;
            places.of_group.push_back(local);
            places.blocks.push_back(
                local ? job_.buffers.size() + locals++
                      : job_.launches[launch].arguments.at(object.parameter).buffer);
        }
        places.per_group = locals;
        return places;
    }

    std::vector<std::uint64_t> local_bytes(std::size_t launch) const {
        std::vector<std::uint64_t> all;
        for (const lang::Watched& object : recorded_.objects)
            if (object.space == lang::Space::local)
                all.push_back(object.is_parameter
                                  ? job_.launches[launch].arguments.at(object.parameter).bytes
                                  : object.bytes);
        return all;
    }

    void put_in_order() {
        for (std::size_t i = 0; i < job_.buffers.size(); ++i) {
            std::vector<std::byte> initial = job_.buffers[i].initial;
            if (initial.empty()) initial.resize(job_.buffers[i].bytes);  // nobody writes it either
            memory_.push_back(
                known(octets(recorded_.before[i].empty() ? initial : recorded_.before[i])));
        }
        for (std::size_t k = 0; k < recorded_.launches.size(); ++k) {
            memory_.resize(job_.buffers.size());
            const machine::Launch& launch = job_.launches[k];
            for (std::uint64_t group = 0; group < launch.range.groups(); ++group)
                for (const std::uint64_t bytes : local_bytes(k))
                    memory_.push_back(
                        {std::vector<std::uint8_t>(bytes), std::vector<bool>(bytes, false)});
            put_in_order(k);
            if (!made_.difference.empty()) return;
        }
    }

    void put_in_order(std::size_t k) {
        const RecordedLaunch& launch = recorded_.launches[k];
        // What the device left in the buffers, which are the first blocks of the memory.
        std::vector<std::vector<std::uint8_t>> left;
        if (k + 1 == recorded_.launches.size())
            left = mapped<std::vector<std::uint8_t>>(recorded_.after, octets);
        TicketOrder order = order_by_tickets(recorded_.sites, launch, places(k), memory_, left);
        made_.exchanged += order.exchanged;
        made_.slack = std::max(made_.slack, order.slack);
        if (order.found) {
            orders_.push_back(std::move(order.order));
            return;
        }
        made_.tried_all = order.tried_all;
        made_.difference = "no order of its accesses explains what the device read";
        if (order.unexplained) {
            const RecordedAccess& access = launch.accesses[*order.unexplained];
            made_.differs = value_of(
                k, access, lang::text_of(launch.elements[access.first].before, site(access).type),
                lang::text_of(order.in_memory, site(access).type));
            made_.difference +=
                fmt::format("; {} and gets {}, where {} was found", name_of_access(k, access),
                            made_.differs->device, made_.differs->simulator);
        }
    }

    // What the ordered stores leave has to be what the device left.
    void check_memory() {
        for (std::size_t i = 0; i < job_.buffers.size(); ++i) {
            const std::vector<std::uint8_t> after = octets(recorded_.after[i]);
            for (std::size_t at = 0; at < after.size(); ++at) {
                if (!memory_[i].known[at] || memory_[i].bytes[at] == after[at]) continue;
                const std::size_t size = job_.buffers[i].element_bytes;
                made_.difference = job_.buffers[i].name +
                                   job_.buffers[i].shape.at(at / std::max<std::size_t>(1, size)) +
                                   " is not what the last store to it left there";
                return;
            }
        }
    }

    // Launches that no order was found for go by their tickets.
    void add_turns() {
        for (std::size_t k = orders_.size(); k < recorded_.launches.size(); ++k) {
            orders_.emplace_back(recorded_.launches[k].accesses.size());
            std::iota(orders_.back().begin(), orders_.back().end(), 0U);
        }
        for (std::size_t k = 0; k < orders_.size(); ++k)
            for (const std::uint32_t index : orders_[k]) {
                const RecordedLaunch& launch = recorded_.launches[k];
                const RecordedAccess& access = launch.accesses[index];
                ++(site(access).kind == Site::Kind::barrier ? made_.barriers : made_.accesses);
                machine::add_turn(made_.turns, access.item / launch.local,
                                  access.item % launch.local);
            }
    }

    void compare() {
        const machine::SchedulingPolicy order{.kind = machine::SchedulingPolicy::Kind::list,
                                              .turns = made_.turns,
                                              .name = "the recorded order"};
        machine::Recording recording;
        recording.lineage = false;
        recording.cancel = cancel_;
        try {
            const machine::Run run(job_, order, recording);
            compare(run);
        } catch (const Problem& problem) {
            made_.difference = fmt::format("the simulator cannot go that way: {}. {}",
                                           problem.what_happened, problem.why);
        }
    }

    void compare(const machine::Run& run) {
        std::uint64_t time = 0;
        for (std::size_t k = 0; k < orders_.size(); ++k)
            for (const std::uint32_t index : orders_[k]) {
                const RecordedAccess& access = recorded_.launches[k].accesses[index];
                if (time >= run.trace().size()) {
                    made_.difference = fmt::format("the simulator ends before this: {}",
                                                   name_of_access(k, access));
                    return;
                }
                made_.difference = difference(run, time++, k, access);
                if (!made_.difference.empty()) return;
            }
        if (run.cancelled()) {
            made_.difference = "the replay was cancelled";
        } else if (run.fault()) {
            made_.difference = "the simulator stops: " + run.fault()->what;
        } else if (time < run.trace().size()) {
            made_.difference = fmt::format("the device ended {} accesses before the simulator",
                                           run.trace().size() - time);
        } else if (const std::string result =
                       ending_of(job_, false)(run.machine(), run.end()).result;
                   result != recorded_.result) {
            made_.difference =
                fmt::format("the result is {} on the device, {} here", recorded_.result, result);
        }
    }

    std::string difference(const machine::Run& run, std::uint64_t time, std::size_t k,
                           const RecordedAccess& access) {
        const machine::Action& action = run.trace().action(time);
        const machine::Context& context = run.machine().context(action.launch);
        const lang::Place& place = context.code->places[action.place];
        const Site& where = site(access);
        const auto elsewhere = [&](const std::string& here) {
            return fmt::format("{}; in the simulator it {}", name_of_access(k, access), here);
        };
        if (action.launch != k || kind_of(action.kind) != where.kind ||
            place.line != where.place.line || place.column != where.place.column)
            return elsewhere(
                fmt::format("{} in line {}", name_of(kind_of(action.kind)), place.line));
        if (where.kind == Site::Kind::barrier) return {};
        const auto accesses = run.trace().accesses(action);
        if (accesses.size() != where.count) return elsewhere("touches other cells");
        const machine::ObjectInfo& object = context.objects[action.object];
        if (access.object >= 0 && !is_same(object, accesses.front().index, k, access))
            return elsewhere("is " + object.name +
                             object.shape.at(object.index_of(accesses.front(), action.type)));
        for (std::size_t i = 0; i < accesses.size(); ++i) {
            const lang::RecordedElement& element = recorded_.launches[k].elements[access.first + i];
            const bool read =
                where.kind != Site::Kind::store && element.before != accesses[i].before;
            if (!read && element.after == accesses[i].after) continue;
            made_.differs = value_of(
                k, access, lang::text_of(read ? element.before : element.after, where.type),
                lang::text_of(read ? accesses[i].before : accesses[i].after, where.type));
            return fmt::format("{}: {} on the device, {} here", name_of_access(k, access),
                               made_.differs->device, made_.differs->simulator);
        }
        return {};
    }

    bool is_same(const machine::ObjectInfo& object, std::uint64_t index, std::size_t k,
                 const RecordedAccess& access) const {
        const lang::Watched& own = object_of(access);
        if (index * lang::info(site(access).type).bytes != access.offset) return false;
        if (object.space != own.space) return false;
        return own.space == lang::Space::local
                   ? object.name == own.name
                   : object.buffer == job_.launches[k].arguments.at(own.parameter).buffer;
    }

    const machine::Job& job_;
    const RecordedRun& recorded_;
    const std::atomic<bool>* cancel_;
    std::vector<RecordedMemory> memory_;
    std::vector<std::vector<std::uint32_t>> orders_;
    Replay made_;
};

}  // namespace

SimulatorOptions replay_options(const catalogue::Target& target,
                                const machine::MachineShape& asked) {
    SimulatorOptions options;
    options.config.shape() = asked;
    options.config.lanes = 1;
    options.config.resident = 0;
    options.config.cpu = target.cpu;
    options.config.max_group = static_cast<std::uint32_t>(
        std::max<std::uint64_t>(options.config.max_group, target.max_group));
    options.target = target;
    return options;
}

std::string recorded_name(const std::string& device, std::uint64_t run) {
    std::string digits = std::to_string(run);
    for (std::size_t at = digits.size(); at > 3;)
        digits.insert(at -= 3, ",");
    return fmt::format("{}{}, run {}", kRecordedOn, device, digits);
}

Replay replay(const machine::Job& job, const RecordedRun& recorded,
              const std::atomic<bool>* cancel) {
    return Replayer(job, recorded, cancel).make();
}

namespace {

using lang::RecordedElement;

constexpr std::array<std::uint32_t, 4> kSlacks{0, 64, 4096, UINT32_MAX};
constexpr std::uint64_t kWordBytes = 4;  // in which accesses are said to meet
constexpr unsigned kBlockBit = 40;       // of a word's number: its block stands above its place

bool writes(const Site& site) {
    return site.kind == Site::Kind::store || site.kind == Site::Kind::atomic;
}
bool reads(const Site& site) {
    return site.kind == Site::Kind::load || site.kind == Site::Kind::atomic;
}

// Finds the accesses that may come next: each work-item's own in order, nobody past a barrier
// before his group is there, and nobody whose ticket was taken after the end of one that is still
// to come.

class TicketQueue {
  public:
    // `slack`: as TicketOrder has it.
    TicketQueue(const std::vector<Site>& sites, const RecordedLaunch& launch, std::uint32_t slack)
        : sites_(sites), launch_(launch), slack_(slack) {
        std::uint32_t most = 0;
        for (const RecordedAccess& each : launch.accesses)
            most = std::max(most, each.item);
        items_.resize(launch.accesses.empty() ? 0 : most + 1);
        expected_.resize(items_.size() / launch.local + 1);
        arrived_.resize(expected_.size());
        std::vector<std::size_t> barriers(items_.size());
        for (std::uint32_t i = 0; i < launch.accesses.size(); ++i) {
            const std::uint32_t item = launch.accesses[i].item;
            items_[item].accesses.push_back(i);
            if (!is_barrier(i)) continue;
            auto& expected = expected_[item / launch.local];
            if (expected.size() <= barriers[item]) expected.push_back(0);
            ++expected[barriers[item]++];
        }
        for (std::size_t group = 0; group < arrived_.size(); ++group)
            arrived_[group].resize(expected_[group].size());
        for (std::uint32_t item = 0; item < items_.size(); ++item)
            list(item, true);
    }

    // The accesses that may come now, by ticket.
    std::vector<std::uint32_t> candidates() const {
        std::vector<std::uint32_t> all;
        for (const auto& [begin, item] : begins_) {
            if (begin >= limit()) break;
            if (const auto next = candidate(item)) all.push_back(*next);
        }
        return all;
    }

    std::optional<std::uint32_t> candidate(std::uint32_t item) const {
        const Item& each = items_[item];
        if (each.next == each.accesses.size() || waits(item)) return std::nullopt;
        const std::uint32_t access = each.accesses[each.next];
        if (launch_.accesses[access].begin >= limit()) return std::nullopt;
        return access;
    }

    // `access` is a candidate.
    void take(std::uint32_t access) {
        Item& item = pass(access, 1);
        if (is_barrier(access)) ++arrived_[group_of(access)][item.barriers++];
    }

    // `access` was the last to be taken.
    void put_back(std::uint32_t access) {
        Item& item = pass(access, -1);
        if (is_barrier(access)) --arrived_[group_of(access)][--item.barriers];
    }

    // Tickets from this one on come after an access with that end.
    std::uint64_t bound(std::uint32_t end) const { return std::uint64_t{end} + slack_; }

  private:
    struct Item {
        std::vector<std::uint32_t> accesses;
        std::size_t next = 0;
        std::size_t barriers = 0;  // arrived at
    };

    bool is_barrier(std::uint32_t access) const {
        return sites_[launch_.accesses[access].site].kind == Site::Kind::barrier;
    }

    std::size_t group_of(std::uint32_t access) const {
        return launch_.accesses[access].item / launch_.local;
    }

    // On to the work-item's next access, or back to that before.
    Item& pass(std::uint32_t access, int by) {
        const std::uint32_t number = launch_.accesses[access].item;
        Item& item = items_[number];
        list(number, false);
        item.next += static_cast<std::size_t>(by);
        list(number, true);
        return item;
    }

    // What the work-item does next, if anything, is listed or no longer.
    void list(std::uint32_t item, bool listed) {
        const Item& each = items_[item];
        if (each.next == each.accesses.size()) return;
        const RecordedAccess& access = launch_.accesses[each.accesses[each.next]];
        if (listed) {
            begins_.insert({access.begin, item});
            ends_.insert({access.end, item});
        } else {
            begins_.erase({access.begin, item});
            ends_.erase({access.end, item});
        }
    }

    bool waits(std::uint32_t item) const {
        const Item& each = items_[item];
        if (each.next == 0 || !is_barrier(each.accesses[each.next - 1])) return false;
        const std::size_t group = item / launch_.local, number = each.barriers - 1;
        return arrived_[group][number] < expected_[group][number];
    }

    // Whoever begins later has to wait for the one that ends first.
    std::uint64_t limit() const { return ends_.empty() ? 0 : bound(ends_.begin()->first); }

    const std::vector<Site>& sites_;
    const RecordedLaunch& launch_;
    std::uint32_t slack_;
    std::vector<Item> items_;
    std::vector<std::vector<std::size_t>> arrived_, expected_;  // by group and barrier
    // Items by the begin and by the end of what they do next.
    std::set<std::pair<std::uint32_t, std::uint32_t>> begins_, ends_;
};

// Depth first: what can do no harm is done at once, and where stores are open to choice, one is
// tried after another.
class TurnSearch {
  public:
    TurnSearch(const std::vector<Site>& sites, const RecordedLaunch& launch,
               const RecordedPlaces& places, std::vector<RecordedMemory> memory,
               std::uint32_t slack, const std::vector<std::vector<std::uint8_t>>& left)
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
                blocked_ = queue_.candidates();
                if (!blocked_.empty() && made_.order.size() >= deepest_) {
                    deepest_ = made_.order.size();
                    made_.unexplained = blocked_.front();
                    (void)matches(blocked_.front(), &made_.in_memory);
                }
                over = !go_back();
                continue;
            }
            const std::uint32_t first = stores.front();
            stores.erase(stores.begin());
            choices_.push_back({made_.order.size(), first, std::move(stores)});
            act(first);
        }
        made_.tried_all = over && !jumped_;
        std::uint32_t latest = 0;
        for (const std::uint32_t index : made_.found ? made_.order : std::vector<std::uint32_t>()) {
            if (index < latest) ++made_.exchanged;
            latest = std::max(latest, index);
        }
        return std::move(made_);
    }

    std::vector<RecordedMemory> memory() { return std::move(memory_); }

  private:
    struct WarpRef {
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

    // Whether `holds` for an access to the same words that may come before or after it.
    template <typename Holds>
    bool any_beside(std::uint32_t index, Holds holds) {
        for (const std::uint64_t word : words(index)) {
            Met& met = met_.at(word);
            while (met.from < met.accesses.size() && done_[met.accesses[met.from]])
                ++met.from;
            for (std::size_t i = met.from; i < met.accesses.size(); ++i) {
                const std::uint32_t other = met.accesses[i];
                if (launch_.accesses[other].begin >= queue_.bound(launch_.accesses[index].end))
                    break;
                if (!done_[other] && holds(other)) return true;
            }
        }
        return false;
    }

    // A load of what is there, and a store that nobody else's access can be exchanged with, are in
    // the right place wherever they may come.
    bool is_free(std::uint32_t index) {
        if (!matches(index)) return false;
        return !writes(site(index)) || !any_beside(index, [&](std::uint32_t other) {
            return launch_.accesses[other].item != launch_.accesses[index].item;
        });
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
            const bool wanted = any_of(waiting, [&](std::uint32_t load) {
                return meet(store, load) && after(store) == before(load);
            });
            ranked.emplace_back((wanted ? -4 : 0) + (takes_away(store) ? 2 : 0) +
                                    (stores_what_is_left(store) ? 1 : 0),
                                store);
        }
        stable_sort(ranked);
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

    bool takes_away(std::uint32_t store) {
        return any_beside(store, [&](std::uint32_t other) {
            return other != store && reads(site(other)) && before(other) != after(store) &&
                   matches(other);
        });
    }

    // To the last choice that has to do with what cannot go on, and what is left of it.
    bool go_back() {
        for (; !choices_.empty(); choices_.pop_back()) {
            WarpRef& choice = choices_.back();
            if (choice.rest.empty()) continue;
            const auto matters = [&](std::uint32_t store) {
                return any_of(blocked_, [&](std::uint32_t each) { return meet(store, each); });
            };
            if (!matters(choice.taken) && none_of(choice.rest, matters)) {
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

    const std::vector<Site>& sites_;
    const RecordedLaunch& launch_;
    const RecordedPlaces& places_;
    std::vector<RecordedMemory> memory_;
    TicketQueue queue_;
    const std::vector<std::vector<std::uint8_t>>& left_;
    std::vector<bool> done_;
    std::unordered_map<std::uint64_t, Met> met_;
    std::vector<std::uint32_t> blocked_;
    std::vector<WarpRef> choices_;
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

TicketOrder order_by_tickets(const std::vector<Site>& sites, const RecordedLaunch& launch,
                             const RecordedPlaces& places, std::vector<RecordedMemory>& memory,
                             const std::vector<std::vector<std::uint8_t>>& left) {
    TicketOrder first;
    for (const std::uint32_t slack : kSlacks) {
        TurnSearch search(sites, launch, places, memory, slack, left);
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

}  // namespace lab::analysis
