#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/log.h"
#include "core/progress.h"

namespace craft {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(JobProgress, PartsBeforeOneAreDoneWhenItBegins) {
    JobProgress whole({{"train", 60}, {"ask", 30}, {"judge", 10}});
    EXPECT_THAT(whole.line(0), HasSubstr("0 % done"));
    whole.begin("train");
    EXPECT_THAT(whole.line(.5), HasSubstr("30 % done"));
    whole.begin("judge");
    EXPECT_THAT(whole.line(0), HasSubstr("90 % done"));
    EXPECT_THAT(whole.line(7), HasSubstr("100 % done, 0 s left"));
    whole.begin("something else");
    EXPECT_THAT(whole.line(0), HasSubstr("90 % done")) << "a part that nobody expected";
}

// Of 1,000 expected seconds 900 went by in none: what is left will take less than it was expected to.
TEST(JobProgress, WhatIsLeftFollowsThePaceSoFar) {
    JobProgress whole({{"a", 900}, {"b", 100}});
    whole.begin("b");
    EXPECT_THAT(whole.line(0), HasSubstr("90 % done, 10 s left"));
}

TEST(JobProgress, LinesOfAProgressWithinTellOfTheWhole) {
    configure_log({});
    const auto shown = [](int64_t total) {
        testing::internal::CaptureStderr();
        Progress progress("training", total, "steps");
        progress.advance(1);
        progress.finish();
        return testing::internal::GetCapturedStderr();
    };
    {
        JobProgress whole({{"sft", 50}, {"rest", 50}});
        testing::internal::CaptureStderr();
        begin_part("sft");
        EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("sft: 0 % done"));
        EXPECT_THAT(shown(2), HasSubstr("(whole job: 25 % done"));
    }
    EXPECT_THAT(shown(2), Not(HasSubstr("whole job")));
    begin_part("sft");  // of no whole: nothing
}

}  // namespace
}  // namespace craft
