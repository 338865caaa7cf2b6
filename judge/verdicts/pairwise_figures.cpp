#include "judge/verdicts/pairwise_figures.h"

#include <algorithm>

#include "core/error.h"
#include "metrics/statistics/binomial.h"
#include "metrics/statistics/holm.h"

namespace craft {

namespace {

double worth(PairVerdict verdict) {
    return verdict == PairVerdict::win ? 1 : verdict == PairVerdict::tie ? .5 : 0;
}

double two_sided(int64_t one, int64_t other) {
    return std::min(1.0, 2 * binomial_half_tail(one + other, std::max(one, other)));
}

template <class Verdicts>
void complete(PairwiseFigures& figures, const Verdicts& verdicts, const PairwiseFigureOptions& options) {
    std::vector<double> of_a, of_b;
    for (const auto& [id, verdict] : verdicts) {
        if (!verdict) continue;
        of_a.push_back(worth(*verdict));
        of_b.push_back(1 - of_a.back());
    }
    figures.p = binomial_half_tail(figures.wins + figures.losses, figures.wins);
    figures.p_two_sided = two_sided(figures.wins, figures.losses);
    if (!of_a.empty()) {
        const auto judged = static_cast<double>(of_a.size());
        figures.win_share = (static_cast<double>(figures.wins) + static_cast<double>(figures.ties) / 2) / judged;
        PairedOptions paired;
        paired.resamples = options.resamples;
        paired.seed = options.seed;
        figures.resampled = paired_test(PairedMeans{of_a, of_b}, paired);
    }
    const int64_t answers = figures.chose_first + figures.chose_second;
    if (answers > 0) figures.first_share = static_cast<double>(figures.chose_first) / static_cast<double>(answers);
    figures.first_p = two_sided(figures.chose_first, figures.chose_second);
}

}  // namespace

void PairwiseTotals::add(const std::string& id, const std::string& criterion, const PairJudgement& judgement) {
    if (!verdicts_[criterion].emplace(id, judgement.verdict).second)
        throw Error("item '" + id + "'", "one judgement by " + criterion, "another one");
    PairwiseFigures& sum = sums_[criterion];
    if (!judgement.verdict)
        ++sum.unjudged;
    else
        ++(*judgement.verdict == PairVerdict::win   ? sum.wins
           : *judgement.verdict == PairVerdict::tie ? sum.ties
                                                    : sum.losses);
    sum.equal += judgement.questions.empty() ? 1 : 0;
    for (const PairQuestion& question : judgement.questions) {
        sum.counts.add(question.answer);
        if (const auto first = question.chose_first()) ++(*first ? sum.chose_first : sum.chose_second);
    }
}

std::map<std::string, PairwiseFigures> PairwiseTotals::figures(const PairwiseFigureOptions& options) const {
    std::map<std::string, PairwiseFigures> all = sums_;
    std::vector<double> p;
    for (auto& [criterion, figures] : all) {
        complete(figures, verdicts_.at(criterion), options);
        p.push_back(figures.p);
    }
    if (all.size() < 2) return all;
    const std::vector<double> adjusted = holm_adjusted(p);
    size_t at = 0;
    for (auto& [criterion, figures] : all) figures.p_holm = adjusted[at++];
    return all;
}

Json PairwiseTotals::items() const {
    std::map<std::string, Json> rows;
    for (const auto& [criterion, verdicts] : verdicts_) {
        for (const auto& [id, verdict] : verdicts) {
            Json& row = rows.emplace(id, Json({{"id", id}})).first->second;
            row[criterion] = verdict ? Json(worth(*verdict)) : Json(nullptr);
        }
    }
    Json items = Json::array();
    for (auto& [id, row] : rows) items.push_back(std::move(row));
    return items;
}

ChoiceCounts PairwiseTotals::counts() const {
    ChoiceCounts all;
    for (const auto& [criterion, sum] : sums_) all.add(sum.counts);
    return all;
}

Json to_json(const PairwiseFigures& f) {
    Json json = {{"wins", f.wins},
                 {"ties", f.ties},
                 {"losses", f.losses},
                 {"n", f.wins + f.ties + f.losses},
                 {"unjudged", f.unjudged},
                 {"equal", f.equal},
                 {"win_share", value_or_null(f.win_share)},
                 {"p", f.p},
                 {"p_two_sided", f.p_two_sided}};
    if (f.p_holm) json["p_holm"] = *f.p_holm;
    json["resampled"] = nullptr;
    if (f.resampled)
        json["resampled"] = {{"difference", f.resampled->difference},
                             {"interval", {f.resampled->low, f.resampled->high}},
                             {"p", f.resampled->p},
                             {"resamples", f.resampled->resamples},
                             {"a_better", f.resampled->a_better},
                             {"b_better", f.resampled->b_better}};
    json["first"] = {{"chosen", f.chose_first},
                     {"not_chosen", f.chose_second},
                     {"share", value_or_null(f.first_share)},
                     {"p", f.first_p}};
    json["answers"] = to_json(f.counts);
    return json;
}

}  // namespace craft
