#include "eval/editeval/prompts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eval/editeval/asking.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using testing::ElementsAre;

TEST(EditPrompts, ThatShipHaveThePapersNumbers) {
    const EditPrompts prompts = EditPrompts::shipped();
    std::vector<size_t> counts;
    for (const EditTask task : edit_tasks()) counts.push_back(prompts.of(task).size());
    EXPECT_THAT(counts, ElementsAre(11, 9, 10, 9, 10, 9, 3));
}

TEST(EditPrompts, OfAFile) {
    const EditPrompts prompts(Json({{"updating", {"A", "B"}}}), "f");
    EXPECT_THAT(prompts.of(EditTask::updating), ElementsAre("A", "B"));
    EXPECT_TRUE(prompts.of(EditTask::fluency).empty());
    EXPECT_NE(prompts.version(), EditPrompts(Json({{"updating", {"B", "A"}}}), "f").version());
    EXPECT_THAT(message_of([] {
                    EditPrompts(Json({{"style", {"A"}}}), "f");
                }),
                testing::StartsWith("f: key 'style': expected one of fluency, clarity"));
    EXPECT_EQ(message_of([] {
                  EditPrompts(Json({{"fluency", {"A", "A"}}}), "f");
              }),
              "f: key 'fluency': expected different prompts that are not empty, got \"A\"");
    EXPECT_THAT(message_of([] {
                    EditPrompts(Json({{"fluency", Json::array()}}), "f");
                }),
                testing::HasSubstr("a list of prompts"));
    EXPECT_THAT(message_of([] { EditPrompts(Json::array(), "f"); }), testing::StartsWith("f: expected an object"));
}

EditItem item_of(const std::string& input) {
    return {.id = "x", .input = input, .references = {"r"}};
}

TEST(EditPrompts, AreRendered) {
    EditItem item = item_of("A text.");
    EXPECT_EQ(render_edit_prompt("Task", "Fix it", item), "Task: Fix it\nInput: A text.\nOutput:");
    item.documents = {{"", "One."}, {"", " Two\nlines.\n"}, {"", "Three."}, {"", "Four."}};
    EXPECT_EQ(render_edit_prompt("Definition", "Update", item),
              "Definition: Update\nInput: A text.\n[0] One.\n[1] Two lines.\n[2] Three.\nOutput:");
    EXPECT_EQ(render_edit_prompt("Task", "Update", item, 0), "Task: Update\nInput: A text.\nOutput:");
}

TEST(EditPrompts, AnswersAreCut) {
    EXPECT_EQ(edited_text(" Better. \n\nTask: Fix\nInput: x", "Task", item_of("A text.")), "Better.");
    EXPECT_EQ(edited_text("One.\nTwo.", "Task", item_of("A text.")), "One.") << "a text of one line";
    EXPECT_EQ(edited_text("One.\nTwo.\nTask: Fix", "Task", item_of("A\ntext.")), "One.\nTwo.");
    EXPECT_EQ(edited_text("One.\nInput: x", "Task", item_of("A\ntext.")), "One.");
    EXPECT_EQ(edited_text("One.\nTask: x", "Definition", item_of("A\ntext.")), "One.\nTask: x");
    EXPECT_EQ(edited_text("", "Task", item_of("A text.")), "");
    EXPECT_EQ(edited_text("\r\nOne.\r\nTwo.", "Task", item_of("A text.")), "One.");
}

TEST(EditAsking, RequestsAndRows) {
    const EditItem item = item_of("A text.");
    const Request request = edit_request({}, "Fix it", item);
    EXPECT_EQ(request.conversation.messages,
              Json::array({{{"role", "user"}, {"content", "Task: Fix it\nInput: A text.\nOutput:"}}}));
    const SamplingOptions sampling = edit_sampling({});
    EXPECT_EQ(sampling.temperature, 0);
    EXPECT_THAT(sampling.stop, ElementsAre("\nTask:", "\nInput:"));
    Reply reply;
    reply.text = " Better.\nMore";
    EXPECT_EQ(prediction_row({}, "Fix it", item, reply), Json({{"id", "x"},
                                                               {"prompt", "Fix it"},
                                                               {"prediction", "Better."},
                                                               {"status", "finished"},
                                                               {"answer", " Better.\nMore"}}));
    EXPECT_EQ(
        prediction_row({}, "Fix it", item, Reply::failed(Failure::timed_out, "no answer")),
        Json({{"id", "x"}, {"prompt", "Fix it"}, {"prediction", nullptr}, {"status", "failed"}, {"failure", "timed_out"}}));
    reply.status = Reply::Status::cut;  // half a text is measured by nobody
    EXPECT_EQ(
        prediction_row({}, "Fix it", item, reply),
        Json({{"id", "x"}, {"prompt", "Fix it"}, {"prediction", nullptr}, {"status", "cut"}, {"answer", " Better.\nMore"}}));
}

}  // namespace
}  // namespace craft
