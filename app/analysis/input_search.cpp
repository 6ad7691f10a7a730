#include "analysis/input_search.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "analysis/hazards.h"
#include "base/json_fields.h"
#include "base/problem.h"
#include "base/ranges.h"
#include "base/text.h"
#include "catalogue/form.h"

namespace lab::analysis {

LAB_JSON_SOME_FIELDS_OR_DEFAULT(FoundNumbers, numbers, tried, arguments)

static void to_json(nlohmann::json& json, const FoundNumbers& found) {
    json = found.judgement;
    put_fields(json, found);
}

static void from_json(const nlohmann::json& json, FoundNumbers& found) {
    json.get_to(found.judgement);
    get_fields(json, found);
}

LAB_JSON_LOCAL_FIELDS(ReachedCode, lines, all_lines, outcomes, all_outcomes, pairs)
LAB_JSON_SOME_FIELDS(InputSearchResult, given, found, reached, tried, unjudged, depends, varied)

void to_json(nlohmann::json& json, const InputSearchResult& result) {
    put_fields(json, result);
    json["complete"] = !result.cancelled;
}

void from_json(const nlohmann::json& json, InputSearchResult& result) {
    get_fields(json, result);
    result.cancelled = !json.at("complete").get<bool>();
}

namespace {

using NumberRow = std::vector<std::string>;

// What runs have reached: lines of accesses, outcomes of conditions, pairs of lines that conflict.
struct ReachedPlaces {
    std::set<std::uint32_t> lines;
    std::set<std::pair<std::uint32_t, bool>> outcomes;
    std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;

    // Returns whether anything is new.
    bool add(const ReachedPlaces& other) {
        const std::size_t before = size();
        lines.insert(other.lines.begin(), other.lines.end());
        outcomes.insert(other.outcomes.begin(), other.outcomes.end());
        pairs.insert(other.pairs.begin(), other.pairs.end());
        return size() > before;
    }
    std::size_t size() const { return lines.size() + outcomes.size() + pairs.size(); }
};

// Of each cell, the first access of each line by each of two work-items is enough to know which
// lines conflict.
class ReachObserver : public machine::Observer {
  public:
    void begin(const machine::Machine& machine) override { machine_ = &machine; }
    void observe(const machine::Action& action, std::span<const machine::Access> accesses,
                 bool) override {
        const machine::Context& context = machine_->context(action.launch);
        const std::uint32_t line = context.code->places[action.place].line;
        reach.lines.insert(line);
        if (action.kind > machine::ActionKind::atomic || action.copies != 0) return;
        const bool local = context.objects[action.object].space == machine::Space::local;
        std::size_t access = 0;
        for (const std::uint32_t lane : machine::set_bits(action.mask)) {
            const std::uint64_t item = context.item(action.group, action.warp, lane);
            for (std::uint32_t i = 0; i < action.count && access < accesses.size(); ++i, ++access)
                meet({action.launch, action.object, local ? action.group : 0,
                      accesses[access].index},
                     {line, item, action.kind != machine::ActionKind::load});
        }
    }

    ReachedPlaces reach;

  private:
    struct Touch {
        std::uint32_t line = 0;
        std::uint64_t item = 0;
        bool writes = false;
    };
    void meet(const std::array<std::uint32_t, 4>& cell, const Touch& now) {
        std::vector<Touch>& all = cells_[cell];
        std::size_t same = 0;
        for (const Touch& each : all) {
            same += each.line == now.line && each.writes == now.writes ? 1 : 0;
            if (each.item != now.item && (each.writes || now.writes))
                reach.pairs.insert(std::minmax(each.line, now.line));
        }
        if (same < 2) all.push_back(now);
    }

