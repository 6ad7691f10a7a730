// Prose of lessons in an API's terms, by the forms in assets/lang/terms.json.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "base/messages.h"

namespace lab::lessons {

// Says words in CommonMark with an API's terms. They are in OpenCL's, with marks, as those of
// Terms, where a form does not tell what CUDA's is, or where more changes. Code, what is in braces
// and addresses stay as they are.
class Prose {
  public:
    // Throws Problem if the table is missing, and nlohmann's exceptions if it is damaged.
    Prose(std::string_view language, Api api);

    std::string said(std::string_view words) const;

  private:
    // A form of OpenCL's term at the text's beginning, CUDA's; null: none.
    const std::pair<const std::string, std::string>* form_at(std::string_view text,
                                                             std::string_view before) const;

    Terms terms_;
    std::map<std::string, std::string, std::greater<>> forms_;  // the longest of a stem first
};

}  // namespace lab::lessons
