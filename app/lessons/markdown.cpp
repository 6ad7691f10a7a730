#include "lessons/markdown.h"

#include <algorithm>

#include <md4c.h>

#include "base/problem.h"

namespace lab::lessons {
namespace {

class Reader {
  public:
    Reader(std::string_view text, std::uint32_t first_line)
        : text_(text), line_(first_line), first_line_(first_line) {}

    std::vector<Block> read() {
        MD_PARSER parser{};
        parser.flags = MD_FLAG_NOHTML;
        parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* self) {
            return static_cast<Reader*>(self)->enter(type, detail);
        };
        parser.leave_block = [](MD_BLOCKTYPE type, void*, void* self) {
            return static_cast<Reader*>(self)->leave(type);
        };
        parser.enter_span = [](MD_SPANTYPE type, void* detail, void* self) {
            return static_cast<Reader*>(self)->style(type, detail, true);
        };
        parser.leave_span = [](MD_SPANTYPE type, void* detail, void* self) {
            return static_cast<Reader*>(self)->style(type, detail, false);
        };
        parser.text = [](MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* self) {
            return static_cast<Reader*>(self)->add(type, {text, size});
        };
        if (md_parse(text_.data(), static_cast<MD_SIZE>(text_.size()), &parser, this) != 0)
            throw Problem("The lesson's text cannot be read", "md4c gave up on it",
                          "Is it a text file?");
        return std::move(blocks_);
    }

  private:
    struct List {
        bool numbered = false;
        std::uint32_t next = 1;
        bool first = true;
    };

    // What the parser passes on is mostly a part of the text itself.
    void see(const char* place) {
        if (place < text_.data() || place > text_.data() + text_.size()) return;
        line_ = first_line_ + static_cast<std::uint32_t>(std::count(text_.data(), place, '\n'));
    }

    void begin(Block::Kind kind) {
        block_ = {};
        block_.kind = kind;
        block_.line = 0;
        open_ = true;
        now_ = {};
        length_ = 0;
    }

    int enter(MD_BLOCKTYPE type, void* detail) {
        switch (type) {
            case MD_BLOCK_H:
                begin(Block::Kind::heading);
                block_.level = static_cast<MD_BLOCK_H_DETAIL*>(detail)->level;
                break;
            case MD_BLOCK_P:
                if (open_) break;  // of a list's item
                begin(Block::Kind::paragraph);
                break;
            case MD_BLOCK_UL:
                lists_.push_back({});
                break;
            case MD_BLOCK_OL:
                lists_.push_back({true, static_cast<MD_BLOCK_OL_DETAIL*>(detail)->start, true});
                break;
            case MD_BLOCK_LI: {
                List& list = lists_.back();
                begin(Block::Kind::paragraph);
                block_.begins_list = std::exchange(list.first, false);
                block_.paragraph.kind =
                    list.numbered ? Paragraph::Kind::numbered : Paragraph::Kind::bullet;
                block_.paragraph.number = list.next++;
                break;
            }
            case MD_BLOCK_CODE: {
                begin(Block::Kind::fence);
                const MD_ATTRIBUTE& info = static_cast<MD_BLOCK_CODE_DETAIL*>(detail)->info;
                block_.info.assign(info.text == nullptr ? "" : info.text, info.size);
                ++line_;  // at least
                if (info.text != nullptr) see(info.text);
                block_.line = line_;
                break;
            }
            default:
                break;
        }
        return 0;
    }

    int leave(MD_BLOCKTYPE type) {
        switch (type) {
            case MD_BLOCK_UL:
            case MD_BLOCK_OL:
                lists_.pop_back();
                break;
            case MD_BLOCK_H:
            case MD_BLOCK_P:
            case MD_BLOCK_LI:
            case MD_BLOCK_CODE:
                if (!open_ ||
                    (type == MD_BLOCK_P && block_.paragraph.kind != Paragraph::Kind::plain))
                    break;
                if (block_.line == 0) block_.line = line_;
                block_.paragraph.line = block_.line;
                blocks_.push_back(std::move(block_));
                open_ = false;
                break;
            default:
                break;
        }
        return 0;
    }

    int style(MD_SPANTYPE type, void* detail, bool on) {
        if (type == MD_SPAN_EM) now_.italic = on;
        if (type == MD_SPAN_STRONG) now_.bold = on;
        if (type == MD_SPAN_CODE) now_.code = on;
        if (type == MD_SPAN_A) {
            now_.link.clear();
            const MD_ATTRIBUTE& address = static_cast<MD_SPAN_A_DETAIL*>(detail)->href;
            if (on) now_.link.assign(address.text, address.size);
        }
        return 0;
    }

    int add(MD_TEXTTYPE type, std::string_view text) {
        if (block_.kind == Block::Kind::fence) {
            block_.body += text;
            if (type == MD_TEXT_CODE) see(text.data());
            return 0;
        }
        if (type == MD_TEXT_SOFTBR || type == MD_TEXT_BR)
            text = " ";
        else
            see(text.data());
        if (block_.line == 0) block_.line = line_;
        std::vector<Span>& spans = block_.paragraph.spans;
        now_.text.clear();
        const auto same = [&](Span span) {
            span.text.clear();
            return span == now_;
        };
        if (spans.empty() || !same(spans.back())) spans.push_back(now_);
        spans.back().text += text;
        length_ += text.size();
        if (type == MD_TEXT_SOFTBR || type == MD_TEXT_BR)
            block_.paragraph.breaks.push_back(length_);
        return 0;
    }

    std::string_view text_;
    std::uint32_t line_, first_line_;
    std::vector<Block> blocks_;
    Block block_;
    bool open_ = false;
    Span now_;
    std::size_t length_ = 0;  // of the paragraph's text so far
    std::vector<List> lists_;
};

}  // namespace

std::vector<Block> read_markdown(std::string_view text, std::uint32_t first_line) {
    return Reader(text, first_line).read();
}

Text read_text(std::string_view text, std::uint32_t first_line) {
    Text result;
    for (Block& block : read_markdown(text, first_line))
        if (block.kind != Block::Kind::fence) result.push_back(std::move(block.paragraph));
    return result;
}

std::uint32_t Paragraph::line_at(std::size_t place) const {
    return line + static_cast<std::uint32_t>(std::upper_bound(breaks.begin(), breaks.end(), place) -
                                             breaks.begin());
}

// Its second line is of dashes and bars only, such as |---|:--|.
bool is_table(const Paragraph& paragraph) {
    if (paragraph.breaks.empty()) return false;
    const std::string text = plain_text(paragraph);
    const std::size_t begin = paragraph.breaks.front();
    const std::size_t end = paragraph.breaks.size() > 1 ? paragraph.breaks[1] : text.size();
    const std::string line = text.substr(begin, end - begin);
    return line.find('|') != std::string::npos && line.find('-') != std::string::npos &&
           line.find_first_not_of("|-: ") == std::string::npos;
}

std::string plain_text(const Paragraph& paragraph) {
    std::string text;
    for (const Span& span : paragraph.spans)
        text += span.text;
    return text;
}

std::string plain_text(const Text& text) {
    std::string result;
    for (const Paragraph& paragraph : text)
        result += plain_text(paragraph) + "\n";
    return result;
}

}  // namespace lab::lessons
