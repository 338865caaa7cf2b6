// Generation that is held to a grammar.
#include <gtest/gtest.h>

#include "model/generate/generate.h"
#include "tests/model/decoder/small_decoder.h"
#include "tests/model/tokenizer/small_tokenizer.h"

namespace craft {
namespace {

using Term = GrammarTerm;

// Lines of small letters between "Go" and ".".
GrammarRules lines_of_letters() {
    return {{"text", Term::sequence({Term::literal("Go"), Term::repeated(Term::rule("line"), 1), Term::literal(".")})},
            {"line", Term::sequence({Term::repeated(Term::range('a', 'z'), 1), Term::literal("\n")})}};
}

class Constrained : public ::testing::Test {
protected:
    Constrained()
        : folder_("constrained"),
          tokenizer_(open_tokenizer(folder_.path)),
          end_(tokenizer_->id_of("<|im_end|>")),
          decoder_(make_decoder(*tokenizer_)),
          mask_(std::make_shared<const GrammarMask>(std::make_shared<const Grammar>(lines_of_letters()), *tokenizer_)) {}

    static Decoder make_decoder(const Tokenizer& tokenizer) {
        DecoderConfig config = test::small_config();
        config.vocab_size = tokenizer.vocabulary_size();
        return test::lively_decoder(config, at::kFloat);
    }
    std::vector<GenerateRequest> requests(int64_t samples) const {
        std::vector<GenerateRequest> all;
        for (const char* text : {"The gardener", "Nobody waters the river", "A plan"})
            all.push_back({tokenizer_->encode(text, false), all.size(), samples});
        return all;
    }
    GenerateOptions options(double temperature) const {
        return {.max_new_tokens = 40, .sampling = {.temperature = temperature}, .grammar = mask_, .stop_tokens = {end_}};
    }
    // 0: no sentence begins so; 1: one does; 2: it is one.
    int kind_of(const std::string& text) const {
        GrammarState state = grammar_.start();
        for (const char c : text)
            if (!state.advance(static_cast<uint8_t>(c))) return 0;
        return state.may_end() ? 2 : 1;
    }

    Grammar grammar_{lines_of_letters()};
    test::TokenizerFolder folder_;
    std::shared_ptr<Tokenizer> tokenizer_;
    int64_t end_;
    Decoder decoder_;
    std::shared_ptr<const GrammarMask> mask_;
};

TEST_F(Constrained, TextsAreSentencesOrBeginOne) {
    int finished = 0;
    for (const double temperature : {0.0, 1.0, 3.0})
        for (const auto& samples : generate(decoder_, tokenizer_.get(), requests(8), options(temperature)))
            for (const Generated& one : samples) {
                EXPECT_EQ(kind_of(one.text), one.finished ? 2 : 1) << one.text;
                EXPECT_FALSE(one.stuck);
                EXPECT_EQ(one.finished, one.tokens.back() == end_);
                finished += one.finished ? 1 : 0;
            }
    EXPECT_GT(finished, 0);
    GenerateOptions free = options(1);
    free.grammar = nullptr;
    EXPECT_EQ(kind_of(generate(decoder_, tokenizer_.get(), requests(1), free)[0][0].text), 0);
}

TEST_F(Constrained, WhatRunsBesideChangesNothing) {
    const auto together = generate(decoder_, tokenizer_.get(), requests(4), options(1));
    GenerateOptions few = options(1);
    few.max_batch_rows = 2;
    const auto others = generate(decoder_, tokenizer_.get(), requests(4), few);
    for (size_t r = 0; r < together.size(); ++r) {
        const auto alone = generate(decoder_, tokenizer_.get(), {requests(4)[r]}, options(1));
        for (size_t k = 0; k < 4; ++k) {
            EXPECT_EQ(together[r][k].tokens, others[r][k].tokens);
            EXPECT_EQ(together[r][k].tokens, alone[0][k].tokens);
        }
    }
}

// A grammar of all texts leaves the choice among tokens that have one as it was: greedily those of the rule that forbids the
// others.
TEST_F(Constrained, AGrammarOfAllTextsIsARuleAgainstSpecialTokens) {
    GenerateOptions all = options(0);
    all.grammar = std::make_shared<const GrammarMask>(
        std::make_shared<const Grammar>(GrammarRules{{"text", Term::repeated(Term::none_of(""))}}), *tokenizer_);
    GenerateOptions ruled = options(0);
    ruled.grammar = nullptr;
    for (int64_t id = 0; id < tokenizer_->vocabulary_size(); ++id)
        if (!tokenizer_->bytes_of(id) && id != end_) ruled.rules.suppress_tokens.push_back(id);
    // Bytes that are no character in their place are forbidden too: leave them out here.
    for (int64_t id = 0; id < tokenizer_->vocabulary_size(); ++id)
        if (const auto bytes = tokenizer_->bytes_of(id); bytes && (bytes->front() & 0x80) != 0) {
            ruled.rules.suppress_tokens.push_back(id);
            all.rules.suppress_tokens.push_back(id);
        }
    const auto by_grammar = generate(decoder_, tokenizer_.get(), requests(1), all);
    const auto by_rule = generate(decoder_, tokenizer_.get(), requests(1), ruled);
    for (size_t r = 0; r < by_rule.size(); ++r) EXPECT_EQ(by_grammar[r][0].tokens, by_rule[r][0].tokens);
}

TEST_F(Constrained, ARowWithoutATokenIsStuckAlone) {
    GenerateOptions options = this->options(1);
    options.keep_histories = true;
    options.logprobs = true;
    const auto suppress = [&](const std::function<bool(const std::string&)>& which) {
        for (int64_t id = 0; id < tokenizer_->vocabulary_size(); ++id)
            if (const auto bytes = tokenizer_->bytes_of(id); bytes && which(*bytes))
                options.rules.suppress_tokens.push_back(id);
    };
    // "o" is a small letter: "Goo..." continues to the limit, as no line break may come.
    suppress([](const std::string& bytes) { return bytes != "G" && bytes != "o"; });
    for (const auto& samples : generate(decoder_, tokenizer_.get(), requests(2), options))
        for (const Generated& one : samples) {
            EXPECT_EQ(one.text, "G" + std::string(39, 'o'));
            EXPECT_FALSE(one.finished || one.stuck);
        }
    suppress([](const std::string& bytes) { return bytes == "o"; });
    for (const auto& samples : generate(decoder_, tokenizer_.get(), requests(2), options))
        for (const Generated& one : samples) {
            EXPECT_EQ(one.text, "G");
            EXPECT_TRUE(one.stuck && !one.finished);
            EXPECT_EQ(one.new_tokens, 1);
        }
    suppress([](const std::string& bytes) { return bytes == "G"; });
    for (const auto& samples : generate(decoder_, tokenizer_.get(), requests(2), options))
        for (const Generated& one : samples) {
            EXPECT_TRUE(one.stuck && one.tokens.empty() && one.text.empty());
            EXPECT_EQ(one.new_tokens, 0);
            EXPECT_FALSE(one.logprob);
        }
}

}  // namespace
}  // namespace craft
