// Reads the fenced blocks of a lesson.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "lessons/files/lesson.h"

namespace lab::lessons {

// A "key: value" line.
struct Entry {
    std::string key, value;
    std::uint32_t line = 0;  // of the file
    std::size_t column = 1;  // of the value
    std::size_t key_column = 1;
};

// The first whose key stood above already, and is none of those that may; null: none.
const Entry* repeated(const std::vector<Entry>& entries,
                      std::initializer_list<std::string_view> may);
Problem twice_problem(const Entry& entry);  // where = line:column

// `first_line`: that of the body's first line. Throws Problem with where = line:column.
std::vector<Entry> read_entries(std::string_view body, std::uint32_t first_line);

// `kind`: the word after "ask". Throws Problem with where = line:column.
Ask read_ask(const std::string& kind, const std::vector<Entry>& entries, std::uint32_t line,
             const Library& library);

// `what`: the words after "wrong". Throws Problem.
Reply read_reply(const std::string& what, const Ask& ask, const Library& library);

}  // namespace lab::lessons
