#include "analysis/outcomes/footprint_walk.h"

#include <algorithm>

#include "analysis/outcomes/register_value.h"
#include "lang/code/operands.h"
#include "machine/execute/copies.h"

namespace lab::analysis {
namespace {

using lang::Instruction;
using lang::Op;

struct Abstract {
    enum class Kind : std::uint8_t { any, object, known } kind = Kind::any;
    std::uint64_t bits = 0;
};

class Walk {
  public:
    Walk(const ItemWalker& walker, std::uint32_t group, std::uint32_t local, std::uint64_t& steps)
        : walker_(walker),
          context_(walker.context()),
          code_(*context_.code),
          group_(group),
          local_(local),
          steps_(steps),
          places_(code_.instructions.size()) {}

    std::optional<ItemWalk> run() {
        Way start;
        start.values.assign(context_.registers, {});
        start.masks.assign(context_.masks, false);
        places_.stand(standing(start));
        while (const auto place = places_.next())
            if (!go_on_from(*place)) return std::nullopt;
        add_to_waits();
        return ItemWalk{places_.take(), std::move(cells_)};
    }

  private:
    static constexpr std::size_t kMostPlaces = 6000;  // of one item

    struct Way {
        std::uint32_t pc = 0;
        bool runs = true;
        bool chose = false, chose_now = false;
        bool back = false;             // it has just jumped back to where a loop begins
        std::vector<Abstract> values;  // by register
        std::vector<bool> masks;       // by slot
    };

    // All ways from there to the next places.
    bool go_on_from(std::uint32_t place) {
        if (steps_ == 0) return false;
        --steps_;
        Way start = way_from(place);
        const Instruction& instruction = code_.instructions[start.pc];
        if (lang::is_visible(instruction.op)) {
            if (!start.runs) return false;
            touch(start, place);
        } else if (!step(start)) {
            note_end(place);
            return true;
        }
        ways_.push_back(std::move(start));
        while (!ways_.empty()) {
            Way way = std::move(ways_.back());
            ways_.pop_back();
            while (!walker_.is_place(way.pc) || passes(way)) {
                if (steps_ == 0) return false;
                --steps_;
                if (!step(way)) break;
            }
            if (ended_) {
                note_end(place);
                continue;
            }
            const std::uint32_t to = places_.stand(standing(way));
            if (places_.size() > kMostPlaces) return false;
            std::vector<std::uint32_t>& after = places_[place].after;
            if (std::find(after.begin(), after.end(), to) == after.end()) after.push_back(to);
        }
        return true;
    }

    void note_end(std::uint32_t place) {
        places_[place].ends = true;
        ended_ = false;
    }

    // Where only known conditions led, it need not stand between its actions.
    bool passes(const Way& way) const {
        return !way.chose && !lang::is_visible(code_.instructions[way.pc].op);
    }

    Way way_from(std::uint32_t place) const {
        const Standing& at = places_[place];
        Way way;
        way.pc = at.pc;
        way.runs = at.runs;
        way.chose = at.chose;
        way.chose_now = at.chose_now;
        way.values.assign(context_.registers, {});
        for (const KnownRegister& each : at.known)
            way.values[each.reg] = {
                each.object_only ? Abstract::Kind::object : Abstract::Kind::known, each.bits};
        way.masks.assign(context_.masks, false);
        for (const std::uint32_t slot : at.masks)
            way.masks[slot] = true;
        return way;
    }

    Standing standing(const Way& way) const {
        Standing at;
        at.pc = way.pc;
        at.runs = way.runs;
        at.chose = way.chose;
        at.chose_now = way.chose_now;
        const lang::Liveness::Alive& alive = walker_.liveness().before(way.pc);
        for (const std::uint32_t slot : alive.masks)
            if (slot < way.masks.size() && way.masks[slot]) at.masks.push_back(slot);
        std::sort(at.masks.begin(), at.masks.end());
        for (const std::uint32_t reg : way.runs ? alive.running : alive.resting) {
            const Abstract& value = way.values[reg];
            if (value.kind == Abstract::Kind::any || !walker_.matters(reg)) continue;
            const bool object_only = value.kind == Abstract::Kind::object;
            at.known.push_back({reg, object_only, value.bits});
        }
        const auto* changed = walker_.changed_from(way.pc);
        if (changed != nullptr && way.chose_now && way.back) {
            std::erase_if(at.known, [&](const KnownRegister& each) {
                return std::binary_search(changed->begin(), changed->end(), each.reg);
            });
        }
        if (changed != nullptr) at.chose_now = false;
        std::sort(at.known.begin(), at.known.end(),
                  [](const auto& a, const auto& b) { return a.reg < b.reg; });
        return at;
    }

