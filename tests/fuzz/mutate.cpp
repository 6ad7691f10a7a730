// Changes a text by whole tokens and statements, so that more of what comes of it compiles than of
// changed bytes.
#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "lang/lexer.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

using namespace lab;
using Texts = std::vector<std::string_view>;

// Tokens of an OpenCL C program that mutation alone would hardly come upon.
constexpr std::string_view kWords[] = {
    "int",        "uint",        "char", "ulong", "float", "double", "int3",    "float4",
    "uchar16",    "short2",      "0",    "1",     "-1",    "31",     "64",      "2.5f",
    "0x7fffffff", "(a + 1)",     "i",    "+",     "-",     "*",      "/",       "%",
    "<<",         ">>",          "<",    "==",    "&&",    "? 1 :",  "return;", "break;",
    "continue;",  "barrier(1);", ".x",   ".s31",  "++",    "&",      "-"};

// Each token, or run of white space, or comment.
Texts tokens_of(std::string_view text) {
    Texts texts;
    while (!text.empty()) {
        const std::size_t length = std::max<std::size_t>(1, lang::scan(text).length);
        texts.push_back(text.substr(0, length));
        text.remove_prefix(length);
    }
    return texts;
}

// The end of the statement or block that begins at `at`.
std::size_t statement_end(const Texts& tokens, std::size_t index) {
    int open = 0;
    for (; index < tokens.size(); ++index) {
        const std::string_view text = tokens[index];
        if (text == "{" || text == "(") ++open;
        if (text == "}" || text == ")") --open;
        if (open < 0) return index;
        if (open == 0 && (text == ";" || text == "}")) return index + 1;
    }
    return index;
}

class Mutation {
  public:
    Mutation(std::string_view text, unsigned seed) : tokens_(tokens_of(text)), random_(seed) {}

    std::string made() {
        for (std::size_t count = 1 + any(3); count > 0 && !tokens_.empty(); --count)
            once();
        std::string text;
        for (const std::string_view of : tokens_)
            text += of;
        return text;
    }

  private:
    std::size_t any(std::size_t count) { return random_() % std::max<std::size_t>(1, count); }

    std::size_t statement() {  // where one begins
        const std::size_t from = any(tokens_.size());
        for (std::size_t i = from; i < tokens_.size(); ++i)
            if (tokens_[i] == ";" || tokens_[i] == "{" || tokens_[i] == "}") return i + 1;
        return from;
    }

    void once() {
        const std::size_t index = any(tokens_.size());
        const auto place = [&](std::size_t i) {
            return tokens_.begin() + static_cast<std::ptrdiff_t>(i);
        };
        switch (any(6)) {
            case 0:
                tokens_[index] = tokens_[any(tokens_.size())];
                break;
            case 1:
                tokens_[index] = kWords[any(std::size(kWords))];
                break;
            case 2:
                tokens_.insert(place(index), kWords[any(std::size(kWords))]);
                break;
            case 3:
                tokens_.erase(place(index));
                break;
            case 4: {  // a statement goes …
                const std::size_t begin = statement();
                tokens_.erase(place(begin), place(statement_end(tokens_, begin)));
                break;
            }
            default: {  // … or stands elsewhere too
                const std::size_t begin = statement();
                const Texts copy(place(begin), place(statement_end(tokens_, begin)));
                tokens_.insert(place(statement()), copy.begin(), copy.end());
            }
        }
    }

    Texts tokens_;
    std::minstd_rand random_;
};

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
    if (seed % 3 == 0) return LLVMFuzzerMutate(data, size, most);
    const std::string text = Mutation({reinterpret_cast<const char*>(data), size}, seed / 3).made();
    if (text.empty()) return LLVMFuzzerMutate(data, size, most);
    const std::size_t kept = std::min(text.size(), most);
    std::copy_n(text.begin(), kept, data);
    return kept;
}
