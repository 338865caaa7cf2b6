#include "tools/grammar/sentence_parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <sstream>

#include "tests/core/temporary_folder.h"
#include "tests/tools/grammar/grammar_setup.h"
#include "tools/grammar/parse_repairs.h"

namespace craft {
namespace {

using testing::HasSubstr;

TEST(SentenceParser, RowsAndBack) {
    const ParseRequest request = parse_request_of(to_json(ParseRequest{"He \"goes\".", 2}, "7"), "row");
    EXPECT_EQ(request.sentence, "He \"goes\".");
    EXPECT_EQ(request.max_left_out, 2);
    ConstituentParse parse;
    parse.bracketed = "(S (NP a))";
    parse.words = 3;
    parse.left_out = 1;
    parse.left_out_words = {{2, 5}};
    parse.cost = -0.5;
    parse.problem = "time";
    parse.timed_out = true;
    const ConstituentParse read = constituent_parse_of(parse_json(dump_line(to_json(parse, "7")), "row"), "row");
    EXPECT_EQ(to_json(read, "7"), to_json(parse, "7"));
}

TEST(SentenceParser, RefusesOtherRows) {
    const Json good = to_json(ConstituentParse{}, "1");
    for (const auto& [field, value] : {std::pair("tree", Json(3)),
                                       {"words", Json(-1)},
                                       {"lacks", Json("a")},
                                       {"cost", Json("x")},
                                       {"timed_out", Json(0)},
                                       {"left_out", Json(1)},
                                       {"left_out", Json{{1}}},
                                       {"left_out", Json{{-1, 2}}},
                                       {"problem", Json()}}) {
        Json bad = good;
        bad[field] = value;
        EXPECT_THAT(message_of([&, row = bad] { static_cast<void>(constituent_parse_of(row, "row")); }),
                    HasSubstr(std::string("field '") + field + "'"));
    }
    EXPECT_THAT(message_of([] {
                    static_cast<void>(parse_request_of({{"sentence", "a"}}, "row"));
                }),
                HasSubstr("most_left_out"));
}

// What a worker may write before it dies: each field of each wrong type, rows cut anywhere, bytes changed.
TEST(SentenceParser, ReadsOrRefusesDamagedRows) {
    ConstituentParse parse;
    parse.bracketed = "(S (NP The \xC3\xA9t\xC3\xA9))";
    parse.words = 3;
    parse.left_out = 1;
    parse.left_out_words = {{4, 7}};
    const Json good = to_json(parse, "1");
    const ParseText text = parse_text(std::vector<std::string>{"The", "\xC3\xA9t\xC3\xA9"});
    int64_t read = 0, refused = 0;
    const auto check = [&](const std::string& line) {
        try {
            const ConstituentParse one = constituent_parse_of(parse_json(line, "row"), "row");
            EXPECT_GE(one.words, 0);
            EXPECT_GE(one.left_out, 0);
            EXPECT_TRUE(std::isfinite(one.cost)) << line;
            for (const size_t token : left_out_tokens(one, text)) EXPECT_LT(token, 2u) << line;
            ++read;
        } catch (const Error& error) {
            EXPECT_THAT(error.what(), HasSubstr("row")) << line;
            ++refused;
        }
    };
    for (const auto& [name, value] : good.items()) {
        Json without = good;
        without.erase(name);
        check(without.dump());
        for (const char* wrong : {"null",
                                  "true",
                                  "-1",
                                  "1.5",
                                  "1e308",
                                  "1e999",
                                  "18446744073709551615",
                                  "-9223372036854775808",
                                  "99999999999999999999999",
                                  "\"x\"",
                                  "\"\\u0000\"",
                                  "[]",
                                  "[[]]",
                                  "[[1]]",
                                  "[[1,2,3]]",
                                  "[[-1,2]]",
                                  "[[1.5,2]]",
                                  "[[18446744073709551615,0]]",
                                  "[[\"a\",2]]",
                                  "{}",
                                  "{\"a\":[[1,2]]}",
                                  "[[[[[[[[[[]]]]]]]]]]",
                                  ""}) {
            std::string line = without.dump();
            line.back() = ',';
            check(line + "\"" + name + "\":" + wrong + "}");
        }
    }
    const std::string row = dump_line(good);
    for (size_t size = 0; size < row.size(); ++size) check(row.substr(0, size));
    std::minstd_rand random(3);
    for (int i = 0; i < 5000; ++i) {
        std::string changed = row;
        for (size_t changes = 1 + random() % 3; changes > 0; --changes)
            changed[random() % changed.size()] = static_cast<char>(random() % 256);
        check(changed);
    }
    EXPECT_GT(read, 100);
    EXPECT_GT(refused, 2000);
}

TEST(SentenceParser, AnswersALineEach) {
    CRAFT_NEEDS_GRAMMAR();
    std::istringstream in(dump_line(to_json(ParseRequest{"The dog barked."}, "a")) + "\n" +
                          dump_line(to_json(ParseRequest{"The the dog barked."}, "b")) + "\n" +
                          dump_line(to_json(ParseRequest{"The the dog barked.", 0}, "c")) + "\n");
    std::ostringstream out;
    answer_parse_requests(in, out, test::InstalledGrammar::get().parser());
    std::vector<ConstituentParse> parses;
    std::istringstream lines(out.str());
    for (std::string line; std::getline(lines, line);)
        parses.push_back(constituent_parse_of(parse_json(line, "row"), "row"));
    ASSERT_EQ(parses.size(), 3u);
    EXPECT_EQ(parses[0].left_out, 0);
    EXPECT_EQ(parses[1].left_out, 1);
    ASSERT_EQ(parses[1].left_out_words.size(), 1u);
    EXPECT_LE(parses[1].left_out_words[0].end, 7u) << "one of the two articles";
    EXPECT_EQ(parses[2].problem, "no parse") << "nothing may be left out";
    std::istringstream broken("{\"id\":1}\n");
    EXPECT_THAT(message_of([&] { answer_parse_requests(broken, out, test::InstalledGrammar::get().parser()); }),
                HasSubstr("sentence"));
}

}  // namespace
}  // namespace craft
