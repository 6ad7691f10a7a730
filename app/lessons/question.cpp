#include "lessons/question.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "analysis/lattice_run.h"
#include "analysis/lineage.h"
#include "analysis/memory_traffic.h"
#include "analysis/step_table.h"
#include "analysis/warps.h"
#include "base/ranges.h"
#include "base/text.h"
#include "lang/compile.h"

namespace lab::lessons {
namespace {

void add_cells(Question& question, const Page& page, Runs& runs) {
    const Ask& ask = *page.ask;
    Facts& facts = runs.facts(page.show);
    question.row = row_of(ask.row, facts);
    const analysis::Row& row = facts.row(question.row);
    std::vector<std::uint64_t> cells = ask.cells;
    for (std::size_t i = 0; ask.cells.empty() && i < row.cells.size(); ++i)
        cells.push_back(i);
    for (const std::uint64_t cell : cells) {
        if (cell >= row.cells.size())
            throw Problem(fmt::format("There is no cell {}", cell),
                          fmt::format("The row has {}", row.cells.size()), "Name another");
        const analysis::CellValue& value = row.cells[cell].value;
        Field field = field_of(number_of(value), 0, text_of(value));
        field.cell = cell;
        question.fields.push_back(std::move(field));
    }
}

void add_picks(Question& question, const Page& page, Runs& runs) {
    const Ask& ask = *page.ask;
    Facts& facts = runs.facts(page.show);
    const bool of_start = ask.kind == Kind::pick && (ask.use == Facts::CellUse::missing ||
                                                     ask.use == Facts::CellUse::doubled);
    question.row = of_start ? 0 : row_of(ask.row, facts);
    question.picked = ask.kind == Kind::items ? Picked::items : Picked::cells;
    question.picks = ask.kind == Kind::items ? facts.items(question.row, ask.state)
                                             : facts.cells(question.row, ask.use);
    question.several = true;
}

void add_numbers(Question& question, const Page& page, Runs& runs) {
    for (std::size_t i = 0; i < page.ask->values.size(); ++i) {
        const double value = page.ask->values[i](page.show, runs);
        Field field = field_of(value, page.ask->within, text_of(value));
        if (i < page.labels.size()) field.label = i;
        question.fields.push_back(std::move(field));
    }
}

// Numbers near the right one, for those who do not look.
std::vector<double> near_numbers(double right) {
    if (right == std::floor(right))
        return {right + 1, right * 2, right - 1, std::floor(right / 2), right + 2, right * 2 + 1};
    return {right * 2, right / 2, right * 4, right / 4};
}

// Adds up to `most` wrong numbers to choose, each with the mistake that gives it.
void add_mistakes(Question& question, const Page& page, Runs& runs, std::vector<double>& numbers,
                  std::size_t most) {
    const bool negative = any_of(numbers, [](double each) { return each < 0; });
    // Rounding is what a question about floats is about: what is far off, everybody sees.
    const double near = std::abs(numbers.front());
    const bool rounded = page.show.shape.type == catalogue::Type::float_ && near > 0;
    for_each_mistake(page, runs.library(), [&](const Mistaken& mistaken) {
        const double value = mistaken.values.front();
        if (contains(numbers, value) || (value < 0 && !negative)) return true;
        if (rounded && std::abs(std::abs(value) - near) > near / 2) return true;
        numbers.push_back(value);
        question.options.push_back({{}, text_of(value), false, {}, mistaken.words});
        question.options.back().mistake.arguments["given"] = text_of(value);
        return numbers.size() < most;
    });
}

void sort_numbers(std::vector<Option>& options) {
    stable_sort(options, [](const Option& a, const Option& b) {
        return std::strtod(a.text.c_str(), nullptr) < std::strtod(b.text.c_str(), nullptr);
    });
}

void add_number_options(Question& question, const Page& page, Runs& runs) {
    const double right = page.ask->values.front()(page.show, runs);
    std::vector<double> numbers{right};
    question.options.push_back({{}, text_of(right), true});
    const auto offer = [&](double value) {
        if (contains(numbers, value) || (value < 0 && right >= 0)) return;
        numbers.push_back(value);
        question.options.push_back({{}, text_of(value), false});
    };
    for (const Expression& other : page.ask->others)
        offer(other(page.show, runs));
    const std::size_t most = std::max<std::size_t>(4, page.ask->others.size() + 2);
    if (numbers.size() < most) add_mistakes(question, page, runs, numbers, most);
    for (const double value : near_numbers(right))
        if (numbers.size() < most) offer(value);
    sort_numbers(question.options);
}

void add_kernel_options(Question& question, const Page& page, Runs& runs) {
    const Ask& ask = *page.ask;
    std::vector<double> values;
    for (const std::string& kernel : ask.kernels) {
        Show show = page.show;
        const Show before = show;
        set_key(show, "kernel", kernel);
        show.shape = before.shape;  // the same numbers for all
        show.shape.set.clear();
        show.machine.shape() = before.machine;
        values.push_back(ask.values.front()(show, runs));
    }
    const double best = ask.most ? *std::max_element(values.begin(), values.end())
                                 : *std::min_element(values.begin(), values.end());
    for (std::size_t i = 0; i < ask.kernels.size(); ++i)
        question.options.push_back({{}, ask.kernels[i], values[i] == best});
}

void add_options(Question& question, const Page& page, Runs& runs) {
    const Ask& ask = *page.ask;
    if (!ask.options.empty()) {
        const Text labels = filled(page.labels, {page.show, runs});
        for (std::size_t i = 0; i < ask.options.size(); ++i) {
            Option option{{}, fmt::format("{}", i + 1), ask.options[i](page.show, runs) != 0};
            if (i < labels.size()) {  // a list that does not fit names none
                option.label = i;
                option.text = plain_text(labels[i]);
            }
            question.options.push_back(std::move(option));
        }
        question.several = true;  // how many are right is not to be told
    } else if (!ask.kernels.empty()) {
        add_kernel_options(question, page, runs);
    } else {
        add_number_options(question, page, runs);
    }
}

void add_measure(Question& question, const Page& page, Runs&) {
    const Ask& ask = *page.ask;
    if (ask.predict == Predict::share)
        for (const char* key : {"always", "nearly_always", "now_and_then", "hardly_ever"})
            question.options.push_back({{}, fmt::format("learn.share.{}", key), false});
    if (ask.predict == Predict::ratio) question.fields.emplace_back();
    if (ask.predict != Predict::order) return;
    question.picked = Picked::order;
    for (const std::string& kernel : ask.kernels)
        question.options.push_back({{}, kernel, false});
}

}  // namespace

Field field_of(double value, double within, std::string expected) {
    Field field;
    field.value = value;
    field.expected = std::move(expected);
    field.within = within > 0 ? within : value == std::floor(value) ? 0 : 0.01;
    // What is shown as the answer is one, though it may have fewer digits than the value.
    const double shown = std::strtod(field.expected.c_str(), nullptr);
    if (shown != value && value != 0)
        field.within = std::max(field.within, 1.001 * std::abs((shown - value) / value));
    return field;
}

bool fits(double value, const Field& field) {
    return std::abs(value - field.value) <= field.within * std::abs(field.value) + 1e-12;
}

std::size_t row_of(const Place& place, Facts& facts) {
    const std::size_t last = facts.passes();
    if (place.kind == Place::Kind::start) return 0;
    if (place.kind == Place::Kind::end) return last;
    if (place.kind == Place::Kind::action) {  // the last row that has come about by then
        const std::vector<std::uint64_t>& ends = facts.run().row_ends;
        std::size_t row = 0;
        while (row < last && row + 1 < ends.size() && ends[row + 1] <= place.row)
            ++row;
        return row;
    }
    if (place.row > last)
        throw Problem(fmt::format("There is no pass {}", place.row),
                      fmt::format("The run has {}", last), "Name another row");
    return place.row;
}

namespace {

void add_results(Question& question, const Page& page, Runs& runs) {
    constexpr std::size_t kMost = 12;  // possible results offered; further ones are not
    Facts& facts = runs.facts(page.show);
    std::vector<double> numbers;
    question.several = true;
    for (const analysis::PossibleResult& result : facts.outcomes().results) {
        if (result.fault || result.never_ends || numbers.size() >= kMost) continue;
        question.options.push_back({{}, result.ending.result, true});
        numbers.push_back(std::strtod(result.ending.result.c_str(), nullptr));
    }
    // Not always as many wrong ones: how many are right is not to be told.
    const std::size_t right = numbers.size();
    const double sum = std::accumulate(numbers.begin(), numbers.end(), 0.0);
    const std::size_t wrong = 2 + static_cast<std::size_t>(std::fmod(std::abs(sum), 3));
    add_mistakes(question, page, runs, numbers, right + wrong);
    // Where no mistake gives enough: numbers of the run, and near ones.
    const auto offer = [&](double value) {
        if (numbers.size() >= right + 2 || !std::isfinite(value) || contains(numbers, value))
            return;
        numbers.push_back(value);
        question.options.push_back({{}, text_of(value), false});
    };
    const auto offer_near = [&] {
        for (const double value : std::vector(numbers))
            for (const double near : near_numbers(value))
                if (near >= 0) offer(near);
    };
    if (page.show.shape.type == catalogue::Type::float_) offer_near();
    for (const analysis::Row& row : facts.table().rows)
        for (const analysis::Cell& cell : row.cells)
            offer(number_of(cell.value));
    offer_near();
    sort_numbers(question.options);
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// Other writings of the same signs; blanks of all kinds and apostrophes only group digits.
std::string in_ascii(std::string_view text) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 20> kSigns{{
        {"\xe2\x88\x92", "-"}, {"\xe2\x80\x93", "-"},  // minus, dash
        {"\xc3\x97", "*"},     {"\xc2\xb7", "*"},     {"\xe2\x8b\x85", "*"},
        {"\xc3\xb7", "/"},  // times, dots, divided by
        {"\xc2\xa0", " "},     {"\xe2\x80\xaf", " "}, {"\xe2\x80\x89", " "},
        {"\xe3\x80\x80", " "},  // blanks
        {"\xe2\x80\x99", "'"}, {"\xef\xbc\x8c", ","}, {"\xef\xbc\x8e", "."},
        {"\xef\xbc\x88", "("}, {"\xef\xbc\x89", ")"}, {"\xef\xbc\x8b", "+"},
        {"\xef\xbc\x8d", "-"}, {"\xef\xbc\x8a", "*"}, {"\xef\xbc\x8f", "/"},
        {"**", "^"},
    }};
    std::string result;
    while (!text.empty()) {
        const auto* sign =
            find_if(kSigns, [&](const auto& each) { return text.starts_with(each.first); });
        if (sign != nullptr) {
            result += sign->second;
            text.remove_prefix(sign->first.size());
        } else if (text.starts_with("\xef\xbc") && text.size() > 2 &&
                   static_cast<unsigned char>(text[2]) >= 0x90 &&
                   static_cast<unsigned char>(text[2]) <= 0x99) {  // full-width digits
            result += static_cast<char>('0' + static_cast<unsigned char>(text[2]) - 0x90);
            text.remove_prefix(3);
        } else {
            result += text.front();
            text.remove_prefix(1);
        }
    }
    return result;
}

// Arithmetic over numbers; `commas`: they stand between thousands, else they are decimal ones.
class Sum {
  public:
    Sum(std::string_view text, bool commas) : text_(text), commas_(commas) {}

