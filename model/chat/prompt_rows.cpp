#include "model/chat/prompt_rows.h"

#include <algorithm>

#include "core/error.h"
#include "core/log.h"
#include "data/pair.h"
#include "model/tokenizer/plain_text.h"

namespace craft {

namespace {

constexpr const char* kTooLong = "prompt_too_long";  // as Reply says it of a system's answers (systems/system.h)

// Why this many tokens do not go into the positions; "" if they do.
std::string room_problem(size_t tokens, int64_t most, const std::string& expected, const std::string& where) {
    if (static_cast<int64_t>(tokens) <= most) return "";
    return Error(where, expected, std::to_string(tokens) + " tokens", "shorten it, or take a model of more positions")
        .what();
}

std::string prompt_problem(size_t tokens, int64_t positions, const std::string& where) {
    return room_problem(tokens, positions - 1,
                        "a prompt that leaves one of the model's " + std::to_string(positions) + " positions", where);
}

}  // namespace

void check_ids(const std::vector<int64_t>& ids, int64_t vocabulary, const std::string& where) {
    for (const int64_t id : ids)
        if (id < 0 || id >= vocabulary)
            throw Error(where, "token ids below the model's vocabulary of " + std::to_string(vocabulary), std::to_string(id),
                        "the tokenizer has tokens that the model does not");
}

std::vector<int64_t> ids_field(const Json& row, const std::string& name, int64_t vocabulary, const std::string& where) {
    const std::string field = where + ": field '" + name + "'";
    if (!row.contains(name) || !row[name].is_array() || row[name].empty())
        throw Error(field, "a list of token ids", row.contains(name) ? dump_line(row[name]).substr(0, 40) : "none");
    std::vector<int64_t> ids;
    for (const Json& id : row[name]) {
        if (!id.is_number_integer() || id < 0 || id >= vocabulary)
            throw Error(field, "token ids below the vocabulary's " + std::to_string(vocabulary), dump_line(id));
        ids.push_back(id.get<int64_t>());
    }
    return ids;
}

PromptTokens prompt_tokens(const Conversation& conversation, const ChatTemplate& chat, const Tokenizer& tokenizer,
                           int64_t positions, const std::string& where) {
    PromptTokens prompt{chat.encode(tokenizer, conversation, {.generation_prompt = true}).tokens};
    if (const int64_t end = tokenizer.id_of(chat.end_of_turn()); end >= 0) prompt.stop_tokens = {end};
    prompt.problem = prompt_problem(prompt.tokens.size(), positions, where);
    return prompt;
}

namespace {

std::vector<int64_t> between_ends(std::vector<int64_t> tokens, const Tokenizer& tokenizer, int64_t start_token) {
    const int64_t end = tokenizer.end_token();
    if (end >= 0 && (tokens.empty() || tokens.back() != end)) tokens.push_back(end);
    tokens.insert(tokens.begin(), start_token);
    return tokens;
}

}  // namespace

std::vector<int64_t> answer_tokens(const std::string& text, const Tokenizer& tokenizer, int64_t start_token) {
    return between_ends(tokenizer.encode(text, /*allow_special=*/true), tokenizer, start_token);
}

std::vector<int64_t> answer_tokens(const Json& message, const ChatTemplate& chat, const Tokenizer& tokenizer,
                                   int64_t start_token) {
    Conversation alone;
    alone.messages.push_back(message);
    return between_ends(chat.encode(tokenizer, alone).tokens, tokenizer, start_token);
}

Json failed_row(const Json& id, const std::string& problem) {
    return {{"id", id}, {"failed", kTooLong}, {"error", problem}};
}

PromptRows::PromptRows(Source source)
    : source_(std::move(source)),
      tokenizer_(source_.ids ? nullptr : open_tokenizer(source_.model)),
      chat_(source_.ids ? nullptr : chat_template_on_demand(source_.model, source_.chat)) {}

PromptTokens PromptRows::prompt(const Json& row, const std::string& where) {
    PromptTokens prompt;
    if (source_.ids) {
        prompt.tokens = ids_field(row, "input_ids", source_.vocabulary, where);
        unknown_.see(row, {"id", "input_ids"});
    } else if (row.contains("messages")) {
        prompt = conversation_prompt(row, "messages", where);
    } else if (row.contains("prompt") && row["prompt"].is_array()) {
        prompt = conversation_prompt(row, "prompt", where);
    } else {
        const std::string text = string_field(row, "prompt", where);
        see_start(text);
        const bool is_whole = source_.start_token >= 0;  // an encoder reads a text with its end
        prompt.tokens = is_whole ? encode_whole(*tokenizer_, text) : encode_plain(*tokenizer_, text);
        unknown_.see(row, {"id", "prompt"});
    }
    if (prompt.tokens.empty()) throw Error(where, "a prompt of at least one token", "none");
    check_ids(prompt.tokens, source_.vocabulary, where);
    prompt.problem = prompt_problem(prompt.tokens.size(), source_.positions, where);
    note(prompt.problem);
    return prompt;
}

PromptTokens PromptRows::conversation_prompt(const Json& row, const char* name, const std::string& where) {
    const Conversation conversation = conversation_from_row(row, name, where, &unknown_);
    PromptTokens prompt = prompt_tokens(conversation, *chat_, *tokenizer_, source_.positions, where);
    count_left_out(*chat_, conversation, {.generation_prompt = true}, unknown_);
    return prompt;
}

ScoredTokens PromptRows::scored(const Json& row, const std::string& where) {
    ScoredTokens scored;
    if (source_.start_token >= 0) {
        scored = answer(row, where);
    } else if (source_.ids) {
        unknown_.see(row, {"id", "input_ids"});
        scored.tokens = ids_field(row, "input_ids", source_.vocabulary, where);
        scored.scored.assign(scored.tokens.size(), 1);
    } else if (row.contains("messages")) {
        scored = turns(conversation_from_row(row, "messages", where, &unknown_), {}, where);
    } else {
        scored = completion(row, where);
    }
    check_ids(scored.tokens, source_.vocabulary, where);
    if (scored.tokens.empty()) throw Error(where, "a prompt or a completion of at least one token", "none");
    scored.scored[0] = 0;
    scored.problem = room_problem(std::max(scored.tokens.size(), scored.source.size()), source_.positions,
                                  "at most the model's " + std::to_string(source_.positions) + " positions", where);
    note(scored.problem);
    return scored;
}

// By an encoder-decoder: a source and an answer to it.
ScoredTokens PromptRows::answer(const Json& row, const std::string& where) {
    ScoredTokens scored;
    if (source_.ids) {
        unknown_.see(row, {"id", "source_ids", "target_ids"});
        scored.source = ids_field(row, "source_ids", source_.vocabulary, where);
        scored.tokens = ids_field(row, "target_ids", source_.vocabulary, where);
        scored.tokens.insert(scored.tokens.begin(), source_.start_token);
    } else if (row.contains("messages")) {
        scored = answer_of(conversation_from_row(row, "messages", where, &unknown_), where);
    } else {
        const Completion read = completion_from_json(row, where, &unknown_);
        if (const auto* asked = std::get_if<Conversation>(&read.prompt)) {
            Conversation all = *asked;
            const Json& answer = std::get<Conversation>(read.completion).messages;
            all.messages.insert(all.messages.end(), answer.begin(), answer.end());
            scored = answer_of(std::move(all), where);
        } else {
            const std::string& prompt = std::get<std::string>(read.prompt);
            see_start(prompt);
            scored.source = encode_whole(*tokenizer_, prompt);
            scored.tokens = answer_tokens(std::get<std::string>(read.completion), *tokenizer_, source_.start_token);
        }
    }
    if (scored.source.empty()) throw Error(where, "a prompt of at least one token, which the encoder reads", "none");
    check_ids(scored.source, source_.vocabulary, where);
    scored.scored.assign(scored.tokens.size(), 1);
    return scored;
}

ScoredTokens PromptRows::answer_of(Conversation conversation, const std::string& where) {
    const size_t count = conversation.messages.size();
    if (count < 2 || !is_assistants(conversation.messages.back()))
        throw Error(where, "messages of which the last one, the assistant's, answers those before it", "others");
    count_left_out(*chat_, conversation, {}, unknown_);
    ScoredTokens scored;
    scored.tokens = answer_tokens(conversation.messages.back(), *chat_, *tokenizer_, source_.start_token);
    conversation.messages.erase(count - 1);
    scored.source = chat_->encode(*tokenizer_, conversation, {.generation_prompt = true}).tokens;
    return scored;
}

ScoredTokens PromptRows::completion(const Json& row, const std::string& where) {
    const Completion read = completion_from_json(row, where, &unknown_);
    if (const auto* asked = std::get_if<Conversation>(&read.prompt)) {
        Conversation all = *asked;
        std::vector<int64_t> alone;
        if (!all.messages.empty()) alone = chat_->encode(*tokenizer_, all, {.generation_prompt = true}).tokens;
        const Json& answer = std::get<Conversation>(read.completion).messages;
        all.messages.insert(all.messages.end(), answer.begin(), answer.end());
        return turns(all, alone, where);
    }
    const std::string& prompt = std::get<std::string>(read.prompt);
    see_start(prompt);
    PlainTokens plain = encode_plain(*tokenizer_, prompt, std::get<std::string>(read.completion));
    ScoredTokens scored{std::move(plain.tokens)};
    scored.scored.assign(scored.tokens.size(), 1);
    std::fill_n(scored.scored.begin(), plain.prompt, uint8_t{0});
    return scored;
}

// The assistant's turns, after what a prompt shares with them.
ScoredTokens PromptRows::turns(const Conversation& conversation, const std::vector<int64_t>& prompt,
                               const std::string& where) {
    EncodedChat chat = chat_->encode(*tokenizer_, conversation);
    count_left_out(*chat_, conversation, {}, unknown_);
    const auto shorter = static_cast<std::ptrdiff_t>(std::min(prompt.size(), chat.tokens.size()));
    const auto shared = std::mismatch(prompt.begin(), prompt.begin() + shorter, chat.tokens.begin()).first - prompt.begin();
    std::fill_n(chat.assistant.begin(), shared, uint8_t{0});
    if (std::find(chat.assistant.begin(), chat.assistant.end(), uint8_t{1}) == chat.assistant.end())
        throw Error(where, "a turn of the assistant to score", "none that counts");
    return {std::move(chat.tokens), std::move(chat.assistant)};
}

void PromptRows::see_start(const std::string& prompt) {
    if (spells_leading_tokens(*tokenizer_, prompt)) ++doubled_starts_;
}

void PromptRows::note(const std::string& problem) {
    ++rows_;
    if (problem.empty()) return;
    ++failed_;
    if (first_problem_.empty()) first_problem_ = problem;
}

void PromptRows::finish() const {
    unknown_.warn(source_.input);
    if (tokenizer_) warn_of_doubled_starts(*tokenizer_, source_.input, doubled_starts_);
    if (failed_ == 0) return;
    if (failed_ == rows_) throw Error(first_problem_);
    log_warning(source_.input + ": rows that do not go into the model's positions fail",
                {{"rows", failed_}, {"positions", source_.positions}});
}

}  // namespace craft