    const machine::Machine* machine_ = nullptr;
    std::map<std::array<std::uint32_t, 4>, std::vector<Touch>> cells_;
};

// Words for numbers, the simplest first; those of a type that lead astray come last.
const NumberRow& simple_numbers(catalogue::Type type) {
    static const std::array<NumberRow, 6> kByType{
        {{"0", "1", "2", "3", "-1", "7", "2147483647", "-2147483648"},
         {"0", "1", "2", "3", "7", "4294967295"},
         {"0", "1", "2", "3", "-1", "7", "9223372036854775807", "-9223372036854775808"},
         {"0", "1", "2", "3", "7", "18446744073709551615"},
         {"0", "1", "2", "3", "-1", "0.5", "16777216", "3e38", "-3e38"},
         {"0", "1", "2", "3", "-1", "0.5", "9007199254740992", "1e308", "-1e308"}}};
    return kByType[static_cast<std::size_t>(type)];
}

// Nought and the digits below a number; of other numbers all digits.
NumberRow simpler_than(const std::string& number) {
    NumberRow simpler;
    const auto value = parse_number<std::uint64_t>(number);
    for (std::uint64_t each = 0; each < std::min<std::uint64_t>(value.value_or(10), 10); ++each)
        simpler.push_back(std::to_string(each));
    return simpler;
}

// A type of elements whose numbers can be written.
std::optional<catalogue::Type> type_of(lang::Scalar scalar) {
    for (const catalogue::TypeInfo& each : catalogue::types())
        if (catalogue::scalar_of(each.type) == scalar) return each.type;
    return std::nullopt;
}

bool are_equal(const machine::Buffer& buffer) {
    const std::size_t bytes = buffer.element_bytes;
    return std::equal(buffer.initial.begin() + static_cast<std::ptrdiff_t>(bytes),
                      buffer.initial.end(), buffer.initial.begin());
}

// The buffers of a form's job that are data: what is all of one number and is written to is rather
// where results start.
std::vector<std::size_t> data_of(const machine::Job& job) {
    std::vector<std::size_t> filled, data;
    for (std::size_t i = 0; i < job.buffers.size(); ++i) {
        const machine::Buffer& each = job.buffers[i];
        if (each.of_program || each.initial.empty() || !type_of(each.element)) continue;
        filled.push_back(i);
        if (each.constant || !are_equal(each)) data.push_back(i);
    }
    return data.empty() ? filled : data;
}

class InputSearch {
  public:
    InputSearch(const RunSpec& spec, const InputSearchOptions& options)
        : spec_(spec), options_(options) {
        effort_.cancel = options.cancel;
        code_ = compile(spec.kernel, spec.shape);
        base_ = job_of(spec_, code_);
        result_.depends =
            for_these_numbers(base_) || any_of(code_->instructions, [](const auto& each) {
                return lang::divides(each.op);  // by a number that may be 0
            });
        if (by_form()) {
            for (const std::size_t each : data_of(base_)) {
                take_numbers(each);
                result_.varied.push_back(base_.buffers[each].name);
            }
        } else if (const machine::Buffer* first =
                       find_if(base_.buffers,
                               [](const machine::Buffer& each) { return each.takes_elements; });
                   first != nullptr) {
            take_numbers(static_cast<std::size_t>(first - base_.buffers.data()));
        }
        if (given_.empty())
            throw Problem(
                fmt::format("{} takes no numbers", spec.kernel.id),
                by_form() ? "No buffer is filled with elements of a type of numbers"
                          : "No buffer of it takes the elements",
                by_form() ? "Fill one, as in in:int[4]=1,2,3,4" : "Choose another kernel");
    }

    InputSearchResult run() {
        result_.given = attempt(given_, false);
        for (const NumberRow& each : kinds())
            attempt(each, true);
        mutate();
        const auto found = found_;
        for (const auto& [verdict, numbers] : found)
            result_.found.push_back(shrunk(verdict, numbers));
        count_reached();
        result_.cancelled = cancelled();
        return std::move(result_);
    }

