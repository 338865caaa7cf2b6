#include "train/examples.h"

#include <algorithm>

#include "core/error.h"
#include "data/tool_usage.h"
#include "model/chat/prompt_rows.h"
#include "model/tokenizer/plain_text.h"

namespace craft {

// An example before its limits are applied.
struct ExampleBuilder::Draft {
    TokenTree tree;       // the prompt is its prefix, responses are its branches
    std::string problem;  // why it is dropped already; empty if it is not
    int64_t empty_turns = 0;
};

namespace {

size_t common_prefix(const std::vector<int64_t>& a, const std::vector<int64_t>& b) {
    const auto shorter = std::min(a.size(), b.size());
    return static_cast<size_t>(std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(shorter), b.begin()).first -
                               a.begin());
}

// Tokens from `begin` on, those that count marked, without what follows the last of them.
MaskedTokens response_from(const std::vector<int64_t>& tokens, const std::vector<uint8_t>& counted, size_t begin) {
    size_t end = tokens.size();
    while (end > begin && counted[end - 1] == 0) --end;
    const auto first = static_cast<std::ptrdiff_t>(begin), last = static_cast<std::ptrdiff_t>(end);
    return {{tokens.begin() + first, tokens.begin() + last}, {counted.begin() + first, counted.begin() + last}};
}

bool counts_nothing(const MaskedTokens& response) {
    return std::find(response.counted.begin(), response.counted.end(), uint8_t{1}) == response.counted.end();
}

bool all_equal(const std::vector<MaskedTokens>& responses) {
    return std::all_of(responses.begin(), responses.end(),
                       [&](const MaskedTokens& one) { return one.tokens == responses.front().tokens; });
}

constexpr const char* kEmptyResponse = "empty response";
constexpr const char* kNoPrompt = "no prompt for the encoder";

Json as_messages(const PromptText& text) {
    if (const auto* conversation = std::get_if<Conversation>(&text)) return conversation->messages;
    return to_json(std::vector<Message>{{Role::assistant, std::get<std::string>(text)}});
}

// Why messages are no response to learn from; empty if they are one.
std::string problem_of(const Json& messages) {
    if (!says_something(messages)) return kEmptyResponse;  // templates need not know what to make of such a turn
    const bool any = std::any_of(messages.begin(), messages.end(), [](const Json& message) {
        return says_something(Json::array({message})) && counts_in_loss(message);
    });
    return any ? "" : "no turn counts";
}

bool is_empty_turn(Json message, bool is_without_calls) {
    if (is_without_calls) message.erase("tool_calls");
    return is_assistants(message) && counts_in_loss(message) && !says_something(Json::array({std::move(message)}));
}

void append(MaskedTokens& response, int64_t token) {
    response.tokens.push_back(token);
    response.counted.push_back(1);
}

}  // namespace

ExampleOptions example_limits(ExampleOptions options, const DecoderConfig& config) {
    options.vocabulary = config.vocab_size;
    options.start_token = config.start_token;
    if (config.learned_positions && options.max_length > config.max_positions)
        throw UsageError("--max-length: expected at most the " + std::to_string(config.max_positions) +
                         " positions that this model has learned, got " + std::to_string(options.max_length));
    if (options.max_length == 0) options.max_length = config.max_positions;
    return options;
}

ExampleBuilder::ExampleBuilder(std::shared_ptr<const Tokenizer> tokenizer, std::shared_ptr<const ChatTemplate> chat,
                               const ExampleOptions& options)
    : tokenizer_(std::move(tokenizer)), chat_(std::move(chat)), options_(options) {}

EncodedChat ExampleBuilder::encode(const Conversation& conversation, bool generation_prompt) const {
    if (!chat_) throw Error("messages", "a model folder with a chat template", "one without", "or give plain strings");
    return chat_->encode(*tokenizer_, conversation, {.generation_prompt = generation_prompt});
}

IgnoredFields ExampleBuilder::left_out(const Conversation& conversation) const {
    return chat_ ? chat_->left_out(conversation) : IgnoredFields{};
}

