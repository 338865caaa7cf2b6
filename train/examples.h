// Training examples from text: conversations, prompts with completions, preference pairs.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/unknown_keys.h"
#include "data/pair.h"
#include "data/trajectory.h"
#include "model/chat/chat_template.h"
#include "model/kernels/packed_batch.h"
#include "model/spec/decoder_config.h"
#include "model/tokenizer/tokenizer.h"

namespace craft {

enum class Truncate { none, left };

struct ExampleOptions {
    int64_t max_length = 0;              // tokens of prompt and longest response; 0: no limit
    int64_t max_prompt_length = 0;       // tokens before the first that counts; 0: no limit
    Truncate truncate = Truncate::none;  // left: a prompt that does not fit loses its beginning instead of being dropped
    bool keep_wrong_calls = false;       // trajectories are examples whatever they call
    double plans = 1;                    // share of trajectories whose plan counts; of the others what precedes it
    bool keep_empty_turns = false;       // an assistant's turn in which nothing is said counts, too
    int64_t vocabulary = 0;              // ids from here on are not the model's; 0: not checked
    int64_t start_token = -1;            // of an encoder-decoder: what its answers begin with
};

// Of a training of this model: what it has no ids or positions for is not built. A maximum length of 0 is the model's;
// UsageError on one beyond the positions that it has learned.
ExampleOptions example_limits(ExampleOptions options, const DecoderConfig& config);

// Sequences have an empty prefix and one branch; pairs their prompt as the prefix and two branches, chosen then rejected;
// groups a branch for each response.
// Of an encoder-decoder all have their prompt as the prefix, and branches that begin with the start token. Tokens after the
// last that counts are left out.
struct Examples {
    std::vector<TokenTree> trees;
    std::map<std::string, int64_t> dropped;  // by reason
    UnknownKeys unknown_keys;                // of the rows that they come from, with what the template leaves out of them
    int64_t empty_turns = 0;  // of conversations that are kept: turns of the assistant that do not count, as nothing is said
    int64_t cut_plans = 0;    // trajectories whose plan does not count (ExampleOptions::plans)
    int64_t doubled_starts = 0;  // plain prompts that begin with the token that the tokenizer puts in front of them
    std::string opening;         // the first message of the first example; empty for plain strings
};

// Sequences, one a tree, that begin with the same `least` tokens become the branches of one tree, at most `most` of them, at
// the first one's place: their common beginning is computed once. Other trees stay. A batch counts such a tree as one
// example.
std::vector<TokenTree> join_equal_starts(std::vector<TokenTree> trees, size_t least, size_t most);

// One rule for plain strings: encode(prompt + response) once, after the tokenizer's leading tokens; the prompt is the
// longest common prefix with encode(prompt), of both sides in a pair; the end token is appended if absent. A response's
// first token does not count where there is no prompt to predict it from. In messages the assistant's turns count (of a
// pair: those after the prompt) whose weight is not 0, through their end-of-turn tokens; where the template writes none
// after the last, the end token is appended and counts, as for strings. A turn with nothing but white space, or nothing but
// calls that the template leaves out, does not count unless keep_empty_turns: it would teach to end a turn at once.
//
// An encoder-decoder reads a prompt as a whole, with its end token, and answers after its start token: prompt and response
// are encoded each by itself, and each turn of the assistant that counts is an example with all messages before it.
class ExampleBuilder {
public:
    // chat may be null: messages then throw Error.
    ExampleBuilder(std::shared_ptr<const Tokenizer> tokenizer, std::shared_ptr<const ChatTemplate> chat,
                   const ExampleOptions& options);

    // Each returns whether the example, or one of its turns, was kept; if not, it is counted with its reason: "empty
    // response", "empty text", "no prompt for the encoder", "a response of several messages" (to an encoder-decoder), "no
    // turn counts" (each has weight 0), "equal responses", "too long", "prompt too long", "no prompt left after
    // truncation", "token id out of vocabulary"; of trajectories also a tool_usage_problem() and kEvaluationOnly
    // (data/tool_usage.h).
    bool add_conversation(const Conversation& conversation);
    // Where its last plan is left out (ExampleOptions::plans), all of the response from there on is, its end included.
    bool add_trajectory(const Trajectory& trajectory);
    // What follows the last `until` in the last response is no part of the example, nor is the end of the turn.
    bool add_trajectory_until(const Trajectory& trajectory, const std::string& until);
    // Both strings, or a prompt of messages with a response of messages or text. Throws Error naming `where` otherwise.
    bool add_completion(const PromptText& prompt, const PromptText& completion, const std::string& where);
    bool add_pair(const Pair& pair, const std::string& where);
    // A prompt with two or more responses, one of which is not the others.
    bool add_group(const PromptText& prompt, const std::vector<PromptText>& responses, const std::string& where);
    // A text that counts as a whole.
    bool add_text(const std::string& text);

    UnknownKeys& unknown_keys() { return examples_.unknown_keys; }
    const Examples& examples() const { return examples_; }
    Examples take() { return std::exchange(examples_, {}); }

private:
    struct Draft;
    Draft draft_of(const PromptText& prompt, const std::vector<PromptText>& responses, const std::string& where);
    Draft draft_of_strings(const std::string& prompt, const std::vector<std::string>& responses);
    Draft draft_of_messages(const Conversation& prompt, const std::vector<Json>& responses);
    bool answers() const { return options_.start_token >= 0; }  // an encoder-decoder does
    Draft answers_to_string(const std::string& prompt, const std::vector<std::string>& responses) const;
    Draft answers_to_messages(const Conversation& prompt, const std::vector<Json>& responses) const;
    bool add_answers(const Conversation& conversation, const IgnoredFields& left, const std::string& until = "");
    EncodedChat encode(const Conversation& conversation, bool generation_prompt) const;
    EncodedChat encode_counted(Conversation conversation, const IgnoredFields& left, size_t first,
                               int64_t& empty_turns) const;
    IgnoredFields left_out(const Conversation& conversation) const;
    std::string fit(Draft& draft) const;
    bool drop(const std::string& reason);
    Draft draft_of_conversation(const Conversation& conversation, const IgnoredFields& left) const;
    bool keep(Draft draft, bool compared, const PromptText& prompt);

    std::shared_ptr<const Tokenizer> tokenizer_;
    std::shared_ptr<const ChatTemplate> chat_;
    ExampleOptions options_;
    Examples examples_;
    double plans_due_ = 0;  // below 1
};

}  // namespace craft