  private:
    // The numbers of a row that a buffer takes.
    struct Part {
        std::size_t buffer = 0;
        catalogue::Type type = catalogue::Type::int_;
        std::size_t first = 0, count = 0;
    };

    bool by_form() const { return spec_.kernel.by_form(); }
    void take_numbers(std::size_t place) {
        const machine::Buffer& buffer = base_.buffers[place];
        Part part{place, type_of(buffer.element).value_or(spec_.shape.type), given_.size(), 0};
        const catalogue::Values values = catalogue::values_from(part.type, buffer.initial);
        part.count = catalogue::count_of(values);
        for (std::size_t i = 0; i < part.count; ++i)
            given_.push_back(catalogue::text_of(values, i));
        parts_.push_back(part);
    }
    const NumberRow& words_at(std::size_t place) const {
        const Part* of = &parts_.front();
        for (const Part& each : parts_)
            if (each.first <= place) of = &each;
        return simple_numbers(of->type);
    }
    static catalogue::Input input_of(const NumberRow& numbers) {
        return {catalogue::Input::Kind::values, fmt::format("{}", fmt::join(numbers, ",")), 0};
    }
    static NumberRow numbers_of(const Part& part, const NumberRow& numbers) {
        const auto first = numbers.begin() + static_cast<std::ptrdiff_t>(part.first);
        return {first, first + static_cast<std::ptrdiff_t>(part.count)};
    }
    // In the place of numbers that a buffer's type does not have: 0.
    NumberRow fitting(NumberRow numbers) const {
        if (parts_.size() < 2) return numbers;
        for (const Part& part : parts_)
            for (std::size_t i = part.first; i < part.first + part.count; ++i)
                if (thrown_by([&] { (void)make_values(input_of({numbers[i]}), part.type, 1); }))
                    numbers[i] = "0";
        return numbers;
    }

    bool cancelled() const { return options_.cancel != nullptr && options_.cancel->load(); }

    std::optional<machine::Job> job_with(const NumberRow& numbers) const {
        if (by_form()) {
            machine::Job job = base_;
            for (const Part& part : parts_)
                job.buffers[part.buffer].initial = catalogue::bytes_in(
                    make_values(input_of(numbers_of(part, numbers)), part.type, part.count));
            return job;
        }
        RunSpec spec = spec_;
        spec.shape.n = numbers.size();
        spec.shape.input = input_of(numbers);
        try {
            return job_to_judge(spec, code_,
                                options_.lengths_are_told && numbers.size() == given_.size());
        } catch (const Problem&) {  // not with so few
            return std::nullopt;
        }
    }

    // What these numbers lead to: more than one verdict where there is a race.
    std::vector<ShapeJudgement> judgements(const machine::Job& job, JudgeEffort effort,
                                           bool results) const {
        std::vector<ShapeJudgement> all{judge_job(job, spec_.machine.order, effort)};
        if (all[0].verdict != ShapeVerdict::race || !results) return all;
        ShapeJudgement rest = judge_results(job, effort);
        if (is_bad(rest.verdict)) all.push_back(std::move(rest));
        return all;
    }

    // Runs these numbers, and keeps those that reach something new to go on from.
    ShapeJudgement attempt(const NumberRow& row, bool bounded) {
        const NumberRow numbers = fitting(row);
        if (cancelled() || (bounded && result_.tried >= options_.most_tries)) return {};
        const auto job = job_with(numbers);
        if (!job) return {};
        ++result_.tried;
        ReachObserver observer;
        machine::Flow flow;
        JudgeEffort effort = effort_;
        effort.observer = &observer;
        effort.flow = &flow;
        // The search for results takes longest: once each verdict that it may have is known, and
        // for numbers that reach nothing new, it would tell little.
        const bool results = found_.find(ShapeVerdict::several) == found_.end() ||
                             found_.find(ShapeVerdict::wrong) == found_.end();
        std::vector<ShapeJudgement> all = judgements(*job, effort, results);
        for (const machine::Branch& each : flow.branches()) {
            if (each.held) observer.reach.outcomes.emplace(each.place, true);
            if (each.failed) observer.reach.outcomes.emplace(each.place, false);
        }
        if (all.front().verdict == ShapeVerdict::unknown && !cancelled()) ++result_.unjudged;
        if (reach_.add(observer.reach)) corpus_.push_back(numbers);
        for (const ShapeJudgement& each : all)
            if (is_bad(each.verdict) && found_.try_emplace(each.verdict, numbers).second)
                first_[each.verdict] = result_.tried;
        return all.front();
    }

