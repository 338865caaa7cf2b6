// The edits that a search chooses from, and those that a plan line asks for.
#include <algorithm>
#include <unordered_set>

#include "core/ascii.h"
#include "rollout/rules/revision_search.h"
#include "text/words.h"

namespace craft {

namespace {

// Another sentence can follow only after a closing mark.
std::string with_mark(const std::string& text) {
    return text.empty() || std::string_view(".!?").find(text.back()) != std::string_view::npos ? text : text + ".";
}

}  // namespace

// How much of `original` a sentence holds, by words; 0-1.
double RevisionSearch::overlap(const std::string& sentence, const std::string& original) const {
    const Sentence a(sentence), b(original);
    std::unordered_multiset<std::string> words;
    for (size_t i = 0; i < a.size(); ++i) words.emplace(a.word(i));
    size_t shared = 0;
    for (size_t i = 0; i < b.size(); ++i)
        if (const auto found = words.find(std::string(b.word(i))); found != words.end()) {
            words.erase(found);
            ++shared;
        }
    return b.size() == 0 ? 0 : static_cast<double>(shared) / static_cast<double>(b.size());
}

// An original sentence that was to be kept and is gone comes back in place of what it became, or after its neighbour.
void RevisionSearch::list_restores(size_t i, std::vector<Edit>& out) const {
    const auto& originals = goals_.original_sentences();
    for (size_t g = 0; g < goals_.all().size(); ++g) {
        const Goal& goal = goals_.all()[g];
        if (goal.kind != Goal::Kind::keep || goals_.distance(g, totals_) == 0) continue;
        const auto id = static_cast<size_t>(goal.id - 1);
        const std::string& original = originals[id];
        const double here = overlap(units_[i].text, original);
        if (here >= 0.3) out.push_back({kRestore, 2 + 4 * (1 - here), {original}, 1});
        const bool follows = id > 0 ? overlap(units_[i].text, originals[id - 1]) > 0.6 : false;
        out.push_back({kRestore, follows ? 9.0 : 12.0, {with_mark(units_[i].text), original}, 1});
    }
}

void RevisionSearch::list_keyword_edits(const Sentence& sentence, unsigned groups, std::vector<Edit>& out) const {
    for (size_t g = 0; g < goals_.all().size(); ++g) {
        const Goal& goal = goals_.all()[g];
        if (goal.kind != Goal::Kind::keyword || goal.text.empty()) continue;
        if (!wide_ && goals_.distance(g, totals_) == 0) continue;
        if ((groups & kStandIn) != 0) list_stand_ins(context_, sentence, goal.text, out);
        if ((groups & kMention) != 0) list_mentions(context_, sentence, mentions_[g], out);
    }
}

std::vector<Edit> RevisionSearch::list_edits(size_t i, unsigned groups) const {
    std::vector<Edit> out;
    const std::string& text = units_[i].text;
    const Sentence sentence(text);
    const bool cut_before = i > 0 && ends_in_abbreviation(units_[i - 1].text, rules_);
    const bool cut_after = i + 1 < units_.size() && ends_in_abbreviation(text, rules_);
    if ((groups & (kShrink | kGrow | kNeutral)) != 0) list_word_edits(context_, sentence, groups, out);
    if ((groups & kShrink) != 0) list_omissions(context_, sentence, out);
    if ((groups & kGrow) != 0 && !cut_before && !cut_after) list_additions(context_, sentence, out);
    if ((groups & kSplit) != 0) list_splits(context_, sentence, 10, out);
    if ((groups & (kStandIn | kMention)) != 0 && !cut_before && !cut_after) list_keyword_edits(sentence, groups, out);
    if ((groups & kRestore) != 0) list_restores(i, out);
    if ((groups & kRemove) != 0 && units_.size() > 1)
        out.push_back({kRemove, 4 + 0.9 * static_cast<double>(sentence.size()), {}, 1});
    if ((groups & kFiller) != 0 && !cut_after)
        for (size_t k = 0; k < 3; ++k) {
            const auto& filler = rules_.fillers[(stable_hash(text) + 5 * k) % rules_.fillers.size()];
            const bool there = std::any_of(units_.begin(), units_.end(), [&](const Unit& u) { return u.text == filler; });
            if (!there) out.push_back({kFiller, 8, {with_mark(text), filler}, 1});
        }
    return out;
}

void RevisionSearch::list(size_t i, unsigned groups) {
    Unit& unit = units_[i];
    const std::string next = i + 1 < units_.size() ? units_[i + 1].text : "";
    if ((groups & kJoin) != 0 && unit.joined_with != next) {
        std::erase_if(unit.candidates, [](const Candidate& c) { return c.edit.group == kJoin; });
        unit.listed &= ~static_cast<unsigned>(kJoin);
    }
    const unsigned missing = groups & ~unit.listed;
    if (missing == 0) return;
    unit.listed |= groups;
    std::vector<Edit> edits = list_edits(i, missing);
    if ((missing & kJoin) != 0) {
        unit.joined_with = next;
        list_joins(context_, unit.text, next, edits);
    }
    if (edits.size() > options_.candidates) {
        std::stable_sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) { return a.cost < b.cost; });
        edits.resize(options_.candidates);
    }
    for (auto& edit : edits) {
        Counts counts = goals_.zero();
        for (const auto& text : edit.result) {
            const Counts one = goals_.measure(text);
            for (size_t c = 0; c < counts.size(); ++c) counts[c] += one[c];
        }
        unit.candidates.push_back({std::move(edit), std::move(counts), 1 + 0.15 * rng_.uniform()});
    }
}

