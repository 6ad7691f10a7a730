#include "lessons/answers/question.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/lanes/memory_request.h"

namespace lab::lessons {
namespace {

void add_cells(Question& question, const Ask& ask, Facts& facts) {
    const analysis::Row& row = facts.row(question.row);
    std::vector<std::uint64_t> cells = ask.cells;
    for (std::size_t i = 0; ask.cells.empty() && i < row.cells.size(); ++i)
        cells.push_back(i);
    std::vector<std::string> texts;
    for (const std::uint64_t cell : cells) {
        if (cell >= row.cells.size())
            throw Problem(fmt::format("There is no cell {}", cell),
                          fmt::format("The row has {}", row.cells.size()), "Name another");
        const analysis::CellValue& value = row.cells[cell].value;
        Field field = field_of(number_of(value), 0, text_of(value));
        field.cell = cell;
        texts.push_back(field.expected);
        question.fields.push_back(std::move(field));
    }
    question.answer = fmt::format("{}", fmt::join(texts, ", "));
}

void add_numbers(Question& question, const Page& page, Runs& runs) {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < page.ask->values.size(); ++i) {
        const double value = page.ask->values[i](page.show, runs);
        Field field = field_of(value, page.ask->within, text_of(value));
        if (i < page.labels.size()) field.label = i;
        texts.push_back(field.expected);
        question.fields.push_back(std::move(field));
    }
    question.answer = fmt::format("{}", fmt::join(texts, ", "));
}

// Numbers near the right one, for those who do not look.
std::vector<double> near_numbers(double right) {
    if (right == std::floor(right))
        return {right + 1, right * 2, right - 1, std::floor(right / 2), right + 2, right * 2 + 1};
    return {right * 2, right / 2, right * 4, right / 4};
}

void add_number_options(Question& question, const Page& page, Runs& runs) {
    const double right = page.ask->values.front()(page.show, runs);
    std::vector<double> numbers{right};
    const auto offer = [&](double value) {
        if (std::find(numbers.begin(), numbers.end(), value) == numbers.end() &&
            (value >= 0 || right < 0))
            numbers.push_back(value);
    };
    for (const Expression& other : page.ask->others)
        offer(other(page.show, runs));
    for (const double value : near_numbers(right))
        if (numbers.size() < std::max<std::size_t>(4, page.ask->others.size() + 2)) offer(value);
    std::sort(numbers.begin(), numbers.end());
    for (const double value : numbers)
        question.options.push_back({{}, text_of(value), value == right});
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
        show.lanes = before.lanes;
        show.resident = before.resident;
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
        for (std::size_t i = 0; i < ask.options.size(); ++i) {
            Option option{{}, fmt::format("{}", i + 1), ask.options[i](page.show, runs) != 0};
            if (i < page.labels.size()) option.label = i;  // a list that does not fit names none
            question.options.push_back(std::move(option));
        }
    } else if (!ask.kernels.empty()) {
        add_kernel_options(question, page, runs);
    } else {
        add_number_options(question, page, runs);
    }
}

void add_measure(Question& question, const Ask& ask) {
    if (ask.predict == Predict::share)
        for (const char* key : {"always", "nearly_always", "now_and_then", "hardly_ever"})
            question.options.push_back({{}, fmt::format("learn.share.{}", key), false});
    if (ask.predict == Predict::ratio) question.fields.emplace_back();
    if (ask.predict == Predict::order)
        for (const std::string& kernel : ask.kernels)
            question.options.push_back({{}, kernel, false});
}