    // Kinds of numbers that often show what is wrong.
    std::vector<NumberRow> kinds() {
        const std::size_t count = given_.size();
        std::vector<NumberRow> all;
        const auto add = [&](auto number_at) {
            NumberRow& numbers = all.emplace_back();
            for (std::size_t i = 0; i < count; ++i)
                numbers.push_back(number_at(i));
        };
        const auto number = [](std::size_t i) { return std::to_string(i); };
        add(number);
        add([&](std::size_t i) { return number(count - 1 - i); });
        add([&](std::size_t i) { return number((i + 1) % count); });
        add([&](std::size_t i) { return number(i + 1); });
        std::size_t most = 0;
        for (const Part& part : parts_)
            most = std::max(most, simple_numbers(part.type).size());
        for (std::size_t word = 0; word < most; ++word)
            add([&](std::size_t i) { return words_at(i)[std::min(word, words_at(i).size() - 1)]; });
        const std::string neutral =
            catalogue::text_of(catalogue::identity(spec_.shape.op, spec_.shape.type), 0);
        if (std::isdigit(static_cast<unsigned char>(neutral.back())) != 0)
            add([&](std::size_t) { return neutral; });
        NumberRow row = given_;
        for (int i = 0; i < 6; ++i) {
            std::shuffle(row.begin(), row.end(), random_);
            all.push_back(row);
        }
        for (const std::size_t below : {std::size_t{2}, std::size_t{4}, count})
            for (int i = 0; i < 4; ++i)
                add([&](std::size_t) { return number(any(below)); });
        for (int i = 0; i < 4; ++i)
            add([&](std::size_t at) { return words_at(at)[any(words_at(at).size())]; });
        return all;
    }

    // From rows that reached something new: one or two numbers changed, swapped or made equal.
    void mutate() {
        const std::size_t most = result_.depends ? options_.most_tries : result_.tried + 20;
        while (!corpus_.empty() && !cancelled() && result_.tried < most) {
            NumberRow row = corpus_[any(corpus_.size())];
            const std::size_t changes = 1 + any(2), before = result_.tried;
            for (std::size_t i = 0; i < changes; ++i) {
                const std::size_t place = any(row.size());
                std::string& number = row[place];
                std::string& other = row[any(row.size())];
                switch (any(3)) {
                    case 0:
                        number = words_at(place)[any(words_at(place).size())];
                        break;
                    case 1:
                        number = other;
                        break;
                    default:
                        std::swap(number, other);
                }
            }
            attempt(row, true);
            if (result_.tried == before) return;
        }
    }

    bool leads_to(ShapeVerdict verdict, const NumberRow& numbers) const {
        const auto job = job_with(numbers);
        if (!job || cancelled()) return false;
        const auto all = judgements(*job, effort_, verdict != ShapeVerdict::race);
        return any_of(all, [&](const ShapeJudgement& each) { return each.verdict == verdict; });
    }