template <class Accept>
bool RevisionSearch::apply_cheapest(size_t i, std::vector<Edit> edits, double most, Accept accept) {
    std::stable_sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) { return a.cost < b.cost; });
    const double now = goals_.violation(totals_);
    for (auto& edit : edits) {
        if (edit.cost > most || !accept(edit)) continue;
        if (edit.consumed == 2 && i + 1 >= units_.size()) continue;
        Candidate candidate{std::move(edit), goals_.zero(), 1};
        for (const auto& text : candidate.edit.result) {
            const Counts one = goals_.measure(text);
            for (size_t c = 0; c < one.size(); ++c) candidate.counts[c] += one[c];
        }
        if (goals_.violation(after(i, candidate)) > now + 1e-9) continue;
        apply(i, candidate.edit);
        return true;
    }
    return false;
}

bool RevisionSearch::act(size_t i, const PlanAction& action) {
    using Kind = PlanAction::Kind;
    const auto any = [](const Edit&) { return true; };
    const auto once_more = [&](unsigned groups, double most, auto accept) {
        return apply_cheapest(i, list_edits(i, groups), most, accept);
    };
    const std::string keyword = ascii_lower(action.keyword);
    switch (action.kind) {
        case Kind::joined:  // the line of the sentence before does it
            return false;
        case Kind::omit:
            return units_.size() > 1 && apply_cheapest(i, list_edits(i, kRemove), 1e9, any);
        case Kind::keep:
            units_[i].stiffness = std::max(units_[i].stiffness, 6.0);
            return true;
        case Kind::tighten: {
            int done = 0;
            while (done < 5 && once_more(kShrink, 1.7, any)) ++done;
            return done > 0;
        }
        case Kind::simplify: {
            int done = 0;
            while (done < 4 && once_more(kShrink | kNeutral, 2.3, [&](const Edit& e) {
                       return e.group == kShrink || e.result[0].size() + 2 < units_[i].text.size();
                   }))
                ++done;
            return done > 0;
        }
        case Kind::rephrase:
            return once_more(kNeutral, 3, any) || once_more(kShrink, 1.7, any) || once_more(kGrow, 2.7, any);
        case Kind::lengthen:
            return once_more(kGrow, 3.5, any);
        case Kind::split: {
            std::vector<Edit> edits;
            list_splits(context_, Sentence(units_[i].text), 3, edits);
            return apply_cheapest(i, std::move(edits), 4, any);
        }
        case Kind::join: {
            std::vector<Edit> edits;
            if (i + 1 < units_.size()) list_joins(context_, units_[i].text, units_[i + 1].text, edits);
            return apply_cheapest(i, std::move(edits), 4, any);
        }
        case Kind::replace: {
            const auto count = [&](const std::string& text) { return count_keyword(text, keyword); };
            bool done = false;
            for (int64_t left = count(units_[i].text), tries = 0; left > 0 && tries < 6;
                 left = count(units_[i].text), ++tries) {
                std::vector<Edit> edits = list_edits(i, kShrink | kNeutral);
                list_stand_ins(context_, Sentence(units_[i].text), keyword, edits);
                if (!apply_cheapest(i, std::move(edits), 12, [&](const Edit& e) { return count(e.result[0]) < left; }))
                    break;
                done = true;
            }
            return done;
        }
        case Kind::mention: {
            std::vector<std::string> texts;
            for (const auto& unit : units_) texts.push_back(unit.text);
            std::vector<Edit> edits = list_edits(i, kNeutral);
            std::erase_if(edits, [&](const Edit& e) { return ascii_lower(e.result[0]).find(keyword) == std::string::npos; });
            list_mentions(context_, Sentence(units_[i].text), find_mention(action.keyword, texts, rules_), edits);
            return apply_cheapest(i, std::move(edits), 12, any);
        }
    }
    return false;
}

int64_t RevisionSearch::carry_out(const std::vector<PlanLine>& plan) {
    std::vector<std::string> texts;
    for (const auto& unit : units_) texts.push_back(unit.text);
    const auto lines = match_plan(plan, texts);
    std::vector<std::vector<PlanAction>> actions(units_.size());
    auto left = static_cast<int64_t>(plan.size());
    for (size_t i = 0; i < units_.size(); ++i) {
        if (lines[i] < 0) continue;
        actions[i] = plan_actions(plan[static_cast<size_t>(lines[i])].plan);
        units_[i].open = !actions[i].empty() && actions[i].front().kind != PlanAction::Kind::keep;
    }
    // From the last sentence to the first: what splits and joins move lies after.
    for (size_t i = units_.size(); i-- > 0;) {
        if (i >= units_.size()) continue;
        const bool left_alone = units_[i].stiffness > 1;  // kept, or not among those that alone may change
        bool done = !actions[i].empty();
        for (const auto& action : actions[i]) {
            const bool may_act = i < units_.size() && (!left_alone || action.kind == PlanAction::Kind::keep);
            // The line of the sentence before is what joins it.
            const bool acted = (may_act && act(i, action)) || action.kind == PlanAction::Kind::joined;
            done = done && acted;
        }
        left -= done ? 1 : 0;
    }
    return left;
}

}  // namespace craft