// Empty turns from message `first` on do not count; `empty_turns` gets their number.
EncodedChat ExampleBuilder::encode_counted(Conversation conversation, const IgnoredFields& left, size_t first,
                                           int64_t& empty_turns) const {
    for (size_t i = first; i < conversation.messages.size() && !options_.keep_empty_turns; ++i) {
        Json& message = conversation.messages[i];
        const bool is_without_calls = std::find(left.calls.begin(), left.calls.end(), i) != left.calls.end();
        if (!is_empty_turn(message, is_without_calls)) continue;
        message["weight"] = 0;
        ++empty_turns;
    }
    return encode(conversation, /*generation_prompt=*/false);
}

ExampleBuilder::Draft ExampleBuilder::draft_of_strings(const std::string& prompt,
                                                       const std::vector<std::string>& responses) {
    if (spells_leading_tokens(*tokenizer_, prompt)) ++examples_.doubled_starts;
    const std::vector<int64_t> alone = encode_plain(*tokenizer_, prompt);
    std::vector<std::vector<int64_t>> whole;
    size_t shared = alone.size();
    for (const auto& response : responses) {
        whole.push_back(encode_plain(*tokenizer_, prompt + response));
        shared = std::min(shared, common_prefix(alone, whole.back()));
    }
    Draft draft;
    draft.tree.prefix.assign(alone.begin(), alone.begin() + static_cast<std::ptrdiff_t>(shared));
    const int64_t end = tokenizer_->end_token();
    for (size_t i = 0; i < whole.size(); ++i) {
        auto& tokens = whole[i];
        if (responses[i].empty() || tokens.size() == shared) draft.problem = kEmptyResponse;
        if (end >= 0 && (tokens.empty() || tokens.back() != end)) tokens.push_back(end);
        std::vector<uint8_t> counted(tokens.size(), 1);
        if (shared == 0 && !counted.empty()) counted[0] = 0;
        draft.tree.branches.push_back(response_from(tokens, counted, shared));
    }
    return draft;
}

// What the template leaves out is counted: of a pair the prompt's once.
ExampleBuilder::Draft ExampleBuilder::draft_of_messages(const Conversation& prompt, const std::vector<Json>& responses) {
    Draft draft;
    for (const Json& response : responses)
        if (draft.problem.empty()) draft.problem = problem_of(response);
    if (!draft.problem.empty()) return draft;
    const std::vector<int64_t> alone =
        prompt.messages.empty() ? std::vector<int64_t>{} : encode(prompt, /*generation_prompt=*/true).tokens;
    std::vector<EncodedChat> whole;
    size_t shared = alone.size();
    for (const Json& response : responses) {
        Conversation all = prompt;
        all.messages.insert(all.messages.end(), response.begin(), response.end());
        const IgnoredFields left = left_out(all);
        count_left_out(left, examples_.unknown_keys, whole.empty() ? 0 : prompt.messages.size());
        whole.push_back(encode_counted(std::move(all), left, prompt.messages.size(), draft.empty_turns));
        shared = std::min(shared, common_prefix(alone, whole.back().tokens));
    }
    draft.tree.prefix.assign(alone.begin(), alone.begin() + static_cast<std::ptrdiff_t>(shared));
    const int64_t end = tokenizer_->end_token();
    for (auto& each : whole) {
        if (shared == 0 && !each.assistant.empty()) each.assistant[0] = 0;
        draft.tree.branches.push_back(response_from(each.tokens, each.assistant, shared));
        if (each.is_unended && end >= 0) append(draft.tree.branches.back(), end);
    }
    return draft;
}