    std::optional<double> value() {
        const std::optional<double> result = sum();
        skip();
        if (!result || at_ < text_.size() || !std::isfinite(*result)) return std::nullopt;
        return result;
    }

  private:
    char peek(std::size_t ahead = 0) const {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
    }
    void skip() {
        while (peek() == ' ' || peek() == '\t')
            ++at_;
    }
    bool next(char sign) {
        skip();
        if (peek() != sign) return false;
        ++at_;
        return true;
    }

    std::optional<double> sum() {
        std::optional<double> left = product();
        while (left) {
            const bool plus = next('+');
            if (!plus && !next('-')) break;
            const std::optional<double> right = product();
            if (!right) return right;
            left = plus ? *left + *right : *left - *right;
        }
        return left;
    }
    std::optional<double> product() {
        std::optional<double> left = power();
        while (left) {
            const bool times = next('*');
            if (!times && !next('/')) break;
            const std::optional<double> right = power();
            if (!right) return right;
            left = times ? *left * *right : *left / *right;
        }
        return left;
    }
    std::optional<double> power() {
        if (++depth_ > 50) return std::nullopt;
        if (next('-')) {
            const std::optional<double> value = power();
            return value ? std::optional(-*value) : value;
        }
        (void)next('+');
        const std::optional<double> base = atom();
        if (!base || !next('^')) return base;
        const std::optional<double> exponent = power();
        return exponent ? std::optional(std::pow(*base, *exponent)) : exponent;
    }
    std::optional<double> atom() {
        if (!next('(')) return number();
        const std::optional<double> value = sum();
        return next(')') ? value : std::nullopt;
    }

