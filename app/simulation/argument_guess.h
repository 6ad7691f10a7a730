// Guesses a kernel's arguments from the parameters' names and types and their use in the text.
#pragma once

#include "simulation/user_kernel_form.h"

namespace lab::simulation {

// For a value: whether its name says that it counts the elements.
bool is_count(const ArgumentRow& row);

class ArgumentGuess {
  public:
    ArgumentGuess(const TextFacts& facts, const UserKernel& kernel);

    // The count, fill or value of the parameter at that index.
    void fill(ArgumentRow& row, std::size_t place) const;

  private:
    std::string fill_of(const ArgumentRow& row, std::size_t place) const;
    std::string value_of(const ArgumentRow& row, std::size_t place) const;

    const TextFacts& facts_;
    const UserKernel& own_;
    std::uint64_t elements_ = 0;    // of the buffers
    std::size_t input_ = SIZE_MAX;  // the buffer that is reduced in place, if none is const
    std::size_t count_ = SIZE_MAX;  // the value that counts the elements
};

}  // namespace lab::simulation
