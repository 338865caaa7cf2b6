#include "gec/rules/correction_plan.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <mutex>
#include <set>
#include <thread>

#include "core/utf8.h"
#include "gec/rules/proposals.h"
#include "text/treebank_detokenizer.h"
#include "text/words.h"

namespace craft {

namespace {

// Calls work(i) for i below `count` on several threads; the first exception is thrown again.
void for_each_of(size_t count, int64_t threads, const std::function<void(size_t)>& work) {
    std::atomic<size_t> next = 0;
    std::exception_ptr failure;
    std::mutex mutex;
    const auto run = [&] {
        for (size_t i = next++; i < count; i = next++) {
            try {
                work(i);
            } catch (...) {
                const std::lock_guard<std::mutex> lock(mutex);
                failure = std::current_exception();
                next = count;
            }
        }
    };
    {
        std::vector<std::jthread> others;
        for (int64_t i = 1; i < std::min<int64_t>(threads, static_cast<int64_t>(count)); ++i) others.emplace_back(run);
        run();
    }
    if (failure) std::rethrow_exception(failure);
}

// How far a change reaches: what touches the same words, or their neighbours, is not judged apart from it.
struct Reach {
    size_t begin, end;
};
Reach reach_of(const std::string& sentence, const TextReplacement& change) {
    Reach reach{change.begin, change.end};
    const auto is_blank = [&](size_t at) { return sentence[at] == ' '; };
    while (reach.begin > 0 && is_blank(reach.begin - 1)) --reach.begin;
    while (reach.begin > 0 && !is_blank(reach.begin - 1)) --reach.begin;
    while (reach.end < sentence.size() && is_blank(reach.end)) ++reach.end;
    while (reach.end < sentence.size() && !is_blank(reach.end)) ++reach.end;
    return reach;
}

// A model has seldom read tokenised text: it is asked about the sentence as it would be printed.
ReplacementQuestion natural_question(const std::string& sentence, const std::vector<CorrectionProposal>& proposals) {
    ReplacementQuestion question{treebank_detokenize(sentence), {}};
    for (const CorrectionProposal& one : proposals)
        question.changes.push_back(
            replacement_between(question.sentence, treebank_detokenize(with_replacement(sentence, one.change))));
    return question;
}

}  // namespace

std::vector<size_t> chosen_corrections(const std::string& sentence, const WeighedProposals& weighed,
                                       const CorrectionThresholds& thresholds) {
    std::vector<std::pair<double, size_t>> ranked;
    for (size_t i = 0; i < weighed.proposals.size(); ++i) {
        const CorrectionProposal& one = weighed.proposals[i];
        const double over = weighed.gains[i] + one.evidence - thresholds.of(one.kind);
        if (one.is_sure)
            ranked.emplace_back(std::numeric_limits<double>::infinity(), i);
        else if (over > 0)
            ranked.emplace_back(over, i);
    }
    std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<size_t> chosen;
    std::vector<Reach> taken;  // with the words on both sides
    for (const auto& rank : ranked) {
        const size_t i = rank.second;
        const TextReplacement& change = weighed.proposals[i].change;
        const bool is_free = std::none_of(taken.begin(), taken.end(), [&](const Reach& other) {
            return change.begin < other.end && other.begin < std::max(change.end, change.begin + 1);
        });
        if (!is_free) continue;
        taken.push_back(reach_of(sentence, change));
        chosen.push_back(i);
    }
    std::sort(chosen.begin(), chosen.end(),
              [&](size_t a, size_t b) { return weighed.proposals[a].change.begin < weighed.proposals[b].change.begin; });
    return chosen;
}

CorrectionPlanner::CorrectionPlanner(std::shared_ptr<const LazyEnglishPipeline> english,
                                     std::shared_ptr<const CorrectionLanguage> language, CorrectionThresholds thresholds,
                                     ReplacementGains gains, const CorrectionPlannerOptions& options)
    : english_(std::move(english)),
      language_(std::move(language)),
      thresholds_(std::move(thresholds)),
      gains_(std::move(gains)),
      options_(options) {}

std::vector<WeighedProposals> CorrectionPlanner::weighed(const std::vector<std::string>& sentences) const {
    std::vector<WeighedProposals> all(sentences.size());
    for_each_of(sentences.size(), options_.threads, [&](size_t i) {
        const bool is_fit = invalid_utf8_at(sentences[i]) == std::string_view::npos &&
                            whitespace_words(sentences[i]).size() <= options_.most_words;
        if (!is_fit) return;
        const CheckedSentence checked(sentences[i], english_->get().annotate(sentences[i]));
        all[i].proposals = propose_corrections(checked, *language_);
    });
    if (!gains_) {
        for (WeighedProposals& one : all) one.gains.assign(one.proposals.size(), -std::numeric_limits<double>::infinity());
        return all;
    }
    std::vector<ReplacementQuestion> questions;
    for (size_t i = 0; i < sentences.size(); ++i) questions.push_back(natural_question(sentences[i], all[i].proposals));
    const std::vector<std::vector<double>> gains = gains_(questions);
    for (size_t i = 0; i < all.size(); ++i) all[i].gains = gains[i];
    return all;
}

std::vector<CorrectionPlan> CorrectionPlanner::plan(const std::vector<std::string>& sentences) const {
    std::vector<CorrectionPlan> plans;
    std::vector<size_t> open;
    for (const std::string& sentence : sentences) {
        open.push_back(plans.size());
        plans.push_back({sentence, {}});
    }
    for (int64_t pass = 0; pass < options_.passes && !open.empty(); ++pass) {
        std::vector<std::string> texts;
        for (const size_t i : open) texts.push_back(plans[i].text());
        const std::vector<WeighedProposals> all = weighed(texts);
        std::vector<size_t> changed;
        for (size_t k = 0; k < open.size(); ++k) {
            CorrectionPlan& plan = plans[open[k]];
            std::set<std::string> seen = {plan.source};
            for (const PlannedCorrection& step : plan.steps) seen.insert(step.sentence);
            const size_t before = plan.steps.size();
            std::ptrdiff_t moved = 0;  // bytes by which what follows has moved
            for (const size_t i : chosen_corrections(texts[k], all[k], thresholds_)) {
                PlannedCorrection step{all[k].proposals[i], all[k].gains[i], ""};
                TextReplacement& change = step.proposal.change;
                const std::ptrdiff_t longer = std::ssize(change.to) - static_cast<std::ptrdiff_t>(change.end - change.begin);
                change.begin = static_cast<size_t>(static_cast<std::ptrdiff_t>(change.begin) + moved);
                change.end = static_cast<size_t>(static_cast<std::ptrdiff_t>(change.end) + moved);
                step.sentence = with_replacement(plan.text(), change);
                if (!seen.insert(step.sentence).second) continue;
                moved += longer;
                plan.steps.push_back(std::move(step));
            }
            if (plan.steps.size() > before) changed.push_back(open[k]);
        }
        open = std::move(changed);
    }
    return plans;
}

}  // namespace craft
