#include <gmock/gmock.h>

#include "analysis/recorded_run.h"

namespace lab::analysis {
namespace {

using lang::Site;
using testing::ElementsAre;

constexpr std::uint32_t kLoad = 0, kStore = 1, kAtomic = 2, kBarrier = 3;

Site site_of(Site::Kind kind) {
    Site site;
    site.kind = kind;
    return site;
}

// One global array of ints, of which nobody knows anything but that it begins with zeros.
struct Recording {
    std::vector<Site> sites{site_of(Site::Kind::load), site_of(Site::Kind::store),
                            site_of(Site::Kind::atomic), site_of(Site::Kind::barrier)};
    lang::RecordedLaunch launch{2, {}, {}};
    RecordedPlaces places{{0}, {false}, 0};
    std::vector<RecordedMemory> memory{
        {std::vector<std::uint8_t>(64), std::vector<bool>(64, true)}};

    void add(std::uint32_t end, std::uint32_t item, std::uint32_t site, std::uint64_t cell,
             std::uint64_t before, std::uint64_t after) {
        lang::RecordedAccess access;
        access.begin = static_cast<std::uint32_t>(launch.accesses.size());
        access.end = end;
        access.item = item;
        access.site = site;
        access.object = site == kBarrier ? -1 : 0;
        access.offset = 4 * cell;
        access.first = static_cast<std::uint32_t>(launch.elements.size());
        launch.accesses.push_back(access);
        launch.elements.push_back({before, after});
    }
    void load(std::uint32_t end, std::uint32_t item, std::uint64_t cell, std::uint64_t value) {
        add(end, item, kLoad, cell, value, value);
    }
    void store(std::uint32_t end, std::uint32_t item, std::uint64_t cell, std::uint64_t value) {
        add(end, item, kStore, cell, value, value);
    }
    TicketOrder order(const std::vector<std::vector<std::uint8_t>>& left = {}) {
        return order_by_tickets(sites, launch, places, memory, left);
    }
};

// The lanes of a warp that store to one cell do it at once, and one of them is the last.
TEST(TicketOrder, TheLastOfManyStoresIsTheOneThatIsLeft) {
    for (std::uint32_t last = 0; last < 32; ++last) {
        Recording run;
        for (std::uint32_t item = 0; item < 32; ++item)
            run.load(32, item, 1, 0);
        for (std::uint32_t item = 0; item < 32; ++item)
            run.store(64, item, 1, item + 1);
        std::vector<std::uint8_t> left(64);
        left[4] = static_cast<std::uint8_t>(last + 1);
        const TicketOrder order = run.order({left});
        ASSERT_TRUE(order.found);
        EXPECT_EQ(order.slack, 0U);
        EXPECT_EQ(run.memory[0].bytes[4], last + 1);
    }
}

// What no order leaves is no reason to take none.
TEST(TicketOrder, WithoutOneThatLeavesTheSameItIsOneThatExplainsTheLoads) {
    Recording run;
    run.store(1, 0, 3, 7);
    run.store(2, 1, 3, 8);
    std::vector<std::uint8_t> left(64);
    left[12] = 9;
    EXPECT_TRUE(run.order({left}).found);
    EXPECT_EQ(run.memory[0].bytes[12], 8);
}

TEST(TicketOrder, IsThatOfTheTicketsWhereItExplainsAll) {
    Recording run;
    run.store(1, 0, 3, 7);
    run.load(2, 1, 3, 7);
    run.store(3, 1, 3, 8);
    const TicketOrder order = run.order();
    EXPECT_TRUE(order.found);
    EXPECT_THAT(order.order, ElementsAre(0, 1, 2));
    EXPECT_EQ(order.exchanged, 0U);
    EXPECT_EQ(run.memory[0].bytes[12], 8);
}

TEST(TicketOrder, NeighboursAreExchangedWhereThatExplainsALoad) {
    Recording run;
    run.store(2, 0, 3, 7);
    run.load(2, 1, 3, 0);  // before the store came there
    const TicketOrder order = run.order();
    EXPECT_TRUE(order.found);
    EXPECT_EQ(order.slack, 0U);
    EXPECT_THAT(order.order, ElementsAre(1, 0));
    EXPECT_EQ(order.exchanged, 1U);
}

TEST(TicketOrder, AtomicsGoByWhatTheyFound) {
    Recording run;
    run.add(3, 0, kAtomic, 0, 2, 3);
    run.add(3, 1, kAtomic, 0, 0, 1);
    run.add(3, 2, kAtomic, 0, 1, 2);
    const TicketOrder order = run.order();
    EXPECT_TRUE(order.found);
    EXPECT_THAT(order.order, ElementsAre(1, 2, 0));
}

// Both stores may come first; only one of the two orders leaves what item 2 loads later.
TEST(TicketOrder, AChoiceThatLeadsNowhereIsTakenBack) {
    Recording run;
    run.store(2, 0, 0, 5);
    run.store(2, 1, 0, 6);
    run.load(3, 2, 0, 5);
    const TicketOrder order = run.order();
    EXPECT_TRUE(order.found);
    EXPECT_THAT(order.order, ElementsAre(1, 0, 2));
}

TEST(TicketOrder, TicketsAreBelievedLessWhereTheyExplainNothing) {
    Recording run;
    run.store(1, 0, 3, 7);
    run.load(2, 1, 3, 0);  // its ticket comes after the end of the store
    const TicketOrder order = run.order();
    EXPECT_TRUE(order.found);
    EXPECT_EQ(order.slack, 64U);
    EXPECT_THAT(order.order, ElementsAre(1, 0));
}

TEST(TicketOrder, AnItemsOwnOrderIsKept) {
    Recording run;
    run.store(1, 0, 3, 7);
    run.load(2, 0, 3, 0);
    const TicketOrder order = run.order();
    EXPECT_FALSE(order.found);
    EXPECT_TRUE(order.tried_all);
    ASSERT_TRUE(order.unexplained);
    EXPECT_EQ(*order.unexplained, 1U);
    EXPECT_EQ(order.in_memory, 7U);
}

TEST(TicketOrder, NobodyPassesABarrierBeforeHisGroupIsThere) {
    Recording run;
    run.add(1, 0, kBarrier, 0, 0, 0);
    run.store(2, 1, 3, 7);  // before its barrier
    run.add(3, 1, kBarrier, 0, 0, 0);
    run.load(4, 0, 3, 0);  // after it, and yet the old value
    const TicketOrder order = run.order();
    EXPECT_FALSE(order.found);
    EXPECT_TRUE(order.tried_all);
}

TEST(TicketOrder, MemoryThatNobodyWroteMayHoldAnything) {
    Recording run;
    run.memory[0].known.assign(64, false);
    run.load(1, 0, 3, 99);
    run.load(2, 1, 3, 99);
    EXPECT_TRUE(run.order().found);
    run.load(3, 0, 3, 98);
    run.memory[0].known.assign(64, false);
    EXPECT_FALSE(run.order().found);
}

}  // namespace
}  // namespace lab::analysis
