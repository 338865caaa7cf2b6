#include "systems/local/local_system.h"

#include <algorithm>

#include "core/file_hash.h"
#include "core/json.h"
#include "core/log.h"
#include "core/rng.h"
#include "data/response_grammar.h"
#include "model/chat/prompt_rows.h"

namespace craft {

namespace {

constexpr int64_t kUsualNewTokens = 1024;  // most answers have fewer

// Of the first `count` messages and an answer to them.
uint64_t key_of(const Json& messages, size_t count, const std::string& answer) {
    std::string text;
    for (size_t i = 0; i < count; ++i) text += dump_line(messages[i]) + "\n";
    return stable_hash(text + answer);
}

Reply reply_of(const Generated& made) {
    Reply reply{.text = made.text, .status = made.finished ? Reply::Status::finished : Reply::Status::cut};
    reply.usage = {made.prompt_tokens, made.new_tokens, made.cached_tokens};
    if (made.logprob && made.new_tokens > 0) reply.mean_logprob = *made.logprob / static_cast<double>(made.new_tokens);
    return reply;
}

// Those that have their reply before anything is computed.
std::vector<size_t> failed_of(const std::vector<Reply>& replies) {
    std::vector<size_t> which;
    for (size_t i = 0; i < replies.size(); ++i)
        if (replies[i].status == Reply::Status::failed) which.push_back(i);
    return which;
}

}  // namespace

LocalSystem::LocalSystem(StepSource source, std::shared_ptr<const Tokenizer> tokenizer,
                         std::shared_ptr<const ChatTemplate> chat, LocalSystemOptions options)
    : source_(std::move(source)), tokenizer_(std::move(tokenizer)), chat_(std::move(chat)), options_(std::move(options)) {}

Json LocalSystem::record(const Request& request, const SamplingOptions& sampling) const {
    Json record = options_.identity;
    add_request(record, request, sampling);
    if (sampling.constrain_calls) record["grammar"] = hash_text(response_gbnf());
    if (sampling.temperature > 0) {
        record["top_k"] = sampling.top_k;
        record["draws"] = {{"seed", options_.seed}, {"stage", sampling.stage}, {"item", request.item}};
    }
    return record;
}

Json LocalSystem::figures() const {
    return {{"computed_tokens", source_.computed_tokens()},
            {"continued", continued_},
            {"rewritten", rewritten_},
            {"dropped_histories", source_.histories().dropped()},
            {"most_kept_bytes", source_.histories().max_held_bytes()}};
}

std::vector<Reply> LocalSystem::answer_into(const std::vector<Request>& requests, const SamplingOptions& sampling,
                                            const ReplySink& sink) {
    std::vector<Reply> replies(requests.size());
    std::vector<size_t> first;  // the request that opened each entry of the batch
    const std::vector<GenerateRequest> batch = batch_of(requests, replies, first);
    const auto tell = [&](const std::vector<size_t>& which) {
        std::vector<Reply> told;
        for (const size_t i : which) told.push_back(replies[i]);
        if (sink && !which.empty()) sink(which, told);
    };
    tell(failed_of(replies));
    if (batch.empty()) return replies;
    const int64_t continued = continued_, rewritten = rewritten_, stuck = stuck_;
    const auto made = generated(batch, sampling, [&](size_t b, const std::vector<Generated>& samples) {
        std::vector<size_t> which;
        for (size_t k = 0; k < samples.size(); ++k) {
            replies[first[b] + k] = reply_of(samples[k]);
            which.push_back(first[b] + k);
        }
        tell(which);
    });
    const bool stops_at_strings = !sampling.stop.empty() || !options_.generate.stop_strings.empty();
    for (size_t b = 0; b < batch.size(); ++b)
        for (size_t k = 0; k < made[b].size(); ++k) {
            const Generated& one = made[b][k];
            if (one.stuck) ++stuck_;
            if (sampling.keep_histories && !stops_at_strings && !one.stuck)
                note_turn(requests[first[b] + k].conversation.messages, one);
        }
    if (stuck_ > stuck)
        log_warning("answers are cut where the grammar of calls leaves no token", {{"answers", stuck_ - stuck}});
    if (continued_ > continued || rewritten_ > rewritten)
        log_debug("turns after earlier answers",
                  {{"kept", continued_ - continued}, {"computed_again", rewritten_ - rewritten}});
    return replies;
}

GenerateOptions LocalSystem::generation_for(const SamplingOptions& sampling) {
    GenerateOptions generation = options_.generate;
    generation.max_new_tokens = sampling.max_new_tokens.value_or(kUsualNewTokens);
    generation.keep_histories = sampling.keep_histories;
    if (sampling.temperature == 0) generation.sampling = {};  // filters of the file are for sampling alone
    generation.sampling.temperature = sampling.temperature;
    generation.sampling.top_p = sampling.top_p;
    generation.sampling.top_k = sampling.top_k;
    generation.logprobs = sampling.logprobs;
    if (!sampling.stop.empty()) generation.stop_strings = sampling.stop;
    if (sampling.constrain_calls) {
        if (!grammar_) grammar_ = std::make_shared<const GrammarMask>(response_grammar(), *tokenizer_);
        generation.grammar = grammar_;
    }
    generation.stop_tokens = source_.config().end_tokens;
    if (const int64_t end = tokenizer_->id_of(chat_->end_of_turn()); end >= 0) generation.stop_tokens.push_back(end);
    generation.seed = options_.seed;
    generation.stage = sampling.stage;
    return generation;
}

// Prompts with their samples; those that do not fit have their replies now.
std::vector<GenerateRequest> LocalSystem::batch_of(const std::vector<Request>& requests, std::vector<Reply>& replies,
                                                   std::vector<size_t>& first) const {
    std::vector<GenerateRequest> batch;
    int64_t refused = 0;
    const int64_t room = source_.config().max_positions;
    std::string problem;  // of the prompt that the requests share
    for (size_t i = 0; i < requests.size(); ++i) {
        const bool same = i > 0 && requests[i].item == requests[i - 1].item &&
                          requests[i].sample == requests[i - 1].sample + 1 &&
                          requests[i].conversation == requests[i - 1].conversation;
        if (!same) {
            PromptTokens prompt = prompt_tokens(requests[i].conversation, *chat_, *tokenizer_, room, "the prompt");
            problem = std::move(prompt.problem);
            if (problem.empty()) {
                batch.push_back({std::move(prompt.tokens), requests[i].item, 0, requests[i].sample});
                first.push_back(i);
            }
        }
        if (problem.empty()) {
            ++batch.back().samples;
        } else {
            replies[i] = Reply::failed(Failure::prompt_too_long, problem);
            ++refused;
        }
    }
    if (refused > 0)
        log_warning("prompts longer than the model's positions are refused", {{"prompts", refused}, {"positions", room}});
    return batch;
}

// A sample's tokens depend on its own numbers alone, so that the second time begins with those of the first.
std::vector<std::vector<Generated>> LocalSystem::generated(const std::vector<GenerateRequest>& batch,
                                                           const SamplingOptions& sampling, const GeneratedSink& sink) {
    GenerateOptions generation = generation_for(sampling);
    const auto may_be_longer = [&](const Generated& one) {
        return !sampling.max_new_tokens && !one.finished && one.new_tokens >= kUsualNewTokens &&
               one.prompt_tokens + one.new_tokens < source_.config().max_positions;
    };
    std::vector<size_t> waiting;  // entries with such samples
    auto made = generate(source_, tokenizer_.get(), batch, generation, [&](size_t b, const std::vector<Generated>& samples) {
        if (std::any_of(samples.begin(), samples.end(), may_be_longer))
            waiting.push_back(b);
        else
            sink(b, samples);
    });
    if (waiting.empty()) return made;
    std::sort(waiting.begin(), waiting.end());
    std::vector<GenerateRequest> longer;
    std::vector<Generated*> places;
    for (const size_t b : waiting)
        for (size_t k = 0; k < made[b].size(); ++k) {
            if (!may_be_longer(made[b][k])) continue;
            longer.push_back({batch[b].prompt, batch[b].item, 1, batch[b].first_sample + k});
            places.push_back(&made[b][k]);
        }
    generation.max_new_tokens = kMaxNewTokens;
    auto again = generate(source_, tokenizer_.get(), longer, generation);
    for (size_t i = 0; i < places.size(); ++i) {
        again[i][0].cached_tokens = places[i]->cached_tokens;  // of its prompt, before it was first computed
        *places[i] = std::move(again[i][0]);
    }
    for (const size_t b : waiting) sink(b, made[b]);
    return made;
}

// Counts an answer that continues after an earlier one, and remembers it for those that continue after it.
void LocalSystem::note_turn(const Json& messages, const Generated& answer) {
    size_t said = messages.size();  // up to the last answer among them
    while (said > 0 && messages[said - 1].value("role", "") != "assistant") --said;
    if (said > 0) {
        const Json content = messages[said - 1].value("content", Json());
        const auto found = content.is_string() ? answered_.find(key_of(messages, said - 1, content)) : answered_.end();
        if (found != answered_.end()) ++(answer.cached_tokens >= found->second ? continued_ : rewritten_);
    }
    answered_[key_of(messages, messages.size(), answer.text)] = answer.prompt_tokens + answer.new_tokens - 1;
}

}  // namespace craft
