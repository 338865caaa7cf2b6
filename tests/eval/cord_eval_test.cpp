#include "eval/cord_eval.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "tests/core/temporary_folder.h"
#include "tests/reference.h"

namespace craft {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<Instruction> two_items(const TemporaryFolder& folder) {
    return read_instructions(folder.file(
        "c.jsonl",
        R"json({"id":"a","instruction":"i","text":"One cat. Two dogs.","constraints":[["keyword_keep_removal_check(\"cat\", \"keep\")"],["word_count_check(9, \"less than\")","word_count_check(3, \"more than\")"]]}
{"id":"b","instruction":"i","text":"One. Two.","constraints":[["sentence_check([1], \"change\")"]]}
{"id":"c","instruction":"i","text":"One.","constraints":[]}
)json"));
}

TEST(CordEval, CountsConstraintsAndMissingItems) {
    const TemporaryFolder folder;
    const auto items = two_items(folder);
    const auto evaluation = evaluate_cord(
        items, {{"b", "Uno. Dos."}, {"a", "A cat sat on a mat with it, and purred. No dogs."}}, Scoring::strict);
    ASSERT_EQ(evaluation.items.size(), 2u);
    EXPECT_EQ(evaluation.missing, 1);
    EXPECT_EQ(evaluation.items[0].id, "a");
    EXPECT_THAT(evaluation.items[0].met, ElementsAre(true, false));  // more than 9 tokens: the range fails as one
    EXPECT_EQ(evaluation.items[0].accuracy, 0.5);
    EXPECT_THAT(evaluation.items[1].met, ElementsAre(true));
    EXPECT_FALSE(evaluation.items[0].touched_besides) << "it says nothing of sentences to change";
    EXPECT_EQ(evaluation.items[1].touched_besides, 1);
    EXPECT_EQ(evaluation.touched_besides, 1.0);
    EXPECT_FALSE(evaluation.items[0].only_kept);
    EXPECT_EQ(evaluation.items[1].only_kept, false);
    EXPECT_EQ(evaluation.only_kept, 0.0);
    EXPECT_DOUBLE_EQ(*evaluation.figures().overall.mean.accuracy, 0.75);
    EXPECT_DOUBLE_EQ(*evaluation.figures().by_domain.at("c2").mean.accuracy, 0.5);
    EXPECT_DOUBLE_EQ(*evaluation.by_shape.at("words_range").accuracy, 0);
    EXPECT_DOUBLE_EQ(*evaluation.by_shape.at("modify_one").accuracy, 1);
    const Json json = to_json(evaluation);
    EXPECT_EQ(json.at("missing"), 1);
    EXPECT_EQ(json.at("items")[0].at("met"), Json::parse("[true,false]"));
    EXPECT_TRUE(json.at("items")[0].at("touched_besides").is_null());
    EXPECT_EQ(json.at("corpus").at("touched_besides"), 1.0);
    EXPECT_TRUE(json.at("items")[0].at("only_kept").is_null());
    EXPECT_EQ(json.at("items")[1].at("only_kept"), false);
    EXPECT_EQ(json.at("corpus").at("only_kept"), 0.0);
}

// Published, sentence_check fails, and so does a range.
TEST(CordEval, BothScoringsOfTheCorpusStandSideBySide) {
    const TemporaryFolder folder;
    const auto items = two_items(folder);
    const std::vector<RevisedText> outputs = {{"b", "Uno. Dos."}, {"a", "A cat sat on a mat with it, and purred. No dogs."}};
    const auto figures = [&](Scoring scoring, SentenceRule sentences) {
        return to_json(evaluate_cord(items, outputs, scoring, sentences)).at("corpus");
    };
    for (const Scoring scoring : {Scoring::strict, Scoring::published}) {
        const Json corpus = figures(scoring, SentenceRule::paper), &both = corpus.at("scorings");
        EXPECT_EQ(both.at("strict").at("accuracy"), 0.75);
        EXPECT_EQ(both.at("published").at("accuracy"), 0.25);
        EXPECT_EQ(both.at("published").at("by_domain").at("c1").at("accuracy"), 0.0);
        EXPECT_EQ(corpus.at("accuracy"), both.at(scoring == Scoring::strict ? "strict" : "published").at("accuracy"));
    }
    const Json icu = figures(Scoring::strict, SentenceRule::icu);
    EXPECT_FALSE(icu.at("scorings").contains("published")) << "its figures were made with the paper's sentences";
    EXPECT_EQ(message_of([&] { figures(Scoring::published, SentenceRule::icu); }),
              "published scoring: expected the paper's sentences, which it was made with, got icu");
    const Json none = to_json(evaluate_cord(items, {}, Scoring::published)).at("corpus");
    EXPECT_TRUE(none.at("accuracy").is_null() && none.at("scorings").at("strict").at("accuracy").is_null());
}

