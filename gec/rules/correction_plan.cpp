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

constexpr int64_t kTouchedWords = 1;  // on both sides of a change: what touches them is not judged apart from it
constexpr int64_t kNearWords = 5;     // on both sides of a change: what stands there is judged again in the next look

// Bytes of a sentence.
struct Stretch {
    size_t begin, end;
};
Stretch stretch_around(const std::string& sentence, size_t begin, size_t end, int64_t words) {
    Stretch around{begin, end};
    const auto is_blank = [&](size_t at) { return sentence[at] == ' '; };
    for (int64_t i = 0; i < words; ++i) {
        while (around.begin > 0 && is_blank(around.begin - 1)) --around.begin;
        while (around.begin > 0 && !is_blank(around.begin - 1)) --around.begin;
        while (around.end < sentence.size() && is_blank(around.end)) ++around.end;
        while (around.end < sentence.size() && !is_blank(around.end)) ++around.end;
    }
    return around;
}
bool touches(const TextReplacement& change, const std::vector<Stretch>& stretches) {
    return std::any_of(stretches.begin(), stretches.end(), [&](const Stretch& one) {
        return change.begin < one.end && one.begin < std::max(change.end, change.begin + 1);
    });
}

// A model has seldom read tokenised text: it is asked about the sentence as it would be printed.
ReplacementQuestion natural_question(const std::string& sentence, const std::vector<CorrectionProposal>& proposals,
                                     const CorrectionThresholds& thresholds) {
    ReplacementQuestion question{treebank_detokenize(sentence), {}};
    for (const CorrectionProposal& one : proposals) {
        question.changes.push_back(
            replacement_between(question.sentence, treebank_detokenize(with_replacement(sentence, one.change))));
        question.needed.push_back(thresholds.of(one.kind) - one.evidence);
    }
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
    std::vector<Stretch> taken;
    for (const auto& rank : ranked) {
        const size_t i = rank.second;
        const TextReplacement& change = weighed.proposals[i].change;
        if (touches(change, taken)) continue;
        taken.push_back(stretch_around(sentence, change.begin, change.end, kTouchedWords));
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

// Proposals of each sentence that `is_wanted`, with what a model gains by them.
std::vector<WeighedProposals> CorrectionPlanner::weighed_where(
    const std::vector<ObservedSentence>& sentences,
    const std::function<bool(size_t, const CorrectionProposal&)>& is_wanted) const {
    std::vector<WeighedProposals> all(sentences.size());
    for_each_of(sentences.size(), options_.threads, [&](size_t i) {
        const std::string& text = sentences[i].text;
        const bool is_fit =
            invalid_utf8_at(text) == std::string_view::npos && whitespace_words(text).size() <= options_.max_words;
        if (!is_fit) return;
        const WrittenSentence checked(text, english_->get().annotate(text));
        all[i].proposals = propose_corrections(checked, *language_, read_observed_errors(sentences[i].observation));
        std::erase_if(all[i].proposals, [&](const CorrectionProposal& one) { return !is_wanted(i, one); });
    });
    std::vector<ReplacementQuestion> questions;
    for (size_t i = 0; i < all.size(); ++i) {
        all[i].gains.assign(all[i].proposals.size(), -std::numeric_limits<double>::infinity());
        if (gains_ && !all[i].proposals.empty())
            questions.push_back(natural_question(sentences[i].text, all[i].proposals, thresholds_));
    }
    if (questions.empty()) return all;
    std::vector<std::vector<double>> gains = gains_(questions);
    auto next = gains.begin();
    for (WeighedProposals& one : all)
        if (!one.proposals.empty()) one.gains = std::move(*next++);
    return all;
}

std::vector<WeighedProposals> CorrectionPlanner::weighed(const std::vector<ObservedSentence>& sentences) const {
    return weighed_where(sentences, [](size_t, const CorrectionProposal&) { return true; });
}

std::vector<CorrectionPlan> CorrectionPlanner::plan(const std::vector<ObservedSentence>& sentences) const {
    std::vector<CorrectionPlan> plans;
    std::vector<size_t> open;
    for (const ObservedSentence& sentence : sentences) {
        open.push_back(plans.size());
        plans.push_back({sentence.text, {}});
    }
    std::vector<std::vector<Stretch>> changed_in(sentences.size());  // in the look before, with what is near
    for (int64_t pass = 0; pass < options_.passes && !open.empty(); ++pass) {
        // What was observed is of the sentence as it was; an error whose words still stand at their place is still there.
        std::vector<ObservedSentence> texts;
        for (const size_t i : open) texts.push_back({plans[i].text(), sentences[i].observation});
        const std::vector<WeighedProposals> all = weighed_where(texts, [&](size_t k, const CorrectionProposal& one) {
            return pass == 0 || touches(one.change, changed_in[open[k]]);
        });
        std::vector<size_t> changed;
        for (size_t k = 0; k < open.size(); ++k) {
            CorrectionPlan& plan = plans[open[k]];
            std::set<std::string> seen = {plan.source};
            for (const PlannedCorrection& step : plan.steps) seen.insert(step.sentence);
            const size_t before = plan.steps.size();
            std::ptrdiff_t moved = 0;  // bytes by which what follows has moved
            for (const size_t i : chosen_corrections(texts[k].text, all[k], thresholds_)) {
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
            if (plan.steps.size() == before) continue;
            changed.push_back(open[k]);
            changed_in[open[k]].clear();
            for (size_t i = before; i < plan.steps.size(); ++i) {
                const TextReplacement& made = plan.steps[i].proposal.change;
                Stretch near = stretch_around(plan.text(), made.begin, made.begin + made.to.size(), kNearWords);
                ++near.end;  // so that what is put in at the sentence's end belongs to it
                changed_in[open[k]].push_back(near);
            }
        }
        open = std::move(changed);
    }
    return plans;
}

}  // namespace craft
