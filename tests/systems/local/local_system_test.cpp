// A local model as a system: prompts shared by samples, streams keyed by item and sample, prompts that do not fit.
#include "systems/local/local_system.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "core/file_hash.h"
#include "data/response_grammar.h"
#include "tests/model/decoder/small_decoder.h"
#include "tests/model/tokenizer/small_tokenizer.h"

namespace craft {
namespace {

class LocalSystemTest : public ::testing::Test {
protected:
    LocalSystemTest()
        : folder_("local-system"),
          tokenizer_(open_tokenizer(folder_.path)),
          chat_(open_chat_template(folder_.path)),
          decoder_(make_decoder(*tokenizer_)) {}

    static Decoder make_decoder(const Tokenizer& tokenizer, int64_t positions = 128) {
        DecoderConfig config = test::small_config();
        config.vocab_size = tokenizer.vocabulary_size();
        config.max_positions = positions;
        config.end_tokens = {};
        return test::lively_decoder(config, at::kFloat);
    }
    static Request ask(const std::string& text, uint64_t item, uint64_t sample) {
        return {{{Role::user, text}}, item, sample};
    }
    static std::vector<std::string> texts(const std::vector<Reply>& replies) {
        std::vector<std::string> out;
        for (const auto& reply : replies) out.push_back(reply.text);
        return out;
    }
    SamplingOptions sampled() const {
        SamplingOptions options;
        options.max_new_tokens = 12;
        options.temperature = 1;
        options.logprobs = true;
        return options;
    }

