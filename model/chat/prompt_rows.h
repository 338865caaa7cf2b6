// The one way from a row, or a conversation, to the tokens that a model continues or scores.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "data/conversation.h"
#include "model/chat/chat_template.h"
#include "model/tokenizer/tokenizer.h"

namespace craft {

// Throws Error naming `where` if a token id is none of the model's: a tokenizer may know more than its model has rows for.
void check_ids(const std::vector<int64_t>& ids, int64_t vocabulary, const std::string& where);
// A list of at least one token id below the vocabulary's size. Throws Error otherwise.
std::vector<int64_t> ids_field(const Json& row, const std::string& name, int64_t vocabulary, const std::string& where);

struct PromptTokens {
    std::vector<int64_t> tokens;
    std::vector<int64_t> stop_tokens = {};  // the token that ends a turn of a conversation, where the tokenizer has it
    std::string problem = {};               // why it cannot be answered: it leaves none of the model's positions; else empty
};
// A conversation that a model is to answer. `where` is what the problem names. Throws Error as ChatTemplate::encode() does.
PromptTokens prompt_tokens(const Conversation& conversation, const ChatTemplate& chat, const Tokenizer& tokenizer,
                           int64_t positions, const std::string& where);

// What an encoder-decoder's decoder reads and is to say: its start token, then a plain string's own tokens, or those of one
// message of the assistant by the template, and the end token.
std::vector<int64_t> answer_tokens(const std::string& text, const Tokenizer& tokenizer, int64_t start_token);
std::vector<int64_t> answer_tokens(const Json& message, const ChatTemplate& chat, const Tokenizer& tokenizer,
                                   int64_t start_token);

struct ScoredTokens {
    std::vector<int64_t> tokens;       // at least one; of an encoder-decoder the answer's, behind its start token
    std::vector<uint8_t> scored = {};  // which of them count: never the first, which nothing predicts
    std::string problem = {};          // why they cannot be scored: more than the model's positions; else empty
    std::vector<int64_t> source = {};  // what an encoder reads before them; empty of a decoder alone
};

// The output's row of an input that has a problem: {"id","failed":"prompt_too_long","error"}.
Json failed_row(const Json& id, const std::string& problem);

// Rows of a file for one model. A row that leaves the model no position has a problem, and the others continue.
class PromptRows {
public:
    struct Source {
        std::filesystem::path model;  // whose tokenizer and chat template are opened, the template when a row asks for it
        ChatOptions chat = {};
        std::string input;                      // the file, for messages
        bool ids = false;                       // rows are token ids; neither tokenizer nor template is opened
        int64_t vocabulary = 0, positions = 0;  // the model's
        int64_t start_token = -1;               // likewise, of an encoder-decoder
    };
    // Throws Error as open_tokenizer() and chat_template_on_demand() do.
    explicit PromptRows(Source source);

    // What is to be continued: {"prompt"}, a string or messages, {"messages"}, or {"input_ids"}. These throw Error naming
    // `where` on another form, no token, or ids that the model has not.
    PromptTokens prompt(const Json& row, const std::string& where);
    // What is to be scored: {"prompt","completion"} after its prompt, {"messages"} in the assistant's turns, or
    // {"input_ids"}; by an encoder-decoder the completion, the last message, which is the assistant's, or {"target_ids"}
    // after {"source_ids"}.
    ScoredTokens scored(const Json& row, const std::string& where);

    const Tokenizer* tokenizer() const { return tokenizer_.get(); }  // null for ids
    // Warns of what is odd about the rows that were read, a line each. Throws Error with the first problem if each row had
    // one.
    void finish() const;

private:
    PromptTokens conversation_prompt(const Json& row, const char* name, const std::string& where);
    ScoredTokens completion(const Json& row, const std::string& where);
    ScoredTokens answer(const Json& row, const std::string& where);
    ScoredTokens answer_of(Conversation conversation, const std::string& where);
    ScoredTokens turns(const Conversation& conversation, const std::vector<int64_t>& prompt, const std::string& where);
    void see_start(const std::string& prompt);
    void note(const std::string& problem);

    Source source_;
    std::shared_ptr<Tokenizer> tokenizer_;
    std::shared_ptr<ChatTemplate> chat_;
    UnknownKeys unknown_;
    int64_t rows_ = 0, failed_ = 0, doubled_starts_ = 0;
    std::string first_problem_;
};

}  // namespace craft