    // Digits up to here are a group of three, and no more follow.
    bool three_digits() const {
        return is_digit(peek(1)) && is_digit(peek(2)) && is_digit(peek(3)) && !is_digit(peek(4));
    }

    std::optional<double> number() {
        skip();
        if (peek() == '0' && (peek(1) == 'x' || peek(1) == 'X')) {
            char* end = nullptr;
            const std::string digits(text_.substr(at_));
            const auto value = std::strtoull(digits.c_str(), &end, 16);
            at_ += static_cast<std::size_t>(end - digits.c_str());
            return static_cast<double>(value);
        }
        std::string digits;
        bool point = false;
        for (;; ++at_) {
            const char c = peek();
            if (is_digit(c)) {
                digits += c;
            } else if ((c == ' ' || c == '\'' || (c == ',' && commas_)) && !point &&
                       !digits.empty() && three_digits()) {
                continue;
            } else if ((c == '.' || (c == ',' && !commas_)) && !point) {
                point = true;
                digits += '.';
            } else {
                break;
            }
        }
        if (none_of(digits, is_digit)) return std::nullopt;
        if (const std::size_t sign = peek(1) == '-' || peek(1) == '+' ? 2 : 1;
            (peek() == 'e' || peek() == 'E') && is_digit(peek(sign))) {
            digits += text_.substr(at_, sign);
            for (at_ += sign; is_digit(peek()); ++at_)
                digits += peek();
        }
        return std::strtod(digits.c_str(), nullptr) * unit();
    }

    // "2Ki", "10 M", "50 %": a percentage is asked for as such.
    double unit() {
        skip();
        constexpr std::array<std::pair<std::string_view, double>, 9> kUnits{{{"Ki", 0x1p10},
                                                                             {"Mi", 0x1p20},
                                                                             {"Gi", 0x1p30},
                                                                             {"ki", 0x1p10},
                                                                             {"k", 1e3},
                                                                             {"K", 1e3},
                                                                             {"M", 1e6},
                                                                             {"G", 1e9},
                                                                             {"%", 1}}};
        for (const auto& [name, factor] : kUnits)
            if (text_.substr(at_).starts_with(name)) {
                at_ += name.size();
                return factor;
            }
        return 1;
    }

