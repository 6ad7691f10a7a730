// The counterpart of a kernel: for a broken one its cure, and for a correct one its broken form, as
// the switch "Show the broken version" leads from one to the other.
#pragma once

#include <cstdint>
#include <optional>

#include "catalogue/variant.h"
#include "session/shell/settings.h"

namespace lab::session {

// Whether the chosen variant races in this shape with `n` elements, according to its header.
bool is_broken(const Choice& choice, const catalogue::Catalogue& catalogue, std::uint64_t n);

// The other of the two, with the same input: the same kernel with a toggle at another value, else
// the kernel that its header names as its pair. Empty where it has neither.
std::optional<Choice> counterpart(const Choice& choice, const catalogue::Catalogue& catalogue,
                                  std::uint64_t n);

}  // namespace lab::session
