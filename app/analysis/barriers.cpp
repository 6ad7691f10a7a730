#include "analysis/barriers.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include <nlohmann/json.hpp>

#include "analysis/barrier_places.h"
#include "base/json_fields.h"
#include "base/ranges.h"
#include "base/text.h"
#include "lang/compile.h"
#include "lang/preprocess.h"

namespace lab::analysis {

LAB_JSON_SOME_FIELDS_OR_DEFAULT(SyncPoint, line, column, text)

static void to_json(nlohmann::json& json, const SyncPoint& point) {
    put_fields(json, point);
    json["kind"] = kSyncKinds[static_cast<std::size_t>(point.kind)];
    json["need"] = kSyncNeeds[static_cast<std::size_t>(point.need)];
    if (point.need == SyncPoint::Need::needed) {
        json["with"] = point.with;
        json["without"] = point.without;
    }
    if (!point.flags.empty()) json["flags"] = point.flags;
    if (point.scope.empty()) return;
    json["scope"] = point.scope;
    json["together"] = point.together;
}

static void from_json(const nlohmann::json& json, SyncPoint& point) {
    get_fields(json, point);
    point.kind = static_cast<SyncPoint::Kind>(place_of_word(json.at("kind"), kSyncKinds));
    point.need = static_cast<SyncPoint::Need>(place_of_word(json.at("need"), kSyncNeeds));
    point.with = json.value("with", ShapeJudgement());
    point.without = json.value("without", ShapeJudgement());
    point.flags = json.value("flags", std::string());
    point.scope = json.value("scope", std::string());
    point.together = json.value("together", false);
}

LAB_JSON_LOCAL_FIELDS(AddedBarrier, line, call)
LAB_JSON_SOME_FIELDS(BarrierReport, points, shapes, racy, places)

bool BarrierReport::advises() const {
    return any_of(points, [](const SyncPoint& each) {
        return each.need == SyncPoint::Need::not_needed || !each.flags.empty() ||
               (!each.scope.empty() && !each.together);
    });
}

void to_json(nlohmann::json& json, const BarrierReport& report) {
    put_fields(json, report);
    json["complete"] = !report.cancelled;
    if (report.cure) json["add"] = *report.cure;
}

void from_json(const nlohmann::json& json, BarrierReport& report) {
    get_fields(json, report);
    report.cancelled = !json.at("complete").get<bool>();
    if (json.contains("add")) report.cure = json.at("add").get<AddedBarrier>();
}

namespace {

using lang::Op;

// How bad a verdict is; of what is not known, nothing is said.
std::optional<std::size_t> badness(ShapeVerdict verdict) {
    using V = ShapeVerdict;
    constexpr std::array kBetterFirst{V::right, V::wrong,      V::several, V::unwritten,
                                      V::race,  V::never_ends, V::fault};
    if (verdict == V::one_result) return 0;
    const std::size_t place = position_of(kBetterFirst, verdict);
    return place < kBetterFirst.size() ? std::optional(place) : std::nullopt;
}

// Whether a shape is worse than before, or has other results that are not right; nothing where that
// is not known. A verdict that several results have already hides what there are more.
std::optional<bool> is_worse(const ShapeJudgement& now, const ShapeJudgement& before) {
    const auto a = badness(now.verdict), b = badness(before.verdict);
    if (now.verdict == ShapeVerdict::right) return false;
    if (!a || !b) return std::nullopt;
    if (*a > *b) return true;
    if (*b > *badness(ShapeVerdict::race)) return false;  // neither ends
    if (*b == *badness(ShapeVerdict::race) || now.all_results == 0 || before.all_results == 0)
        return std::nullopt;
    return now.all_results != before.all_results;
}

// Which places of barriers and atomics were reached, and how many fences were passed.
class SyncObserver : public machine::Observer {
  public:
    void begin(const machine::Machine& machine) override { machine_ = &machine; }
    void observe(const machine::Action& action, std::span<const machine::Access>, bool) override {
        places.insert(action.place);
        if (action.kind == machine::ActionKind::atomic &&
            machine_->context(action.launch).objects[action.object].space == lang::Space::global)
            global.insert(action.place);
    }
    void detail(const machine::Detail& detail) override {
        fences += detail.kind == machine::Detail::Kind::fence ? 1 : 0;
    }
    std::set<std::uint32_t> places, global;  // global: of atomics in memory that groups share
    std::size_t fences = 0;