    // The shortest part of the row, from its start or to its end, then each number as simple as it
    // can be.
    FoundNumbers shrunk(ShapeVerdict verdict, NumberRow numbers) const {
        constexpr std::size_t kLengths = 64;  // tried, from 1 on
        const std::size_t lengths = by_form() ? 0 : std::min(numbers.size(), kLengths);
        for (std::size_t count = 1; count < lengths; ++count) {
            const auto part = static_cast<std::ptrdiff_t>(count);
            const NumberRow front(numbers.begin(), numbers.begin() + part);
            const NumberRow back(numbers.end() - part, numbers.end());
            const bool from_front = leads_to(verdict, front);
            if (!from_front && !leads_to(verdict, back)) continue;
            numbers = from_front ? front : back;
            break;
        }
        const auto leads = [&](std::size_t place, const std::string& number) {
            NumberRow tried = numbers;
            tried[place] = number;
            if (!leads_to(verdict, tried)) return false;
            numbers = std::move(tried);
            return true;
        };
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t i = 0; i < numbers.size(); ++i) {
                const NumberRow simpler = simpler_than(numbers[i]);
                changed =
                    any_of(simpler, [&](const auto& each) { return leads(i, each); }) || changed;
            }
        }
        for (std::size_t i = 0; i < numbers.size(); ++i)
            if (auto high = parse_number<std::uint64_t>(numbers[i]))
                for (std::uint64_t low = 9; *high > low + 1;) {
                    const std::uint64_t middle = low + (*high - low) / 2;
                    (leads(i, std::to_string(middle)) ? *high : low) = middle;
                }
        FoundNumbers found;
        const auto job = job_with(numbers);
        for (ShapeJudgement& each : judgements(*job, effort_, verdict != ShapeVerdict::race))
            if (each.verdict == verdict) found.judgement = std::move(each);
        if (by_form()) found.arguments = arguments_with(numbers);
        found.numbers = std::move(numbers);
        found.tried = first_.at(verdict);
        return found;
    }

    std::vector<std::string> arguments_with(const NumberRow& numbers) const {
        const catalogue::LaunchForm& form = *spec_.kernel.plan.form;
        const machine::Launch& launch = base_.launches.front();
        std::vector<catalogue::ArgumentRow> rows = rows_of(catalogue::facts_of(form), form);
        std::vector<std::string> arguments = form.arguments;
        for (const Part& part : parts_)
            for (std::size_t i = 0; i < arguments.size(); ++i)
                if (const machine::Argument& each = launch.arguments[i];
                    each.kind == machine::Argument::Kind::buffer && each.buffer == part.buffer) {
                    rows[i].fill = input_of(numbers_of(part, numbers)).text;
                    arguments[i] = argument_of(rows[i]);
                }
        return arguments;
    }

    void count_reached() {
        std::set<std::uint32_t> lines, conditions;
        for (const lang::Instruction& each : code_->instructions) {
            if (is_visible(each.op)) lines.insert(code_->place(each).line);
            if (each.op == lang::Op::if_ || each.op == lang::Op::test || each.op == lang::Op::case_)
                conditions.insert(each.place);
        }
        for (const auto& [place, side] : reach_.outcomes)
            conditions.insert(place);
        result_.reached = {reach_.lines.size(), lines.size(), reach_.outcomes.size(),
                           2 * conditions.size(), reach_.pairs.size()};
    }

    std::size_t any(std::size_t bound) { return static_cast<std::size_t>(random_() % bound); }

    const RunSpec& spec_;
    const InputSearchOptions& options_;
    JudgeEffort effort_;
    machine::Job base_;  // of the numbers that were asked for
    std::vector<Part> parts_;
    catalogue::CompiledKernel code_;
    NumberRow given_;
    std::mt19937 random_{1};
    std::vector<NumberRow> corpus_;
    ReachedPlaces reach_;
    std::map<ShapeVerdict, NumberRow> found_;
    std::map<ShapeVerdict, std::size_t> first_;
    InputSearchResult result_;
};

}  // namespace

InputSearchResult search_inputs(const RunSpec& spec, const InputSearchOptions& options) {
    return InputSearch(spec, options).run();
}

}  // namespace lab::analysis