    Abstract value(const Way& way, std::uint32_t reg) const {
        if ((reg & lang::kUniform) == 0) return way.values[reg];
        const std::size_t index =
            std::size_t{reg & ~lang::kUniform} * context_.lanes + local_ % context_.lanes;
        return {Abstract::Kind::known, context_.uniforms[index]};
    }

    // What is done at a place that others see.
    void touch(Way& way, std::uint32_t place) {
        const Instruction& instruction = code_.instructions[way.pc++];
        const Abstract pointer = value(way, instruction.a);
        const Abstract operand =
            instruction.op == Op::atomic ? value(way, instruction.b) : Abstract();
        if (instruction.op == Op::group_copy) touch_copied(way, instruction, place);
        lang::for_outputs(instruction, [&](std::uint32_t reg) { way.values[reg] = {}; });
        if (instruction.op != Op::load && instruction.op != Op::store &&
            instruction.op != Op::atomic)
            return;
        const bool writes = writes_cells(instruction);
        std::optional<Cells> cells = Cells{kAnyObject, 0, kNoEnd, writes};
        if (pointer.kind == Abstract::Kind::known) {
            cells = cells_at(context_, walker_.written(), pointer.bits, bytes_touched(instruction),
                             writes);
        } else if (pointer.kind == Abstract::Kind::object) {
            const std::uint64_t base = pointer.bits & ~machine::kOffsetMask;
            cells = cells_at(context_, walker_.written(), base, 0, writes);
            if (cells && cells->object != kAnyObject) cells->end = kNoEnd;
        }
        if (cells && cells->object != kAnyObject && operand.kind == Abstract::Kind::known &&
            context_.objects[machine::object_in(pointer.bits)].filled &&
            reads_only(instruction, operand.bits))
            cells->writes = false;
        if (cells) add(*cells, place);
    }

    void add(const Cells& cells, std::uint32_t place) {
        const auto known = std::find(cells_.begin(), cells_.end(), cells);
        const auto number = static_cast<std::uint32_t>(known - cells_.begin());
        if (known == cells_.end()) cells_.push_back(cells);
        add(number, place);
    }
    void add(std::uint32_t number, std::uint32_t place) {
        std::vector<std::uint32_t>& all = places_[place].cells;
        if (std::find(all.begin(), all.end(), number) == all.end()) all.push_back(number);
    }

    // Both sides of a copy: whole objects where it is open which part.
    void touch_copied(const Way& way, const Instruction& instruction, std::uint32_t place) {
        Abstract given[lang::kCopyOperands];
        for (std::uint32_t i = 0; i < lang::kCopyOperands; ++i)
            given[i] = value(way, instruction.a + i);
        using How = Abstract::Kind;
        if (std::all_of(given, given + 4,
                        [](const Abstract& each) { return each.kind == How::known; })) {
            machine::Copy copy;
            copy.to = given[0].bits;
            copy.from = given[1].bits;
            copy.elements = given[2].bits;
            copy.stride = std::min(given[3].bits, machine::kMostStride);
            copy.instruction = static_cast<std::uint32_t>(&instruction - code_.instructions.data());
            for (const Cells& each : copied_cells(context_, walker_.written(), copy))
                add(each, place);
            return;
        }
        for (const bool writes : {false, true}) {
            const Abstract& pointer = given[writes ? 0 : 1];
            std::optional<Cells> cells = Cells{kAnyObject, 0, kNoEnd, true, true};
            if (pointer.kind != How::any) {
                cells = cells_at(context_, walker_.written(), pointer.bits & ~machine::kOffsetMask,
                                 0, writes);
                if (cells && cells->object != kAnyObject) cells->end = kNoEnd;
                if (cells) cells->copies = true;
            }
            if (cells) add(*cells, place);
        }
    }

    // Which copies a wait is for depends on events: any may be.
    void add_to_waits() {
        for (std::uint32_t place = 0; place < places_.size(); ++place) {
            if (code_.instructions[places_[place].pc].op != Op::group_wait) continue;
            for (std::uint32_t cell = 0; cell < cells_.size(); ++cell)
                if (cells_[cell].copies) add(cell, place);
        }
    }

    // One instruction that nobody sees; whether there is one after it.
    bool step(Way& way) {
        const Instruction& instruction = code_.instructions[way.pc];
        if (instruction.op == Op::end) {
            ended_ = true;
            return false;
        }
        way.back = instruction.op == Op::jump && instruction.target <= way.pc;
        if (instruction.op >= Op::jump)
            control(way, instruction);
        else
            compute(way, instruction);
        return true;
    }

    void compute(Way& way, const Instruction& instruction) {
        ++way.pc;
        if (!way.runs) return;
        const unsigned inputs = lang::operands::inputs(instruction);
        const Abstract a = inputs > 0 ? value(way, instruction.a) : Abstract();
        const Abstract b = inputs > 1 ? value(way, instruction.b) : Abstract();
        const Abstract c = inputs > 2 ? value(way, instruction.c) : Abstract();
        const Abstract result = computed(instruction, inputs, a, b, c);
        lang::for_outputs(instruction, [&](std::uint32_t reg) { way.values[reg] = result; });
    }

