// A judge that says what a function says of a prompt, and keeps what it was asked.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "systems/system.h"

namespace craft::test {

class ScriptedJudge : public System {
public:
    using Says = std::function<Reply(const std::string& prompt)>;
    explicit ScriptedJudge(Says says) : says_(std::move(says)) {}
    std::vector<Reply> answer_into(const std::vector<Request>& requests, const SamplingOptions& sampling,
                                   const ReplySink&) override {
        std::vector<Reply> replies;
        for (const Request& request : requests) {
            prompts.push_back(request.conversation.messages.back().at("content").get<std::string>());
            keys.emplace_back(request.item, request.sample);
            temperatures.push_back(sampling.temperature);
            replies.push_back(says_(prompts.back()));
        }
        return replies;
    }
    std::string name() const override { return "scripted"; }
    Json record(const Request&, const SamplingOptions&) const override { return {}; }

    std::vector<std::string> prompts;
    std::vector<std::pair<uint64_t, uint64_t>> keys;
    std::vector<double> temperatures;

private:
    Says says_;
};

inline Reply says(const std::string& text) {
    return {.text = text};
}

// What is between two headings of a prompt.
inline std::string between(const std::string& prompt, const std::string& from, const std::string& to) {
    const size_t begin = prompt.find(from) + from.size();
    return prompt.substr(begin, prompt.find(to, begin) - begin);
}

}  // namespace craft::test
