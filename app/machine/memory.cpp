#include "machine/memory.h"

#include <cstdio>

#include "base/text.h"
#include "lang/code.h"

namespace lab::machine {
namespace {

using lang::PrintPart;
using lang::Scalar;

constexpr std::size_t kMostCharacters = 4096;  // of one printed text; the rest is cut off

template <typename T>
std::string formatted(const std::string& form, T value) {
    std::array<char, 512> text{};  // the format bounds width and precision
    const int length = std::snprintf(text.data(), text.size(), form.c_str(), value);
    return length < 0 ? std::string() : std::string(text.data());
}

std::string component(const PrintPart& part, std::uint64_t bits) {
    const std::string form = "%" + part.form;
    const char c = part.conversion;
    if (lang::is_floating_conversion(c))
        return formatted(form + c, part.type == Scalar::float_
                                       ? static_cast<double>(lang::float_of(bits))
                                       : lang::double_of(bits));
    if (c == 'c') return formatted(form + c, static_cast<int>(bits & 0xffU));
    if (c == 'p') return formatted("%#llx", static_cast<unsigned long long>(bits));
    const bool is_signed = c == 'd' || c == 'i';
    const unsigned bytes = part.narrow != 0 ? part.narrow : lang::info(part.type).bytes;
    bits = lang::canonical(lang::integer_of(static_cast<std::uint8_t>(bytes), is_signed), bits);
    if (is_signed) return formatted(form + "ll" + c, static_cast<long long>(bits));
    return formatted(form + "ll" + c, static_cast<unsigned long long>(bits));
}

// Safe to be shown, whatever the kernel made of it.
std::string shown(std::string_view text) {
    std::string safe;
    while (!text.empty()) {
        const CodePoint point = first_code_point(text);
        const bool kept = text[0] == '\n' || text[0] == '\t' || printable(point);
        safe += kept ? text.substr(0, point.length) : "?";
        text.remove_prefix(point.length);
    }
    return safe;
}

}  // namespace

std::string text_of(const lang::PrintFormat& format, const std::vector<std::uint64_t>& values,
                    const std::function<std::string(std::uint64_t)>& text_at) {
    std::string text;
    std::size_t next = 0;
    for (const PrintPart& part : format) {
        text += part.text;
        if (part.conversion == 0) continue;
        for (unsigned i = 0; i < part.width && next < values.size(); ++i)
            text += part.conversion == 's' ? lang::padded(text_at(values[next++]), part.form)
                                           : (i == 0 ? "" : ",") + component(part, values[next++]);
        if (text.size() > kMostCharacters) break;
    }
    if (text.size() > kMostCharacters) text.resize(kMostCharacters);
    return shown(text);
}

// One by one: each part would else drop the one before it from within itself.
Prints::~Prints() {
    while (last_ && last_.use_count() == 1)
        last_ = std::shared_ptr<Part>(std::move(last_->before));
}

void Prints::add(Print print) {
    if (size() > kMostPrints) return;
    if (size() == kMostPrints) print.text = "… (more was printed than is kept)";
    const Part* same = last_.get();
    while (same != nullptr && same->print.item != print.item)
        same = same->before.get();
    Part part{std::move(print), size() + 1, same != nullptr ? same->number + 1 : 0, digest(), {}};
    Digest one;
    one.add(part.print.item);
    one.add(part.number);
    one.add(reinterpret_cast<const std::byte*>(part.print.text.data()), part.print.text.size());
    one.add(part.print.text.size());
    part.sum.low += one.key().low;
    part.sum.high += one.key().high;
    part.before = std::move(last_);
    last_ = std::make_shared<Part>(std::move(part));
}

std::vector<Print> Prints::all() const {
    std::vector<Print> all(size());
    for (const Part* part = last_.get(); part != nullptr; part = part->before.get())
        all[part->size - 1] = part->print;
    return all;
}

std::uint64_t Prints::bytes_beyond(const Prints& other) const {
    std::uint64_t sum = 0;
    const Part* theirs = other.last_.get();
    for (const Part* part = last_.get(); part != nullptr; part = part->before.get()) {
        while (theirs != nullptr && theirs->size > part->size)
            theirs = theirs->before.get();
        if (part == theirs) break;
        sum += part->bytes();
    }
    return sum;
}

std::uint64_t Prints::bytes_alone() const {
    std::uint64_t sum = 0;
    const std::shared_ptr<Part>* part = &last_;
    for (; *part && part->use_count() == 1; part = &(*part)->before)
        sum += (*part)->bytes();
    return sum;
}

}  // namespace lab::machine