  private:
    const machine::Machine* machine_ = nullptr;
};

// Whether one more race would not show in a shape.
bool hides_a_race(const ShapeJudgement& judged) {
    return badness(judged.verdict) >= badness(ShapeVerdict::race);
}

class BarrierSearch {
  public:
    BarrierSearch(const std::vector<RunSpec>& shapes, const std::atomic<bool>* cancel)
        : kernel_(shapes.front().kernel), shape_(shapes.front().shape) {
        effort_.cancel = cancel;
        effort_.all_results = true;
        code_ = compile(kernel_, shape_);
        lang::Diagnostics reported;  // by compile
        for (const RunSpec& spec : shapes) {
            try {
                machine::Job job = job_to_judge(spec, code_);
                if (job.launches.empty()) continue;
                SyncObserver observer;
                ShapeJudgement judged = judge(job, spec.machine.order, nullptr, &observer);
                if (judged.verdict == ShapeVerdict::not_launched) continue;
                global_.insert(observer.global.begin(), observer.global.end());
                jobs_.push_back({std::move(job), spec.machine.order, std::move(judged),
                                 std::move(observer.places), observer.fences});
            } catch (const Problem&) {  // not of this shape
            }
        }
    }

    BarrierReport run() {
        report_.shapes = jobs_.size();
        for (const JudgedJob& each : jobs_)
            report_.racy += each.judged.verdict == ShapeVerdict::race ? 1 : 0;
        const std::vector<Point> all = points();
        for (const Point& point : all)
            if (!cancelled()) report_.points.push_back(judged(point));
        narrow_together(all);
        add_volatile();
        stable_sort(report_.points, [](const SyncPoint& a, const SyncPoint& b) {
            return std::pair(a.line, a.column) < std::pair(b.line, b.column);
        });
        if (report_.racy > 0) look_for_cure();
        report_.cancelled = cancelled();
        return std::move(report_);
    }

  private:
    struct JudgedJob {
        machine::Job job;
        machine::SchedulingPolicy order;
        ShapeJudgement judged;
        std::set<std::uint32_t> places;  // that its run reached
        std::size_t fences = 0;
    };
    struct Point {
        SyncPoint shown;
        std::vector<std::size_t> instructions;
        std::set<std::uint32_t> places;

        bool is_reached_by(const JudgedJob& job) const {
            return any_of(places, [&](std::uint32_t each) { return job.places.contains(each); });
        }
    };
    using Key = std::pair<std::uint32_t, std::uint32_t>;  // line and column

    bool cancelled() const { return effort_.cancel != nullptr && effort_.cancel->load(); }

    // Judges a job with another text's code in the place of its own, if any.
    ShapeJudgement judge(const machine::Job& job, const machine::SchedulingPolicy& order,
                         const catalogue::CompiledKernel& code,
                         machine::Observer* observer = nullptr, bool first_run = false) const {
        machine::Job changed = job;
        if (code)
            for (machine::Launch& launch : changed.launches)
                launch.code = code;
        JudgeEffort effort = effort_;
        effort.observer = observer;
        effort.first_run = first_run;
        try {
            return judge_job(changed, order, effort);
        } catch (const Problem& problem) {
            return {.verdict = ShapeVerdict::not_launched, .what = problem.what_happened};
        }
    }

