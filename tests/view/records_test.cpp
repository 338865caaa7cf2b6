#include "view/records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/trajectory.h"
#include "view/terminal.h"

namespace craft {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string shown(const Json& row) {
    return lay_out(record_page(row, record_kind(row)), {.width = 120});
}

Json trajectory_row() {
    const std::string response =
        print_response({"shorten it",
                        "text_eval()\nword_count_check(4, \"less than\")\nword_count_check(2, \"less than\")",
                        {{"The old...", "cut"}},
                        false});
    return {{"id", "t1"},
            {"instruction", "Fewer than four words"},
            {"text", "The old mill was sold."},
            {"messages",
             {{{"role", "user"}, {"content", "prompt"}},
              {{"role", "assistant"}, {"content", response}},
              {{"role", "user"}, {"content", "###OBSERVATION:"}}}},
            {"steps",
             {{{"thought", "shorten it"},
               {"revision", "Mill sold."},
               {"feedback", "fine"},
               {"scores", {{"s_a", 81.25}, {"s_r", nullptr}}}}}}};
}

TEST(Records, AreToldByTheirKeys) {
    EXPECT_EQ(record_kind(trajectory_row()), RecordKind::trajectory);
    EXPECT_EQ(record_kind({{"prompt", "p"}, {"chosen", "c"}, {"rejected", "r"}}), RecordKind::pair);
    EXPECT_EQ(record_kind({{"chosen", "c"}, {"rejected", "r"}}), RecordKind::pair);
    EXPECT_EQ(record_kind({{"messages", Json::array()}}), RecordKind::conversation);
    EXPECT_EQ(record_kind({{"instruction", "i"}, {"text", "t"}}), RecordKind::instruction);
    EXPECT_EQ(record_kind({{"x", 1}}), RecordKind::row);
    EXPECT_EQ(record_kind(7), RecordKind::row);
    for (const std::string& name : record_kind_names())
        EXPECT_EQ(record_kind_name(record_kind_from_name(name).value()), name);
    EXPECT_FALSE(record_kind_from_name("pairs"));
}

// The tools measure the revision: "Mill sold." has three tokens, "." included.
TEST(Records, ATrajectoryTellsWhichCallsAreMet) {
    const std::string text = shown(trajectory_row());
    EXPECT_THAT(text, HasSubstr("trajectory t1"));
    EXPECT_THAT(text, HasSubstr("thought: shorten it"));
    EXPECT_THAT(text, HasSubstr("met      word_count_check(4, \"less than\")"));
    EXPECT_THAT(text, HasSubstr("not met  word_count_check(2, \"less than\")"));
    EXPECT_THAT(text, HasSubstr("\"The old...\" -> cut"));
    EXPECT_THAT(text, HasSubstr("[-The old mill was-] {+Mill+} sold."));
    EXPECT_THAT(text, HasSubstr("s_a 81.25"));
    EXPECT_THAT(text, Not(HasSubstr("s_r")));
}

TEST(Records, APairStandsBesideItself) {
    const std::string text = shown({{"prompt", {{{"role", "user"}, {"content", "Do it"}}}},
                                    {"chosen", {{{"role", "assistant"}, {"content", "well"}}}},
                                    {"rejected", {{{"role", "assistant"}, {"content", "badly"}}}},
                                    {"provenance", {{"gap", 12.5}, {"chosen_scores", {{"s_a", 50.0}}}}}});
    EXPECT_THAT(text, HasSubstr("prompt: Do it"));
    EXPECT_THAT(text, testing::ContainsRegex("chosen  s_a 50 +rejected"));
    EXPECT_THAT(text, testing::ContainsRegex("well +badly"));
    EXPECT_THAT(text, HasSubstr("\"gap\":12.5"));
}

TEST(Records, ATreeIsAnOutline) {
    const Json tree = {{"format", 1},
                       {"iterations", 2},
                       {"nodes",
                        {{{"id", 0}, {"depth", 0}, {"visits", 3}, {"value", 0.5}, {"revision", "a b"}, {"payload", nullptr}},
                         {{"id", 1},
                          {"parent", 0},
                          {"visits", 2},
                          {"value", 0.6},
                          {"r_g", 0.25},
                          {"r_c", 0.5},
                          {"reward", 0.75},
                          {"revision", "a c"}},
                         {{"id", 2}, {"parent", 0}, {"visits", 0}, {"value", 0.0}, {"failure", "cut"}, {"revision", ""}},
                         {{"id", 3},
                          {"parent", 1},
                          {"visits", 1},
                          {"value", 1.5},
                          {"r_g", 0.5},
                          {"r_c", 1.0},
                          {"reward", 1.5},
                          {"revision", "a d"},
                          {"payload", {{"conditions", {{{"call", "x"}, {"met", true}}, {{"call", "y"}, {"met", false}}}}}}},
                         {{"id", 4}, {"parent", 9}, {"visits", 1}}}}};
    const std::string text = shown(tree);
    EXPECT_THAT(text, HasSubstr("\n  0  N 3  V 0.5\n    1  N 2  V 0.6  R 0.75 = 0.25 + 0.5\n      3  N 1  V 1.5  R 1.5 = "
                                "0.5 + 1  best  1 of 2 met\n"
                                "    2  N 0  V 0  failed: cut\n  1 nodes hang at no root\n"));
    EXPECT_THAT(text, HasSubstr("best node 3"));
    EXPECT_THAT(text, HasSubstr("a [-b-] {+d+}"));
}

TEST(Records, AVerdictNamesTheSystems) {
    const std::string text = shown({{"id", 5},
                                    {"judge", "rules"},
                                    {"systems", {"one", "two"}},
                                    {"order", {1, 0}},
                                    {"verdict", {{"Lexical", {{"best", 1}, {"worst", 0}}}}},
                                    {"reason", nullptr},
                                    {"reply", "Best: 1"}});
    EXPECT_THAT(text, HasSubstr("judgement 5"));
    EXPECT_THAT(text, HasSubstr("Lexical: best 1 (two)  worst 0 (one)"));
    EXPECT_THAT(shown({{"judge", "rules"}, {"verdict", nullptr}, {"reason", "tie"}}), HasSubstr("row"));
    EXPECT_THAT(shown({{"judge", "rules"}, {"verdict", Json::object()}, {"reason", "tie"}}), HasSubstr("none: tie"));
}

TEST(Records, WhatAPageDoesNotKnowStandsAtItsEnd) {
    EXPECT_THAT(shown({{"instruction", "i"}, {"text", "t"}, {"mine", {{"deep", 1}}}}), HasSubstr("mine: {\"deep\":1}"));
}

// Fields of other types, nested otherwise in each row, are shown and never thrown on.
TEST(Records, NoRowIsTooOdd) {
    const std::vector<Json> odd = {nullptr, 7, "text", Json::array({1, "x"}), Json::object(), {{"a", {{"b", nullptr}}}}};
    for (const std::string& name : record_kind_names()) {
        const RecordKind kind = record_kind_from_name(name).value();
        for (const Json& value : odd) {
            EXPECT_NO_THROW(record_page(value, kind)) << name;
            Json row = trajectory_row();
            for (const char* key :
                 {"id",         "prompt",  "chosen",   "rejected", "provenance", "responses",   "rewards",  "nodes",
                  "iterations", "options", "diverted", "judge",    "verdict",    "systems",     "order",    "request",
                  "status",     "text",    "trace",    "source",   "candidates", "instruction", "messages", "steps",
                  "tools",      "scores",  "step",     "cost",     "completion"}) {
                row[key] = value;
                EXPECT_NO_THROW(lay_out(record_page(row, kind), {.width = 40})) << name << " " << key;
            }
            for (const char* list : {"steps", "messages", "responses", "nodes", "candidates"}) {
                row[list] = Json::array(
                    {value, {{"role", value}, {"id", value}, {"payload", value}, {"content", value}, {"revision", value}}});
                EXPECT_NO_THROW(lay_out(record_page(row, kind), {.width = 40})) << name << " " << list;
            }
        }
    }
}

}  // namespace
}  // namespace craft