ExampleBuilder::Draft ExampleBuilder::draft_of(const PromptText& prompt, const std::vector<PromptText>& responses,
                                               const std::string& where) {
    if (const auto* conversation = std::get_if<Conversation>(&prompt)) {
        std::vector<Json> turns;
        for (const auto& response : responses) turns.push_back(as_messages(response));
        if (!answers()) return draft_of_messages(*conversation, turns);
        for (size_t i = 0; i < turns.size(); ++i) {
            Conversation all = *conversation;
            all.messages.insert(all.messages.end(), turns[i].begin(), turns[i].end());
            count_left_out(left_out(all), examples_.unknown_keys, i == 0 ? 0 : conversation->messages.size());
        }
        return answers_to_messages(*conversation, turns);
    }
    std::vector<std::string> strings;
    for (const auto& response : responses) {
        if (!std::holds_alternative<std::string>(response))
            throw Error(where, "prompt and responses of one kind", "a plain prompt and a response of messages");
        strings.push_back(std::get<std::string>(response));
    }
    const std::string& asked = std::get<std::string>(prompt);
    return answers() ? answers_to_string(asked, strings) : draft_of_strings(asked, strings);
}

namespace {

// An answer by an encoder-decoder; all but its start token counts.
MaskedTokens counted_answer(std::vector<int64_t> tokens) {
    MaskedTokens answer{std::move(tokens), {}};
    answer.counted.assign(answer.tokens.size(), 1);
    answer.counted.front() = 0;
    return answer;
}

}  // namespace

ExampleBuilder::Draft ExampleBuilder::answers_to_string(const std::string& prompt,
                                                        const std::vector<std::string>& responses) const {
    Draft draft;
    draft.tree.prefix = encode_whole(*tokenizer_, prompt);
    for (const std::string& response : responses) {
        if (response.empty()) draft.problem = kEmptyResponse;
        draft.tree.branches.push_back(counted_answer(answer_tokens(response, *tokenizer_, options_.start_token)));
    }
    return draft;
}

// Each response is one message.
ExampleBuilder::Draft ExampleBuilder::answers_to_messages(const Conversation& prompt,
                                                          const std::vector<Json>& responses) const {
    Draft draft;
    for (const Json& response : responses) {
        if (draft.problem.empty()) draft.problem = problem_of(response);
        if (draft.problem.empty() && response.size() != 1) draft.problem = "a response of several messages";
    }
    if (draft.problem.empty() && prompt.messages.empty()) draft.problem = kNoPrompt;
    if (!draft.problem.empty()) return draft;
    draft.tree.prefix = encode(prompt, /*generation_prompt=*/true).tokens;
    for (const Json& response : responses)
        draft.tree.branches.push_back(
            counted_answer(answer_tokens(response.front(), *chat_, *tokenizer_, options_.start_token)));
    return draft;
}

// A turn is cut behind `until` where that is a text in the last one; the end of the turn then goes, too.
bool ExampleBuilder::add_answers(const Conversation& conversation, const IgnoredFields& left, const std::string& until) {
    bool any = false;
    const Json& messages = conversation.messages;
    size_t last = messages.size();
    while (last > 0 && !is_assistants(messages[last - 1])) --last;
    for (size_t i = 0; i < messages.size(); ++i) {
        if (!is_assistants(messages[i]) || !counts_in_loss(messages[i])) continue;
        const bool is_without_calls = std::find(left.calls.begin(), left.calls.end(), i) != left.calls.end();
        if (is_empty_turn(messages[i], is_without_calls) && !options_.keep_empty_turns) {
            ++examples_.empty_turns;
            continue;
        }
        Conversation before = conversation;
        before.messages.erase(before.messages.begin() + static_cast<std::ptrdiff_t>(i), before.messages.end());
        Json turn = messages[i];
        const bool is_cut = !until.empty() && i + 1 == last && turn.value("content", Json()).is_string();
        const size_t place = is_cut ? turn["content"].get_ref<const std::string&>().rfind(until) : std::string::npos;
        if (place != std::string::npos) turn["content"].get_ref<std::string&>().resize(place + until.size());
        Draft draft = answers_to_messages(before, {Json::array({turn})});
        if (place != std::string::npos && draft.problem.empty()) {
            draft.tree.branches[0].tokens.pop_back();
            draft.tree.branches[0].counted.pop_back();
        }
        any |= keep(std::move(draft), false, before);
    }
    return any;
}

