#include "gec/rules/edit_planners.h"

#include <algorithm>

#include "core/rng.h"
#include "core/utf8.h"
#include "gec/common_words.h"
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

size_t changes_between(const std::string& a, const std::string& b) {
    return changed_words(sentence_words(a), sentence_words(b)).size();
}

struct ProposedSentence {
    CorrectionProposal proposal;
    std::string sentence;  // with its change
};

std::vector<ProposedSentence> proposals_of(const std::string& sentence, const LazyEnglishPipeline& english,
                                           const CorrectionLanguage& language) {
    std::vector<ProposedSentence> proposed;
    const WrittenSentence checked(sentence, english.get().annotate(sentence));
    for (CorrectionProposal& one : propose_corrections(checked, language)) {
        std::string with_it = with_replacement(sentence, one.change);
        proposed.push_back({std::move(one), std::move(with_it)});
    }
    return proposed;
}

std::string what_was_right(const NamedEdit& edit) {
    if (edit.action == "insert") return "no better: nothing was missing there";
    if (edit.action == "delete") return "no better: '" + edit.input.value("words", "") + "' belongs there";
    return "no better: '" + edit.input.value("from", "") + "' was right";
}

// A change that leads away from the target, and its withdrawal; neither where nothing of the kind is proposed.
std::vector<ReasonedEdit> mistake(const std::string& sentence, const std::string& target,
                                  std::vector<ProposedSentence> proposed, Rng& rng) {
    std::erase_if(proposed, [&](const ProposedSentence& one) {
        return changes_between(one.sentence, target) <= changes_between(sentence, target) ||
               named_edits(sentence, one.sentence).size() != 1;
    });
    if (proposed.empty()) return {};
    const ProposedSentence& wrong = rng.pick(proposed);
    const NamedEdit edit = named_edits(sentence, wrong.sentence).front();
    return {{edit, wrong.proposal.why, wrong.proposal.kind == CorrectionKind::spelling},
            {{"withdraw", Json::object(), sentence}, what_was_right(edit), false}};
}

// Words that have to be put in, taken out or changed to make one sentence of the other.
size_t words_between(const std::string& a, const std::string& b) {
    size_t words = 0;
    for (const ChangedWords& change : changed_words(sentence_words(a), sentence_words(b)))
        words += std::max(change.a_end - change.a_begin, change.b_end - change.b_begin);
    return words;
}

// Changes that lie apart from each other, from left to right.
std::string with_changes(std::string sentence, const std::vector<CorrectionProposal>& changes) {
    for (size_t i = changes.size(); i-- > 0;) sentence = with_replacement(sentence, changes[i].change);
    return sentence;
}

// What error_parsing suggested and what leads towards the target, one after the other.
std::vector<ReasonedEdit> observed_edits(const std::string& sentence, const std::string& target,
                                         const std::string& observation, const LazyEnglishPipeline& english) {
    std::vector<ReasonedEdit> edits;
    const std::vector<ObservedError> errors = read_observed_errors(observation);
    if (errors.empty() || invalid_utf8_at(sentence) != std::string_view::npos) return edits;
    std::vector<CorrectionProposal> proposed, taken;
    propose_observed(WrittenSentence(sentence, english.get().annotate(sentence)), errors, proposed);
    std::stable_sort(proposed.begin(), proposed.end(), [](const CorrectionProposal& a, const CorrectionProposal& b) {
        return a.change.begin < b.change.begin;
    });
    for (CorrectionProposal& one : proposed) {
        if (!taken.empty() && one.change.begin < taken.back().change.end) continue;
        std::vector<CorrectionProposal> with_it = taken;
        with_it.push_back(one);
        if (words_between(with_changes(sentence, with_it), target) < words_between(with_changes(sentence, taken), target))
            taken = std::move(with_it);
    }
    std::string standing = sentence;
    for (size_t i = 0; i < taken.size(); ++i) {
        const std::string changed = with_changes(sentence, {taken.begin(), taken.begin() + i + 1});
        for (NamedEdit& edit : named_edits(standing, changed, InsertionAnchor::word_after)) {
            standing = edit.sentence;
            edits.push_back({std::move(edit), taken[i].why, taken[i].kind == CorrectionKind::spelling});
        }
    }
    return edits;
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
                              std::shared_ptr<const CorrectionLanguage> language, const GoldTeaching& teaching) {
    return [gold = std::move(gold), english = std::move(english), language = std::move(language), teaching](
               const std::string& sentence, const std::string& observation) {
        std::vector<ReasonedEdit> edits;
        const auto target = gold.find(sentence);
        if (target == gold.end()) return edits;
        const auto proposed = [&](const std::string& standing) {
            return invalid_utf8_at(standing) == std::string_view::npos ? proposals_of(standing, *english, *language)
                                                                       : std::vector<ProposedSentence>();
        };
        Rng rng(teaching.seed, "gold mistakes", sentence);
        if (rng.uniform() < teaching.mistakes) edits = mistake(sentence, target->second, proposed(sentence), rng);
        if (teaching.observed_only) {
            for (ReasonedEdit& edit : observed_edits(sentence, target->second, observation, *english))
                edits.push_back(std::move(edit));
            return edits;
        }
        std::string standing = sentence;
        for (NamedEdit& edit : named_edits(sentence, target->second)) {
            ReasonedEdit reasoned{std::move(edit), "", false};
            reasoned.why = reason_of(reasoned.edit);
            for (const ProposedSentence& one : proposed(standing)) {
                if (!same_words(one.sentence, reasoned.edit.sentence)) continue;
                reasoned.why = one.proposal.why;
                reasoned.is_spelling = one.proposal.kind == CorrectionKind::spelling;
                break;
            }
            standing = reasoned.edit.sentence;
            edits.push_back(std::move(reasoned));
        }
        return edits;
    };
}

}  // namespace craft