    // What the text itself has; a place from a macro's body is that of its use.
    std::vector<Point> points() const {
        std::map<Key, Point> found;
        for (std::size_t i = 0; i < code_->instructions.size(); ++i) {
            const lang::Instruction& each = code_->instructions[i];
            const lang::Place& place = code_->place(each);
            if ((each.op != Op::barrier && each.op != Op::fence && each.op != Op::atomic) ||
                place.file != lang::kTextFile)
                continue;
            Point& point = found[{place.line, place.column}];
            point.shown.kind = each.op == Op::barrier  ? SyncPoint::Kind::barrier
                               : each.op == Op::atomic ? SyncPoint::Kind::atomic
                               : (each.extra & lang::kTogether) != 0
                                   ? SyncPoint::Kind::sub_group_barrier
                                   : SyncPoint::Kind::fence;
            point.shown.line = place.line;
            point.shown.column = place.column;
            point.shown.text = trimmed(lang::line_of(code_->sources.at(place.file), place.line));
            point.instructions.push_back(i);
            point.places.insert(each.place);
        }
        std::vector<Point> all;
        for (auto& [key, point] : found)
            all.push_back(std::move(point));
        return all;
    }

    using Edit = std::function<void(lang::Instruction&, std::size_t index)>;
    static catalogue::CompiledKernel edited(const lang::Code& whole, const Point& point,
                                            const Edit& edit) {
        auto code = std::make_shared<lang::Code>(whole);
        for (const std::size_t each : point.instructions)
            edit(code->instructions[each], each);
        return code;
    }
    // Goes on to the next instruction.
    catalogue::CompiledKernel without(const Point& point) const {
        return edited(*code_, point, [](lang::Instruction& instruction, std::size_t index) {
            instruction = {.op = Op::jump,
                           .target = static_cast<std::uint32_t>(index + 1),
                           .place = instruction.place};
        });
    }

    bool is_reached(const Point& point) const {
        return any_of(jobs_, [&](const JudgedJob& each) { return point.is_reached_by(each); });
    }

    // One without which no job got worse.
    SyncPoint spared(SyncPoint shown, bool reached, bool unknown) const {
        unknown = unknown ||
                  all_of(jobs_, [](const JudgedJob& each) { return hides_a_race(each.judged); });
        shown.need = !reached  ? SyncPoint::Need::not_reached
                     : unknown ? SyncPoint::Need::unknown
                               : SyncPoint::Need::not_needed;
        return shown;
    }

    SyncPoint judged(Point point) const {
        if (point.shown.kind == SyncPoint::Kind::atomic) return judged_atomic(std::move(point));
        const catalogue::CompiledKernel code = without(point);
        SyncPoint& shown = point.shown;
        bool reached = is_reached(point);
        bool unknown = false;
        for (const JudgedJob& each : jobs_) {
            SyncObserver observer;
            ShapeJudgement now = judge(each.job, each.order, code, &observer);
            reached = reached || observer.fences != each.fences;
            const std::optional<bool> worse = is_worse(now, each.judged);
            unknown = unknown || !worse;
            if (worse == true) return needed(shown, each.judged, std::move(now), point);
        }
        return spared(shown, reached, unknown);
    }

    SyncPoint needed(SyncPoint shown, const ShapeJudgement& before, ShapeJudgement now,
                     const Point& point) const {
        shown.need = SyncPoint::Need::needed;
        shown.with = before;
        shown.without = std::move(now);
        narrow(shown, point);
        return shown;
    }

    // Whether no shape is worse with that code. The first runs of all of them come before any
    // search: they cost little, and most of what is worse is so there.
    bool does(const catalogue::CompiledKernel& code) const {
        for (const bool first_run : {true, false})
            for (const JudgedJob& each : jobs_) {
                const ShapeJudgement now = judge(each.job, each.order, code, nullptr, first_run);
                if (is_worse(now, each.judged).value_or(!first_run)) return false;
            }
        return true;
    }

