// A model that answers as a test says, and tools that find what it says.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gec/agent.h"
#include "systems/system.h"

namespace craft {

class ScriptedModel : public System {
public:
    using Answer = std::function<Reply(const std::vector<Message>& messages, size_t number)>;
    explicit ScriptedModel(Answer answer) : answer_(std::move(answer)) {}
    // One reply after the other; the last one for ever.
    explicit ScriptedModel(std::vector<std::string> replies)
        : ScriptedModel([replies = std::move(replies)](const std::vector<Message>&, size_t number) {
              return Reply{.text = replies.at(std::min(number, replies.size() - 1))};
          }) {}
    std::vector<Reply> answer_into(const std::vector<Request>& requests, const SamplingOptions& sampling,
                                   const ReplySink& sink) override {
        std::vector<Reply> replies;
        for (const Request& request : requests) {
            asked.push_back(messages_from_json(request.conversation.messages, "request"));
            keys.emplace_back(request.item, request.sample);
            replies.push_back(answer_(asked.back(), asked.size() - 1));
        }
        last = sampling;
        report_all(replies, sink);
        return replies;
    }
    std::string name() const override { return "scripted"; }
    Json record(const Request&, const SamplingOptions&) const override { return {}; }

    std::vector<std::vector<Message>> asked;
    std::vector<std::pair<uint64_t, uint64_t>> keys;
    SamplingOptions last;

private:
    Answer answer_;
};

// spell_check(sentence), which says what it was given; search_examples(sentence, concept), which says `found`;
// error_parsing, which fails.
inline std::vector<Tool> scripted_tools(const std::string& found = "nothing") {
    const auto texts = [](const BoundCall& call) {
        for (const Argument& argument : call.arguments) text_argument(argument, "the input");
    };
    return {{.name = "spell_check",
             .parameters = {{"sentence"}},
             .check = texts,
             .run =
                 [](const BoundCall& call, const ToolTexts&) {
                     return ToolResult{.text = "no misspelt word in: " + std::get<std::string>(call.arguments[0])};
                 }},
            {.name = "search_examples",
             .parameters = {{"sentence"}, {"concept"}},
             .check = texts,
             .run = [found](const BoundCall&, const ToolTexts&) { return ToolResult{.text = found}; }},
            {.name = "error_parsing",
             .parameters = {{"sentence"}},
             .run = [](const BoundCall&, const ToolTexts&) -> ToolResult { throw Error("the parser died"); }}};
}

inline std::string acting(const std::string& action, const std::string& input) {
    return "Thought: I see.\nAction: " + action + "\nAction Input: " + input;
}
inline std::string answering(const std::string& sentence) {
    return "Thought: All is well.\nFinal Answer: " + sentence;
}

}  // namespace craft
