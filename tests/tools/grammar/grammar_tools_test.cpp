#include "tools/grammar/grammar_tools.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "tests/core/temporary_folder.h"
#include "tests/tools/grammar/grammar_setup.h"
#include "tools/call_parser.h"

namespace craft {
namespace {

using testing::HasSubstr;

std::shared_ptr<GrammarTools> open_tools(const std::string& worker = "") {
    GrammarToolOptions options;
    options.english = test::installed_english_model();
    options.parse_worker = worker;
    options.parse_timeout_seconds = 2;
    return std::make_shared<GrammarTools>(options);
}

TEST(GrammarTools, SpeakToModelsAndPrograms) {
    CRAFT_NEEDS_GRAMMAR();
    const auto tools = open_tools();
    EXPECT_EQ(tools->text("pos_tagging", "She sleeps."), "She/PRP sleeps/VBZ ./.");
    EXPECT_EQ(
        tools->text("dependency_parsing", "She sleeps."),
        "1 She: nsubj of sleeps (2)\n2 sleeps: ROOT\n3 .: punct of sleeps (2)\nconstituents: (S (NP She) (VP sleeps) .)");
    EXPECT_EQ(
        tools->text("error_parsing", "She sleep every day."),
        "substituted \"sleep\" (word 2): 'sleep' does not agree with 'She'; suggestions: sleeps\nThe parse leaves out: She");
    EXPECT_THAT(tools->text("spell_check", "She sleps."), HasSubstr("\"sleps\" is in no dictionary; suggestions: "));
    EXPECT_EQ(tools->json("error_parsing", "She sleep every day.")["marks"][0]["start"], 4);
    EXPECT_EQ(tools->counts().sentences, 3) << "a sentence is analysed once";
    EXPECT_EQ(tools->counts().calls.at("error_parsing"), 2);
    EXPECT_THAT(message_of([&] { tools->text("tagging", "a"); }), HasSubstr("grammar tool"));
    EXPECT_THAT(message_of([&] { tools->text("spell_check", "a \xFF"); }), HasSubstr("UTF-8"));
}

TEST(GrammarTools, BearWithAnything) {
    CRAFT_NEEDS_GRAMMAR();
    const auto tools = open_tools();
    std::string words;
    for (int i = 0; i < 2000; ++i) words += "word ";
    for (const std::string& sentence :
         {std::string(), std::string("   "), std::string("\n\t"), std::string("word"), words, std::string("((([\"'`"),
          std::string("I do n't know ."), std::string("\xE2\x80\x9CIt\xE2\x80\x99s fine,\xE2\x80\x9D he said."),
          std::string("\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E\xE3\x80\x82"),
          std::string("a\x01"
                      "b\x02")})
        for (const std::string& name : GrammarTools::names()) {
            EXPECT_FALSE(tools->text(name, sentence).empty()) << name;
            EXPECT_FALSE(tools->json(name, sentence).is_null()) << name;
        }
    EXPECT_EQ(tools->text("error_parsing", "I do n't know ."), "No error found.");
    EXPECT_EQ(tools->text("error_parsing", "\xE2\x80\x9CIt\xE2\x80\x99s fine,\xE2\x80\x9D he said."), "No error found.");
}

TEST(GrammarTools, DoWithoutAParserThatHangs) {
    CRAFT_NEEDS_GRAMMAR();
    testing::internal::CaptureStderr();
    const auto tools = open_tools("read -r line; exec sleep 100");
    const std::string said = tools->text("error_parsing", "He go to school.");
    testing::internal::GetCapturedStderr();
    EXPECT_THAT(said, HasSubstr("substituted \"go\" (word 2)"));
    EXPECT_THAT(said, HasSubstr("There is no parse: the parser took too long."));
    EXPECT_EQ(tools->counts().without_parse, 1);
    EXPECT_EQ(tools->counts().lost_parses, 1);
}

TEST(GrammarTools, AreAskedByThreads) {
    CRAFT_NEEDS_GRAMMAR();
    const auto tools = open_tools();
    std::vector<std::string> said(4);
    std::vector<std::thread> threads;
    for (std::string& one : said)
        threads.emplace_back([&one, &tools] {
            for (int i = 0; i < 3; ++i) one = tools->text("error_parsing", "They was number " + std::to_string(i) + ".");
        });
    for (std::thread& thread : threads) thread.join();
    for (const std::string& one : said) EXPECT_EQ(one, said[0]);
    EXPECT_EQ(tools->counts().sentences, 3);
}

TEST(GrammarTools, AreToolsOfASet) {
    CRAFT_NEEDS_GRAMMAR();
    const ToolSet set(grammar_tools(open_tools()));
    EXPECT_EQ(set.names().size(), 4u);
    const MeasuredText text("She sleep.");
    const BoundCall call{"error_parsing", {Argument(std::string("She sleep every day."))}};
    EXPECT_THAT(set.run(call, {text, text}).text, HasSubstr("suggestions: sleeps"));
    EXPECT_THROW(set.find("error_parsing")->check({"error_parsing", {Argument(int64_t{3})}}), WrongArguments);
}

TEST(GrammarTools, SayWhatIsNotInstalled) {
    EXPECT_THAT(message_of([] {
                    GrammarToolOptions options;
                    options.english = "/nowhere";
                    GrammarTools tools(options);
                }),
                HasSubstr("run scripts/setup.sh --english"));
}

}  // namespace
}  // namespace craft
