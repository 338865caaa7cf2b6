#include "judge/verdicts/principles/principles_judge.h"

#include <algorithm>

#include "core/ascii.h"
#include "core/error.h"
#include "judge/verdicts/listwise_judge.h"

namespace craft {

namespace {

enum class Aspect { lexical, structural, overall };

Aspect aspect_of(const std::string& name) {
    const std::string lowered = ascii_lower(name);
    if (lowered == "lexical") return Aspect::lexical;
    if (lowered == "structural") return Aspect::structural;
    if (lowered == "overall") return Aspect::overall;
    throw Error("judge rules", "an aspect that the rules know: Lexical, Structural, Overall", "'" + name + "'");
}

// Rewards first, then what tells equals apart. An empty or ill-formed text is worse than any other, and one that loses or
// changes what is said is worse than those that keep it: no ease makes up for that.
struct Standing {
    int wellness = 0;
    double reward = 0, ease = 0;
    auto operator<=>(const Standing&) const = default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 sees a pointer here
};

bool keeps_meaning(const PrincipleFindings& findings) {
    return std::none_of(findings.begin(), findings.end(), [](const PrincipleFinding& one) {
        return one.principle == Principle::important_deleted || one.principle == Principle::name_lost ||
               one.principle == Principle::meaning_changed;
    });
}

Standing standing(const CandidateFindings& one, Aspect aspect) {
    Standing result;
    result.wellness = one.is_empty ? -3 : (one.is_ill_formed ? -2 : 0);
    if (aspect != Aspect::structural) {
        if (result.wellness == 0 && !keeps_meaning(one.lexical)) result.wellness = -1;
        result.reward += total_reward(one.lexical);
        result.ease += one.difficulty_drop * 10;
    }
    if (aspect != Aspect::lexical) {
        result.reward += total_reward(one.structural);
        result.ease += one.hardness_drop;
    }
    return result;
}

std::string said_of(const PrincipleFinding& finding) {
    std::string words;
    if (!finding.from.empty()) words = "\"" + finding.from + "\"";
    if (!finding.to.empty()) words += (words.empty() ? "\"" : " -> \"") + finding.to + "\"";
    const int points = reward(finding.principle);
    return (words.empty() ? "" : words + ": ") + principle_words(finding.principle) + " (" + (points > 0 ? "+" : "") +
           std::to_string(points) + ")";
}

std::string analysis(const CandidateFindings& one, Aspect aspect) {
    if (one.is_empty) return "nothing was answered";
    std::string text = one.is_ill_formed ? "no well-formed sentence" : "";
    const auto say = [&](const PrincipleFindings& findings) {
        for (const PrincipleFinding& finding : findings) text += (text.empty() ? "" : "; ") + said_of(finding);
    };
    if (aspect != Aspect::structural) say(one.lexical);
    if (aspect != Aspect::lexical) say(one.structural);
    return text.empty() ? "nothing that counts" : text;
}

// The best or the worst candidate, of equals the first in the order.
size_t extreme(const std::vector<size_t>& order, const std::vector<Standing>& standings, bool best) {
    size_t found = order.front();
    for (const size_t i : order)
        if (best ? standings[i] > standings[found] : standings[i] < standings[found]) found = i;
    return found;
}

}  // namespace

PrinciplesJudge::PrinciplesJudge(std::string name, std::vector<std::string> aspects, PrincipleSources sources,
                                 PrincipleLimits limits)
    : name_(std::move(name)), aspects_(std::move(aspects)), sources_(std::move(sources)), limits_(std::move(limits)) {
    if (aspects_.empty())
        throw Error("judge " + name_, "a guideline with aspects", "one without", "the rules judge sentences: sentence.txt");
    for (const std::string& aspect : aspects_) aspect_of(aspect);
}

Judgement PrinciplesJudge::judge(const CandidateGroup& group, const std::vector<size_t>& order, uint64_t repeat) const {
    Judgement judgement{name_, order, repeat, {}, {}, {}};
    if (const std::string reason = nothing_to_judge(group, order); !reason.empty()) {
        for (const std::string& aspect : aspects_) judgement.reasons[aspect] = reason;
        return judgement;
    }
    std::vector<std::string> candidates;
    for (const Candidate& one : group.candidates) candidates.push_back(one.text);
    const std::vector<CandidateFindings> findings = candidate_findings(group.source, candidates, sources_, limits_);
    std::string reply;
    for (const std::string& name : aspects_) {
        const Aspect aspect = aspect_of(name);
        std::vector<Standing> standings;
        for (const CandidateFindings& one : findings) standings.push_back(standing(one, aspect));
        for (size_t place = 0; place < order.size(); ++place)
            reply += std::to_string(place) + ": " + analysis(findings[order[place]], aspect) + ".\n";
        const size_t best = extreme(order, standings, true), worst = extreme(order, standings, false);
        if (standings[best] == standings[worst]) {
            judgement.reasons[name] = "tie";
            reply += "Aspect " + name + ": a tie.\n\n";
            continue;
        }
        const auto place = [&](size_t i) {
            return std::to_string(std::find(order.begin(), order.end(), i) - order.begin());
        };
        judgement.verdicts[name] = {best, worst};
        reply += "Aspect: " + name + ", Best: " + place(best) + ", Worst: " + place(worst) + "\n\n";
    }
    judgement.attempts.push_back({reply, "", {}, "", false});
    return judgement;
}

std::string PrinciplesJudge::report(const std::string& source, const std::string& candidate,
                                    const std::string& aspect) const {
    const Aspect asked = aspect_of(aspect);
    return analysis(candidate_findings(source, {candidate}, sources_, limits_).at(0), asked) + ".";
}

}  // namespace craft
