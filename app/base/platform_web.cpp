#include "base/platform.h"

#include <emscripten.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <exception>
#include <utility>

namespace lab::platform {
namespace {

struct Waiting {
    unsigned id = 0;
    std::function<bool()> part;
};
constexpr auto kBetweenFrames = std::chrono::milliseconds(10);

std::deque<Waiting>& waiting() {
    static std::deque<Waiting> all;
    return all;
}

struct Calls {
    std::function<void()> frame, leave;
};
Calls& calls() {
    static Calls both;
    return both;
}

News& news() {
    static News since;
    return since;
}

std::string& description() {  // of the frame that is being drawn
    static std::string lines;
    return lines;
}

// A string that JavaScript made, which is ours from now on.
std::string taken(char* text) {
    std::string copy = text != nullptr ? text : "";
    std::free(text);  // NOLINT: it was made by malloc
    return copy;
}

}  // namespace

// Each is a function of web/page.js.
EM_JS(void, lab_file_written, (const char* path), { labPage.fileWritten(UTF8ToString(path)); });
EM_JS(void, lab_pick_file, (const char* suffixes), { labPage.pickFile(UTF8ToString(suffixes)); });
EM_JS(void, lab_reload, (), { labPage.reload(); });
EM_JS(void, lab_copy_text, (const char* text), { labPage.copyText(UTF8ToString(text)); });
EM_JS(char*, lab_pasted_text, (), { return labPage.toHeap(labPage.pasted); });
EM_JS(char*, lab_page_address, (), { return labPage.toHeap(location.href.split("#")[0]); });
EM_JS(void, lab_show_fragment, (const char* text), { labPage.showFragment(UTF8ToString(text)); });
EM_JS(void, lab_describe, (const char* text), { labPage.describe(UTF8ToString(text)); });
EM_JS(void, lab_offer, (const char* lines), { labPage.offer(UTF8ToString(lines)); });
EM_JS(void, lab_take_keys, (const char* names), { labPage.takeKeys(UTF8ToString(names)); });
EM_JS(bool, lab_is_mac, (), { return isMac; });
EM_JS(void, lab_fail, (const char* why), { labPage.fail(UTF8ToString(why)); });
EM_JS(void, lab_wake, (), { labPage.wake(); });
EM_JS(void, lab_next_frame, (double milliseconds), { labPage.nextFrame(milliseconds); });

Thread in_parts(std::function<bool()> part) {
    static unsigned last = 0;
    Thread thread;
    thread.id_ = ++last;
    waiting().push_back({thread.id_, std::move(part)});
    lab_wake();
    return thread;
}

void Thread::join() {
    std::deque<Waiting>& all = waiting();
    const auto found = std::find_if(all.begin(), all.end(),
                                    [this](const Waiting& each) { return each.id == id_; });
    id_ = 0;
    if (found == all.end()) return;
    const std::function<bool()> part = std::move(found->part);
    all.erase(found);
    while (part())
        continue;
}

void run_waiting() {
    std::deque<Waiting>& all = waiting();
    const auto end = std::chrono::steady_clock::now() + kBetweenFrames;
    while (!all.empty()) {
        if (!all.front().part()) all.pop_front();
        if (std::chrono::steady_clock::now() >= end) break;
    }
    if (!all.empty()) lab_wake();
}

void run_frames(std::function<void()> frame, std::function<void()> leave) {
    calls() = {std::move(frame), std::move(leave)};
    lab_wake();
}
void next_frame(double milliseconds) {
    lab_next_frame(milliseconds);
}
void wake() {
    lab_wake();
}

void file_written(const std::filesystem::path& path) {
    lab_file_written(path.c_str());
}
void pick_file(const std::string& suffixes) {
    lab_pick_file(suffixes.c_str());
}
void reload() {
    lab_reload();
}
News take_news() {
    return std::exchange(news(), {});
}
void take_keys(const std::string& names) {
    lab_take_keys(names.c_str());
}
bool is_mac() {
    return lab_is_mac();
}
void copy_text(const std::string& text) {
    lab_copy_text(text.c_str());
}
std::string pasted_text() {
    return taken(lab_pasted_text());
}
std::string page_address() {
    return taken(lab_page_address());
}
void show_fragment(const std::string& fragment) {
    lab_show_fragment(fragment.c_str());
}
void describe(const std::string& line) {
    // A picture may be drawn twice, to be measured first.
    if (!line.empty() && description().find(line) == std::string::npos)
        description() += line + "\n";
}

void offer(const std::string& lines) {
    lab_offer(lines.c_str());
}

}  // namespace lab::platform

// From web/page.js. What nobody caught ends the app, and the page says so.
extern "C" {

EMSCRIPTEN_KEEPALIVE void lab_frame() {
    try {
        if (const auto& frame = lab::platform::calls().frame) frame();
        lab::platform::lab_describe(std::exchange(lab::platform::description(), {}).c_str());
    } catch (const std::exception& error) {
        lab::platform::calls() = {};
        lab::platform::lab_fail(error.what());
    }
}

EMSCRIPTEN_KEEPALIVE void lab_copy_refused() {
    lab::platform::news().copy_refused = true;
}
EMSCRIPTEN_KEEPALIVE void lab_run(const char* command) {
    lab::platform::news().commands.emplace_back(command);
}
EMSCRIPTEN_KEEPALIVE void lab_left_full_screen() {
    lab::platform::news().left_full_screen = true;
}

EMSCRIPTEN_KEEPALIVE void lab_leave() {
    try {
        if (const auto& leave = lab::platform::calls().leave) leave();
    } catch (const std::exception&) {  // the browser keeps nothing: that was said when it began
    }
}
}
