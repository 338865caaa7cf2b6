#include "gec/direct_corrector.h"

#include <chrono>

#include "core/error.h"
#include "gec/final_answer.h"
#include "text/lists.h"
#include "text/quoted_lines.h"
#include "text/utf8.h"
#include "text/words.h"

namespace craft {

std::vector<Message> direct_messages(const WordingTable& wordings, const std::string& sentence, bool thinks,
                                     const std::vector<WorkedExample>& examples) {
    const auto shown = [&](const std::string& text) {
        return Message{Role::user, fill_in(wordings.first("sentence"), {{"sentence", quoted_lines(text).text()}})};
    };
    std::vector<Message> messages = {{Role::system, join(wordings.list(thinks ? "thinking" : "plain"), "\n")}};
    for (const WorkedExample& example : examples) {
        messages.push_back(shown(example.source));
        AgentReply reply;
        if (thinks) reply.thought = example.thought;
        reply.answer = example.target;
        messages.push_back({Role::assistant, agent_reply_text(reply)});
    }
    messages.push_back(shown(sentence));
    return messages;
}

DirectCorrector::DirectCorrector(System& system, const PromptFiles& prompts, const DirectOptions& options,
                                 NearestPairs nearest)
    : system_(system),
      wordings_(WordingTable::load(prompts.path("gec.direct.json"))),
      options_(options),
      nearest_(std::move(nearest)) {
    const std::vector<std::string>&sources = wordings_.list("examples.source"),
          &thoughts = wordings_.list("examples.thought"), &targets = wordings_.list("examples.target");
    if (sources.size() != thoughts.size() || sources.size() != targets.size())
        throw Error(prompts.path("gec.direct.json").string() + ": examples", "as many sources as thoughts and targets",
                    std::to_string(sources.size()) + ", " + std::to_string(thoughts.size()) + " and " +
                        std::to_string(targets.size()));
    if (!nearest_ && options.shots > static_cast<int64_t>(sources.size()))
        throw Error("shots", "at most " + std::to_string(sources.size()) + ", which the prompt has",
                    std::to_string(options.shots));
    for (size_t i = 0; i < sources.size() && static_cast<int64_t>(i) < options.shots; ++i)
        examples_.push_back({sources[i], thoughts[i], targets[i]});
}

std::vector<WorkedExample> DirectCorrector::examples_for(const std::string& sentence) const {
    if (!nearest_ || options_.shots == 0) return examples_;
    std::vector<WorkedExample> examples;
    for (auto& pair : nearest_(sentence, options_.shots))
        examples.push_back({std::move(pair.first), wordings_.first("retrieved_thought"), std::move(pair.second)});
    return examples;
}

AgentTrace DirectCorrector::correct(const std::string& sentence, uint64_t item, uint64_t sample) const {
    const auto start = std::chrono::steady_clock::now();
    AgentTrace trace{.source = sentence, .text = sentence};
    if (trim_view(sentence).empty()) trace.not_asked = "empty";
    if (options_.max_words > 0 && count_whitespace_words(sentence) > options_.max_words) trace.not_asked = "too_long";
    if (!trace.not_asked.empty()) return trace;
    for (const std::string& kind : quoted_lines(sentence).noted) ++trace.noted[kind];
    const std::vector<Message> messages = direct_messages(wordings_, sentence, options_.thinks, examples_for(sentence));
    const Request request{.conversation = messages, .item = item, .sample = sample};
    const Reply reply = system_.answer({request}, options_.sampling).at(0);
    trace.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    trace.failure = reply.problem();
    if (!trace.failure.empty()) {
        trace.ended = AgentEnd::failed;
        return trace;
    }
    AgentStep step{.reply = read_agent_reply(reply.text), .sentence = sentence};
    if (!options_.thinks && step.reply.problem == "no_action") {
        step.reply = AgentReply();
        step.reply.answer = reply.text;
    }
    if (step.reply.answer) {
        FinalAnswer read = read_final_answer(*step.reply.answer, sentence);
        add_leniency(step.reply.let_pass, read.let_pass);
        step.reply.answer = read.sentence;
        if (!read.sentence.empty()) trace.text = step.sentence = read.sentence;
    }
    if (!step.reply.answer || step.reply.answer->empty()) {
        trace.ended = AgentEnd::failed;
        trace.failure = "unreadable";
        step.raw = reply.text;
    }
    trace.steps.push_back(std::move(step));
    return trace;
}

}  // namespace craft
