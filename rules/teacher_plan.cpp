#include "rules/teacher_plan.h"

#include <algorithm>
#include <numeric>

#include "rules/edits.h"

namespace craft {

namespace {

using Kind = PlanAction::Kind;

class Planner {
public:
    Planner(const Rules& rules, const Goals& goals, const std::vector<std::string>& sentences)
        : goals_(goals),
          sentences_(sentences),
          lower_words_(lower_case_words(sentences)),
          context_{rules, lower_words_},
          totals_(goals.zero()),
          actions_(sentences.size()),
          decided_(sentences.size(), false) {
        for (const auto& sentence : sentences) {
            counts_.push_back(goals.measure(sentence));
            for (size_t c = 0; c < totals_.size(); ++c) totals_[c] += counts_.back()[c];
        }
    }

    std::vector<PlanAction> run() {
        const auto& all = goals_.all();
        for (size_t g = 0; g < all.size(); ++g)
            if (all[g].kind == Goal::Kind::keep) protect(g);
        for (size_t g = 0; g < all.size(); ++g)
            if (all[g].kind == Goal::Kind::change) change(g);
        for (size_t g = 0; g < all.size(); ++g)
            if (goals_.distance(g, totals_) > 0) pursue(g);
        const bool only = std::any_of(all.begin(), all.end(), [](const Goal& g) { return g.kind == Goal::Kind::change; });
        for (size_t i = 0; i < sentences_.size(); ++i)
            if (!decided_[i]) actions_[i] = only ? PlanAction{Kind::keep, ""} : polish(i);
        return std::move(actions_);
    }

private:
    void decide(size_t i, Kind kind, const std::string& keyword = "") {
        actions_[i] = {kind, keyword};
        decided_[i] = true;
    }

    void protect(size_t g) {
        for (size_t i = 0; i < sentences_.size(); ++i)
            if (counts_[i][g + 2] > 0) decide(i, Kind::keep);
    }

    void change(size_t g) {
        for (size_t i = 0; i < sentences_.size(); ++i)
            if (counts_[i][g + 2] > 0 && !decided_[i]) decide(i, is_wordy(i) ? Kind::tighten : Kind::rephrase);
    }

    void pursue(size_t g) {
        const Goal& goal = goals_.all()[g];
        const auto missing = static_cast<size_t>(goals_.distance(g, totals_));
        switch (goal.kind) {
            case Goal::Kind::words:
                return below(goal, totals_[1]) ? lengthen(missing) : tighten();
            case Goal::Kind::sentences:
                return below(goal, totals_[0]) ? split(missing) : join(missing);
            case Goal::Kind::length:
                return even_out(g, goal);
            case Goal::Kind::keyword:
                return below(goal, totals_[g + 2]) ? mention(goal, missing) : replace(g, goal, missing);
            default:
                return;
        }
    }

    static bool below(const Goal& goal, int64_t value) {
        return goal.relation == Relation::more_than || (goal.relation == Relation::equal && value < goal.n);
    }

    std::vector<size_t> free_by_length(bool longest_first) const {
        std::vector<size_t> order;
        for (size_t i = 0; i < sentences_.size(); ++i)
            if (!decided_[i]) order.push_back(i);
        std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
            return longest_first ? sentences_[a].size() > sentences_[b].size() : sentences_[a].size() < sentences_[b].size();
        });
        return order;
    }

    bool can_split(size_t i) const {
        std::vector<Edit> edits;
        list_splits(context_, Sentence(sentences_[i]), 1, edits);
        return !edits.empty() && edits[0].cost <= 4;
    }

    bool is_wordy(size_t i) const {
        std::vector<Edit> edits;
        list_word_edits(context_, Sentence(sentences_[i]), kShrink, edits);
        return std::any_of(edits.begin(), edits.end(), [](const Edit& e) { return e.group == kShrink && e.cost <= 1.3; });
    }

    void split(size_t missing) {
        for (const size_t i : free_by_length(true)) {
            if (missing == 0) return;
            if (!can_split(i)) continue;
            decide(i, Kind::split);
            --missing;
        }
    }

    void join(size_t missing) {
        for (const size_t i : free_by_length(false)) {
            if (missing == 0) return;
            const bool partner = i + 1 < sentences_.size() && !decided_[i + 1];
            if (decided_[i] || !partner) continue;
            decide(i, Kind::join);
            --missing;
        }
    }

    void lengthen(size_t missing) {
        for (const size_t i : free_by_length(false)) {
            decide(i, Kind::lengthen);
            if (missing <= 4) return;
            missing -= 4;  // what an addition brings, about
        }
    }

    void tighten() {
        for (const size_t i : free_by_length(true))
            if (is_wordy(i) || sentences_[i].size() > 90) decide(i, Kind::tighten);
    }

    void even_out(size_t g, const Goal& goal) {
        for (size_t i = 0; i < sentences_.size(); ++i) {
            if (counts_[i][g + 2] == 0 || decided_[i]) continue;
            if (goal.relation == Relation::less_than)
                decide(i, can_split(i) ? Kind::split : Kind::tighten);
            else if (i + 1 < sentences_.size() && !decided_[i + 1])
                decide(i, Kind::join);
            else
                decide(i, Kind::lengthen);
        }
    }

    void replace(size_t g, const Goal& goal, size_t missing) {
        for (size_t i = 0; i < sentences_.size() && missing > 0; ++i) {
            if (counts_[i][g + 2] == 0 || decided_[i]) continue;
            decide(i, Kind::replace, goal.spelling);
            missing -= std::min(missing, static_cast<size_t>(counts_[i][g + 2]));
        }
    }

    void mention(const Goal& goal, size_t missing) {
        for (const size_t i : free_by_length(false)) {
            if (missing == 0) return;
            decide(i, Kind::mention, goal.spelling);
            --missing;
        }
    }

    PlanAction polish(size_t i) const {
        if (is_wordy(i)) return {Kind::tighten, ""};
        const auto blanks = std::count(sentences_[i].begin(), sentences_[i].end(), ' ');
        return {blanks > 34 && can_split(i) ? Kind::split : Kind::keep, ""};
    }

    const Goals& goals_;
    const std::vector<std::string>& sentences_;
    WordSet lower_words_;
    EditContext context_;
    std::vector<Counts> counts_;
    Counts totals_;
    std::vector<PlanAction> actions_;
    std::vector<bool> decided_;
};

}  // namespace

std::vector<PlanAction> plan_sentences(const Rules& rules, const Goals& goals, const std::vector<std::string>& sentences) {
    return Planner(rules, goals, sentences).run();
}

}  // namespace craft
