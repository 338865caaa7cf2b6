// The small language model: what the shipped one knows, and how one is made.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "align/language_model.h"
#include "core/error.h"
#include "core/files.h"
#include "judge/scorers/perplexity.h"
#include "tests/align/tiny_planner.h"
#include "tests/core/temporary_folder.h"
#include "text/words.h"

namespace craft {
namespace {

namespace fs = std::filesystem;

const fs::path kShare = fs::path(CRAFT_TEST_SOURCE) / "share";

std::vector<std::string> texts_of(const std::string& set, size_t count) {
    std::vector<std::string> texts;
    for (const SourceText& text : test::some_texts(set, count)) texts.push_back(text.text);
    return texts;
}

// The same words, in an order that says nothing.
std::string shuffled(const std::string& text, Rng& rng) {
    std::vector<std::string> words;
    for (const auto& word : whitespace_words(text)) words.emplace_back(word);
    for (size_t i = words.size(); i > 1; --i)
        std::swap(words[i - 1], words[static_cast<size_t>(rng.between(0, static_cast<int64_t>(i) - 1))]);
    std::string out;
    for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
    return out;
}

TEST(LanguageModel, TheShippedOneTellsEnglishFromItsWords) {
    PerplexityScorer scorer(Decoder::load(kShare / "language-model", at::kFloat, at::kCPU),
                            open_tokenizer(kShare / "language-model"));
    Rng rng(1, "shuffled");
    std::vector<ScoredPair> pairs;
    for (const std::string& text : texts_of("dev", 40)) {
        pairs.push_back({"", text});
        pairs.push_back({"", shuffled(text, rng)});
    }
    const std::vector<double> values = scorer.score(pairs);
    std::vector<double> as_written;
    for (size_t i = 0; i < values.size(); i += 2) {
        as_written.push_back(values[i]);
        EXPECT_LT(1.3 * values[i], values[i + 1]) << pairs[i].hypothesis;
    }
    std::nth_element(as_written.begin(), as_written.begin() + 20, as_written.end());
    EXPECT_LT(as_written[20], 250) << "a token drawn evenly has 4,000";
}

TEST(LanguageModel, IsAFolderThatIsMadeTheSameAgain) {
    at::set_num_threads(1);
    const TemporaryFolder folder;
    const auto texts = texts_of("select", 12);
    const double perplexity = make_language_model(texts, kShare / "base-model", 3, folder.path() / "one");
    EXPECT_GT(perplexity, 1);
    EXPECT_LT(perplexity, 4000);
    const double again = make_language_model(texts, kShare / "base-model", 3, folder.path() / "two");
    EXPECT_EQ(again, perplexity);
    EXPECT_EQ(read_file(folder.path() / "one/model/model.safetensors"),
              read_file(folder.path() / "two/model/model.safetensors"));
    // Of the text held apart, with weights rounded to bfloat16.
    const std::string& apart = texts.back();
    PerplexityScorer scorer(Decoder::load(folder.path() / "one/model", at::kFloat, at::kCPU),
                            open_tokenizer(folder.path() / "one/model"));
    EXPECT_NEAR(scorer.score({{"", apart}}).front(), perplexity, 0.02 * perplexity);
    EXPECT_THROW(make_language_model(texts_of("select", 9), kShare / "base-model", 3, folder.path() / "three"), Error);
}

}  // namespace
}  // namespace craft
