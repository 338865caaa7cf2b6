#include "judge/run/judging_estimate.h"

#include <optional>
#include <set>

#include "judge/verdicts/joint_judge.h"
#include "judge/verdicts/listwise_judge.h"
#include "judge/verdicts/shown_text.h"
#include "systems/open/estimated_role.h"
#include "text/wording_table.h"

namespace craft {

namespace {

// The conversations that one judge would have about one group in one order.
class JudgeQuestions {
public:
    JudgeQuestions(const JudgeOptions& options, const std::optional<Guideline>& guideline, const PlacementOptions& placing)
        : options_(options), prompts_(options.prompts) {
        if (guideline)
            prompt_ = std::make_unique<ListwisePrompt>(*guideline, prompts_,
                                                       JudgingSources(options.sources, placing).materials().materials);
        else if (options.form == JudgeForm::joint)
            joint_.emplace(prompts_, options.aspect);
        else
            pointwise_ = prompts_.text("pointwise." + options.aspect + ".txt", {"source", "candidate"});
    }
    std::vector<Conversation> of(const CandidateGroup& group, const std::vector<size_t>& order) const {
        std::vector<Conversation> all;
        if (options_.form == JudgeForm::listwise) {
            all.push_back(prompt_->question(group, order).conversation);
        } else if (options_.form == JudgeForm::pairwise) {
            for (size_t i = 0; i < order.size(); ++i)
                for (size_t j = i + 1; j < order.size(); ++j) add_pair(group, order[i], order[j], all);
        } else if (joint_) {
            all.push_back({{Role::user, joint_->question(group, order).prompt}});
        } else {
            add_marks(group, all);
        }
        return all;
    }

private:
    void add_pair(const CandidateGroup& group, size_t first, size_t second, std::vector<Conversation>& all) const {
        const std::vector<size_t> two = {first, second};
        if (nothing_to_judge(group, two, prompt_->guideline().sees_responses).empty())
            all.push_back(prompt_->question(group, two).conversation);
    }
    void add_marks(const CandidateGroup& group, std::vector<Conversation>& all) const {
        std::set<std::string> seen;
        for (const Candidate& candidate : group.candidates) {
            if (!seen.insert(candidate.text).second) continue;
            const std::string prompt = fill_in(
                pointwise_, {{"source", shown_text(group.source).text}, {"candidate", shown_text(candidate.text).text}});
            all.push_back({{Role::user, prompt}});
        }
    }

    const JudgeOptions& options_;
    PromptFiles prompts_;
    std::unique_ptr<ListwisePrompt> prompt_;
    std::optional<JointPrompt> joint_;
    std::string pointwise_;
};

}  // namespace

Json judging_estimate(const JudgeOptions& o, const std::optional<Guideline>& guideline, const JudgeInput& input,
                      const PlacementOptions& placing, uint64_t seed) {
    const JudgeQuestions questions(o, guideline, placing);
    const bool sees_responses = guideline && guideline->sees_responses;
    std::vector<std::optional<EstimatedRole>> judges;  // absent: one that asks nobody
    for (const CandidateJudgeSpec& spec : o.specs) {
        judges.emplace_back();
        if (spec.kind == CandidateJudgeSpec::Kind::system) judges.back().emplace(spec.system, o.systems, o.asking.sampling);
    }
    std::map<std::string, int64_t> nothing;
    Json first;
    for (size_t row = 0; row < input.groups.size(); ++row) {
        const CandidateGroup& group = input.groups[row];
        const auto order = candidate_orders(CandidateOrders::fixed, group.candidates.size(), seed, group.id, 0)[0];
        if (const std::string reason = nothing_to_judge(group, order, sees_responses); !reason.empty() && o.marks.empty()) {
            ++nothing[reason];
            continue;
        }
        for (uint64_t repeat = 0; repeat < o.plan.repeats; ++repeat) {
            for (const auto& shown : candidate_orders(o.plan.orders, group.candidates.size(), seed, group.id, repeat)) {
                for (const Conversation& question : questions.of(group, shown)) {
                    if (first.is_null()) first = question.messages;
                    for (size_t i = 0; i < judges.size(); ++i)
                        if (judges[i] && (o.plan.mode == PanelMode::all || i == row % judges.size()))
                            judges[i]->add(question, AskedTimes{1, o.asking.attempts});
                }
            }
        }
    }
    Json told = {{"groups", input.groups.size()},
                 {"bad_lines", input.bad_lines},
                 {"nothing_to_judge", nothing},
                 {"judges", Json::object()},
                 {"prompt", first}};
    for (size_t i = 0; i < judges.size(); ++i)
        told["judges"][o.specs[i].text] = judges[i] ? judges[i]->to_json() : Json("makes no requests");
    return told;
}

}  // namespace craft