void answer_by_options(Question& question, const Page& page) {
    std::vector<std::string> texts;
    std::size_t right = 0;
    for (const Option& option : question.options) {
        if (!option.right) continue;
        ++right;
        texts.push_back(option.label ? plain_text(page.labels[*option.label]) : option.text);
    }
    question.several = page.ask->kind == Kind::results ||
                       (page.ask->kind == Kind::choose && !page.ask->options.empty() && right > 1);
    question.answer = fmt::format("{}", fmt::join(texts, ", "));
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

Question question_of(const Page& page, Runs& runs) {
    Question question;
    if (!page.ask) {
        question.graded = false;
        return question;
    }
    const Ask& ask = *page.ask;
    question.kind = ask.kind;
    switch (ask.kind) {
        case Kind::cells:
        case Kind::pick:
        case Kind::items: {
            Facts& facts = runs.facts(page.show);
            question.row = ask.kind == Kind::pick && (ask.use == Facts::CellUse::missing ||
                                                      ask.use == Facts::CellUse::doubled)
                               ? 0
                               : row_of(ask.row, facts);
            if (ask.kind == Kind::cells) {
                add_cells(question, ask, facts);
                break;
            }
            question.picks = ask.kind == Kind::items ? facts.items(question.row, ask.state)
                                                     : facts.cells(question.row, ask.use);
            question.answer = fmt::format("{}", fmt::join(question.picks, ", "));
            break;
        }
        case Kind::number:
            add_numbers(question, page, runs);
            break;
        case Kind::choose:
            add_options(question, page, runs);
            answer_by_options(question, page);
            break;
        case Kind::results:
            question.options = result_options(page, runs);
            answer_by_options(question, page);
            break;
        case Kind::line:
            question.picks = right_lines(page, runs);
            question.answer = fmt::format("{}", fmt::join(question.picks, ", "));
            break;
        case Kind::measure:
            add_measure(question, ask);
            break;
        case Kind::schedule:
        case Kind::edit:
            break;
        case Kind::reflect:
            question.graded = false;
            break;
    }
    return question;
}

std::vector<Option> result_options(const Page& page, Runs& runs) {
    constexpr std::size_t kMost = 12, kWrong = 3;
    Facts& facts = runs.facts(page.show);
    std::vector<double> right;
    std::vector<Option> options;
    for (const analysis::PossibleResult& result : facts.outcomes().results) {
        if (result.fault || result.never_ends || options.size() >= kMost) continue;
        options.push_back({{}, result.ending.result, true});
        right.push_back(std::strtod(result.ending.result.c_str(), nullptr));
    }
    // What a student may come up with: a number that was left out, or taken twice, or a part.
    const analysis::StepTable& table = facts.table();
    std::vector<double> others;
    const auto offer = [&](double value) {
        const auto is_in = [&](const std::vector<double>& list) {
            return std::find(list.begin(), list.end(), value) != list.end();
        };
        if (std::isfinite(value) && !is_in(right) && !is_in(others)) others.push_back(value);
    };
    if (table.expected.empty()) {  // nobody knows what is right: numbers of the run, and near ones
        for (const analysis::Row& row : table.rows)
            for (const analysis::Cell& cell : row.cells)
                offer(number_of(cell.value));
        for (const double value : std::vector(right))
            for (const double near : near_numbers(value))
                if (near >= 0) offer(near);
    } else {
        const double whole = std::strtod(table.expected.c_str(), nullptr);
        for (std::size_t row = table.rows.size(); row-- > 1;)
            for (const analysis::Cell& cell : table.rows[row].cells)
                if (cell.written) {
                    offer(number_of(cell.value));
                    offer(whole - number_of(cell.value));
                }
        for (const analysis::Cell& cell : table.rows.front().cells)
            offer(whole - number_of(cell.value));
    }
    // The nearest to those that are possible are the hardest to tell from them.
    const auto distance = [&](double value) {
        double least = std::numeric_limits<double>::infinity();
        for (const double each : right)
            least = std::min(least, std::abs(value - each));
        return least;
    };
    std::stable_sort(others.begin(), others.end(),
                     [&](double a, double b) { return distance(a) < distance(b); });
    for (std::size_t i = 0; i < std::min(kWrong, others.size()); ++i)
        options.push_back({{}, text_of(others[i]), false});
    std::stable_sort(options.begin(), options.end(), [](const Option& a, const Option& b) {
        return std::strtod(a.text.c_str(), nullptr) < std::strtod(b.text.c_str(), nullptr);
    });
    return options;
}

}  // namespace lab::lessons
