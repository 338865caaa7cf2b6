// A planner (or any other role) played by a model of ours: chat template, tokenizer, decoder.
#pragma once

#include <memory>
#include <string>

#include "chat/chat_template.h"
#include "generate/generate.h"
#include "systems/system.h"

namespace craft {

struct LocalSystemOptions {
    uint64_t seed = 0;
    std::string stage = "rollout";  // keys the random streams together with the seed, item and sample
    GenerateOptions generate = {};  // rows and cache; sampling, limits and stops come from each call
};

class LocalSystem : public System {
public:
    // The decoder's weights are made ready for generation once, at the first answer(): they must not change (training) while
    // the system is used. Tokenizer and template must outlive it.
    LocalSystem(const Decoder& decoder, const Tokenizer& tokenizer, const ChatTemplate& chat,
                LocalSystemOptions options = {});
    LocalSystem(StepSource source, const Tokenizer& tokenizer, const ChatTemplate& chat, LocalSystemOptions options = {});

    // Neighbouring requests with the same messages and item and consecutive samples share the prompt's computation. A prompt
    // that leaves the model no room gets an empty, unfinished reply; such replies are counted and warned of.
    std::vector<Reply> answer(const std::vector<Request>& requests, const SamplingOptions& sampling) override;
    std::string name() const override { return "local"; }
    void set_stage(const std::string& stage) { options_.stage = stage; }

    int64_t too_long() const { return too_long_; }           // prompts refused so far
    int64_t generated_tokens() const { return generated_; }  // new tokens so far

private:
    StepSource source_;
    const Tokenizer& tokenizer_;
    const ChatTemplate& chat_;
    LocalSystemOptions options_;
    int64_t too_long_ = 0, generated_ = 0;
};

}  // namespace craft
