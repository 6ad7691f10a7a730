#include "session/files/link.h"

#include <fmt/format.h>
#include <zlib.h>

#include <array>
#include <cstdint>
#include <optional>

#include "base/platform.h"
#include "session/shell/session.h"

namespace lab::session {
namespace {

constexpr std::string_view kKey = "#m=";
constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr std::size_t kLargestMoment = std::size_t{4} << 20U;  // bytes, as JSON

Problem damaged(const std::string& why) {
    return {"The link could not be read; everything is as it was", why,
            "A part of it may have been lost on the way: copy it again, whole"};
}

std::string base64url(std::string_view bytes) {
    std::string text;
    std::uint32_t bits = 0;
    int count = 0;
    for (const char byte : bytes) {
        bits = bits << 8U | static_cast<std::uint8_t>(byte);
        for (count += 8; count >= 6; count -= 6)
            text.push_back(kDigits[bits >> static_cast<unsigned>(count - 6) & 63U]);
    }
    if (count > 0) text.push_back(kDigits[bits << static_cast<unsigned>(6 - count) & 63U]);
    return text;
}

std::string from_base64url(std::string_view text) {
    std::string bytes;
    std::uint32_t bits = 0;
    int count = 0;
    for (const char letter : text) {
        const std::size_t digit = kDigits.find(letter);
        if (digit == std::string_view::npos)
            throw damaged(fmt::format("'{}' is no letter of such a link", letter));
        bits = bits << 6U | static_cast<std::uint32_t>(digit);
        count += 6;
        if (count < 8) continue;
        count -= 8;
        bytes.push_back(static_cast<char>(bits >> static_cast<unsigned>(count) & 255U));
    }
    return bytes;
}

// What zlib's stream makes of `bytes`, up to `most` bytes; empty if there would be more, or if it
// stumbles. `step` is deflate or inflate.
std::optional<std::string> streamed(z_stream& stream, int (*step)(z_stream*, int),
                                    std::string_view bytes, std::size_t most) {
    std::string made;
    std::array<Bytef, 16384> part{};
    // It does not write there, whatever its type says.
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // NOLINT
    stream.avail_in = static_cast<uInt>(bytes.size());
    for (int result = Z_OK; result != Z_STREAM_END;) {
        stream.next_out = part.data();
        stream.avail_out = static_cast<uInt>(part.size());
        result = step(&stream, Z_FINISH);
        const std::size_t count = part.size() - stream.avail_out;
        const bool stuck = result == Z_BUF_ERROR && count == 0;
        if ((result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) || stuck ||
            made.size() + count > most)
            return std::nullopt;
        made.append(reinterpret_cast<const char*>(part.data()), count);  // NOLINT
    }
    return made;
}

std::string deflated(std::string_view bytes) {
    z_stream stream{};
    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, -MAX_WBITS, MAX_MEM_LEVEL,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        throw Problem("The link could not be made", "There is too little memory", "Try it again");
    const auto made = streamed(stream, deflate, bytes, std::string::npos);
    deflateEnd(&stream);
    return made.value();
}

std::string inflated(std::string_view bytes) {
    z_stream stream{};
    std::optional<std::string> made;
    if (inflateInit2(&stream, -MAX_WBITS) == Z_OK) {
        made = streamed(stream, inflate, bytes, kLargestMoment);
        inflateEnd(&stream);
    }
    if (!made)
        throw damaged(
            fmt::format("It does not hold a moment of up to {} MiB", kLargestMoment >> 20U));
    return *made;
}

}  // namespace

bool looks_like_link(std::string_view text) {
    return text.find(kKey) != std::string_view::npos;
}

std::string page_of_link(std::string_view link) {
    return std::string(link.substr(0, link.find(kKey)));
}

std::string fragment_of(const Session& session) {
    return std::string(kKey.substr(1)) +
           base64url(deflated(
               saved_json(session).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)));
}

SavedState read_link(std::string_view link, std::span<const ViewType* const> views) {
    const std::size_t at = link.find(kKey);
    if (at == std::string_view::npos) throw damaged(fmt::format("It has no '{}'", kKey));
    return read_saved_text(inflated(from_base64url(link.substr(at + kKey.size()))), views);
}

void copy_link(Session& session) {
    try {
        const std::string fragment = fragment_of(session);
        platform::show_fragment(fragment);
        const std::string page = platform::page_address();
        const std::string& known = session.settings().page;
        session.copy((!page.empty() ? page : known.empty() ? kLocalPage : known) + "#" + fragment);
        session.notices().say(
            session.words()(page.empty() && known.empty() ? "toast.link_local" : "toast.link"));
    } catch (const Problem& problem) {
        session.notices().report("file", problem, true);
    }
}

}  // namespace lab::session
