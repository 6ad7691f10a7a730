// Expressions over runs, as lessons write them: "launches(relaunch, n=1024) < passes + 1".
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lessons/answers/show.h"

namespace lab::lessons {

class Facts;
class Runs;

// A part of an expression.
struct Term {
    enum class Kind : std::uint8_t { number, name, operation, range } kind = Kind::number;
    double number = 0;
    // Of a name: a local variable, or a fact with its arguments. Of a range: count, sum, most,
    // least. Of an operation: its sign.
    std::string name;
    std::string variable;     // of a range
    std::vector<Term> terms;  // arguments; of a range: first, last, the expression
    // The run that a fact is about, where it is not the one at hand: keys of Show.
    std::vector<std::pair<std::string, std::string>> changes;
    std::size_t column = 1;
};

class Expression {
  public:
    Expression() = default;
    // Throws Problem (where = column within the text).
    Expression(std::string text, const Library& library);

    // The run at hand is that of `show`. `variables`: values of names, such as "line". Throws
    // Problem: a name that means nothing, a wrong number of arguments, a run that cannot be made.
    double operator()(const Show& show, Runs& runs,
                      const std::map<std::string, double>& variables = {}) const;

    const std::string& text() const { return text_; }
    bool empty() const { return text_.empty(); }

  private:
    std::string text_;
    std::shared_ptr<const Term> term_;
};

// "22", "3.5": whole numbers without a point, others with four digits.
std::string text_of(double number);

}  // namespace lab::lessons
