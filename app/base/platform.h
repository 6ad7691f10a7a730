// Wraps what a browser does differently: all that the rest of the program knows of where it runs.
// On the desktop these do nothing or the obvious, or are missing where only a …_web.cpp calls them;
// for a browser they are in base/platform_web.cpp and web/page.js.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace lab::platform {

// The events of a page since the last call.
struct News {
    bool copy_refused = false, left_full_screen = false;
    std::vector<std::string> commands;  // chosen from what offer() offers, by their ids
};

#ifdef __EMSCRIPTEN__

inline constexpr bool kBrowser = true;

// Work that is done between two frames, by run_waiting(), or when it is joined: a page has one
// thread.
class Thread {
  public:
    bool joinable() const { return id_ != 0; }
    void join();

  private:
    friend Thread in_parts(std::function<bool()>);
    unsigned id_ = 0;
};
// Calls `part` again and again on a thread, until it says that there is no more to do.
Thread in_parts(std::function<bool()> part);
// Does what waits, the oldest work first, for some milliseconds.
void run_waiting();

// A file was written whole. The user's settings are kept by the browser for the next visit; any
// other file is offered as a download.
void file_written(const std::filesystem::path& path);
// Lets the user choose a file, which then counts as dropped on the window.
void pick_file(const std::string& suffixes);
// Calls `frame` as often as the page says, or was told by next_frame(), and `leave` when the page
// is left or hidden; returns at once.
void run_frames(std::function<void()> frame, std::function<void()> leave);
// When, if nothing happens before; negative: never.
void next_frame(double milliseconds);
void wake();  // soon
// Loads the page anew: it has another font for another writing system.
void reload();

News take_news();
// The keys that the app has commands for, as "Ctrl+P", a line each: the browser has the others.
void take_keys(const std::string& names);
bool is_mac();

void copy_text(const std::string& text);
std::string pasted_text();   // what the user pasted last
std::string page_address();  // without a fragment
// The fragment names what is shown, for the address bar and for copying.
void show_fragment(const std::string& fragment);
// A line of what this frame shows, in words, for readers of the screen.
void describe(const std::string& line);
// Tells them, and the keyboard, what can be done now: a line "language<tab>view", then for each
// group "<tab>name" and its commands as "id<tab>key<tab>words".
void offer(const std::string& lines);

#else

inline constexpr bool kBrowser = false;

using Thread = std::thread;
inline Thread in_parts(std::function<bool()> part) {
    return std::thread([part = std::move(part)] {
        while (part())
            continue;
    });
}
inline void run_waiting() {}
inline void run_frames(const std::function<void()>&, const std::function<void()>&) {}
inline std::string page_address() {
    return {};
}
inline void file_written(const std::filesystem::path&) {}
inline void pick_file(const std::string&) {}
inline void reload() {}
inline News take_news() {
    return {};
}
inline void take_keys(const std::string&) {}
inline void show_fragment(const std::string&) {}
inline void describe(const std::string&) {}
inline void offer(const std::string&) {}

#endif

}  // namespace lab::platform

namespace lab {

// Processes a long range on all processors at once: calls act(first, end) on parts that cover [0,
// count), each at least `least` long (except the last), from as many threads as there are
// processors; returns when all are done. An exception from one part is rethrown here once the
// others have ended.
void in_parallel(std::size_t count, std::size_t least,
                 const std::function<void(std::size_t first, std::size_t end)>& act);

// The edge of a program: what `body` returns. Of an exception it prints what happened on standard
// error and returns the exit status.
int run_main(const std::function<int()>& body);

}  // namespace lab
