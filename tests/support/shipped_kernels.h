// The kernels that ship, and those that are kept because a device gets them wrong: for tests.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "catalogue/kernel.h"

namespace lab::catalogue {

inline const Catalogue& shipped() {
    static const Catalogue kernels =
        load_catalogue(std::filesystem::path(LAB_SOURCE_DIR) / "kernels");
    return kernels;
}

// With `from`, in the text of one of them, replaced by `to`.
inline Catalogue shipped_with(const std::string& id, const std::string& from,
                              const std::string& to) {
    Catalogue changed = shipped();
    for (Kernel& variant : changed.variants) {
        if (variant.id != id) continue;
        const auto position = variant.text.find(from);
        EXPECT_NE(position, std::string::npos);
        variant.text.replace(position, from.size(), to);
    }
    return changed;
}

inline const Catalogue& known_bad() {
    static const Catalogue kernels =
        load_catalogue(std::filesystem::path(LAB_SOURCE_DIR) / "tests/kernels");
    return kernels;
}

}  // namespace lab::catalogue
