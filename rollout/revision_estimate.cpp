#include "rollout/revision_estimate.h"

#include <algorithm>

#include "core/error.h"
#include "core/rows.h"
#include "rollout/model_reviser.h"
#include "rollout/revision_inputs.h"
#include "systems/open/estimated_role.h"
#include "text/sentences.h"

namespace craft {

namespace {

// Leaves that a search may expand: this many iterations, and no more nodes than there can be above the deepest level.
int64_t max_expansions(const SearchOptions& o) {
    int64_t nodes = 0, level = 1;
    for (int64_t depth = 0; depth < o.depth && nodes < o.iterations; ++depth) {
        nodes += level;
        level = std::min(level * o.children, o.iterations);  // more than these are never expanded
    }
    return std::min(nodes, o.iterations);
}

}  // namespace

AskedTimes asked_steps(const MethodOptions& o) {
    switch (o.method) {
        case Method::iter:
            return {o.rounds, o.rounds};
        case Method::best_of:
            return {o.samples, o.samples};
        case Method::search:
            return {o.search.children, o.search.children * max_expansions(o.search)};
        default:
            return {1, 1};
    }
}

AskedTimes suggested_times(const MethodOptions& o) {
    if (o.method == Method::iter) return {o.rounds - 1, o.rounds - 1};
    return {0, max_expansions(o.search) - 1};  // the root is the text as it came
}

namespace {

// The prompts of reviser and suggestions need no system, and this one is never asked.
class NobodySystem : public System {
public:
    std::vector<Reply> answer_into(const std::vector<Request>& /*requests*/, const SamplingOptions& /*sampling*/,
                                   const ReplySink& /*sink*/) override {
        throw Error("--dry-run", "nothing to be asked", "a request");
    }
    std::string name() const override { return "nobody"; }
    Json record(const Request& /*request*/, const SamplingOptions& /*sampling*/) const override { return nullptr; }
};

// A role, and what it would be asked first.
struct PromptedRole : EstimatedRole {
    using EstimatedRole::EstimatedRole;
    Json prompt;
    void add(const std::string& asked_with, const AskedTimes& asked) {
        if (prompt.is_null()) prompt = asked_with;
        EstimatedRole::add({{Role::user, asked_with}}, asked);
    }
    Json to_json() const {
        Json json = EstimatedRole::to_json();
        json["prompt"] = prompt;
        return json;
    }
};

class RevisionEstimate {
public:
    explicit RevisionEstimate(const RevisionRunOptions& o)
        : options_(o),
          prompts_(o.prompts),
          plans_(o.plans, o.lines),
          prompting_(nobody_, prompts_, o.model_reviser),
          suggesting_(nobody_, prompts_, o.suggestions) {
        if (o.plans_by_model()) {
            planner_.emplace(o.planner_spec, o.systems, o.method.planner);
            const std::string name = planner_prompt(o.environment.prompt, o.planner_spec.model, o.planner_spec.adapter);
            prompt_ = PromptTemplate::load(prompts_.path("planner." + name + ".txt"), o.environment.reward.sentences);
        }
        if (o.reviser_spec.kind != SystemSpec::Kind::rules)
            reviser_.emplace(o.reviser_spec, o.systems, o.model_reviser.sampling);
        if (!o.suggestions.aspects.empty()) feedback_.emplace(o.feedback_spec, o.systems, o.suggestions.sampling);
    }
    GivenPlans& plans() { return plans_; }
    void add(const Instruction& task) {
        ++texts_;
        const AskedTimes steps = asked_steps(options_.method);
        if (planner_) {
            // Where several revisions are compared it is asked once more, for the conditions that all of them go by.
            const bool compares = options_.method.method == Method::search || options_.method.method == Method::best_of;
            const int64_t more = compares ? 1 : 0;
            planner_->add(prompt_->render(task), {steps.least + more, steps.most + more});
        }
        if (feedback_)
            for (const std::string& prompt : suggesting_.prompts(task.text))
                feedback_->add(prompt, suggested_times(options_.method));
        if (!reviser_) return;
        const AskedTimes asked = steps.times(1, options_.model_reviser.attempts);
        if (needs_free_reviser(options_.method)) {
            std::vector<std::string> units = {task.text};
            if (options_.method.by_sentence) units = split_sentences(task.text, options_.environment.reward.sentences);
            for (const std::string& unit : units)
                reviser_->add(prompting_.prompt({.text = unit, .original = unit, .instruction = task.instruction}), asked);
            return;
        }
        // Before there is a plan, one that keeps every sentence is about as long as any.
        const ParsedResponse response(plans_.empty() ? "" : plans_.of(task.id).text);
        reviser_->add(prompting_.prompt({.text = task.text, .original = task.text, .response = &response}), asked);
    }
    Json to_json(int64_t bad_lines) const {
        Json roles = Json::object();
        std::optional<double> usd = 0;
        for (const auto& [name, role] :
             {std::pair("planner", &planner_), std::pair("reviser", &reviser_), std::pair("feedback", &feedback_)}) {
            if (!*role) continue;
            roles[name] = (*role)->to_json();
            if (!(*role)->has_price()) continue;
            const std::optional<double> price = (*role)->usd();
            usd = usd && price ? std::optional(*usd + *price) : std::nullopt;
        }
        return {{"texts", texts_}, {"bad_lines", bad_lines}, {"roles", std::move(roles)}, {"usd", value_or_null(usd)}};
    }

private:
    const RevisionRunOptions& options_;
    PromptFiles prompts_;
    GivenPlans plans_;
    NobodySystem nobody_;
    ModelReviser prompting_;
    TextFeedbackGiver suggesting_;
    std::optional<PromptedRole> planner_, reviser_, feedback_;
    std::optional<PromptTemplate> prompt_;
    int64_t texts_ = 0;
};

}  // namespace

Json revision_estimate(const RevisionRunOptions& options) {
    RevisionEstimate estimate(options);
    if (!options.text.empty()) {
        Instruction task;
        task.id = "text";
        task.instruction = options.instruction;
        task.text = options.text;
        estimate.add(task);
        return estimate.to_json(0);
    }
    JsonLinesReader reader(options.input, options.lines);
    const TokenBudgets none("", options.lines);
    const auto read = [&](const Json& row, const std::string& where) {
        return revision_task(row, where, estimate.plans(), none);
    };
    while (const auto task = next_fit(reader, read)) estimate.add(task->instruction);
    return estimate.to_json(reader.bad_lines());
}

}  // namespace craft
