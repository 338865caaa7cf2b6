#include "rollout/rules/revision_search.h"

#include <algorithm>

#include "text/words.h"

namespace craft {

RevisionSearch::RevisionSearch(const Rules& rules, Goals goals, Pieces pieces, uint64_t seed, RevisionSearchOptions options)
    : rules_(rules),
      goals_(std::move(goals)),
      options_(options),
      lower_words_(lower_case_words(pieces.sentences)),
      context_{rules_, lower_words_},
      rng_(seed, "reviser") {
    totals_ = goals_.zero();
    for (const auto& goal : goals_.all()) {
        const bool may_rise = goal.kind == Goal::Kind::keyword && !goal.text.empty();
        mentions_.push_back(may_rise ? find_mention(goal.spelling, pieces.sentences, rules_) : Mention{});
    }
    start_ = pieces.sentences;
    for (size_t i = 0; i < pieces.sentences.size(); ++i) {
        units_.push_back(make_unit(std::move(pieces.sentences[i])));
        units_.back().gap = pieces.gaps[i];
        units_.back().sources = {static_cast<int>(i)};
        for (size_t k = 0; k < totals_.size(); ++k) totals_[k] += units_.back().counts[k];
    }
    goals_.set_scales(totals_);
    set_stiffness();
}

RevisionSearch::Unit RevisionSearch::make_unit(std::string text) const {
    Unit unit;
    unit.counts = goals_.measure(text);
    unit.text = std::move(text);
    return unit;
}

// Sentences to keep are hard to touch; with an "only change" call the others are touched only where a goal needs it.
void RevisionSearch::set_stiffness() {
    const auto& all = goals_.all();
    const bool only = std::any_of(all.begin(), all.end(), [](const Goal& g) { return g.kind == Goal::Kind::change; });
    for (auto& unit : units_) {
        bool keep = false, change = false;
        for (size_t g = 0; g < all.size(); ++g) {
            if (unit.counts[g + 2] == 0) continue;
            keep |= all[g].kind == Goal::Kind::keep;
            change |= all[g].kind == Goal::Kind::change;
        }
        unit.stiffness = keep ? 30 : only && !change ? 4 : 1;
    }
}

std::string RevisionSearch::text() const {
    std::string out;
    for (size_t i = 0; i < units_.size(); ++i) {
        out += units_[i].text;
        if (i + 1 < units_.size()) out += units_[i].gap;
    }
    return out;
}

PlanAction RevisionSearch::change_of(int sentence) const {
    using Kind = PlanAction::Kind;
    const std::string& before = start_[static_cast<size_t>(sentence)];
    std::vector<const Unit*> parts;
    for (const Unit& unit : units_)
        if (std::find(unit.sources.begin(), unit.sources.end(), sentence) != unit.sources.end()) parts.push_back(&unit);
    if (parts.empty()) return {Kind::omit, ""};
    if (std::any_of(parts.begin(), parts.end(), [&](const Unit* part) { return part->text == before; }))
        return {Kind::keep, ""};
    if (parts.size() > 1) return {Kind::split, ""};
    const Unit& now = *parts.front();
    if (now.sources.size() > 1)
        return {*std::min_element(now.sources.begin(), now.sources.end()) == sentence ? Kind::join : Kind::joined, ""};
    for (const Goal& goal : goals_.all()) {
        if (goal.kind != Goal::Kind::keyword || goal.text.empty()) continue;
        const int64_t more = count_keyword(now.text, goal.text) - count_keyword(before, goal.text);
        if (more != 0) return {more < 0 ? Kind::replace : Kind::mention, goal.spelling};
    }
    const size_t had = Sentence(before).size(), has = Sentence(now.text).size();
    return {has < had ? Kind::tighten : has > had ? Kind::lengthen : Kind::rephrase, ""};
}

std::vector<PlanAction> RevisionSearch::changes() const {
    std::vector<PlanAction> changes;
    for (size_t i = 0; i < start_.size(); ++i) changes.push_back(change_of(static_cast<int>(i)));
    return changes;
}

double RevisionSearch::cost_of_touching(size_t i) const {
    return units_[i].stiffness * (units_[i].open ? 1 : options_.reluctance);
}

void RevisionSearch::apply(size_t i, const Edit& edit) {
    const auto first = units_.begin() + static_cast<std::ptrdiff_t>(i);
    double stiffness = units_[i].stiffness;
    std::vector<int> sources;
    for (int k = 0; k < edit.consumed; ++k) {
        const Unit& old = units_[i + static_cast<size_t>(k)];
        for (size_t c = 0; c < totals_.size(); ++c) totals_[c] -= old.counts[c];
        stiffness = std::min(stiffness, old.stiffness);
        sources.insert(sources.end(), old.sources.begin(), old.sources.end());
    }
    std::vector<Unit> fresh;
    for (const auto& text : edit.result) {
        fresh.push_back(make_unit(text));
        fresh.back().stiffness = stiffness;
        fresh.back().open = true;
        fresh.back().sources = sources;
        for (size_t c = 0; c < totals_.size(); ++c) totals_[c] += fresh.back().counts[c];
    }
    const std::string gap = units_[i + static_cast<size_t>(edit.consumed) - 1].gap;
    if (!fresh.empty()) fresh.back().gap = gap.empty() ? " " : gap;
    const auto at = units_.erase(first, first + edit.consumed);
    units_.insert(at, std::make_move_iterator(fresh.begin()), std::make_move_iterator(fresh.end()));
}

Counts RevisionSearch::after(size_t i, const Candidate& candidate) const {
    Counts totals = totals_;
    for (int k = 0; k < candidate.edit.consumed; ++k)
        for (size_t c = 0; c < totals.size(); ++c) totals[c] -= units_[i + static_cast<size_t>(k)].counts[c];
    for (size_t c = 0; c < totals.size(); ++c) totals[c] += candidate.counts[c];
    return totals;
}

// Which edits can bring an unmet goal nearer by way of this sentence.
unsigned RevisionSearch::wanted_groups(const Unit& unit) const {
    if (wide_) return ~0U;
    unsigned groups = 0;
    const auto& all = goals_.all();
    for (size_t g = 0; g < all.size(); ++g) {
        if (goals_.distance(g, totals_) == 0) continue;
        const Goal& goal = all[g];
        const int64_t here = unit.counts[g + 2];
        switch (goal.kind) {
            case Goal::Kind::words:
                groups |= totals_[1] < goal.n || (goal.relation == Relation::more_than && totals_[1] == goal.n)
                              ? kGrow | kNeutral
                              : kShrink | kNeutral;
                break;
            case Goal::Kind::sentences:
                groups |= totals_[0] < goal.n || (goal.relation == Relation::more_than && totals_[0] == goal.n)
                              ? kSplit | kFiller
                              : kJoin | kRemove;
                break;
            case Goal::Kind::length:
                if (goal.relation == Relation::less_than)
                    groups |= here > 0 ? kShrink | kSplit | kNeutral : 0;
                else
                    groups |= here > 0 ? kGrow | kJoin | kRemove : kJoin;
                break;
            case Goal::Kind::keyword:
                if (totals_[g + 2] < goal.n || (goal.relation == Relation::more_than && totals_[g + 2] == goal.n))
                    groups |= kGrow | kNeutral | kMention;
                else
                    groups |= here > 0 ? kShrink | kNeutral | kStandIn | kRemove | kGrow : 0;
                break;
            case Goal::Kind::keep:
                groups |= kRestore;
                break;
            case Goal::Kind::change:
                groups |= here > 0 ? kShrink | kNeutral | kGrow | kSplit | kStandIn : 0;
                break;
        }
    }
    return groups;
}

RevisionSearch::Move RevisionSearch::best_move() {
    Move best;
    const double now = goals_.violation(totals_);
    for (size_t i = 0; i < units_.size(); ++i) {
        list(i, wanted_groups(units_[i]));
        for (const auto& candidate : units_[i].candidates) {
            if (candidate.edit.consumed == 2 && i + 1 >= units_.size()) continue;
            const double gain = now - goals_.violation(after(i, candidate));
            if (gain <= 1e-9) continue;
            double touching = cost_of_touching(i);
            if (candidate.edit.consumed == 2) touching = std::max(touching, cost_of_touching(i + 1));
            const double score = gain / (candidate.edit.cost * touching * candidate.jitter);
            if (score > best.score) best = {i, &candidate, score};
        }
    }
    return best;
}

void RevisionSearch::run() {
    if (goals_.empty() || units_.empty()) return;
    struct Best {
        int64_t unmet;
        double violation;
        std::vector<Unit> units;
        Counts totals;
    };
    const Goals plain = goals_;
    Best best{goals_.unmet(totals_), goals_.violation(totals_), units_, totals_};
    const size_t most = 100 + 4 * units_.size();
    int escapes = 0;
    for (size_t step = 0; step < most && goals_.unmet(totals_) > 0; ++step) {
        const Move move = best_move();
        if (move.candidate != nullptr) {
            const Edit edit = move.candidate->edit;  // apply() ends the life of the candidate
            apply(move.unit, edit);
        } else if (!wide_) {
            wide_ = true;
        } else if (escapes++ < options_.escapes) {
            goals_.raise_unmet(totals_, 1.6);
        } else {
            break;
        }
        const int64_t unmet = plain.unmet(totals_);
        const double violation = plain.violation(totals_);
        if (unmet < best.unmet || (unmet == best.unmet && violation < best.violation - 1e-9))
            best = {unmet, violation, units_, totals_};
    }
    units_ = std::move(best.units);
    totals_ = std::move(best.totals);
    goals_.reset_weights();
}

}  // namespace craft
