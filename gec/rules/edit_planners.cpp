#include "gec/rules/edit_planners.h"

#include <algorithm>

#include "core/utf8.h"
#include "gec/rules/proposals.h"
#include "gec/sentence_words.h"

namespace craft {

namespace {

std::string reason_of(const NamedEdit& edit) {
    const auto quoted = [&](const char* key) { return "'" + edit.input.value(key, "") + "'"; };
    if (edit.action == "insert")
        return quoted("text") + " is missing " +
               (edit.input.contains("after") ? "after " + quoted("after") : "before " + quoted("before"));
    if (edit.action == "delete") return quoted("words") + " is too much here";
    if (edit.action == "rearrange") return "the words " + quoted("from") + " stand in the wrong order";
    return quoted("from") + " should be " + quoted("to") + " here";
}

// White space aside, as named edits may set it otherwise than the rule that proposed them.
bool same_words(const std::string& a, const std::string& b) {
    return sentence_words(a) == sentence_words(b);
}

}  // namespace

EditPlanner rule_edit_planner(std::shared_ptr<const CorrectionPlanner> planner) {
    return [planner = std::move(planner)](const std::string& sentence, const std::string& observation) {
        std::vector<ReasonedEdit> edits;
        std::string standing = sentence;
        const std::vector<CorrectionPlan> plans = planner->plan({{sentence, observation}});
        for (const PlannedCorrection& step : plans.front().steps) {
            for (NamedEdit& edit : named_edits(standing, step.sentence)) {
                standing = edit.sentence;
                edits.push_back({std::move(edit), step.proposal.why, step.proposal.kind == CorrectionKind::spelling});
            }
        }
        return edits;
    };
}

EditPlanner gold_edit_planner(std::map<std::string, std::string> gold, std::shared_ptr<const LazyEnglishPipeline> english,
                              std::shared_ptr<const CorrectionLanguage> language) {
    return [gold = std::move(gold), english = std::move(english), language = std::move(language)](
               const std::string& sentence, const std::string&) {
        std::vector<ReasonedEdit> edits;
        const auto target = gold.find(sentence);
        if (target == gold.end()) return edits;
        std::string standing = sentence;
        for (NamedEdit& edit : named_edits(sentence, target->second)) {
            ReasonedEdit reasoned{std::move(edit), "", false};
            reasoned.why = reason_of(reasoned.edit);
            if (invalid_utf8_at(standing) == std::string_view::npos) {
                const CheckedSentence checked(standing, english->get().annotate(standing));
                for (const CorrectionProposal& one : propose_corrections(checked, *language)) {
                    if (!same_words(with_replacement(standing, one.change), reasoned.edit.sentence)) continue;
                    reasoned.why = one.why;
                    reasoned.is_spelling = one.kind == CorrectionKind::spelling;
                    break;
                }
            }
            standing = reasoned.edit.sentence;
            edits.push_back(std::move(reasoned));
        }
        return edits;
    };
}

}  // namespace craft
