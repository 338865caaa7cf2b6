// A planner (or any other role) played by a local model: chat template, tokenizer, decoder.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>

#include "model/chat/chat_template.h"
#include "model/generate/generate.h"
#include "systems/system.h"

namespace craft {

struct LocalSystemOptions {
    uint64_t seed = 0;
    // Rows and cache, and what the model's file asks for (follow_generation_config()): rules, stop strings, and filters of
    // sampling that no call names. Temperature, top-p, top-k, limits and stops come from each call; its stop strings, where
    // it has some, take the place of the file's.
    GenerateOptions generate = {};
    Json identity =
        Json::object();  // of weights, adapter, template and arithmetic: what else an answer depends on (record())
};

class LocalSystem : public System {
public:
    // The decoder's weights are made ready for generation once, at the first answer(): they must not change (training) while
    // the system is used.
    LocalSystem(StepSource source, std::shared_ptr<const Tokenizer> tokenizer, std::shared_ptr<const ChatTemplate> chat,
                LocalSystemOptions options = {});

    // Neighbouring requests with the same messages and item and consecutive samples share the prompt's computation. A prompt
    // that leaves the model no room fails; such prompts are warned of. Where nobody configured a limit, answers are computed
    // in room for most of them, since fewer run at once where each may become long; those that it cuts are computed again in
    // all the room that there is.
    std::vector<Reply> answer_into(const std::vector<Request>& requests, const SamplingOptions& sampling,
                                   const ReplySink& sink) override;
    std::string name() const override { return "local"; }
    Json record(const Request& request, const SamplingOptions& sampling) const override;
    // {"computed_tokens","continued","rewritten","dropped_histories","most_kept_bytes"}: what made room for others, and the
    // most bytes of keys and values between calls.
    Json figures() const override;
    // Of the requests so far that continue after an answer of this system: those for which all of it was kept, and the
    // others. Their template tells earlier turns otherwise than they were generated, or the answer made room for others.
    // Counted where histories are kept and no stop strings cut answers.
    int64_t continued() const { return continued_; }
    int64_t rewritten() const { return rewritten_; }
    // Answers with SamplingOptions::constrain_calls that no token of the vocabulary could continue with; they count as cut.
    int64_t stuck() const { return stuck_; }

private:
    GenerateOptions generation_for(const SamplingOptions& sampling);
    std::vector<GenerateRequest> batch_of(const std::vector<Request>& requests, std::vector<Reply>& replies,
                                          std::vector<size_t>& first) const;
    // The sink hears of each entry once nothing of it is computed again.
    std::vector<std::vector<Generated>> generated(const std::vector<GenerateRequest>& batch, const SamplingOptions& sampling,
                                                  const GeneratedSink& sink);
    void note_turn(const Json& messages, const Generated& answer);

    StepSource source_;
    std::shared_ptr<const Tokenizer> tokenizer_;
    std::shared_ptr<const ChatTemplate> chat_;
    LocalSystemOptions options_;
    // Tokens of each answered conversation with its answer, but for the answer's last one, by a hash of their messages.
    std::unordered_map<uint64_t, int64_t> answered_;
    std::shared_ptr<const GrammarMask> grammar_;  // made at the first request for constrained calls
    int64_t continued_ = 0, rewritten_ = 0, stuck_ = 0;
};

}  // namespace craft
