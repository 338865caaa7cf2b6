#include "judge/fidelity/factuality.h"

#include <gtest/gtest.h>

#include "core/process_memory.h"
#include "judge/fidelity/capital_names.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

const TextPairs kFactTexts = {{{"a", "We met ANN in Rome.", "We met Ann in Paris. It rained."},
                               {"b", "It rained.", "it rained."},
                               {"c", "It rained.", ""}},
                              1};

TEST(Factuality, NamesThatTheTextDoesNotHave) {
    const FactualityEvaluation found = evaluate_factuality(kFactTexts, capital_names, {});
    EXPECT_EQ(found.items[0].entities, 2);
    EXPECT_EQ(found.items[0].unknown_entities, 1) << "Paris; Ann is there in capitals";
    EXPECT_EQ(found.ne_er, 0.5) << "one item has names";
    EXPECT_EQ(found.entailed, std::nullopt) << "no command";
    const Json json = to_json(found);
    EXPECT_TRUE(json.at("corpus").at("entailed").is_null());
    EXPECT_EQ(json.at("corpus").at("with_entities"), 1);
    EXPECT_EQ(json.at("corpus").at("empty_outputs"), 1);
    EXPECT_TRUE(json.at("items")[1].at("ne_er").is_null());
}

// A command that calls sentences entailed which speak of rain, by their scores.
TEST(Factuality, AsksAboutEachSentence) {
    const TemporaryFolder folder;
    FactualityOptions options;
    options.entailment.timeout_seconds = 20;
    options.entailment.command = "tee " + (folder.path() / "asked").string() +
                                 R"( | sed -e '/hypothesis.*rain/s/}$/,"score":0.75}/; /score/!s/}$/,"entailed":false}/')";
    const FactualityEvaluation found = evaluate_factuality(kFactTexts, capital_names, options);
    EXPECT_EQ(found.items[0].entailed_share(), 0.5);
    EXPECT_EQ(found.items[1].entailed_share(), 1.0);
    EXPECT_EQ(found.items[2].entailed_share(), std::nullopt) << "an empty revision has no sentences";
    EXPECT_EQ(found.entailed, 0.75);
    JsonLinesReader asked((folder.path() / "asked").string());
    EXPECT_EQ(asked.next(),
              Json::parse(R"({"id":"a#1","premise":"We met ANN in Rome.","hypothesis":"We met Ann in Paris."})"));
    options.threshold = 0.8;
    EXPECT_EQ(evaluate_factuality(kFactTexts, capital_names, options).entailed, 0.0);
}

// 4,000 sentences of a text of 60 KB: rows with the whole text for each would be 240 MB.
TEST(Factuality, TextsAreNotHeldForEachSentence) {
    std::string text;
    for (int i = 0; i < 4000; ++i) text += "It rained then. ";
    const TextPairs texts{{{"a", text, text}}, 0};
    const auto none = [](const std::string&) { return std::vector<std::string>{}; };
    forget_peak_memory();
    const int64_t before = resident_memory_bytes();
    EXPECT_EQ(evaluate_factuality(texts, none, {}).items[0].sentences, 4000);
    EXPECT_LT(peak_resident_bytes() - before, 60'000'000);
    // Rows come when they are sent: what they hold is the same.
    const TextPairs some{{{"a", text.substr(0, 1600), text.substr(0, 1600)}}, 0};
    FactualityOptions options;
    options.entailment.timeout_seconds = 20;
    options.entailment.command = R"(sed 's/"hypothesis".*/"entailed":true}/;s/,"premise":"[^"]*"//')";
    EXPECT_EQ(evaluate_factuality(some, none, options).entailed, 1.0);
}

TEST(Factuality, NamesAreKnownInAnyCaseAndWithinOthers) {
    const TextPairs texts{{{"a", "In NEW YORK it rained.", "York, york and Yor."}}, 0};
    const auto names = [](const std::string&) { return std::vector<std::string>{"York", "york", "Yor"}; };
    const FactualityEvaluation found = evaluate_factuality(texts, names, {});
    EXPECT_EQ(found.items[0].entities, 3);
    EXPECT_EQ(found.items[0].unknown_entities, 1);
}

TEST(Factuality, SentencesWithoutAFitAnswerMayBeLeftOut) {
    FactualityOptions options;
    options.entailment.timeout_seconds = 20;
    options.entailment.command = R"(sed -e '/"a#2"/s/}$/,"score":NaN}/' -e '/NaN/!s/}$/,"entailed":true}/')";
    EXPECT_THROW(evaluate_factuality(kFactTexts, capital_names, options), Error);
    options.entailment.skip_unfit = true;
    const FactualityEvaluation found = evaluate_factuality(kFactTexts, capital_names, options);
    EXPECT_EQ(found.items[0].unjudged, 1);
    EXPECT_EQ(found.items[0].entailed_share(), 1.0) << "of the one that is judged";
    EXPECT_EQ(to_json(found).at("corpus").at("unjudged"), 1);
}

TEST(Factuality, AnswersThatSayNothingAreRefused) {
    EXPECT_TRUE(is_entailed(Json::parse(R"({"entailed":true,"score":null})"), 0.5, "w"));
    EXPECT_FALSE(is_entailed(Json::parse(R"({"entailed":false})"), 0.5, "w"));
    EXPECT_EQ(message_of([] { is_entailed(Json::parse(R"({"entailed":true,"score":0.1})"), 0.5, "w"); }),
              "w: expected one of the fields 'entailed' and 'score', got both");
    EXPECT_TRUE(is_entailed(Json::parse(R"({"score":0.5})"), 0.5, "w"));
    EXPECT_EQ(message_of([] { is_entailed(Json::parse("{}"), 0.5, "w"); }),
              "w: expected a field 'entailed' or 'score', got neither");
    EXPECT_EQ(message_of([] { is_entailed(Json::parse(R"({"score":1.5})"), 0.5, "w"); }),
              "w: field 'score': expected a number from 0 to 1, got 1.5");
    EXPECT_EQ(message_of([] { is_entailed(Json::parse(R"({"score":"NaN"})"), 0.5, "w"); }),
              "w: field 'score': expected a number from 0 to 1, got \"NaN\"");
    EXPECT_EQ(message_of([] { is_entailed(Json::parse(R"({"entailed":1})"), 0.5, "w"); }),
              "w: field 'entailed': expected true or false, got 1");
}

}  // namespace
}  // namespace craft