// Applies the limits; returns why the example is dropped, or "".
std::string ExampleBuilder::fit(Draft& draft) const {
    if (!draft.problem.empty()) return draft.problem;
    TokenTree& tree = draft.tree;
    int64_t longest = 0;
    const auto outside = [&](int64_t id) { return id < 0 || (options_.vocabulary > 0 && id >= options_.vocabulary); };
    bool unknown = std::any_of(tree.prefix.begin(), tree.prefix.end(), outside);
    for (const auto& response : tree.branches) {
        if (counts_nothing(response)) return kEmptyResponse;
        unknown |= std::any_of(response.tokens.begin(), response.tokens.end(), outside);
        longest = std::max(longest, static_cast<int64_t>(response.tokens.size()));
    }
    if (unknown) return "token id out of vocabulary";
    const auto length = static_cast<int64_t>(tree.prefix.size());
    const int64_t prompt_limit = options_.max_prompt_length > 0 ? options_.max_prompt_length : length;
    const int64_t room = options_.max_length > 0 ? options_.max_length - longest : length;
    if (room < 0 || (options_.truncate == Truncate::none && length > room)) return "too long";
    if (options_.truncate == Truncate::none && length > prompt_limit) return "prompt too long";
    const int64_t kept = std::min({length, prompt_limit, room});
    if (kept == 0 && length > 0) return "no prompt left after truncation";
    tree.prefix.erase(tree.prefix.begin(), tree.prefix.begin() + (length - kept));
    return "";
}

bool ExampleBuilder::drop(const std::string& reason) {
    ++examples_.dropped[reason];
    return false;
}

// `compared`: the branches are responses to be set apart.
bool ExampleBuilder::keep(Draft draft, bool compared, const PromptText& prompt) {
    std::string reason = fit(draft);
    if (reason.empty() && compared && all_equal(draft.tree.branches)) reason = "equal responses";
    if (!reason.empty()) return drop(reason);
    examples_.empty_turns += draft.empty_turns;
    if (const auto* asked = std::get_if<Conversation>(&prompt);
        asked != nullptr && !asked->messages.empty() && examples_.trees.empty())
        if (const auto content = asked->messages.front().find("content");
            content != asked->messages.front().end() && content->is_string())
            examples_.opening = content->get<std::string>();
    if (compared || answers()) {
        examples_.trees.push_back(std::move(draft.tree));
        return true;
    }
    MaskedTokens sequence{std::move(draft.tree.prefix), {}};
    sequence.counted.assign(sequence.tokens.size(), 0);
    const MaskedTokens& response = draft.tree.branches[0];
    sequence.tokens.insert(sequence.tokens.end(), response.tokens.begin(), response.tokens.end());
    sequence.counted.insert(sequence.counted.end(), response.counted.begin(), response.counted.end());
    examples_.trees.push_back({{}, {std::move(sequence)}});
    return true;
}

ExampleBuilder::Draft ExampleBuilder::draft_of_conversation(const Conversation& conversation,
                                                            const IgnoredFields& left) const {
    Draft draft;
    EncodedChat chat = encode_counted(conversation, left, 0, draft.empty_turns);
    if (!chat.assistant.empty()) chat.assistant[0] = 0;
    // The prompt is what comes before the first token that counts.
    const auto first = std::find(chat.assistant.begin(), chat.assistant.end(), uint8_t{1}) - chat.assistant.begin();
    draft.tree.prefix.assign(chat.tokens.begin(), chat.tokens.begin() + first);
    draft.tree.branches.push_back(response_from(chat.tokens, chat.assistant, static_cast<size_t>(first)));
    if (const int64_t end = tokenizer_->end_token(); chat.is_unended && end >= 0) append(draft.tree.branches.back(), end);
    return draft;
}

