#include "gui/kernels/kernel_captions.h"

#include <algorithm>

namespace lab::gui {
namespace {

using figures::Role;

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

Role role_of(std::string_view word, const catalogue::Variant* variant) {
    if (variant != nullptr && (word == "T" || word == "COMBINE" || word == "IDENTITY" ||
                               variant->toggle(word) != nullptr))
        return Role::act;
    if (word == "barrier" || word == "work_group_barrier") return Role::barrier_text;
    return Role::text;
}

}  // namespace

std::vector<TextPiece> pieces_of(std::string_view line, const catalogue::Variant* variant,
                                 bool& in_comment) {
    std::vector<TextPiece> pieces;
    for (std::size_t index = 0; index < line.size();) {
        std::size_t end = index + 1;
        Role role = Role::text;
        if (in_comment || line.substr(index).starts_with("/*")) {
            const auto close = line.find("*/", in_comment ? index : index + 2);
            in_comment = close == std::string_view::npos;
            end = in_comment ? line.size() : close + 2;
            role = Role::muted;
        } else if (line.substr(index).starts_with("//")) {
            end = line.size();
            role = Role::muted;
        } else {
            const bool word = is_word(line[index]);
            while (end < line.size() && is_word(line[end]) == word && line[end] != '/')
                ++end;
            if (word) role = role_of(line.substr(index, end - index), variant);
        }
        pieces.push_back({line.substr(index, end - index), role});
        index = end;
    }
    return pieces;
}

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> texts;
    for (std::size_t index = 0; index <= text.size();) {
        const auto end = std::min(text.find('\n', index), text.size());
        texts.push_back(text.substr(index, end - index));
        index = end + 1;
    }
    return texts;
}

}  // namespace lab::gui
