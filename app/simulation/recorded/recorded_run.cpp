#include "simulation/recorded/recorded_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "analysis/witness.h"
#include "lang/code.h"
#include "simulation/recorded/ticket_order.h"

namespace lab::simulation {
namespace {

using lang::RecordedAccess;
using lang::RecordedLaunch;
using lang::Site;

const char* name_of(Site::Kind kind) {
    switch (kind) {
        case Site::Kind::load:
            return "loads";
        case Site::Kind::store:
            return "stores";
        case Site::Kind::atomic:
            return "has the atomic";
        case Site::Kind::barrier:
            return "comes to the barrier";
    }
    return "";
}

Site::Kind kind_of(machine::ActionKind kind) {
    switch (kind) {
        case machine::ActionKind::load:
            return Site::Kind::load;
        case machine::ActionKind::store:
            return Site::Kind::store;
        case machine::ActionKind::atomic:
            return Site::Kind::atomic;
        default:
            return Site::Kind::barrier;
    }
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
    Replayer(const machine::Job& job, const ResultAt& result_at, const RecordedRun& recorded,
             const std::atomic<bool>* cancel)
        : job_(job), result_at_(result_at), recorded_(recorded), cancel_(cancel) {}

    Replay make() {
        put_in_order();
        if (made_.difference.empty()) check_memory();
        add_turns();
        if (made_.difference.empty()) compare();
        return std::move(made_);
    }

  private:
    const Site& site(const RecordedAccess& access) const { return recorded_.sites[access.site]; }

    std::string name_of_cell(const RecordedAccess& access) const {
        if (access.object < 0) return "a cell that is in none of its arrays";
        return fmt::format(
            "{}[{}]", recorded_.objects[static_cast<std::size_t>(access.object)].name,
            access.offset / std::max<std::size_t>(1, lang::info(site(access).type).bytes));
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

    // What the device left in the buffers, which are the first blocks of the memory.
    using Left = std::vector<std::vector<std::uint8_t>>;
    Left left() const {
        Left all;
        for (const auto& each : recorded_.after)
            all.push_back(octets(each));
        return all;
    }

    void put_in_order(std::size_t k) {
        const RecordedLaunch& launch = recorded_.launches[k];
        TicketOrder order = order_by_tickets(recorded_.sites, launch, places(k), memory_,
                                             k + 1 == recorded_.launches.size() ? left() : Left());
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
            made_.difference +=
                fmt::format("; {} and gets {}, where {} was found", name_of_access(k, access),
                            lang::text_of(launch.elements[access.first].before, site(access).type),
                            lang::text_of(order.in_memory, site(access).type));
        }
    }

    // What the ordered stores leave has to be what the device left.
    void check_memory() {
        for (std::size_t i = 0; i < job_.buffers.size(); ++i) {
            const std::vector<std::uint8_t> after = octets(recorded_.after[i]);
            for (std::size_t at = 0; at < after.size(); ++at) {
                if (!memory_[i].known[at] || memory_[i].bytes[at] == after[at]) continue;
                const std::size_t size = job_.buffers[i].element_bytes;
                made_.difference =
                    fmt::format("{}[{}] is not what the last store to it left there",
                                job_.buffers[i].name, at / std::max<std::size_t>(1, size));
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
                const std::uint32_t group = access.item / launch.local,
                                    warp = access.item % launch.local;
                ++(site(access).kind == Site::Kind::barrier ? made_.barriers : made_.accesses);
                const bool same = !made_.turns.empty() && made_.turns.back().group == group &&
                                  made_.turns.back().warp == warp;
                if (same)
                    ++made_.turns.back().count;
                else
                    made_.turns.push_back({group, warp, 1, 0});
            }
    }

    void compare() {
        machine::Order order;
        order.kind = machine::Order::Kind::list;
        order.turns = made_.turns;
        order.name = "the recorded order";
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
        } else if (const std::string result = result_at_(run.machine(), run.end());
                   result != recorded_.result) {
            made_.difference =
                fmt::format("the result is {} on the device, {} here", recorded_.result, result);
        }
    }

    std::string difference(const machine::Run& run, std::uint64_t time, std::size_t k,
                           const RecordedAccess& access) const {
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
            return elsewhere(fmt::format("is {}[{}]", object.name, accesses.front().index));
        for (std::size_t i = 0; i < accesses.size(); ++i) {
            const lang::RecordedElement& element = recorded_.launches[k].elements[access.first + i];
            const bool read =
                where.kind != Site::Kind::store && element.before != accesses[i].before;
            if (read || element.after != accesses[i].after)
                return fmt::format(
                    "{}: {} on the device, {} here", name_of_access(k, access),
                    lang::text_of(read ? element.before : element.after, where.type),
                    lang::text_of(read ? accesses[i].before : accesses[i].after, where.type));
        }
        return {};
    }

    bool is_same(const machine::ObjectInfo& object, std::uint64_t index, std::size_t k,
                 const RecordedAccess& access) const {
        const lang::Watched& own = recorded_.objects[static_cast<std::size_t>(access.object)];
        if (index * lang::info(site(access).type).bytes != access.offset) return false;
        if (object.space != own.space) return false;
        return own.space == lang::Space::local
                   ? object.name == own.name
                   : object.buffer == job_.launches[k].arguments.at(own.parameter).buffer;
    }

    const machine::Job& job_;
    const ResultAt& result_at_;
    const RecordedRun& recorded_;
    const std::atomic<bool>* cancel_;
    std::vector<RecordedMemory> memory_;
    std::vector<std::vector<std::uint32_t>> orders_;
    Replay made_;
};

}  // namespace

Options replay_options(const catalogue::Target& target) {
    Options options;
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
    return fmt::format("{}{}, run {}", analysis::kRecordedOn, device, digits);
}

Replay replay(const machine::Job& job, const ResultAt& result_at, const RecordedRun& recorded,
              const std::atomic<bool>* cancel) {
    return Replayer(job, result_at, recorded, cancel).make();
}

Replay replay(const Prepared& ready, const RecordedRun& recorded, const std::atomic<bool>* cancel) {
    return replay(
        ready.job,
        [&](const machine::Machine& machine, const machine::State& state) {
            return outcome_at(ready, machine, state).result;
        },
        recorded, cancel);
}

}  // namespace lab::simulation
