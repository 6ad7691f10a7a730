// Kernels that come to the right result by another way than the page asks for, and such as do what
// it asks: each page takes these and refuses those.
#include <gtest/gtest.h>

#include "support/typed_lesson.h"

namespace lab::lessons {
namespace {

struct Attempt {
    const char* lesson;
    const char* page;
    bool right;
    const char* what;
    const char* text;  // without its header
};

const Attempt kAttempts[] = {
    {"02-the-loop", "a-second-if", false, "a constant", R"(
kernel void reduce(global T* data, const uint n) {
    const uint id = get_global_id(0);
    if (id % 2 == 0) data[id] = COMBINE(data[id], data[id + 1]);
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (id == 0) data[0] = 22;
})"},
    {"02-the-loop", "a-second-if", true, "as asked", R"(
kernel void reduce(global T* data, const uint n) {
    const uint id = get_global_id(0);
    if (id % 2 == 0) data[id] = COMBINE(data[id], data[id + 1]);
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (id % 4 == 0) data[id] = COMBINE(data[id], data[id + 2]);
})"},
    {"02-the-loop", "mend-it", false, "item 0 adds the pairs", R"(
kernel void reduce(global T* data, const uint n) {
    const uint id = get_global_id(0);
    if (id < n / 2) data[2 * id] = COMBINE(data[2 * id], data[2 * id + 1]);
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (id == 0)
        for (uint i = 2; i < n; i += 2) data[0] = COMBINE(data[0], data[i]);
})"},
    {"03-two-groups", "mend-it", false, "a table behind a pretended tree", R"(
kernel void reduce(global T* data, const uint n, global T* out) {
    const uint id = get_global_id(0);
    local T scratch[64];
    if (id < n) scratch[get_local_id(0)] = COMBINE(data[id], data[id]);
    if (id == 0) out[0] = n == 8 ? 41 : n == 16 ? 880 : 50612;
})"},
    {"03-two-groups", "mend-it", false, "item 0 alone", R"(
kernel void reduce(global T* data, const uint n, global T* out) {
    const uint id = get_global_id(0);
    local T scratch[64];
    if (id < n) scratch[get_local_id(0)] = COMBINE(data[id], data[id]);
    T sum = 0;
    for (uint i = 0; id == 0 && i < n; ++i) sum = COMBINE(sum, data[i]);
    if (id == 0) out[0] = sum;
})"},
    {"03-two-groups", "mend-it", false, "group 0 alone, by a tree", R"(
kernel void reduce(global T* data, const uint n, global T* out) {
    const uint lid = get_local_id(0), L = get_local_size(0);
    local T mine[64];
    mine[lid] = 0;
    if (get_group_id(0) == 0)
        for (uint i = lid; i < n; i += L) mine[lid] = COMBINE(mine[lid], data[i]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = L / 2; s > 0; s /= 2) {
        if (lid < s) mine[lid] = COMBINE(mine[lid], mine[lid + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (get_global_id(0) == 0) out[0] = mine[0];
})"},
    {"03-two-groups", "mend-it", true, "a tree in each group, then an atomic", R"(
kernel void reduce(global T* data, const uint n, global T* out) {
    const uint id = get_global_id(0), lid = get_local_id(0);
    for (uint s = get_local_size(0) / 2; s > 0; s /= 2) {
        if (lid < s && id + s < n) data[id] = COMBINE(data[id], data[id + s]);
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    if (lid == 0 && id < n) atomic_add(out, data[id]);
})"},
    {"04-many-groups", "write-the-exchange", false, "the formula of a ramp", R"(
kernel void reduce(global const float* in, const uint n, global float* out, local float* buf) {
    const uint lid = get_local_id(0);
    buf[lid] = in[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid == 0) atomic_xchg((volatile global uint*)out, as_uint(n * (n + 1) / 2.0f + 0 * buf[0]));
})"},
    {"04-many-groups", "write-the-exchange", false, "group 0 alone, by a tree", R"(
kernel void reduce(global const float* in, const uint n, global float* out, local float* buf) {
    const uint lid = get_local_id(0), L = get_local_size(0);
    float mine = 0;
    for (uint i = lid; get_group_id(0) == 0 && i < n; i += L) mine += in[i];
    buf[lid] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = L / 2; s > 0; s /= 2) {
        if (lid < s) buf[lid] += buf[lid + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid != 0) return;
    if (get_group_id(0) == 0)
        atomic_xchg((volatile global uint*)out, as_uint(buf[0]));
    else
        atomic_or((volatile global uint*)out, 0);
})"},
    {"06-a-barrier-for-all", "mend-the-second-barrier", false, "nobody waits", R"(
kernel void rounds(volatile global T* cells, const uint n, volatile global uint* come) {
    if (get_local_id(0) == 0) {
        atomic_inc(come);
        atomic_inc(come);
    }
    cells[get_global_id(0)] = 9;
})"},
    {"06-a-barrier-for-all", "mend-the-second-barrier", false, "waits, and writes what is right",
     R"(
kernel void rounds(volatile global T* cells, const uint n, volatile global uint* come) {
    if (get_local_id(0) == 0) {
        atomic_inc(come);
        atomic_inc(come);
        while (atomic_or(come, 0) < 2 * get_num_groups(0)) ;
    }
    cells[get_global_id(0)] = 9;
})"},
    {"07-the-ladder", "mend-step-5", false, "item 0 adds all of its group", R"(
kernel void reduce(global const T* in, const ulong n, global T* out, volatile local T* buf) {
    const uint lid = get_local_id(0), L = get_local_size(0);
    const ulong i = get_group_id(0) * 2UL * L + lid;
    T sum = i < n ? in[i] : IDENTITY;
    if (i + L < n) sum = COMBINE(sum, in[i + L]);
    buf[lid] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid != 0) return;
    T all = IDENTITY;
    for (uint k = 0; k < L; ++k) all = COMBINE(all, buf[k]);
    out[get_group_id(0)] = all;
})"},
    {"09-write-your-own", "one-group", false, "a formula", R"(
kernel void reduce(global const T* in, const uint n, global T* out, local T* buf) {
    const uint lid = get_local_id(0);
    buf[lid] = lid;
    for (uint k = 0; k < 20; ++k) buf[lid] = COMBINE(buf[lid], 1);
    if (lid == 0) out[0] = n * (n + 1) / 2;
})"},
    {"09-write-your-own", "one-group", false, "every item adds all", R"(
kernel void reduce(global const T* in, const uint n, global T* out, local T* buf) {
    const uint lid = get_local_id(0);
    buf[lid] = in[lid];
    barrier(CLK_LOCAL_MEM_FENCE);
    T all = 0;
    for (uint k = 0; k < n; ++k) all = COMBINE(all, buf[k]);
    if (lid == 0) out[0] = all;
})"},
    {"09-write-your-own", "one-group", true, "from the other end", R"(
kernel void reduce(global const T* in, const uint n, global T* out, local T* buf) {
    const uint lid = get_local_id(0);
    buf[lid] = in[n - 1 - lid];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = 1; s < n; s *= 2) {
        if (lid % (2 * s) == 0) buf[lid] = COMBINE(buf[lid], buf[lid + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0) out[0] = buf[0];
})"},
    {"09-write-your-own", "one-launch", false, "the last group waits", R"(
kernel void reduce(global const T* in, const ulong n, volatile global T* totals,
                   volatile global uint* done, global T* out, local T* buf) {
    const uint lid = get_local_id(0), L = get_local_size(0), groups = get_num_groups(0);
    const ulong i = get_global_id(0);
    buf[lid] = i < n ? in[i] : IDENTITY;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = L / 2; s > 0; s /= 2) {
        if (lid < s) buf[lid] = COMBINE(buf[lid], buf[lid + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid != 0) return;
    totals[get_group_id(0)] = buf[0];
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    uint come = atomic_inc(done) + 1;
    if (get_group_id(0) != groups - 1) return;
    while (come < groups) come = atomic_or(done, 0);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    T sum = IDENTITY;
    for (uint g = 0; g < groups; ++g) sum = COMBINE(sum, totals[g]);
    out[0] = sum;
})"},
    {"09-write-your-own", "one-launch", false, "the last group does all of it", R"(
kernel void reduce(global const T* in, const ulong n, volatile global T* totals,
                   volatile global uint* done, global T* out, local T* buf) {
    const uint lid = get_local_id(0), L = get_local_size(0), groups = get_num_groups(0);
    local uint ticket;
    if (lid == 0) ticket = atomic_inc(done);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (ticket != groups - 1) return;
    T mine = IDENTITY;
    for (ulong i = lid; i < n; i += L) mine = COMBINE(mine, in[i]);
    buf[lid] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = L / 2; s > 0; s /= 2) {
        if (lid < s) buf[lid] = COMBINE(buf[lid], buf[lid + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0) out[0] = buf[0];
})"},
    {"10-find-the-bug", "mend-the-edges", false, "item 0 adds all, and uses local memory for show",
     R"(
kernel void reduce(global const T* in, const ulong n, global T* out, local T* buf) {
    const uint lid = get_local_id(0), L = get_local_size(0);
    const ulong first = get_group_id(0) * (ulong)L;
    if (lid != 0) return;
    T all = IDENTITY;
    for (ulong i = first; i < n && i < first + L; ++i) all = COMBINE(all, in[i]);
    buf[0] = all;
    out[get_group_id(0)] = buf[0];
})"},
    {"10-find-the-bug", "leftovers", false, "item 0 adds all, and uses local memory for show", R"(
kernel void reduce(global const T* in, const ulong n, global T* out, local T* buf) {
    const uint lid = get_local_id(0), L = get_local_size(0);
    const ulong first = get_group_id(0) * (ulong)L;
    if (lid != 0) return;
    T all = IDENTITY;
    for (ulong i = first; i < n && i < first + L; ++i) all = COMBINE(all, in[i]);
    buf[0] = all;
    out[get_group_id(0)] = buf[0];
})"},
    {"10-find-the-bug", "six-in-a-group", false, "every item adds all", R"(
kernel void reduce(global const T* in, const ulong n, global T* out, local T* buf) {
    const uint lid = get_local_id(0), L = get_local_size(0);
    const ulong i = get_global_id(0);
    buf[lid] = i < n ? in[i] : IDENTITY;
    barrier(CLK_LOCAL_MEM_FENCE);
    T all = IDENTITY;
    for (uint k = 0; k < L; ++k) all = COMBINE(all, buf[k]);
    if (lid == 0) out[get_group_id(0)] = all;
})"},
    {"10-find-the-bug", "six-in-a-group", true, "the upper half rounded up", R"(
kernel void reduce(global const T* in, const ulong n, global T* out, local T* buf) {
    const uint lid = get_local_id(0);
    const ulong i = get_global_id(0);
    buf[lid] = i < n ? in[i] : IDENTITY;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint left = get_local_size(0); left > 1; left = (left + 1) / 2) {
        const uint upper = (left + 1) / 2;
        if (lid + upper < left) buf[lid] = COMBINE(buf[lid], buf[lid + upper]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0) out[get_group_id(0)] = buf[0];
})"},
    {"10-find-the-bug", "come-last-close-up", false, "the last group waits", R"(
kernel void reduce(volatile global T* data, const uint n, volatile global uint* done) {
    const uint id = get_global_id(0), lid = get_local_id(0), L = get_local_size(0);
    const uint groups = get_num_groups(0);
    for (uint s = L / 2; s > 0; s /= 2) {
        if (lid < s && id + s < n) data[id] = COMBINE(data[id], data[id + s]);
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    if (lid != 0) return;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_inc(done);
    if (get_group_id(0) != groups - 1) return;
    while (atomic_or(done, 0) < groups) ;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    for (uint g = L; g < n; g += L) data[0] = COMBINE(data[0], data[g]);
})"},
    {"10-find-the-bug", "come-last-close-up", false, "the first group waits", R"(
kernel void reduce(volatile global T* data, const uint n, volatile global uint* done) {
    const uint id = get_global_id(0), lid = get_local_id(0), L = get_local_size(0);
    const uint groups = get_num_groups(0);
    for (uint s = L / 2; s > 0; s /= 2) {
        if (lid < s && id + s < n) data[id] = COMBINE(data[id], data[id + s]);
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    if (lid != 0) return;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_inc(done);
    if (get_group_id(0) != 0) return;
    while (atomic_or(done, 0) < groups) ;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    for (uint g = L; g < n; g += L) data[0] = COMBINE(data[0], data[g]);
})"},
    {"10-find-the-bug", "come-last-close-up", false, "item 0 alone, with tickets for show", R"(
kernel void reduce(volatile global T* data, const uint n, volatile global uint* done) {
    if (get_local_id(0) == 0) atomic_inc(done);
    if (get_global_id(0) == 0)
        for (uint i = 1; i < n; ++i) data[0] = COMBINE(data[0], data[i]);
})"},
    {"10-find-the-bug", "give-it-back", false, "item 0 alone", R"(
kernel void reduce(global const T* in, const uint n, volatile global uint* lock,
                   volatile global T* out) {
    T all = 0;
    if (get_local_id(0) != 0) return;
    const uint first = get_global_id(0);
    for (uint i = first; i < n && i < first + get_local_size(0); ++i) all = COMBINE(all, in[i]);
    atomic_add(out, all);
})"},
    {"10-find-the-bug", "give-it-back", true, "without a lock", R"(
kernel void reduce(global const T* in, const uint n, volatile global uint* lock,
                   volatile global T* out) {
    const uint i = get_global_id(0);
    if (i < n) atomic_add(out, in[i]);
})"},
};

class Pages {
  public:
    const Page* find(const std::string& lesson, const std::string& page) {
        auto& found = lessons_[lesson];
        if (!found) found = std::make_unique<Read>(shipped_lessons() / lesson);
        for (const Page& each : found->lesson.pages)
            if (each.id == page) return &each;
        return nullptr;
    }
    Runs& runs(const std::string& lesson) { return lessons_.at(lesson)->runs; }

  private:
    struct Read {
        explicit Read(const fs::path& folder)
            : lesson(*read_lesson(folder, "en", catalogue::shipped()).lesson),
              runs({catalogue::shipped(), folder}) {}
        Lesson lesson;
        Runs runs;
    };
    std::map<std::string, std::unique_ptr<Read>> lessons_;
};

TEST(Cheats, APageTakesWhatItAsksForAndNothingElse) {
    Pages pages;
    for (const Attempt& attempt : kAttempts) {
        SCOPED_TRACE(std::string(attempt.lesson) + "/" + attempt.page + ": " + attempt.what);
        const Page* page = pages.find(attempt.lesson, attempt.page);
        ASSERT_NE(page, nullptr);
        Runs& runs = pages.runs(attempt.lesson);
        const Feedback feedback =
            judge(*page, question_of(*page, runs), {{attempt.text}, {}}, runs);
        EXPECT_EQ(feedback.right, attempt.right)
            << "goals " << feedback.goals.size() << " of " << page->ask->goals.size() << ": "
            << feedback.message.key << " "
            << (feedback.problem ? feedback.problem->text() : std::string());
        if (!attempt.right) {
            EXPECT_TRUE(feedback.errors.empty());
        }
    }
}

// Group 0 waits for group 1, which nobody has let act: it would end.
TEST(Cheats, AWaitThatWouldEndIsNoHang) {
    Pages pages;
    const Page* page = pages.find("06-a-barrier-for-all", "the-one-that-hangs");
    ASSERT_NE(page, nullptr);
    Runs& runs = pages.runs("06-a-barrier-for-all");
    for (const char* turns : {"0.0*4", "0.0*5", "0.0*6", "0.0*40"}) {
        const Feedback feedback = judge(*page, question_of(*page, runs), {{turns}, {}}, runs);
        EXPECT_FALSE(feedback.right) << turns;
        EXPECT_EQ(feedback.message.key, "learn.wrong.schedule_waits") << turns;
    }
}

// However the numbers fall, what is right is right.
TEST(Cheats, SolutionsAreRightWithAnyNumbers) {
    for (const fs::path& folder : lesson_folders(shipped_lessons())) {
        const Lesson lesson = *read_lesson(folder, "en", catalogue::shipped()).lesson;
        Runs runs({catalogue::shipped(), folder});
        for (const Page& page : lesson.pages) {
            if (!page.ask || page.ask->kind != Kind::edit) continue;
            const Answer solution{{read_file(folder / page.ask->solution)}, {}};
            const Question question = question_of(page, runs);
            for (const std::uint64_t seed : {1U, 2U, 3U}) {
                EditInParts parts(page, question, solution, runs, seed);
                std::optional<Feedback> judged;
                while (!judged)
                    judged = parts.go_on();
                EXPECT_TRUE(judged->right) << lesson.id << "/" << page.id << ": goal "
                                           << judged->goals.size() << " " << judged->message.key;
            }
        }
    }
}

}  // namespace
}  // namespace lab::lessons
