#include "gec/rules/plan_model.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "gec/agent_prompt.h"
#include "gec/agent_reply.h"
#include "gec/edit_action.h"

namespace craft {

namespace {

constexpr size_t kMaxKeptPlans = 4096;
constexpr const char* kErrorParsing = "error_parsing";
constexpr const char* kWithdraw = "withdraw";

// What a conversation says: the sentence, the tools, and what was done.
struct AgentScene {
    std::string sentence;
    bool parses = false, spells = false;  // the tools that are offered
    bool reflects = false;                // changes are reflected on, and can be withdrawn
    size_t tool_calls = 0, edits = 0;     // edits: changes taken back count, and so does taking them back
    std::string observation;              // what error_parsing found
    std::string shown;                    // the sentence or finding that was shown last
};

AgentScene scene_of(const Json& messages) {
    AgentScene scene;
    bool awaits_observation = false;
    for (const Json& message : messages) {
        const std::string role = message.value("role", ""),
                          content = message.contains("content") && message["content"].is_string()
                                        ? message["content"].get<std::string>()
                                        : "";
        if (role == "system") {
            scene.parses = content.find("\nerror_parsing: ") != std::string::npos;
            scene.spells = content.find("\nspell_check: ") != std::string::npos;
            scene.reflects = content.find("\nwithdraw") != std::string::npos;
        } else if (role == "user") {
            scene.shown = quoted_text_of(content);
            if (scene.sentence.empty()) scene.sentence = scene.shown;
            if (std::exchange(awaits_observation, false)) scene.observation = scene.shown;
        } else if (role == "assistant") {
            const AgentReply reply = read_agent_reply(content);
            awaits_observation = reply.action == kErrorParsing;
            if (is_edit_action(reply.action) || reply.action == kWithdraw)
                ++scene.edits;
            else if (!reply.action.empty())
                ++scene.tool_calls;
        }
    }
    return scene;
}

class PlanModel : public System {
public:
    PlanModel(std::string name, EditPlanner planner, Json record)
        : name_(std::move(name)), planner_(std::move(planner)), record_(std::move(record)) {}

    std::string name() const override { return name_; }
    Json record(const Request& request, const SamplingOptions& sampling) const override {
        Json record = record_;
        record["system"] = name_;
        add_request(record, request, sampling);
        return record;
    }
    std::vector<Reply> answer_into(const std::vector<Request>& requests, const SamplingOptions&,
                                   const ReplySink& sink) override {
        std::vector<Reply> replies;
        for (const Request& request : requests)
            replies.push_back({.text = agent_reply_text(reply_to(scene_of(request.conversation.messages)))});
        report_all(replies, sink);
        return replies;
    }

private:
    AgentReply reply_to(const AgentScene& scene) {
        const auto call = [](const char* tool, const char* thought) {
            AgentReply reply;
            reply.thought = thought;
            reply.action = tool;
            reply.input = "{}";  // the sentence as it stands
            return reply;
        };
        const bool has_begun = scene.edits > 0;
        if (!has_begun && scene.parses && scene.tool_calls == 0)
            return call(kErrorParsing, "I look before I change anything.");
        const std::vector<ReasonedEdit> plan = plan_of(scene.sentence, scene.observation);
        const bool has_spelling =
            std::any_of(plan.begin(), plan.end(), [](const ReasonedEdit& edit) { return edit.is_spelling; });
        if (!has_begun && scene.spells && has_spelling && scene.tool_calls == (scene.parses ? 1 : 0))
            return call("spell_check", "A word looks misspelled.");
        AgentReply reply;
        const std::string standing =
            scene.edits == 0 ? scene.sentence : plan.at(std::min(scene.edits, plan.size()) - 1).edit.sentence;
        // An edit that was not done leaves another sentence: nothing more is built on it.
        const bool was_done = scene.edits == 0 || scene.shown == standing;
        const bool withdraws = scene.edits < plan.size() && plan[scene.edits].edit.action == kWithdraw;
        if (scene.reflects && was_done && scene.edits > 0 && !withdraws && plan[scene.edits - 1].edit.action != kWithdraw)
            reply.reflection = "That is better, and it means the same.";
        if (was_done && scene.edits < plan.size()) {
            const ReasonedEdit& next = plan[scene.edits];
            (withdraws ? reply.reflection : reply.thought) = uppercase(next.why) + ".";
            reply.action = next.edit.action;
            reply.input = dump_line(next.edit.input);
            return reply;
        }
        reply.thought = plan.empty() ? "I see nothing that speaks against the sentence." : "I see nothing more to correct.";
        reply.answer = was_done || scene.shown.empty() ? standing : scene.shown;
        return reply;
    }
    static std::string uppercase(std::string text) {
        if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
        return text;
    }

    // A sentence is asked about once a step; its plan is made once.
    std::vector<ReasonedEdit> plan_of(const std::string& sentence, const std::string& observation) {
        const std::pair asked(sentence, observation);
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            const auto at = plans_.find(asked);
            if (at != plans_.end()) return at->second;
        }
        std::vector<ReasonedEdit> plan = planner_(sentence, observation);
        const std::lock_guard<std::mutex> lock(mutex_);
        if (plans_.size() >= kMaxKeptPlans) plans_.clear();
        return plans_.emplace(asked, std::move(plan)).first->second;
    }

    std::string name_;
    EditPlanner planner_;
    Json record_;
    std::mutex mutex_;
    std::map<std::pair<std::string, std::string>, std::vector<ReasonedEdit>> plans_;
};

}  // namespace

std::unique_ptr<System> plan_model(std::string name, EditPlanner planner, Json record) {
    return std::make_unique<PlanModel>(std::move(name), std::move(planner), std::move(record));
}

}  // namespace craft
