#include "gui/kernels/kernel_words.h"

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
    std::vector<TextPiece> made;
    for (std::size_t at = 0; at < line.size();) {
        std::size_t end = at + 1;
        Role role = Role::text;
        if (in_comment || line.substr(at).starts_with("/*")) {
            const auto close = line.find("*/", in_comment ? at : at + 2);
            in_comment = close == std::string_view::npos;
            end = in_comment ? line.size() : close + 2;
            role = Role::muted;
        } else if (line.substr(at).starts_with("//")) {
            end = line.size();
            role = Role::muted;
        } else {
            const bool word = is_word(line[at]);
            while (end < line.size() && is_word(line[end]) == word && line[end] != '/')
                ++end;
            if (word) role = role_of(line.substr(at, end - at), variant);
        }
        made.push_back({line.substr(at, end - at), role});
        at = end;
    }
    return made;
}

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> made;
    for (std::size_t at = 0; at <= text.size();) {
        const auto end = std::min(text.find('\n', at), text.size());
        made.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return made;
}

}  // namespace lab::gui