bool ExampleBuilder::add_conversation(const Conversation& conversation) {
    if (const std::string problem = problem_of(conversation.messages); !problem.empty()) return drop(problem);
    const IgnoredFields left = left_out(conversation);
    count_left_out(left, examples_.unknown_keys);
    if (answers()) return add_answers(conversation, left);
    Draft draft = draft_of_conversation(conversation, left);
    return keep(std::move(draft), false, conversation);
}

std::vector<TokenTree> join_equal_starts(std::vector<TokenTree> trees, size_t least, size_t most) {
    std::vector<TokenTree> joined;
    std::map<std::vector<int64_t>, size_t> open;  // by how they begin: the tree that takes the next one
    for (TokenTree& tree : trees) {
        if (!tree.prefix.empty() || tree.branches.size() != 1 || tree.branches[0].tokens.size() < least) {
            joined.push_back(std::move(tree));
            continue;
        }
        const auto first = tree.branches[0].tokens.begin();
        const auto [place, is_new] = open.try_emplace({first, first + static_cast<std::ptrdiff_t>(least)}, joined.size());
        if (!is_new && joined[place->second].branches.size() < most) {
            joined[place->second].branches.push_back(std::move(tree.branches[0]));
        } else {
            place->second = joined.size();
            joined.push_back(std::move(tree));
        }
    }
    return joined;
}

bool ExampleBuilder::add_text(const std::string& text) {
    if (text.empty()) return drop("empty text");
    if (answers()) return drop(kNoPrompt);
    if (spells_leading_tokens(*tokenizer_, text)) ++examples_.doubled_starts;
    return keep(draft_of_strings("", {text}), false, text);
}

bool ExampleBuilder::add_trajectory(const Trajectory& trajectory) {
    const bool is_cut = (plans_due_ += options_.plans) < 1;
    examples_.cut_plans += is_cut ? 1 : 0;
    plans_due_ -= is_cut ? 0 : 1;
    return add_trajectory_until(trajectory, is_cut ? kPlanHeading : "");
}

bool ExampleBuilder::add_trajectory_until(const Trajectory& trajectory, const std::string& until) {
    if (is_for_evaluation_only(trajectory.instruction)) return drop(kEvaluationOnly);
    const std::string problem = options_.keep_wrong_calls ? "" : tool_usage_problem(trajectory);
    if (!problem.empty()) return drop(problem);
    std::vector<Message> messages = trajectory.messages();
    const Conversation conversation = messages;
    if (const std::string wrong = problem_of(conversation.messages); !wrong.empty()) return drop(wrong);
    if (answers()) return add_answers(conversation, {}, until);
    Draft draft = draft_of_conversation(conversation, {});
    const size_t place = until.empty() ? std::string::npos : trajectory.steps.back().response.rfind(until);
    if (place != std::string::npos) {
        // The tokens of the whole response, since the text alone may end in others where it is cut.
        if (messages.back().role == Role::user) messages.pop_back();
        messages.back().content.resize(place + until.size());
        MaskedTokens& tokens = draft.tree.branches[0];
        const size_t kept = common_prefix(tokens.tokens, draft_of_conversation(messages, {}).tree.branches[0].tokens);
        tokens.tokens.resize(kept);
        tokens.counted.resize(kept);
    }
    return keep(std::move(draft), false, conversation);
}

bool ExampleBuilder::add_completion(const PromptText& prompt, const PromptText& completion, const std::string& where) {
    return keep(draft_of(prompt, {completion}, where), false, prompt);
}

bool ExampleBuilder::add_pair(const Pair& pair, const std::string& where) {
    Draft draft = draft_of(pair.prompt, {pair.chosen, pair.rejected}, where);
    if (const auto gap = pair.provenance.find("gap"); gap != pair.provenance.end() && gap->is_number())
        draft.tree.reward_gap = gap->get<double>();
    return keep(std::move(draft), true, pair.prompt);
}

bool ExampleBuilder::add_group(const PromptText& prompt, const std::vector<PromptText>& responses,
                               const std::string& where) {
    return keep(draft_of(prompt, responses, where), true, prompt);
}

}  // namespace craft
