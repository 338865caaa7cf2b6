#include "core/host_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"

namespace craft {
namespace {

TEST(HostList, FirstHost) {
    EXPECT_EQ(first_host("login1"), "login1");
    EXPECT_EQ(first_host("a-b.c_d,e"), "a-b.c_d");
    EXPECT_EQ(first_host("node[01-04,07],login1"), "node01");
    EXPECT_EQ(first_host("node[7,01-04]"), "node7");
    EXPECT_EQ(first_host("rack[1-2]node[003-4]x"), "rack1node003x");
}

TEST(HostList, RefusesWhatIsNone) {
    for (const char* list : {"", ",a", "a,", "a,,b", "node[", "node[]", "node[1", "node[1-]", "node[-1]", "node[1,]",
                             "node[a]", "node1]", "a b", "a[1-2", "[[1]]"})
        EXPECT_THROW(first_host(list), Error) << list;
    EXPECT_THAT([] { first_host("a,node[1-x]"); },
                testing::ThrowsMessage<Error>("host list 'a,node[1-x]', character 10: expected a number, got 'x]'"));
}

}  // namespace
}  // namespace craft