    // Whether its scope is the device's, in memory where the group's is another one, and as the
    // text says it: that of OpenCL 1.x's atomics it does not.
    bool is_wide(std::size_t number) const {
        const lang::Instruction& each = code_->instructions[number];
        if (each.op != Op::atomic)
            return lang::scope_of(each.extra) == lang::MemoryScope::device &&
                   (code_->is_cuda || (each.extra & lang::kFenceGlobal) != 0);
        return lang::scope_of(static_cast<std::uint16_t>(each.imm)) == lang::MemoryScope::device &&
               (code_->is_cuda || (each.imm & lang::kLegacyAtomic) == 0) &&
               global_.contains(each.place);
    }
    bool is_wide(const Point& point) const {
        return all_of(point.instructions, [this](std::size_t each) { return is_wide(each); });
    }
    static void narrow_scope(lang::Instruction& instruction, std::size_t) {
        static_assert(lang::bits_of(lang::MemoryScope::group) == 0);
        constexpr std::uint64_t kScopes = lang::kScopeBits | std::uint64_t{lang::kScopeBits}
                                                                 << lang::kFailureShift;
        if (instruction.op == Op::atomic)
            instruction.imm &= ~kScopes;
        else
            instruction.extra &= static_cast<std::uint16_t>(~kScopes);
    }
    const char* narrow_name() const {
        return code_->is_cuda ? "thread_scope_block" : "memory_scope_work_group";
    }

    // Where shapes race as they are, one more race would not show.
    void narrow(SyncPoint& shown, const Point& point) const {
        if (report_.racy > 0) return;
        catalogue::CompiledKernel code = code_;
        const auto would_do = [&](const Edit& edit) {
            catalogue::CompiledKernel narrower = edited(*code, point, edit);
            if (!does(narrower)) return false;
            code = std::move(narrower);
            return true;
        };
        constexpr std::uint16_t kBoth = lang::kFenceLocal | lang::kFenceGlobal;
        const bool both = shown.kind != SyncPoint::Kind::atomic && !code_->is_cuda &&
                          all_of(point.instructions, [&](std::size_t each) {
                              return (code_->instructions[each].extra & kBoth) == kBoth;
                          });
        for (const auto& [bit, name] : {std::pair{lang::kFenceLocal, "CLK_LOCAL_MEM_FENCE"},
                                        {lang::kFenceGlobal, "CLK_GLOBAL_MEM_FENCE"}})
            if (const auto other = static_cast<std::uint16_t>(kBoth & ~bit);
                both && shown.flags.empty() &&
                would_do([other](lang::Instruction& instruction, std::size_t) {
                    instruction.extra = static_cast<std::uint16_t>(instruction.extra & ~other);
                }))
                shown.flags = name;
        if (is_wide(point) && would_do(narrow_scope)) shown.scope = narrow_name();
    }

    // Two sides of a hand-over need scopes that fit: where one alone cannot be narrower, all may.
    void narrow_together(const std::vector<Point>& all) {
        if (report_.racy > 0 || report_.points.size() < all.size()) return;
        Point wide;
        std::vector<SyncPoint*> left;
        for (std::size_t i = 0; i < all.size(); ++i) {
            for (const std::size_t each : all[i].instructions)
                if (is_wide(each)) wide.instructions.push_back(each);
            SyncPoint& shown = report_.points[i];
            if (shown.need == SyncPoint::Need::needed && shown.scope.empty() && is_wide(all[i]))
                left.push_back(&shown);
        }
        if (left.empty() || !does(edited(*code_, wide, narrow_scope))) return;
        for (SyncPoint* each : left) {
            each->scope = narrow_name();
            each->together = true;
        }
    }

    // As a plain access it would race, or it would not.
    SyncPoint judged_atomic(Point point) const {
        SyncPoint& shown = point.shown;
        JudgeEffort effort = effort_;
        effort.plain = &point.places;
        effort.first_run = true;
        bool unknown = false;
        using Order = machine::SchedulingPolicy::Kind;
        for (const JudgedJob& each : jobs_) {
            unknown = unknown || each.judged.verdict == ShapeVerdict::race;
            if (each.judged.verdict == ShapeVerdict::race) continue;
            for (const Order kind : {each.order.kind, Order::in_order, Order::reversed}) {
                // That run is known, and nothing is plain in it.
                if (kind == each.order.kind && !point.is_reached_by(each)) continue;
                machine::SchedulingPolicy order = each.order;
                order.kind = kind;
                ShapeJudgement now = judge_job(each.job, order, effort);
                if (now.verdict != ShapeVerdict::race) continue;
                return needed(shown, each.judged, std::move(now), point);
            }
        }
        return spared(shown, is_reached(point), unknown);
    }

