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
    GenerateOptions generate = {};  // rows and cache; sampling, limits and stops come from each call
};

class LocalSystem : public System {
public:
    // The decoder's weights are made ready for generation once, at the first answer(): they must not change (training) while
    // the system is used.
    LocalSystem(StepSource source, std::shared_ptr<const Tokenizer> tokenizer, std::shared_ptr<const ChatTemplate> chat,
                LocalSystemOptions options = {});

    // Neighbouring requests with the same messages and item and consecutive samples share the prompt's computation. A prompt
    // that leaves the model no room fails; such prompts are warned of.
    std::vector<Reply> answer(const std::vector<Request>& requests, const SamplingOptions& sampling) override;
    std::string name() const override { return "local"; }

private:
    StepSource source_;
    std::shared_ptr<const Tokenizer> tokenizer_;
    std::shared_ptr<const ChatTemplate> chat_;
    LocalSystemOptions options_;
};

}  // namespace craft
