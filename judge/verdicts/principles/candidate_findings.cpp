#include "judge/verdicts/principles/candidate_findings.h"

#include <algorithm>
#include <optional>

#include "text/utf8.h"

namespace craft {

namespace {

void mark_ill_formed(const std::string& source, const std::vector<std::string>& candidates, const PrincipleSources& sources,
                     const PrincipleLimits& limits, std::vector<CandidateFindings>& all) {
    if (!sources.perplexities) return;
    std::vector<std::string> texts = {source};
    std::vector<size_t> which;
    for (size_t i = 0; i < candidates.size(); ++i)
        if (!all[i].is_empty && !all[i].is_same_text) {
            which.push_back(i);
            texts.push_back(candidates[i]);
        }
    if (which.empty()) return;
    const std::vector<double> perplexities = sources.perplexities(texts);
    std::optional<int64_t> of_source;
    for (size_t k = 0; k < which.size(); ++k) {
        if (perplexities[k + 1] <= limits.max_perplexity * perplexities[0]) continue;
        if (sources.left_out && !of_source) of_source = sources.left_out(source);
        all[which[k]].is_ill_formed = !sources.left_out || sources.left_out(candidates[which[k]]) > *of_source;
    }
}

template <class Test>
bool meets(const PrincipleFindings& findings, const Test& test) {
    return std::any_of(findings.begin(), findings.end(), [&](const PrincipleFinding& one) { return test(one.principle); });
}

bool is_revision(const CandidateFindings& findings) {
    return !findings.is_empty && !findings.is_same_text && !findings.is_ill_formed;
}

// Large penalties; that another part of a structure stayed hard is no fault.
bool is_wrong(Principle one) {
    return reward(one) == -2 && one != Principle::hard_structure_kept;
}

}  // namespace

std::vector<CandidateFindings> candidate_findings(const std::string& source, const std::vector<std::string>& candidates,
                                                  const PrincipleSources& sources, const PrincipleLimits& limits) {
    const auto measured = [&](const std::string& text) {
        return measure_sentence(text, sources.english->get().annotate(text), sources.difficulty, sources.hard_from);
    };
    const MeasuredSentence before = measured(source);
    std::vector<CandidateFindings> all(candidates.size());
    std::vector<std::pair<std::string, std::string>> pairs;
    std::vector<size_t> which;
    for (size_t i = 0; i < candidates.size(); ++i) {
        all[i].is_empty = trim_view(candidates[i]).empty();
        all[i].is_same_text = candidates[i] == source;
        if (all[i].is_empty) continue;
        which.push_back(i);
        pairs.emplace_back(source, candidates[i]);
    }
    const std::vector<WordAlignment> alignments = sources.align(pairs);
    for (size_t k = 0; k < which.size(); ++k) {
        CandidateFindings& one = all[which[k]];
        const MeasuredSentence after = measured(candidates[which[k]]);
        one.lexical = lexical_findings(before, after, alignments[k], limits.lexical);
        one.structural = structural_findings(before, after, alignments[k], limits.structural);
        for (PrincipleFindings* list : {&one.lexical, &one.structural})
            std::erase_if(*list, [&](const PrincipleFinding& found) { return limits.ignored.contains(found.principle); });
        one.has_same_structure = has_same_structure(before, after, alignments[k]);
        one.difficulty_drop = difficulty_drop(before, after);
        one.hardness_drop = before.hardness() - after.hardness();
    }
    mark_ill_formed(source, candidates, sources, limits, all);
    return all;
}

bool follows_lexical_paraphrasing(const CandidateFindings& findings) {
    return is_revision(findings) && findings.has_same_structure && !meets(findings.lexical, is_wrong) &&
           meets(findings.lexical,
                 [](Principle one) { return one == Principle::easier_for_hard || one == Principle::easier_for_easy; });
}

bool follows_overall_rewriting(const CandidateFindings& findings) {
    return is_revision(findings) && !meets(findings.lexical, is_wrong) && !meets(findings.structural, is_wrong) &&
           meets(findings.structural, [](Principle one) { return reward(one) > 0; });
}

}  // namespace craft