// Of "a", of two constraints, one is met under either scoring; that of "b" only where sentence_check is known.
TEST(CordEval, MicroIsMetConstraintsOfAllConstraints) {
    const TemporaryFolder folder;
    const auto items = two_items(folder);
    const std::vector<RevisedText> outputs = {
        {"b", "Uno. Dos."}, {"a", "A cat sat on a mat with it, and purred. No dogs."}, {"c", " \n"}};
    for (const Scoring scoring : {Scoring::strict, Scoring::published}) {
        const Json result = to_json(evaluate_cord(items, outputs, scoring)), &corpus = result.at("corpus");
        const Json &strict = corpus.at("scorings").at("strict"), &published = corpus.at("scorings").at("published");
        EXPECT_DOUBLE_EQ(strict.at("micro").get<double>(), 2.0 / 3) << "the mean of items is .75";
        EXPECT_DOUBLE_EQ(published.at("micro").get<double>(), 1.0 / 3) << "the mean of items is .25";
        EXPECT_EQ(strict.at("met"), 2);
        EXPECT_EQ(published.at("met"), 1);
        EXPECT_EQ(strict.at("constraints"), 3);
        EXPECT_EQ(strict.at("by_domain").at("c1").at("micro"), 1.0);
        EXPECT_EQ(published.at("by_domain").at("c1").at("micro"), 0.0);
        const Json& asked = scoring == Scoring::strict ? strict : published;
        for (const char* key : {"micro", "met", "constraints", "by_domain"}) EXPECT_EQ(corpus.at(key), asked.at(key)) << key;
        EXPECT_EQ(corpus.at("by_domain").at("c2").at("micro"), 0.5);
        EXPECT_EQ(corpus.at("items"), 2) << "without constraints \"c\" is in no figure";
        EXPECT_EQ(result.at("empty_outputs"), 1);
        EXPECT_EQ(corpus.at("empty_outputs"), 1);
    }
    const Json none = to_json(evaluate_cord(items, {{"c", "x"}}, Scoring::strict)).at("corpus");
    EXPECT_TRUE(none.at("micro").is_null());
    EXPECT_EQ(none.at("constraints"), 0);
}

TEST(CordEval, ItemsWithoutConstraintsAreLeftOutOfTheMeans) {
    const TemporaryFolder folder;
    const auto evaluation = evaluate_cord(two_items(folder), {{"c", "Anything."}}, Scoring::strict);
    ASSERT_EQ(evaluation.items.size(), 1u);
    EXPECT_FALSE(evaluation.items[0].accuracy);
    EXPECT_FALSE(evaluation.figures().overall.mean.accuracy);
    EXPECT_TRUE(to_json(evaluation).at("corpus").at("accuracy").is_null());
    EXPECT_TRUE(to_json(evaluation).at("corpus").at("touched_besides").is_null());
}

TEST(CordEval, RefusesUnknownAndRepeatedIds) {
    const TemporaryFolder folder;
    const auto items = two_items(folder);
    EXPECT_THROW(evaluate_cord(items, {{"z", "t"}}, Scoring::strict), Error);
    EXPECT_THROW(read_instructions(folder.file("empty.jsonl", "\n")), Error);
    EXPECT_THROW(evaluate_cord(items, {{"a", "t"}, {"a", "u"}}, Scoring::strict), Error);
    EXPECT_THROW(
        read_revised_texts(folder.file("o.jsonl", "{\"id\":\"a\",\"text\":\"t\"}\n{\"id\":\"a\",\"text\":\"t\"}\n")), Error);
    try {
        read_revised_texts(folder.file("p.jsonl", "{\"id\":\"a\",\"text\":\"t\",\"x\":1}\n{\"id\":\"b\"}\n"));
        FAIL();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("p.jsonl:2: field 'text'"));
    }
}

struct Released {
    std::vector<Instruction> items;
    std::vector<RevisedText> outputs;
    std::map<std::string, double> accuracy;
};

Released released(const std::filesystem::path& folder, const std::string& system, int domain) {
    const std::string name = "c" + std::to_string(domain) + ".jsonl";
    const std::string outputs = (folder / ("released_" + system + "_" + name)).string();
    Released read{read_instructions((folder / name).string()), read_revised_texts(outputs), {}};
    JsonLinesReader rows(outputs);
    while (const auto row = rows.next()) read.accuracy[row->at("id")] = row->at("published_accuracy").get<double>();
    return read;
}

TEST(CordEval, PublishedGivesEveryRecordedAccuracy) {
    CRAFT_REFERENCE_FILE(folder, "data/cord");
    int64_t compared = 0;
    for (const char* system : {"gpt_4o", "trips_4o"}) {
        for (int domain : {2, 3}) {
            const Released data = released(folder, system, domain);
            for (const CordItem& item : evaluate_cord(data.items, data.outputs, Scoring::published).items) {
                EXPECT_NEAR(item.accuracy.value(), data.accuracy.at(item.id), 1e-12) << system << " " << item.id;
                ++compared;
            }
        }
    }
    EXPECT_EQ(compared, 302);
}

TEST(CordEval, StrictGivesTheReferenceFlags) {
    CRAFT_REFERENCE_FILE(oracle, "oracles/cord_strict.jsonl");
    CRAFT_REFERENCE_FILE(folder, "data/cord");
    std::map<std::string, Json> expected;
    JsonLinesReader rows(oracle.string());
    while (const auto row = rows.next()) {
        const Json& inputs = row->at("inputs");
        expected[inputs.at("system").get<std::string>() + inputs.at("item").get<std::string>()] = row->at("expected");
    }
    size_t compared = 0;
    for (const char* system : {"gpt_4o", "trips_4o"}) {
        for (int domain : {2, 3}) {
            const Released data = released(folder, system, domain);
            for (const CordItem& item : evaluate_cord(data.items, data.outputs, Scoring::strict).items) {
                const Json& want = expected.at(system + item.id);
                EXPECT_EQ(item.met, want.at("met").get<std::vector<bool>>()) << system << " " << item.id;
                EXPECT_NEAR(item.accuracy.value(), want.at("accuracy").get<double>(), 1e-12);
                ++compared;
            }
        }
    }
    EXPECT_EQ(compared, expected.size());
}

}  // namespace
}  // namespace craft