    std::string_view text_;
    bool commas_;
    std::size_t at_ = 0;
    int depth_ = 0;
};

}  // namespace

std::vector<double> typed_numbers(std::string_view text) {
    const std::string clean = in_ascii(text.substr(0, 200));
    std::vector<double> numbers;
    for (const bool commas : {true, false})
        if (const auto value = Sum(clean, commas).value(); value && !contains(numbers, *value))
            numbers.push_back(*value);
    return numbers;
}

std::string typed_row(std::string_view text) {
    constexpr std::size_t kMost = 64;  // numbers of a row that is typed; more are refused
    const std::vector<std::string> numbers = split(in_ascii(text.substr(0, 1000)), ',');
    const auto is_number = [](const std::string& each) {
        char* end = nullptr;
        std::strtod(each.c_str(), &end);
        return !each.empty() && *end == 0;
    };
    if (numbers.size() > kMost || !all_of(numbers, is_number)) return {};
    return fmt::format("{}", fmt::join(numbers, ","));
}

// The lines of a kernel that a question may ask for.
namespace {

using Lines = std::set<std::uint64_t>;

Lines of_races(Facts& facts, const char* does) {
    Lines lines;
    for (const analysis::Hazard& hazard : facts.run().hazards)
        if (hazard.severity != analysis::Hazard::Severity::note)
            for (const analysis::HazardSide& side : hazard.sides)
                if (does == nullptr || side.does == does) lines.insert(side.line);
    return lines;
}

// The line in "kernel.cl:12:3".
Lines of_fault(Facts& facts) {
    const auto& fault = facts.plain_run().fault;
    const auto colon = fault ? fault->where.find(':') : std::string::npos;
    if (colon == std::string::npos) return {};
    const unsigned long line = std::strtoul(fault->where.c_str() + colon + 1, nullptr, 10);
    return line > 0 ? Lines{line} : Lines();
}

// Where work-items stand in a schedule that never ends.
Lines of_waiting(const Page& page, Runs& runs) {
    Facts& facts = runs.facts(page.show);
    if (facts.plain_run().fault) return of_fault(facts);
    for (const analysis::PossibleResult& result : facts.shortest_outcomes().results) {
        if (!result.never_ends) continue;
        Show endless = page.show;
        endless.machine.order = std::string(machine::kTurnsPrefix) + machine::text_of(result.turns);
        return of_fault(runs.facts(endless));
    }
    return {};
}

// Every line after which one barrier more ends all races, without a fault.
Lines of_missing_barrier(const Page& page, Runs& runs) {
    Lines lines;
    const std::string text = text_of(page.show, runs.library());
    const std::vector<std::string_view> all = text_lines(text);
    const auto begin = static_cast<std::size_t>(std::count(
        text.begin(), text.begin() + static_cast<std::ptrdiff_t>(header_of(text).size()), '\n'));
    for (std::size_t after = begin; after < all.size(); ++after) {
        Show tried = page.show;
        tried.text.emplace();
        for (std::size_t i = 0; i < all.size(); ++i) {
            tried.text->append(all[i]).append("\n");
            if (i == after) *tried.text += "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n";
        }
        try {
            Facts facts(spec_of(tried, runs.library()));
            if (!facts.plain_run().fault && of_races(facts, nullptr).empty())
                lines.insert(after + 1);
        } catch (const Problem&) {
            // A barrier is no statement there.
        }
    }
    return lines;
}

Lines right_lines(const Page& page, Runs& runs) {
    const std::string& word = page.ask->right;
    if (word == "wait") return of_waiting(page, runs);
    if (word == "barrier") return of_missing_barrier(page, runs);
    Facts& facts = runs.facts(page.show);
    if (word == "race") return of_races(facts, nullptr);
    if (word == "read") return of_races(facts, "reads");
    if (word == "write") return of_races(facts, "writes");
    if (word == "fault") return of_fault(facts);
    Lines lines;
    if (word == "stale")
        for (const analysis::Row& row : facts.table().rows)
            for (const analysis::StaleValue& stale : row.stale)
                lines.insert(stale.line);
    if (word == "diverged")
        for (const analysis::DivergentBranch& branch : facts.run().lanes.branches)
            if (branch.splits > 0) lines.insert(branch.line);
    if (word == "expensive")
        if (const machine::Run* run = facts.plain_run().run)
            if (const auto request = analysis::most_expensive_request(*run))
                lines.insert(request->line);
    if (!word.empty()) return lines;
    const std::size_t count = text_lines(text_of(page.show, runs.library())).size();
    for (std::size_t line = 1; line <= count; ++line)
        if (page.ask->values.front()(page.show, runs, {{"line", static_cast<double>(line)}}) != 0)
            lines.insert(line);
    return lines;
}

// Lines of the kernel by which a work-item comes in a run, in that order: an access or a barrier
// each. What one statement does at once is one step.
std::vector<std::uint32_t> lines_of_item(const machine::Run& run, std::uint64_t item,
                                         const Ask& ask) {
    const auto asked = [&](const machine::Action& action, std::uint32_t line) {
        return (ask.steps.empty() || contains(ask.steps, action.kind)) &&
               (ask.lines.empty() || any_of(ask.lines, [&](const auto& range) {
                    return range.first <= line && line <= range.second;
                }));
    };
    const machine::Trace& trace = run.trace();
    std::vector<std::uint32_t> lines;
    std::set<std::uint32_t> places;  // of the step at hand: in a loop it begins anew
    std::uint32_t launch = 0, line = 0;
    bool counted = false;
    for (std::uint64_t time = 0; time < trace.size(); ++time) {
        const machine::Action& action = trace.action(time);
        const machine::Context& context = run.machine().context(action.launch);
        const std::uint64_t local = item % context.local, lane = local % context.lanes;
        const lang::Place& place = context.code->places[action.place];
        if (action.copies != 0 || action.group != item / context.local ||
            action.warp != local / context.lanes || (action.mask >> lane & 1U) == 0 ||
            place.file != lang::kTextFile)
            continue;
        const bool again = places.contains(action.place) && !trace.continues(time);
        if (launch != action.launch || line != place.line || again) {
            launch = action.launch;
            line = place.line;
            places.clear();
            counted = false;
        }
        places.insert(action.place);
        if (!counted && (counted = asked(action, line))) lines.push_back(line);
    }
    return lines;
}

void add_order(Question& question, const Page& page, Runs& runs) {
    constexpr std::size_t kMost = 12;  // steps to put in order; more are refused
    const Ask& ask = *page.ask;
    const double item = ask.item.empty() ? 0 : ask.item(page.show, runs);
    const machine::Run* run = runs.facts(page.show).plain_run().run;
    std::vector<std::uint32_t> right;
    if (run != nullptr && item >= 0 && item == std::floor(item))
        right = lines_of_item(*run, static_cast<std::uint64_t>(item), ask);
    const std::string who = "Work-item " + text_of(item);
    if (right.size() > kMost)
        throw Problem(fmt::format("{} does too much to put it in order", who),
                      fmt::format("{} steps, and {} can be asked for", right.size(), kMost),
                      "Ask for fewer: of: barriers, or lines: 24-26");
    if (right.empty() || right == std::vector(right.size(), right.front()))
        throw Problem(fmt::format("{} does nothing that has an order", who),
                      right.empty() ? "It comes by none of those lines"
                                    : fmt::format("It comes by line {} alone", right.front()),
                      "Ask for more, or for another work-item");
    // By their words: where they stand in the text would tell most of their order.
    const std::string text = text_of(page.show, runs.library());
    const std::vector<std::string_view> lines = text_lines(text);
    std::vector<std::pair<std::string, std::uint32_t>> offered;
    for (const std::uint32_t line : right) {
        const std::string_view words = line <= lines.size() ? lines[line - 1] : std::string_view();
        offered.emplace_back(trimmed(words.substr(0, words.find("//"))), line);
    }
    sort(offered);
    for (const auto& [words, line] : offered)
        question.options.push_back(
            {{}, fmt::format("{}: {}", line, words), false, fmt::format("{}", line)});
    for (const std::uint32_t line : right)
        for (std::uint64_t option = 0; option < offered.size(); ++option)
            if (offered[option].second == line && !contains(question.order, option)) {
                question.order.push_back(option);
                break;
            }
    question.picked = Picked::order;
    question.answer = fmt::format("{}", fmt::join(right, ", "));
}

std::string text_of_file(const Page& page, const std::string& file, const Library& library) {
    Show show = page.show;
    set_key(show, "kernel", file);
    return text_of(show, library);
}

// The lines of an edit's start that are offered; the solution has those that it needs in their
// place.
void add_lines_to_arrange(Question& question, const Page& page, Runs& runs) {
    const Ask& ask = *page.ask;
    if (ask.lines.empty()) return;
    const std::string start = text_of_file(page, ask.start, runs.library());
    const std::string solution = text_of_file(page, ask.solution, runs.library());
    const std::vector<std::string_view> lines = text_lines(start), right = text_lines(solution);
    const auto [first, last] = ask.lines.front();
    if (first == 0 || last > lines.size())
        throw Problem(fmt::format("There are no lines {}-{}", first, last),
                      fmt::format("The start has {}", lines.size()), "Name others");
    for (std::uint32_t line = first; line <= last; ++line)
        question.options.push_back(
            {{}, std::string(trimmed(lines[line - 1])), false, fmt::format("{}", line)});
    stable_sort(question.options, [](const Option& a, const Option& b) { return a.text < b.text; });
    for (std::size_t i = first - 1; i + lines.size() < right.size() + last; ++i) {
        std::uint64_t option = 0;
        while (option < question.options.size() &&
               (question.options[option].text != trimmed(right[i]) ||
                contains(question.order, option)))
            ++option;
        if (option == question.options.size())
            throw Problem(fmt::format("Line {} of the solution is not offered", i + 1),
                          fmt::format("The start's lines {}-{} are", first, last),
                          "Put it among them");
        question.order.push_back(option);
    }
    question.picked = Picked::order;
}

// What no question of a kind can do without.
struct Need {
    Kind kind;
    bool (*is_met)(const Ask& ask);
    const char *what, *hint;
};
constexpr std::array kNeeds{
    Need{Kind::input, [](const Ask& ask) { return !ask.goals.empty() && !ask.solution.empty(); },
         "Numbers have a goal and a solution",
         "Add two lines: goal: races > 0, and solution: 3,3,0"},
    Need{Kind::input,
         [](const Ask& ask) {
             return none_of(ask.goals, [](const Goal& goal) { return !goal.shapes.empty(); });
         },
         "A goal for numbers has no shape", "Leave out what comes after 'for': the page shows it"},
    Need{Kind::number, [](const Ask& ask) { return !ask.values.empty(); },
         "The question has no value", "Add a line: value: passes"},
    Need{Kind::choose, [](const Ask& ask) { return !ask.options.empty() || !ask.values.empty(); },
         "There is nothing to choose", "Add a line for each option: option: passes == 3"},
    Need{Kind::line, [](const Ask& ask) { return !ask.right.empty() || !ask.values.empty(); },
         "No line is right", "Add a line: right: race"},
    Need{Kind::schedule, [](const Ask& ask) { return !ask.until.empty(); },
         "The schedule has no aim", "Add a line: until: wrong"},
    Need{Kind::edit, [](const Ask& ask) { return !ask.start.empty() && !ask.solution.empty(); },
         "An edit has a start and a solution",
         "Add two lines: start: start.cl, and solution: solution.cl"},
    Need{Kind::edit, [](const Ask& ask) { return !ask.goals.empty(); }, "The edit has no goal",
         "Add a line: goal: races == 0"},
    Need{Kind::measure,
         [](const Ask& ask) {
             return ask.predict == Predict::share ? ask.trials > 0 : ask.kernels.size() > 1;
         },
         "There is nothing to measure",
         "Name two kernels: kernels: a, b; or trials: 1000 with predict: share"},
};

constexpr std::array kTypes{
    QuestionType{.kind = Kind::cells, .name = "cells", .work_out = add_cells},
    QuestionType{.kind = Kind::items,
                 .name = "items",
                 .work_out = add_picks,
                 .sets = true,
                 .fewer = "learn.wrong.items_missing",
                 .wrong = "learn.wrong.item",
                 .named = "item"},
    QuestionType{.kind = Kind::number, .name = "number", .work_out = add_numbers},
    QuestionType{.kind = Kind::choose,
                 .name = "choose",
                 .work_out = add_options,
                 .sets = true,
                 .fewer = "learn.wrong.options_missing",
                 .wrong = "learn.wrong.option",
                 .named = "option"},
    QuestionType{.kind = Kind::results,
                 .name = "results",
                 .work_out = add_results,
                 .sets = true,
                 .fewer = "learn.wrong.results_missing",
                 .wrong = "learn.wrong.result",
                 .named = "result"},
    QuestionType{.kind = Kind::line,
                 .name = "line",
                 .work_out =
                     [](Question& question, const Page& page, Runs& runs) {
                         question.picked = Picked::line;
                         question.picks = right_lines(page, runs);
                     },
                 .fewer = "learn.wrong.line",
                 .wrong = "learn.wrong.line"},
    QuestionType{.kind = Kind::order,
                 .name = "order",
                 .work_out = add_order,
                 .values = false,
                 .wrong = "learn.wrong.order",
                 .named = "line"},
    QuestionType{.kind = Kind::schedule, .name = "schedule"},
    QuestionType{
        .kind = Kind::edit, .name = "edit", .work_out = add_lines_to_arrange, .values = false},
    QuestionType{.kind = Kind::measure, .name = "measure", .work_out = add_measure},
    QuestionType{
        .kind = Kind::reflect,
        .name = "reflect",
        .work_out = [](Question& question, const Page&, Runs&) { question.graded = false; },
        .values = false},
    QuestionType{.kind = Kind::pick,
                 .name = "pick",
                 .work_out = add_picks,
                 .sets = true,
                 .fewer = "learn.wrong.cells_missing",
                 .wrong = "learn.wrong.pick",
                 .named = "cell"},
    QuestionType{
        .kind = Kind::input,
        .name = "input",
        .work_out = [](Question& question, const Page& page,
                       Runs&) { question.fields.emplace_back().expected = page.ask->solution; }},
};

}  // namespace

std::span<const QuestionType> question_types() {
    return kTypes;
}

const QuestionType& type_of(Kind kind) {
    return *find_if(kTypes, [&](const QuestionType& each) { return each.kind == kind; });
}

void check_needs(const Ask& ask) {
    for (const Need& need : kNeeds)
        if (need.kind == ask.kind && !need.is_met(ask)) throw Problem(need.what, "", need.hint);
}

const char* name_of(Kind kind) {
    return type_of(kind).name;
}

Question question_of(const Page& page, Runs& runs) {
    Question question;
    question.graded = page.ask.has_value();
    if (!page.ask) return question;
    question.kind = page.ask->kind;
    if (const auto work_out = type_of(question.kind).work_out) work_out(question, page, runs);
    if (!question.answer.empty()) return question;
    auto texts = mapped<std::string>(question.fields, &Field::expected);
    for (std::size_t i = 0; i < question.options.size(); ++i) {
        const Option& option = question.options[i];
        if (!option.right) continue;
        question.picks.insert(i);
        texts.push_back(option.text);
    }
    for (const std::uint64_t pick : question.picks)
        if (question.options.empty()) texts.push_back(fmt::format("{}", pick));
    question.answer = fmt::format("{}", fmt::join(texts, ", "));
    return question;
}

std::string arranged(const Page& page, const Question& question,
                     const std::vector<std::uint64_t>& picks, const Library& library) {
    const std::string start = text_of_file(page, page.ask->start, library);
    const std::vector<std::string_view> lines = text_lines(start);
    const auto [first, last] = page.ask->lines.front();
    std::vector<std::string_view> chosen(lines.begin(), lines.begin() + first - 1);
    for (const std::uint64_t pick : picks)
        if (pick < question.options.size())
            chosen.push_back(
                lines[std::strtoul(question.options[pick].name.c_str(), nullptr, 10) - 1]);
    chosen.insert(chosen.end(), lines.begin() + last, lines.end());
    return fmt::format("{}", fmt::join(chosen, "\n"));
}

// Puts the values of expressions into a page's words.
namespace {

std::string results_of(const Filling& with, bool wrong_only) {
    std::vector<std::string> texts;
    for (const analysis::PossibleResult& result : with.runs.facts(with.show).outcomes().results)
        if (!wrong_only || !result.ending.right.value_or(false))
            texts.push_back(result.never_ends ? "…" : result.ending.result);
    constexpr std::size_t kMost = 12;  // results in a text; … stands for the rest
    const bool more = texts.size() > kMost;
    if (more) texts.resize(kMost);
    return fmt::format("{}{}", fmt::join(texts, ", "), more ? ", …" : "");
}

std::string line_of(const Filling& with, const std::string& number) {
    const std::string text = text_of(with.show, with.runs.library());
    const std::vector<std::string_view> lines = text_lines(text);
    const unsigned long line = std::max(std::strtoul(number.c_str(), nullptr, 10), 1UL);
    if (line > lines.size()) throw Problem("There is no such line", "", "Name another");
    return std::string(trimmed(lines[line - 1]));
}

std::string counts_of(const Measured& measured) {
    std::vector<std::pair<std::uint64_t, std::string>> counts;
    for (const auto& [result, count] : measured.counts)
        counts.emplace_back(count, result);
    std::sort(counts.rbegin(), counts.rend());
    std::vector<std::string> texts;
    for (const auto& [count, result] : counts)
        if (texts.size() < 6) texts.push_back(fmt::format("{} × {}", count, result));
    for (const auto& [kernel, seconds] : measured.seconds)
        texts.push_back(fmt::format("{}: {:.3g} ms", kernel, seconds * 1e3));
    return fmt::format("{}", fmt::join(texts, ", "));
}

std::string value_of(const std::string& inside, const Filling& with) {
    if (inside == "answer") return with.question != nullptr ? with.question->answer : "";
    if (inside == "the results") return results_of(with, false);
    if (inside == "the wrong results") return results_of(with, true);
    if (inside == "schedule")
        return with.given != nullptr && !with.given->texts.empty() ? with.given->texts.front() : "";
    if (inside == "device") return with.measured != nullptr ? with.measured->device : "–";
    if (inside == "measured") return with.measured != nullptr ? counts_of(*with.measured) : "–";
    if (inside.starts_with("line ")) return line_of(with, inside.substr(5));
    return text_of(Expression(inside, with.runs.library())(with.show, with.runs));
}

// `place`: of the span in the paragraph's text.
std::string filled_span(const std::string& text, const Filling& with, const Paragraph& paragraph,
                        std::size_t place, std::vector<Problem>* problems) {
    std::string result;
    std::size_t begin = 0;
    while (true) {
        const auto open = text.find('{', begin);
        const auto close = open == std::string::npos ? open : text.find('}', open);
        if (close == std::string::npos) return result + text.substr(begin);
        result += text.substr(begin, open - begin);
        try {
            result += value_of(text.substr(open + 1, close - open - 1), with);
        } catch (const Problem& problem) {
            result += text.substr(open, close + 1 - open);
            if (problems != nullptr)
                problems->push_back(problem.at(std::to_string(paragraph.line_at(place + open))));
        }
        begin = close + 1;
    }
}

}  // namespace

Text filled(const Text& text, const Filling& with, std::vector<Problem>* problems) {
    Text result = text;
    for (Paragraph& paragraph : result) {
        std::size_t place = 0;
        for (Span& span : paragraph.spans) {
            const std::size_t length = span.text.size();
            if (!span.code) span.text = filled_span(span.text, with, paragraph, place, problems);
            place += length;
        }
    }
    return result;
}

Text reply_to(const Page& page, const Question& question, const Answer& answer,
              const Feedback& feedback, Runs& runs, const Measured* measured) {
    const Show answered = answered_show(page, answer);
    // After a schedule "the run" means the page's own; in an answer to a mistake, the mistaken one.
    const bool edits = page.ask && (page.ask->kind == Kind::edit || page.ask->kind == Kind::input);
    if (feedback.right || feedback.given_up || feedback.measured)
        return filled(page.after,
                      {edits ? answered : page.show, runs, &question, &answer, measured});
    if (feedback.reply)
        return filled(
            page.replies[*feedback.reply].words,
            {feedback.failed ? *feedback.failed : answered, runs, &question, &answer, measured});
    return {};
}

const Reason* reason_of(const Page& page, const Answer& answer) {
    return find_if(page.reasons, [&](const Reason& each) { return each.name == answer.reason; });
}

Text reply_to_reason(const Page& page, const Question& question, const Answer& answer, Runs& runs) {
    const Reason* reason = reason_of(page, answer);
    if (reason == nullptr) return {};
    return filled(reason->reply, {page.show, runs, &question, &answer, nullptr});
}

namespace {

bool asks_graded(const Page& page) {
    return page.ask && page.ask->kind != Kind::reflect;
}

using Refusal = std::optional<Problem>;

// Only of kernels side by side is there a chart.
Refusal no_chart(const Page& page) {
    if (page.ask && page.ask->kind == Kind::measure && page.ask->predict != Predict::share)
        return {};
    return Problem("There is no chart for this page", "It asks for no measurement of kernels",
                   "Ask measure with kernels, or show something else");
}

Refusal race_refusal(const Page& page, Runs& runs) {
    const machine::Job job = analysis::job_of(spec_of(page.show, runs.library()));
    for (const machine::Launch& launch : job.launches)
        if (launch.range.items() > analysis::kMostRaceItems)
            return Problem(
                fmt::format("{} work-items are too many for the race view", launch.range.items()),
                fmt::format("It takes up to {}", analysis::kMostRaceItems), "Show fewer numbers");
    return {};
}

Refusal lattice_refusal(const Page& page, Runs& runs) {
    if (page.show.hide_later && asks_graded(page))
        return Problem("The lattice hides nothing", "It is of the whole run",
                       "Leave out 'hide: later', or write 'view: step'");
    (void)analysis::lattice_of(spec_of(page.show, runs.library()));
    return {};
}

struct ViewEntry {
    const char* name;
    PageView view;
    Refusal (*refuses)(const Page& page, Runs& runs);  // null: never
};
constexpr std::array kPageViews{
    ViewEntry{"step", PageView::rows, nullptr}, ViewEntry{"race", PageView::schedule, race_refusal},
    ViewEntry{"lattice", PageView::lattice, lattice_refusal},
    ViewEntry{"measure", PageView::chart, [](const Page& page, Runs&) { return no_chart(page); }}};

bool has_lineage(const analysis::MachineRun& run, std::size_t) {
    const std::size_t last = run.table.rows.size() - 1;
    const auto cell =
        memory_cell(*run.run, run.table.rows[last], result_cell(run.table).value_or(0));
    return cell && cell_account(*run.run, *cell, run.row_ends[last]);
}

bool has_variables(const analysis::MachineRun& run, std::size_t row) {
    const std::uint64_t time = run.row_ends[row];
    const machine::State state = run.run->state_at(time);
    const auto [slot, warp] = analysis::warp_at(state, run.timeline, time);
    return !analysis::variables_of(run.run->machine(), state, slot, warp).empty();
}

// What a panel cannot do without.
struct PanelNeed {
    const char* panel;
    bool (*is_met)(const analysis::MachineRun& run, std::size_t row);
    const char *what, *why, *hint;
};
constexpr std::array kPanelNeeds{
    PanelNeed{"lanes", [](const auto& run, std::size_t) { return !run.activity.empty(); },
              "There are no lanes to show", "No work-item did anything", "Show another kernel"},
    PanelNeed{"memory",
              [](const auto& run, std::size_t) {
                  return analysis::most_expensive_request(*run.run).has_value();
              },
              "There is no memory request to show", "The run ends before the first",
              "Show another kernel"},
    PanelNeed{"lineage", has_lineage, "There is no lineage to show",
              "It is not known which numbers are in the result", "Show a kernel that sums them up"},
    PanelNeed{"variables", has_variables, "There are no variables to show",
              "None is alive where the page stands", "Stand at a pass before the last"},
    PanelNeed{"prints",
              [](const auto& run, std::size_t) { return analysis::calls_printf(*run.run); },
              "There is nothing printed to show", "The kernel does not call printf",
              "Show a kernel that prints, or another panel"},
    PanelNeed{"prints", [](const auto& run, std::size_t) { return !run.prints.empty(); },
              "There is nothing printed to show", "No call of printf is reached",
              "Show a kernel that prints, or another panel"}};

Refusal panel_refusal(const Page& page, Runs& runs) {
    const std::string& panel = page.show.panel;
    const PageView view = view_of(page);
    if (panel.empty()) return {};
    if (panel == "chart" && view == PageView::chart)
        return Problem("The chart is there twice", "'view: measure' shows it",
                       "Write 'panel: none'");
    if (panel == "chart") return no_chart(page);
    if (view == PageView::schedule)
        return Problem(fmt::format("There is no panel '{}' beside a schedule", panel),
                       "It is about a whole run, and this one is still to be chosen",
                       "Write 'panel: none'");
    Facts& facts = runs.facts(page.show);
    const analysis::MachineRun& run = facts.run();
    if (run.run == nullptr)
        return Problem("There is no run to show", "Nothing is launched", "Show another kernel");
    const std::size_t row = std::min(row_of(page.show.at, facts), run.table.rows.size() - 1);
    for (const PanelNeed& need : kPanelNeeds)
        if (panel == need.panel && !need.is_met(run, row))
            return Problem(need.what, need.why, need.hint);
    return {};
}

}  // namespace

PageView view_of(const Page& page) {
    if (page.ask && page.ask->kind == Kind::schedule) return PageView::schedule;
    for (const ViewEntry& entry : kPageViews)
        if (page.show.view == entry.name) return entry.view;
    return PageView::rows;
}

std::optional<Problem> cannot_show(const Page& page, Runs& runs) {
    const bool schedule = page.ask && page.ask->kind == Kind::schedule;
    if (schedule && page.show.view != "step" && page.show.view != "race")
        return Problem("A schedule is chosen in the race view",
                       fmt::format("The page names '{}'", page.show.view), "Write 'view: race'");
    const PageView view = view_of(page);
    for (const ViewEntry& entry : kPageViews)
        if (view == entry.view && entry.refuses != nullptr)
            if (Refusal refusal = entry.refuses(page, runs)) return refusal;
    return panel_refusal(page, runs);
}

bool panel_waits(const Page& page) {
    const std::string& panel = page.show.panel;
    if (!asks_graded(page)) return false;
    if (panel == "chart") return true;
    if (page.ask->kind == Kind::edit || page.ask->kind == Kind::measure) return false;
    if (panel == "races") return true;
    // The others are cut off where the rows are, and so is the beginning left of them.
    return page.show.hide_later && (panel == "memory" || page.show.at.kind == Place::Kind::start);
}

std::optional<std::uint32_t> memory_line(const Show& show, const machine::Run& run) {
    for (const std::uint32_t line : analysis::lines_with_requests(run))
        for (const auto& [first, last] : show.lines)
            if (first <= line && line <= last) return line;
    return {};
}

}  // namespace lab::lessons
