#include "rollout/revision.h"

#include <gtest/gtest.h>

namespace craft {
namespace {

void note(RevisionResult& result, const std::string& text, Reply::Status status = Reply::Status::finished) {
    Reply reply;
    reply.text = text;
    reply.status = status;
    note_step(result, reply, ParsedResponse(text), {});
}

TEST(Revision, RowsTellWhatThePlannerWasReadWith) {
    RevisionResult result;
    note(result, print_response({"Count.", "word_count_check(5, 'less than')\nword_count_check(6, 'less than')", {}}));
    note(result, print_response({"Count.", "text_eval()", {}}));
    note(result, print_response({"Count.", "word_count_check(7, 'less than')", {}}), Reply::Status::cut);
    EXPECT_EQ(result.row()["trace"]["counted"], Json::parse(R"({"leniency: single_quotes": 3, "planner: cut": 1})"));
}

TEST(Revision, WithoutAResponseThereIsNoLeniency) {
    RevisionResult result;
    note(result, "");
    note(result, "", Reply::Status::failed);
    EXPECT_FALSE(result.row()["trace"].contains("counted")) << result.row().dump();
}

}  // namespace
}  // namespace craft
