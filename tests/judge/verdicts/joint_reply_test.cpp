#include "judge/verdicts/joint_reply.h"

#include <gtest/gtest.h>

namespace craft {
namespace {

JointReply read(const std::string& reply, const std::string& aspect = "semantics") {
    return read_joint(reply, "7", {"output_1", "output_2"}, scales_beside(aspect));
}

// Places on the scales, worst first: semantics 4 is the fourth of five, grammaticality "0" the best of three.
TEST(JointReply, HasTheMarksOfEachText) {
    const JointReply said =
        read(R"({"output_1":{"semantics":4,"grammaticality":"0","overcorrection":"slight"},)"
             R"("output_2":{"semantics":1,"grammaticality":"2 or more","overcorrection":"none"},"id":"7"})");
    EXPECT_EQ(said.problem, "");
    EXPECT_EQ(said.let_pass, Leniency{});
    ASSERT_EQ(said.marks.size(), 2u);
    EXPECT_EQ(said.marks[0],
              (std::map<std::string, size_t>{{"semantics", 3}, {"grammaticality", 2}, {"overcorrection", 2}}));
    EXPECT_EQ(said.marks[1],
              (std::map<std::string, size_t>{{"semantics", 0}, {"grammaticality", 0}, {"overcorrection", 3}}));
}

TEST(JointReply, OtherFormsAreReadAndCounted) {
    const JointReply said = read(
        "<think>Hm. {</think>\nHere are the marks:\n"
        R"({"Output 1":{"Semantics":"5","grammaticality":3,"Over-correction":"Minor over-correction"},)"
        R"("output_2":{"semantics":2.0,"grammaticality":"1","overcorrection":"No"},"id":7} I hope that helps.)");
    EXPECT_EQ(said.problem, "");
    EXPECT_EQ(said.let_pass, (Leniency{{"thinking", 1}, {"text around", 1}, {"key form", 1}, {"mark form", 1}}));
    EXPECT_EQ(said.marks[0],
              (std::map<std::string, size_t>{{"semantics", 4}, {"grammaticality", 0}, {"overcorrection", 2}}));
    EXPECT_EQ(said.marks[1],
              (std::map<std::string, size_t>{{"semantics", 1}, {"grammaticality", 1}, {"overcorrection", 3}}));
    const JointReply fenced = read(
        "```json\n{\"output_1\":{\"fluency\":5,\"coherence\":4,\"consistency\":3},\"output_2\":{\"fluency\":1,\"coherence\":"
        "1,"
        "\"consistency\":1}}\n```",
        "fluency");
    EXPECT_EQ(fenced.problem, "");
    EXPECT_EQ(fenced.let_pass, (Leniency{{"fenced", 1}, {"no id", 1}}));
}

TEST(JointReply, SaysWhyItCannotBeRead) {
    const std::string good = R"({"semantics":4,"grammaticality":"0","overcorrection":"none"})";
    EXPECT_EQ(read("").problem, "empty");
    EXPECT_EQ(read("<think>It is good.</think>").problem, "empty");
    EXPECT_EQ(read("Both are good.").problem, "no object");
    EXPECT_EQ(read("{\"output_1\":").problem, "no object");
    EXPECT_EQ(read("[5, 4]").problem, "no object");
    EXPECT_EQ(read("{\"output_1\":" + good + ",\"output_2\":" + good + ",\"id\":\"8\"}").problem, "another id");
    EXPECT_EQ(read("{\"output_1\":" + good + "}").problem, "output missing");
    EXPECT_EQ(read("{\"output_1\":" + good + ",\"output_2\":5}").problem, "output missing");
    EXPECT_EQ(read("{\"output_1\":" + good + ",\"output_2\":{\"semantics\":4}}").problem, "mark missing");
    for (const char* bad : {"0", "6", "4.5", "\"good\"", "-1", "[4]", "1e300", "true"}) {
        const std::string other =
            "{\"semantics\":" + std::string(bad) + ",\"grammaticality\":\"0\",\"overcorrection\":\"none\"}";
        const JointReply said = read("{\"output_1\":" + good + ",\"output_2\":" + other + "}");
        EXPECT_EQ(said.problem, "no mark") << bad;
        EXPECT_TRUE(said.marks.empty());
        EXPECT_TRUE(said.let_pass.empty()) << "of a reply that is not taken nothing was let pass";
    }
}

TEST(MarkScales, FiguresAreThePapers) {
    EXPECT_EQ(mark_scale("fluency").figure(0), 1);
    EXPECT_EQ(mark_scale("fluency").figure(4), 5);
    EXPECT_EQ(mark_scale("grammaticality").figure(0), 2) << "two errors or more";
    EXPECT_EQ(mark_scale("grammaticality").figure(2), 0);
    EXPECT_EQ(mark_scale("overcorrection").figure(0), 3);
    EXPECT_EQ(scales_beside("coherence").size(), 3u);
    EXPECT_EQ(scales_beside("coherence")[2].name, "consistency");
    EXPECT_THROW(mark_scale("beauty"), std::exception);
}

}  // namespace
}  // namespace craft
