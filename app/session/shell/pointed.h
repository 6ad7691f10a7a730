// What is under the mouse, and what has to do with it: all of it lights up, wherever it is shown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "analysis/links/links.h"

namespace lab::session {

class Session;

class Pointed {
  public:
    // "cell 3 4", "line 12": see analysis::Referent; empty: nothing.
    const std::string& name() const { return name_; }
    bool lit(std::string_view name) const {
        return !name_.empty() && (name == name_ || linked_.contains(name));
    }

    void point_at(std::string_view name) { next_ = name; }  // in this frame; the last one holds
    void end_frame(const Session& session);

  private:
    std::string name_, next_;
    analysis::Names linked_;
    const void* view_ = nullptr;  // whose links these are
    std::uint64_t version_ = 0;
    std::size_t position_ = 0;
};

}  // namespace lab::session
