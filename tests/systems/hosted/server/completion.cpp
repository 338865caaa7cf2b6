#include "tests/systems/hosted/server/completion.h"

#include <algorithm>
#include <ctime>

#include "core/file_hash.h"
#include "core/rng.h"

namespace craft::chat_server {

namespace {

bool is_white(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

// The place after the `words`-th word, or the end; and how many words there are up to it.
std::pair<size_t, int64_t> after_words(const std::string& text, int64_t words) {
    int64_t count = 0;
    size_t at = 0;
    while (count < words) {
        while (at < text.size() && is_white(text[at])) ++at;
        if (at == text.size()) break;
        while (at < text.size() && !is_white(text[at])) ++at;
        ++count;
    }
    return {at, count};
}

int64_t prompt_words(const Json& body) {
    int64_t words = 0;
    for (const Json& message : body.at("messages")) {
        const Json content = message.is_object() ? message.value("content", Json()) : Json();
        words += count_words(content.is_string() ? content.get_ref<const std::string&>()
                             : content.is_null() ? ""
                                                 : content.dump());
    }
    return words;
}

std::string made_up_word(Rng& rng) {
    static const std::string consonants = "bdfgklmnprst", vowels = "aeiou";
    std::string word;
    for (uint64_t syllables = 1 + rng.below(3); syllables > 0; --syllables) {
        word += consonants[rng.below(consonants.size())];
        word += vowels[rng.below(vowels.size())];
    }
    return word;
}

struct Choice {
    Json message = {{"role", "assistant"}};
    std::string finish_reason = "stop";
    int64_t tokens = 0, reasoning_tokens = 0;
};

// What is odd in a choice's message.
void distort(Choice& choice, const std::string& content, Fault fault, const Json& body) {
    const std::string thought = "I think about it twice.";
    Json& message = choice.message;
    if (fault == Fault::null_content || fault == Fault::refusal) message["content"] = nullptr;
    if (fault == Fault::refusal) message["refusal"] = "I cannot help with that.";
    if (fault == Fault::empty_content) message["content"] = "";
    if (fault == Fault::content_filter) choice.finish_reason = "content_filter";
    if (fault == Fault::length) {
        choice.tokens = std::max<int64_t>(choice.tokens / 2, 1);
        message["content"] = first_words(content, choice.tokens);
        choice.finish_reason = "length";
    }
    if (fault == Fault::stop_at_limit) {
        choice.tokens = token_limit(body).value_or(choice.tokens);
        choice.finish_reason = "stop";
    }
    if (fault == Fault::reasoning) message["reasoning_content"] = thought;
    if (fault == Fault::think) message["content"] = "<think>" + thought + "</think>\n\n" + content;
    if (fault == Fault::reasoning || fault == Fault::think) choice.reasoning_tokens = count_words(thought);
    if (fault == Fault::bad_utf8) message["content"] = kBadByte + content + kBadByte;
}

Choice make_choice(const ChatServerOptions& options, const Json& body, int64_t index, std::optional<Fault> fault) {
    Choice choice;
    std::string content = options.answer ? options.answer(body, index) : made_up_answer(body, index);
    choice.tokens = count_words(content);
    if (const auto limit = token_limit(body); limit && *limit < choice.tokens) {
        content = first_words(content, *limit);
        choice.tokens = *limit;
        choice.finish_reason = "length";
    }
    choice.message["content"] = content;
    if (fault) distort(choice, content, *fault, body);
    choice.tokens += choice.reasoning_tokens;
    return choice;
}

Json usage_of(const ChatServerOptions& options, int64_t prompt, int64_t completion, int64_t reasoning) {
    Json usage = {{"prompt_tokens", prompt}, {"completion_tokens", completion}, {"total_tokens", prompt + completion}};
    if (options.cached_tokens)
        usage["prompt_tokens_details"] = {{"cached_tokens", std::min(*options.cached_tokens, prompt)}};
    if (reasoning > 0) usage["completion_tokens_details"] = {{"reasoning_tokens", reasoning}};
    return usage;
}

}  // namespace

int64_t count_words(const std::string& text) {
    return after_words(text, static_cast<int64_t>(text.size())).second;
}

std::string first_words(const std::string& text, int64_t words) {
    return text.substr(0, after_words(text, words).first);
}

std::optional<int64_t> token_limit(const Json& body) {
    for (const char* name : {"max_completion_tokens", "max_tokens"})
        if (const auto found = body.find(name); found != body.end() && found->is_number_integer())
            return found->get<int64_t>();
    return std::nullopt;
}

std::string made_up_answer(const Json& body, int64_t choice) {
    const std::string messages = dump_line(body.at("messages"));
    Rng rng(stable_hash(messages), "answer", dump_line(body.value("seed", Json())), static_cast<uint64_t>(choice));
    // Quotes, a line break and letters of several bytes: whoever cuts or escapes wrongly is found out.
    std::string text = "Réponse " + hash_text(messages).substr(6) + ":\n\"";
    for (uint64_t words = 8 + rng.below(16); words > 0; --words) text += made_up_word(rng) + (words > 1 ? " " : "\".");
    return text;
}

Json completion(const ChatServerOptions& options, const Json& body, std::optional<Fault> fault) {
    const Json asked = body.value("n", Json());
    const int64_t count = fault == Fault::n_ignored || !asked.is_number_integer() ? 1 : asked.get<int64_t>();
    Json choices = Json::array();
    int64_t tokens = 0, reasoning = 0;
    for (int64_t i = 0; i < count && fault != Fault::no_choices; ++i) {
        Choice choice = make_choice(options, body, i, fault);
        tokens += choice.tokens;
        reasoning += choice.reasoning_tokens;
        choices.push_back({{"index", i},
                           {"message", std::move(choice.message)},
                           {"logprobs", nullptr},
                           {"finish_reason", choice.finish_reason}});
    }
    const std::string model = fault == Fault::foreign_model ? "another-" + options.model : options.model;
    Json reply = {{"id", "chatcmpl-" + hash_text(dump_line(body)).substr(6)},
                  {"object", "chat.completion"},
                  {"created", static_cast<int64_t>(std::time(nullptr))},
                  {"model", model},
                  {"choices", std::move(choices)}};
    if (options.usage) reply["usage"] = usage_of(options, prompt_words(body), tokens, reasoning);
    return reply;
}

}  // namespace craft::chat_server