    test::TokenizerFolder folder_;
    std::shared_ptr<Tokenizer> tokenizer_;
    std::shared_ptr<ChatTemplate> chat_;
    Decoder decoder_;
};

TEST_F(LocalSystemTest, SamplesThatShareAPromptEqualSamplesAskedForAlone) {
    LocalSystem system(StepSource(decoder_), tokenizer_, chat_);
    const auto together = system.answer(
        {ask("Nobody waters", 4, 0), ask("Nobody waters", 4, 1), ask("Nobody waters", 4, 2), ask("A plan", 5, 0)},
        sampled());
    ASSERT_EQ(together.size(), 4u);
    for (uint64_t sample = 0; sample < 3; ++sample)
        EXPECT_EQ(system.answer({ask("Nobody waters", 4, sample)}, sampled()).at(0).text, together[sample].text);
    SamplingOptions text_alone = sampled();
    text_alone.logprobs = false;
    const auto alone = system.answer({ask("A plan", 5, 0)}, text_alone);
    EXPECT_EQ(alone.at(0).text, together[3].text);
    EXPECT_FALSE(alone[0].mean_logprob);
    EXPECT_NE(together[0].text, together[1].text);
    EXPECT_GT(together[0].usage.prompt_tokens, 0);
    EXPECT_LE(together[0].usage.new_tokens, 12);
    EXPECT_LT(together[0].mean_logprob.value(), 0);
    EXPECT_GT(*together[0].mean_logprob, -20) << "a token, not a response";
    EXPECT_GT(together[0].usage.new_tokens, 0);
}

TEST_F(LocalSystemTest, SeedAndStageKeyTheStreams) {
    const auto one = [&](uint64_t seed, const std::string& stage) {
        LocalSystem system(StepSource(decoder_), tokenizer_, chat_, {seed, {}});
        SamplingOptions sampling = sampled();
        sampling.stage = stage;
        return texts(system.answer({ask("Nobody waters", 4, 0), ask("The bridge", 6, 0)}, sampling));
    };
    EXPECT_EQ(one(1, "a"), one(1, "a"));
    EXPECT_NE(one(1, "a"), one(2, "a"));
    EXPECT_NE(one(1, "a"), one(1, "b"));
}

// Turn by turn: what an answer left is not computed again where the template tells it as it was, and the answers are those
// of a system that keeps nothing.
TEST_F(LocalSystemTest, LaterTurnsGoOnBehindEarlierOnes) {
    LocalSystem system(StepSource(decoder_), tokenizer_, chat_);
    Conversation conversation = std::vector<Message>{{Role::user, "Nobody waters"}};
    int64_t cached = 0;
    for (int turn = 0; turn < 3; ++turn) {
        const Reply reply = system.answer({{conversation, 4, 0}}, sampled())[0];
        LocalSystem fresh(StepSource(decoder_), tokenizer_, chat_);
        const Reply wanted = fresh.answer({{conversation, 4, 0}}, sampled())[0];
        EXPECT_EQ(reply.text, wanted.text);
        EXPECT_EQ(wanted.usage.cached_tokens, 0);
        if (turn > 0) {
            EXPECT_GT(reply.usage.cached_tokens, cached);
        }
        cached = reply.usage.cached_tokens;
        EXPECT_LT(cached, reply.usage.prompt_tokens);
        conversation.messages.push_back({{"role", "assistant"}, {"content", reply.text}});
        conversation.messages.push_back({{"role", "user"}, {"content", "A plan"}});
    }
    EXPECT_GT(cached, 0);
    EXPECT_EQ(system.continued() + system.rewritten(), 2);
}

// A template that tells earlier answers otherwise than they were generated: what is after the change is computed again, and
// counted.
TEST_F(LocalSystemTest, RewrittenTurnsAreComputedAndCounted) {
    const auto file = folder_.path / "rewriting.jinja";
    std::ofstream(file)
        << "{% for m in messages %}{{ m['role'] }}: {% if m['role'] == 'assistant' %}something{% else %}{{ m['content'] }}"
           "{% endif %}\n{% endfor %}{% if add_generation_prompt %}assistant: {% endif %}";
    const auto rewriting = open_chat_template(folder_.path, file.string());
    LocalSystem system(StepSource(decoder_), tokenizer_, rewriting);
    Conversation conversation = std::vector<Message>{{Role::user, "Nobody waters"}};
    for (int turn = 0; turn < 2; ++turn) {
        const Reply reply = system.answer({{conversation, 4, 0}}, sampled())[0];
        LocalSystem fresh(StepSource(decoder_), tokenizer_, rewriting);
        EXPECT_EQ(reply.text, fresh.answer({{conversation, 4, 0}}, sampled())[0].text);
        conversation.messages.push_back({{"role", "assistant"}, {"content", reply.text}});
        conversation.messages.push_back({{"role", "user"}, {"content", "A plan"}});
    }
    EXPECT_EQ(system.continued(), 0);
    EXPECT_EQ(system.rewritten(), 1);
}

// The model is a random one: what it writes within its positions begins a response, and without the option does not.
TEST_F(LocalSystemTest, CallsAreConstrainedOnDemand) {
    LocalSystem system(StepSource(decoder_), tokenizer_, chat_);
    SamplingOptions sampling = sampled();
    const Request request = ask("Nobody waters", 4, 0);
    EXPECT_FALSE(system.record(request, sampling).contains("constrain_calls"));
    EXPECT_FALSE(system.answer({request}, sampling)[0].text.starts_with("###"));
    sampling.constrain_calls = true;
    sampling.max_new_tokens = 60;
    EXPECT_EQ(system.record(request, sampling)["constrain_calls"], true);
    EXPECT_EQ(system.record(request, sampling)["grammar"], hash_text(response_gbnf()));
    const Reply reply = system.answer({request}, sampling)[0];
    GrammarState state = response_grammar()->start();
    for (const char c : reply.text) EXPECT_TRUE(state.advance(static_cast<uint8_t>(c))) << reply.text;
    EXPECT_TRUE(reply.text.starts_with("###THOUGHT:\n")) << reply.text;
    EXPECT_EQ(system.stuck(), 0);
}

TEST_F(LocalSystemTest, PromptsThatDoNotFitFailAlone) {
    LocalSystem system(StepSource(decoder_), tokenizer_, chat_);
    std::string huge;
    for (int i = 0; i < 400; ++i) huge += "river ";
    const auto replies =
        system.answer({ask("Nobody", 1, 0), ask(huge, 2, 0), ask(huge, 2, 1), ask("A plan", 3, 0)}, sampled());
    EXPECT_EQ(replies[1].text, "");
    EXPECT_EQ(replies[1].status, Reply::Status::failed);
    EXPECT_EQ(replies[1].failure, Failure::prompt_too_long);
    EXPECT_THAT(replies[1].error, testing::StartsWith("the prompt: expected a prompt that leaves one of the model's 128 "
                                                      "positions, got "));
    EXPECT_FALSE(replies[1].mean_logprob);
    EXPECT_EQ(replies[2].status, Reply::Status::failed);
    EXPECT_GT(replies[0].usage.new_tokens, 0);
    EXPECT_EQ(replies[1].usage.new_tokens, 0);
    EXPECT_EQ(replies[3].text, system.answer({ask("A plan", 3, 0)}, sampled()).at(0).text);
    EXPECT_TRUE(system.answer({}, sampled()).empty());
}

// A sink hears of a conversation's samples once they are done, of a prompt that does not fit before anything is computed.
TEST_F(LocalSystemTest, RepliesAreToldAsTheyCome) {
    LocalSystemOptions options;
    options.generate.max_batch_rows = 1;
    LocalSystem system(StepSource(decoder_), tokenizer_, chat_, options);
    std::string huge;
    for (int i = 0; i < 400; ++i) huge += "river ";
    const std::vector<Request> requests = {ask("Nobody", 1, 0), ask("Nobody", 1, 1), ask(huge, 2, 0), ask("A plan", 3, 0)};
    std::vector<std::vector<size_t>> told;
    std::vector<std::string> said(requests.size());
    const auto replies =
        system.answer_into(requests, sampled(), [&](const std::vector<size_t>& which, const std::vector<Reply>& some) {
            told.push_back(which);
            for (size_t w = 0; w < which.size(); ++w) said[which[w]] = some[w].text;
        });
    ASSERT_EQ(told.size(), 3u);
    EXPECT_EQ(told[0], std::vector<size_t>{2});
    EXPECT_EQ(told[1].size() + told[2].size(), 3u) << "each once";
    EXPECT_EQ(said, texts(replies));
    SamplingOptions unlimited = sampled();
    unlimited.max_new_tokens.reset();
    int64_t last = 0;
    LocalSystem(StepSource(make_decoder(*tokenizer_, 1100)), tokenizer_, chat_)
        .answer_into({ask("Nobody waters", 4, 1)}, unlimited,
                     [&](const std::vector<size_t>& /*which*/, const std::vector<Reply>& some) {
                         EXPECT_EQ(last, 0) << "told twice";
                         last = some[0].usage.new_tokens;
                     });
    EXPECT_GT(last, 1024) << "told once it was computed in all the room that there is";
}

// Without a limit an answer continues until the window is full: the same one, only longer. The model does not end by itself.
TEST_F(LocalSystemTest, WhereNobodyConfiguredALimitTheWindowSaysHowMuch) {
    const auto reply_of = [&](int64_t positions, std::optional<int64_t> limit) {
        LocalSystem system(StepSource(make_decoder(*tokenizer_, positions)), tokenizer_, chat_);
        SamplingOptions sampling = sampled();
        sampling.max_new_tokens = limit;
        const auto replies = system.answer({ask("Nobody waters", 4, 0), ask("Nobody waters", 4, 1)}, sampling);
        EXPECT_NE(replies[0].text, replies[1].text);
        EXPECT_EQ(system.record(ask("Nobody waters", 4, 0), sampling)["max_new_tokens"], limit.value_or(4096));
        return replies[1];
    };
    const Reply brief = reply_of(1100, 1000);
    EXPECT_EQ(brief.usage.new_tokens, 1000);
    EXPECT_EQ(brief.problem(), "cut");
    for (const int64_t positions : {1050, 1100}) {
        const Reply whole = reply_of(positions, std::nullopt);
        EXPECT_EQ(whole.usage.new_tokens, positions - whole.usage.prompt_tokens);
        EXPECT_EQ(whole.problem(), "cut");
        EXPECT_EQ(whole.text.substr(0, 500), brief.text.substr(0, 500));
    }
}

// Most answers end early, and many are computed side by side for it: what keeps them is no larger than their own lengths.
TEST_F(LocalSystemTest, AnswersThatEndAreComputedOnceOnly) {
    LocalSystem system(StepSource(decoder_), tokenizer_, chat_);
    SamplingOptions sampling = sampled();
    sampling.max_new_tokens.reset();
    sampling.stop = {"a", "e", "o"};
    const Reply reply = system.answer({ask("Nobody waters", 4, 0)}, sampling)[0];
    EXPECT_TRUE(reply.is_finished());
    // All tokens of the prompt and of the answer but its last one, which is never fed.
    EXPECT_EQ(system.figures()["computed_tokens"], reply.usage.prompt_tokens + reply.usage.new_tokens - 1);
}

}  // namespace
}  // namespace craft