    Abstract computed(const Instruction& instruction, unsigned inputs, const Abstract& a,
                      const Abstract& b, const Abstract& c) const {
        using How = Abstract::Kind;
        const auto known = [](std::uint64_t bits) { return Abstract{How::known, bits}; };
        switch (instruction.op) {
            case Op::global_id:
                return known(context_.global_id(group_, local_, instruction.imm));
            case Op::local_id:
                return known(context_.local_id(local_, instruction.imm));
            case Op::group_id:
                return known(context_.group_id(group_, instruction.imm));
            case Op::lane_id:
                return known(local_ % context_.lanes);
            case Op::warp_id:
                return known(local_ / context_.lanes);
            case Op::load_private:
            case Op::undefine:
                return {};
            case Op::move:
                return a;
            case Op::offset:
                if (a.kind == How::any || (a.kind == How::known && b.kind == How::known)) break;
                return {How::object, a.bits};
            case Op::select:
                if (c.kind == How::known) return c.bits != 0 ? a : b;
                if (a.kind == How::any || b.kind == How::any) return {};
                if (a.kind == b.kind && a.bits == b.bits) return a;
                if (machine::object_in(a.bits) == 0 ||
                    machine::object_in(a.bits) != machine::object_in(b.bits))
                    return {};
                return {How::object, a.bits};
            default:
                break;
        }
        if ((inputs > 0 && a.kind != How::known) || (inputs > 1 && b.kind != How::known) ||
            (inputs > 2 && c.kind != How::known))
            return {};
        const auto result = result_of(instruction, a.bits, b.bits, c.bits);
        return result ? known(*result) : Abstract();
    }

    void control(Way& way, const Instruction& instruction) {
        const auto go = [&](Way& on) { on.pc = on.runs ? on.pc + 1 : instruction.target; };
        switch (instruction.op) {
            case Op::jump:
                way.pc = instruction.target;
                return;
            case Op::if_:
            case Op::test:
                choose(way, asked(way, instruction, way.runs), 0, [&](Way& on, bool holds) {
                    const bool came = on.runs;
                    if (instruction.op == Op::if_) {
                        on.masks[instruction.to] = came;
                        on.masks[instruction.to + 1] = came && !holds;
                    }
                    on.runs = came && holds;
                    go(on);
                });
                return;
            case Op::else_:
                way.runs = way.masks[instruction.to + 1];
                go(way);
                return;
            case Op::join:
                way.runs = way.masks[instruction.to] && !way.masks[instruction.a] &&
                           !way.masks[instruction.b] && !way.masks[instruction.c];
                go(way);
                return;
            case Op::enter:
                way.masks[instruction.to] = way.runs;
                way.masks[instruction.a] = false;
                ++way.pc;
                return;
            case Op::again:
                way.runs = way.runs || way.masks[instruction.to];
                way.masks[instruction.to] = false;
                go(way);
                return;
            case Op::leave:
                way.masks[instruction.to] = way.masks[instruction.to] || way.runs;
                way.runs = false;
                way.pc = instruction.target;
                return;
            case Op::case_:
                choose(way, asked(way, instruction, way.masks[instruction.to]), instruction.imm,
                       [&](Way& on, bool differs) {
                           const bool enters = on.masks[instruction.to] && !differs;
                           on.runs = enters || (instruction.extra == 0 && on.runs);
                           go(on);
                       });
                return;
            default:  // next_pass, fence
                ++way.pc;
                return;
        }
    }

    // A condition; who does not ask gets any answer.
    Abstract asked(const Way& way, const Instruction& instruction, bool asks) const {
        return asks ? value(way, instruction.a) : Abstract{Abstract::Kind::known, 0};
    }

    // Goes on as it has to if the value is not `than`, and if it is; both ways where that is open.
    template <typename GoOn>
    void choose(Way& way, const Abstract& value, std::uint64_t than, GoOn go_on) {
        if (value.kind == Abstract::Kind::known) {
            go_on(way, value.bits != than);
            return;
        }
        way.chose = way.chose_now = true;
        Way other = way;
        go_on(other, false);
        ways_.push_back(std::move(other));
        go_on(way, true);
    }

    const ItemWalker& walker_;
    const machine::Context& context_;
    const lang::Code& code_;
    const std::uint32_t group_, local_;
    std::uint64_t& steps_;
    WalkPlaces places_;
    std::vector<Cells> cells_;
    std::vector<Way> ways_;  // to be followed
    bool ended_ = false;
};

}  // namespace

std::optional<ItemWalk> ItemWalker::walk(std::uint32_t group, std::uint32_t local,
                                         std::uint64_t& steps) const {
    return Walk(*this, group, local, steps).run();
}

}  // namespace lab::analysis
