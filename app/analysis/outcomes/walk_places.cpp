#include "analysis/outcomes/walk_places.h"

#include <algorithm>

#include "machine/context.h"

namespace lab::analysis {
namespace {

bool covers(const std::vector<KnownRegister>& less, const std::vector<KnownRegister>& more) {
    auto at = more.begin();
    for (const KnownRegister& each : less) {
        while (at != more.end() && at->reg < each.reg)
            ++at;
        if (at == more.end() || at->reg != each.reg) return false;
        if (each.object_only ? machine::object_in(each.bits) != machine::object_in(at->bits)
                             : *at != each)
            return false;
    }
    return true;
}

void join(std::vector<KnownRegister>& known, const std::vector<KnownRegister>& with) {
    std::erase_if(known, [&](KnownRegister& each) {
        const auto other = std::find_if(with.begin(), with.end(),
                                        [&](const auto& at) { return at.reg == each.reg; });
        if (other == with.end()) return true;
        if (*other == each) return false;
        each.object_only = true;
        return machine::object_in(other->bits) != machine::object_in(each.bits) ||
               machine::object_in(each.bits) == 0;
    });
}

}  // namespace

std::uint32_t WalkPlaces::stand(Standing at) {
    std::vector<std::uint32_t>& alike = by_pc_[at.pc];
    std::size_t same = 0;
    for (const std::uint32_t number : alike) {
        Standing& known = places_[number];
        if (known.runs != at.runs || known.masks != at.masks) continue;
        ++same;
        if (!covers(known.known, at.known)) continue;
        note_choices(number, at);
        return number;
    }
    if (!at.chose || same < kMostAlike) {
        alike.push_back(add(std::move(at)));
        return alike.back();
    }
    // The last one takes in all that come from now on.
    for (std::size_t i = alike.size(); i-- > 0;) {
        Standing& known = places_[alike[i]];
        if (known.runs != at.runs || known.masks != at.masks) continue;
        join(known.known, at.known);
        note_choices(alike[i], at);
        queue(alike[i]);
        return alike[i];
    }
    return 0;
}

std::uint32_t WalkPlaces::add(Standing at) {
    places_.push_back(std::move(at));
    queued_.push_back(false);
    const auto number = static_cast<std::uint32_t>(places_.size() - 1);
    queue(number);
    return number;
}

void WalkPlaces::queue(std::uint32_t number) {
    if (queued_[number]) return;
    queued_[number] = true;
    left_.push_back(number);
}

std::optional<std::uint32_t> WalkPlaces::next() {
    if (left_.empty()) return std::nullopt;
    const std::uint32_t number = left_.back();
    left_.pop_back();
    queued_[number] = false;
    return number;
}

void WalkPlaces::note_choices(std::uint32_t number, const Standing& at) {
    Standing& known = places_[number];
    if ((known.chose || !at.chose) && (known.chose_now || !at.chose_now)) return;
    known.chose = known.chose || at.chose;
    known.chose_now = known.chose_now || at.chose_now;
    queue(number);
}

}  // namespace lab::analysis
