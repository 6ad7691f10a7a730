// Expressions over runs, as lessons write them: "launches(relaunch, n=1024) < passes + 1".
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "lessons/show.h"
namespace lab::lessons {

class Facts;
class Runs;

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
};

// "22", "3.5": whole numbers without a point, others with four digits.
std::string text_of(double number);

}  // namespace lab::lessons
