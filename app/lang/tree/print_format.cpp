#include "lang/tree/print_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace lab::lang {
namespace {

constexpr unsigned kMostWidth = 200;

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

class Reader {
  public:
    explicit Reader(std::string_view text) : text_(text) {}

    PrintFormat read(std::string& wrong) {
        std::string literal;
        while (at_ < text_.size() && wrong.empty()) {
            if (text_[at_] != '%') {
                literal += text_[at_++];
            } else if (++at_; here() == '%') {
                literal += text_[at_++];
            } else {
                format_.push_back(conversion(wrong));
                format_.back().text = std::move(literal);
                literal.clear();
            }
        }
        if (!literal.empty()) {
            format_.emplace_back();
            format_.back().text = std::move(literal);
        }
        return std::move(format_);
    }

  private:
    char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }

    unsigned digits(std::string& form) {
        unsigned value = 0;
        for (; is_digit(here()); ++at_) {
            value = std::min(value * 10 + static_cast<unsigned>(here() - '0'), kMostWidth + 1);
            form += here();
        }
        return value;
    }

    PrintPart conversion(std::string& wrong) {
        PrintPart part;
        const std::size_t start = at_;
        for (; here() != '\0' && std::string_view("-+ #0").find(here()) != std::string_view::npos;
             ++at_)
            part.form += here();
        bool fits = digits(part.form) <= kMostWidth;
        if (here() == '.') {
            part.form += text_[at_++];
            fits = digits(part.form) <= kMostWidth && fits;
        }
        if (here() == 'v') {
            ++at_;
            std::string number;
            part.width = static_cast<std::uint8_t>(digits(number));
            part.is_vector = true;
            static constexpr std::array<unsigned, 5> kWidths{2, 3, 4, 8, 16};
            fits = std::find(kWidths.begin(), kWidths.end(), part.width) != kWidths.end() && fits;
        }
        const std::size_t length_at = at_;
        while (here() == 'h' || here() == 'l')
            ++at_;
        const std::string_view length = text_.substr(length_at, at_ - length_at);
        if (!part.is_vector && length == "hh") part.narrow = 1;
        if (!part.is_vector && length == "h") part.narrow = 2;
        part.conversion = here();
        const bool known =
            part.conversion != '\0' &&
            std::string_view("diouxXfFeEgGaAcsp").find(part.conversion) != std::string_view::npos;
        if (known) ++at_;
        if (!known || !fits)
            wrong = fmt::format("'%{}' is no conversion of printf",
                                text_.substr(start, std::min<std::size_t>(at_ + 1 - start, 20)));
        return part;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    PrintFormat format_;
};

}  // namespace

PrintFormat parse_print_format(std::string_view text, std::string& wrong) {
    return Reader(text).read(wrong);
}

std::string padded(const std::string& text, const std::string& form) {
    const std::size_t dot = form.find('.');
    std::string shown = text;
    if (dot != std::string::npos)
        shown.resize(std::min<std::size_t>(
            shown.size(), std::strtoul(form.substr(dot + 1).c_str(), nullptr, 10)));
    const bool left = form.find('-') != std::string::npos;
    const std::size_t first = form.find_first_of("123456789");
    const std::size_t width =
        first == std::string::npos || first > dot
            ? 0
            : std::min<std::size_t>(std::strtoul(form.c_str() + first, nullptr, 10), kMostWidth);
    if (shown.size() >= width) return shown;
    const std::string blanks(width - shown.size(), ' ');
    return left ? shown + blanks : blanks + shown;
}

}  // namespace lab::lang
