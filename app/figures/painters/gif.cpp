#include "figures/painters/save.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lab::figures {
namespace {

constexpr std::size_t kColours = 256;

struct PixelArea {
    int left = 0, top = 0, right = 1, bottom = 1;  // the last two not included
};

std::uint32_t rgb_at(const Pixels& pixels, int x, int y) {
    const std::uint8_t* p = pixels.rgba.data() + 4 * (std::ptrdiff_t{y} * pixels.width + x);
    return std::uint32_t{p[0]} << 16U | std::uint32_t{p[1]} << 8U | p[2];
}

void put16(std::string& bytes, int value) {
    bytes += static_cast<char>(value & 255);
    bytes += static_cast<char>(value >> 8);
}

// What differs; one pixel where nothing does, since a frame cannot be empty.
PixelArea changed_area(const Pixels& now, const Pixels& before) {
    if (before.rgba.empty()) return {0, 0, now.width, now.height};
    PixelArea area{now.width, now.height, 0, 0};
    for (int y = 0; y < now.height; ++y)
        for (int x = 0; x < now.width; ++x)
            if (rgb_at(now, x, y) != rgb_at(before, x, y))
                area = {std::min(area.left, x), std::min(area.top, y), std::max(area.right, x + 1),
                        std::max(area.bottom, y + 1)};
    return area.right == 0 ? PixelArea{} : area;
}

// Pixels as places in a palette.
struct Indexed {
    std::vector<std::uint32_t> palette;
    std::vector<std::uint8_t> pixels;
};

Indexed indexed(const Pixels& frame, const PixelArea& area) {
    std::unordered_map<std::uint32_t, std::size_t> counts;
    for (int y = area.top; y < area.bottom; ++y)
        for (int x = area.left; x < area.right; ++x)
            ++counts[rgb_at(frame, x, y)];
    std::vector<std::pair<std::size_t, std::uint32_t>> frequent;
    for (const auto& [colour, count] : counts)
        frequent.emplace_back(count, colour);
    std::sort(frequent.rbegin(), frequent.rend());
    frequent.resize(std::min(frequent.size(), kColours));
    Indexed result;
    for (const auto& [count, colour] : frequent)
        result.palette.push_back(colour);
    const auto nearest = [&](std::uint32_t colour) {
        const auto distance = [&](std::uint32_t other) {
            int sum = 0;
            for (const unsigned shift : {0U, 8U, 16U}) {
                const int by = static_cast<int>(colour >> shift & 255U) -
                               static_cast<int>(other >> shift & 255U);
                sum += by * by;
            }
            return sum;
        };
        const auto found = std::min_element(
            result.palette.begin(), result.palette.end(),
            [&](std::uint32_t a, std::uint32_t b) { return distance(a) < distance(b); });
        return static_cast<std::uint8_t>(found - result.palette.begin());
    };
    std::unordered_map<std::uint32_t, std::uint8_t> places;
    for (const auto& [colour, count] : counts)
        places[colour] = nearest(colour);
    for (int y = area.top; y < area.bottom; ++y)
        for (int x = area.left; x < area.right; ++x)
            result.pixels.push_back(places[rgb_at(frame, x, y)]);
    return result;
}

// LZW as GIF has it: codes of 9 to 12 bits, the lowest bit first, in blocks of 255 bytes.
std::string compressed(const std::vector<std::uint8_t>& pixels) {
    constexpr unsigned kClear = 256, kEnd = 257, kMostCodes = 4096;
    std::string packed;
    std::uint32_t held = 0;
    unsigned held_bits = 0, bits = 9, next = kEnd + 1;
    const auto put = [&](unsigned code) {
        held |= code << held_bits;
        for (held_bits += bits; held_bits >= 8; held_bits -= 8, held >>= 8U)
            packed += static_cast<char>(held & 255U);
    };
    std::vector<std::array<std::uint16_t, 256>> longer(kMostCodes);  // 0: not known
    put(kClear);
    unsigned code = pixels.front();
    for (std::size_t i = 1; i < pixels.size(); ++i) {
        std::uint16_t& known = longer[code][pixels[i]];
        if (known != 0) {
            code = known;
            continue;
        }
        put(code);
        code = pixels[i];
        if (next == kMostCodes) {
            put(kClear);
            std::fill(longer.begin(), longer.end(), std::array<std::uint16_t, 256>{});
            next = kEnd + 1;
            bits = 9;
            continue;
        }
        if (next == 1U << bits) ++bits;
        known = static_cast<std::uint16_t>(next++);
    }
    put(code);
    put(kEnd);
    if (held_bits > 0) packed += static_cast<char>(held & 255U);
    std::string bytes(1, '\x08');
    for (std::size_t i = 0; i < packed.size(); i += 255) {
        const std::string block = packed.substr(i, 255);
        bytes += static_cast<char>(block.size());
        bytes += block;
    }
    return bytes + '\0';
}

}  // namespace

Gif::Gif(int width, int height, int hundredths) : bytes_("GIF89a"), hundredths_(hundredths) {
    put16(bytes_, width);
    put16(bytes_, height);
    bytes_ += std::string("\0\0\0", 3);                               // no palette for all
    bytes_ += std::string("!\xff\x0bNETSCAPE2.0\x03\x01\0\0\0", 19);  // for ever
}

void Gif::add(const Pixels& frame) {
    const PixelArea area = changed_area(frame, before_);
    const Indexed part = indexed(frame, area);
    bytes_ += std::string("!\xf9\x04\x04", 4);  // what is there stays
    put16(bytes_, hundredths_);
    bytes_ += std::string("\0\0,", 3);
    for (const int value : {area.left, area.top, area.right - area.left, area.bottom - area.top})
        put16(bytes_, value);
    bytes_ += '\x87';  // a palette of its own, of 256 colours
    for (std::size_t i = 0; i < kColours; ++i)
        for (const unsigned shift : {16U, 8U, 0U})
            bytes_ +=
                static_cast<char>(i < part.palette.size() ? part.palette[i] >> shift & 255U : 0U);
    bytes_ += compressed(part.pixels);
    before_ = frame;
}

std::string Gif::finish() && {
    return std::move(bytes_) + ';';
}

}  // namespace lab::figures
