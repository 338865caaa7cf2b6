#include "judge/verdicts/principles/structural_findings.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>

namespace craft {

namespace {

// The share of pairs of neighbouring links that cross: 0 where all words are in their order.
double crossed(const WordAlignment& alignment) {
    if (alignment.links.size() < 2) return 0;
    int64_t crossings = 0;
    size_t highest = alignment.links[0].second;
    for (size_t i = 1; i < alignment.links.size(); ++i) {
        crossings += alignment.links[i].second + 2 < highest ? 1 : 0;
        highest = std::max(highest, alignment.links[i].second);
    }
    return static_cast<double>(crossings) / static_cast<double>(alignment.links.size());
}

constexpr double kReordered = 0.15;

int64_t before_verb(const MeasuredSentence& sentence) {
    int64_t most = 0;
    for (const StructureFigures& one : sentence.sentences) most = std::max(most, one.before_verb);
    return most;
}

bool are_all_sentences(const MeasuredSentence& candidate) {
    return std::all_of(candidate.sentences.begin(), candidate.sentences.end(),
                       [](const StructureFigures& one) { return one.has_finite_verb; });
}

// How many clauses, appositions and passives of either side the other one lacks.
size_t parts_apart(const MeasuredSentence& source, const MeasuredSentence& candidate) {
    std::map<std::string, int> more;
    for (const std::string& part : source.shape) ++more[part];
    for (const std::string& part : candidate.shape) --more[part];
    size_t apart = 0;
    for (const auto& [part, count] : more) apart += static_cast<size_t>(std::abs(count));
    return apart;
}

// A parser takes a part for another one, or sees one more, where only words have changed: of sentences in which words alone
// were replaced one in seven differs by one part, and as many by two.
constexpr size_t kPartsOfParser = 2;

}  // namespace

bool has_same_structure(const MeasuredSentence& source, const MeasuredSentence& candidate, const WordAlignment& alignment) {
    return source.sentences.size() == candidate.sentences.size() && parts_apart(source, candidate) <= kPartsOfParser &&
           crossed(alignment) < kReordered;
}

PrincipleFindings structural_findings(const MeasuredSentence& source, const MeasuredSentence& candidate,
                                      const WordAlignment& alignment, const StructuralLimits& limits) {
    PrincipleFindings findings;
    const double before = source.hardness(), after = candidate.hardness(), gain = before - after;
    const bool is_hard = before >= kHardStructure;
    const bool is_reordered = crossed(alignment) >= kReordered;
    const bool is_divided = candidate.sentences.size() > source.sentences.size();
    if (is_divided && source.longest() >= limits.long_sentence && gain > 0 && are_all_sentences(candidate)) {
        findings.push_back({Principle::split, "", std::to_string(candidate.sentences.size()) + " sentences"});
        if (is_hard && after < kHardStructure && gain >= 2 * limits.step)
            findings.push_back({Principle::hard_simplified, "", ""});
    } else if (gain >= limits.step && are_all_sentences(candidate)) {
        findings.push_back({is_hard ? Principle::hard_simplified : Principle::simple_simpler, "", ""});
    } else if (-gain >= limits.step) {
        findings.push_back({Principle::structure_harder, "", ""});
    } else if (is_reordered && before_verb(source) >= before_verb(candidate) + limits.clearer) {
        findings.push_back({Principle::reordered, "", ""});
    } else {
        if (is_divided || is_reordered || !are_all_sentences(candidate))
            findings.push_back({Principle::useless_change, "", ""});
        if (is_hard) findings.push_back({Principle::hard_structure_kept, "", ""});
    }
    return findings;
}

}  // namespace craft