    // Those that conditions leave in the text; `asm volatile` qualifies no type.
    void add_volatile() {
        lang::Diagnostics reported;  // by compile
        const lang::Preprocessed text = lang::preprocess(code_->sources, reported);
        std::string_view last;
        for (const lang::Token& token : text.tokens) {
            const bool is_type = token.is("volatile") && !last.starts_with("asm") &&
                                 !last.starts_with("__asm") && token.place.file == lang::kTextFile;
            last = token.text;
            if (!is_type) continue;
            SyncPoint point;
            point.kind = SyncPoint::Kind::volatile_;
            point.need = SyncPoint::Need::orders_nothing;
            point.line = token.place.line;
            point.column = token.place.column;
            point.text = trimmed(lang::line_of(code_->sources[lang::kTextFile], point.line));
            report_.points.push_back(std::move(point));
        }
    }

    // Whether no shape has a race with one more barrier, nor what is worse.
    bool cures(const std::string& text) const {
        const catalogue::CompiledKernel code = compiled_with(kernel_, shape_, text);
        if (!code) return false;
        const auto good = [&](const JudgedJob& each) {
            const auto now = badness(judge(each.job, each.order, code).verdict);
            return now && *now < *badness(ShapeVerdict::race) &&
                   *now <= badness(each.judged.verdict).value_or(*now);
        };
        // Those with a race first: most places fail there.
        for (const bool racy : {true, false})
            for (const JudgedJob& each : jobs_)
                if ((each.judged.verdict == ShapeVerdict::race) == racy && !good(each))
                    return false;
        return true;
    }

    void look_for_cure() {
        const std::string calls[] = {"barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)",
                                     "barrier(CLK_LOCAL_MEM_FENCE)",
                                     "barrier(CLK_GLOBAL_MEM_FENCE)", "__syncthreads()"};
        const std::string& widest = code_->is_cuda ? calls[3] : calls[0];
        const auto with = [&](const lang::Place& start, const std::string& call) {
            return with_call(*code_, {start}, call);
        };
        for (const auto& [start, conditions, loops] : statement_starts(*code_)) {
            if (cancelled()) return;
            ++report_.places;
            if (!cures(with(start, widest))) continue;
            report_.cure = {start.line, widest};
            if (code_->is_cuda) return;
            for (const std::string& narrow : {calls[1], calls[2]})
                if (cures(with(start, narrow))) {
                    report_.cure->call = narrow;
                    return;
                }
            return;
        }
    }

    const catalogue::Kernel& kernel_;
    const catalogue::Shape& shape_;
    JudgeEffort effort_;
    catalogue::CompiledKernel code_;
    std::vector<JudgedJob> jobs_;
    std::set<std::uint32_t> global_;  // places
    BarrierReport report_;
};

}  // namespace

std::vector<RunSpec> shapes_for_barriers(const RunSpec& spec) {
    std::vector<RunSpec> shapes{spec};
    for (const char* group : {"1", "2", "3", "4", "8"}) {
        RunSpec sized = with_value(spec, "group", group);
        sized.shape.input = without_numbers(sized.shape.input);
        for (const char* n : {"1", "2", "3", "5", "8", "13", "16", "33"})
            shapes.push_back(with_value(sized, "n", n));
        for (const char* groups : {"1", "2", "3"}) {
            try {
                shapes.push_back(with_value(sized, "groups", groups));
            } catch (const Problem&) {  // that many it never has
            }
        }
    }
    return shapes;
}

BarrierReport judge_barriers(const std::vector<RunSpec>& shapes, const std::atomic<bool>* cancel) {
    if (shapes.empty()) return {};
    return BarrierSearch(shapes, cancel).run();
}

}  // namespace lab::analysis
