#include "figures/scene/utf8.h"

#include <array>
#include <cstddef>

namespace lab::figures {
namespace {

constexpr char32_t kReplacementText = 0xFFFD;

struct Lead {
    unsigned char mask, bits;  // of the first byte
    std::size_t bytes;
    char32_t least;  // a smaller code in this many bytes is an overlong form
};
constexpr std::array<Lead, 4> kLeads{{{0x80, 0x00, 1, 0x0},
                                      {0xE0, 0xC0, 2, 0x80},
                                      {0xF0, 0xE0, 3, 0x800},
                                      {0xF8, 0xF0, 4, 0x10000}}};

// The code at the front of `text` and its bytes; bytes is 0 if it is not valid.
struct Decoded {
    char32_t code;
    std::size_t bytes;
};

Decoded decode_one(std::string_view text) {
    const auto first = static_cast<unsigned char>(text[0]);
    for (const Lead& lead : kLeads) {
        if ((first & lead.mask) != lead.bits) continue;
        if (text.size() < lead.bytes) break;
        char32_t code = first & static_cast<unsigned char>(~lead.mask);
        for (std::size_t i = 1; i < lead.bytes; ++i) {
            const auto next = static_cast<unsigned char>(text[i]);
            if ((next & 0xC0U) != 0x80U) return {kReplacementText, 0};
            code = (code << 6U) | (next & 0x3FU);
        }
        const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
        if (code < lead.least || code > 0x10FFFF || surrogate) break;
        return {code, lead.bytes};
    }
    return {kReplacementText, 0};
}

}  // namespace

std::u32string decode_utf8(std::string_view text) {
    std::u32string codes;
    codes.reserve(text.size());
    while (!text.empty()) {
        const Decoded one = decode_one(text);
        codes.push_back(one.code);
        text.remove_prefix(one.bytes == 0 ? 1 : one.bytes);
    }
    return codes;
}

void append_utf8(std::string& text, char32_t code) {
    const auto tail = [&](unsigned shift) {
        text += static_cast<char>(0x80U | ((code >> shift) & 0x3FU));
    };
    if (code < 0x80) {
        text += static_cast<char>(code);
    } else if (code < 0x800) {
        text += static_cast<char>(0xC0U | (code >> 6U));
        tail(0);
    } else if (code < 0x10000) {
        text += static_cast<char>(0xE0U | (code >> 12U));
        tail(6);
        tail(0);
    } else {
        text += static_cast<char>(0xF0U | (code >> 18U));
        tail(12);
        tail(6);
        tail(0);
    }
}

}  // namespace lab::figures
