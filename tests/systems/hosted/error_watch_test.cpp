#include "systems/hosted/error_watch.h"

#include <gtest/gtest.h>

namespace craft {
namespace {

TEST(ErrorWatch, EndsAtTheShareOfAFullWindow) {
    ErrorWatch watch({.share = 0.5, .window = 4});
    for (int i = 0; i < 3; ++i) watch.note(Failure::dropped, "broken");
    EXPECT_FALSE(watch.is_over()) << "three of three, but the window is not full";
    watch.note(Failure::none, "");
    EXPECT_TRUE(watch.is_over());
    EXPECT_EQ(watch.line(), "3 of the last 4 items failed, the last one with: broken");
    watch.note(Failure::none, "");
    EXPECT_FALSE(watch.is_over()) << "two of the last four are not above one half";
}

TEST(ErrorWatch, WhatTheItemBringsAboutDoesNotCount) {
    ErrorWatch watch({.share = 0, .window = 2});
    for (const Failure own :
         {Failure::prompt_too_long, Failure::content_filtered, Failure::declined, Failure::over_budget}) {
        EXPECT_FALSE(is_servers(own));
        EXPECT_FALSE(may_be_repeated(own));
        watch.note(own, "");
    }
    EXPECT_FALSE(watch.is_over());
    ErrorWatch never({.share = 1, .window = 1});
    never.note(Failure::server_error, "");
    EXPECT_FALSE(never.is_over());
}

TEST(ErrorWatch, RefusalsAreNotRepeated) {
    EXPECT_TRUE(is_servers(Failure::refused_request));
    EXPECT_FALSE(may_be_repeated(Failure::refused_request));
    EXPECT_FALSE(may_be_repeated(Failure::redirected));
    EXPECT_TRUE(may_be_repeated(Failure::rate_limited));
}

}  // namespace
}  // namespace craft
