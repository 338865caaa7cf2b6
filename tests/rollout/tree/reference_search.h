// TG-MCTS as the specification tells it, slow and simple, sharing nothing with rollout/tree but options and candidates: no
// statistic is kept, every one is counted from the rewards below a node whenever it is needed.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "rollout/tree/search_options.h"
#include "tests/rollout/tree/test_expanders.h"

namespace craft {

class ReferenceSearch {
public:
    struct Spot {
        Spot* above = nullptr;
        int64_t number = 0, level = 0, made = 0;
        bool is_failure = false, was_asked = false;
        double own = 0;
        std::string text;
        int64_t doubles = 0;
        std::vector<Spot*> below;  // failures included
    };

    ReferenceSearch(const RandomProblem& problem, std::string text) : problem_(problem) {
        add(nullptr)->text = std::move(text);
    }

    void run() {
        while (continues()) one_round();
    }

    // The rewards that were backed up through a spot.
    std::vector<double> rewards(const Spot& spot) const {
        std::vector<double> all;
        if (spot.above != nullptr && !spot.is_failure) all.push_back(spot.own);
        for (const Spot* child : spot.below)
            for (const double reward : rewards(*child)) all.push_back(reward);
        return all;
    }

    // The evaluated spot with the highest reward of its own, the earliest of equals; null: none.
    const Spot* best() const {
        const Spot* found = nullptr;
        for (const auto& spot : spots)
            if (spot->above != nullptr && !spot->is_failure && (found == nullptr || spot->own > found->own))
                found = spot.get();
        return found;
    }

    std::vector<std::unique_ptr<Spot>> spots;
    int64_t iterations = 0, turned_away = 0;

private:
    Spot* add(Spot* above) {
        spots.push_back(std::make_unique<Spot>());
        Spot* spot = spots.back().get();
        spot->number = static_cast<int64_t>(spots.size()) - 1;
        spot->above = above;
        if (above == nullptr) return spot;
        spot->level = above->level + 1;
        spot->made = iterations;
        above->below.push_back(spot);
        return spot;
    }

    bool may_be_asked(const Spot& spot) const {
        return !spot.was_asked && !spot.is_failure && spot.level < problem_.options.depth && spot.own < 2;
    }

    bool continues() const {
        if (iterations >= problem_.options.iterations) return false;
        const Spot* top = best();
        if (problem_.options.patience > 0 && top != nullptr && iterations - top->made >= problem_.options.patience)
            return false;
        return std::any_of(spots.begin(), spots.end(), [&](const auto& spot) { return may_be_asked(*spot); });
    }

    static bool is_within(const Spot* spot, const Spot* top) {
        for (; spot != nullptr; spot = spot->above)
            if (spot == top) return true;
        return false;
    }

    double score(const Spot& spot, const std::vector<Spot*>& pending) const {
        const auto visits = [&](const Spot& of) {
            auto count = static_cast<double>(rewards(of).size());
            for (const Spot* leaf : pending) count += is_within(leaf, &of) ? 1 : 0;  // each with a reward of 0
            return count;
        };
        double sum = 0;
        for (const double reward : rewards(spot)) sum += reward;
        return sum / visits(spot) + problem_.options.explore * std::sqrt(std::log(visits(*spot.above)) / visits(spot));
    }

    // Evaluated children, the highest score first, equals in their order.
    std::vector<Spot*> ranked(const Spot& spot, const std::vector<Spot*>& pending) const {
        std::vector<Spot*> children;
        for (Spot* child : spot.below)
            if (!child->is_failure) children.push_back(child);
        std::stable_sort(children.begin(), children.end(),
                         [&](const Spot* a, const Spot* b) { return score(*a, pending) > score(*b, pending); });
        return children;
    }

    // Every end of a descent, in the order in which going back to the last fork finds them.
    void ends(Spot* from, const std::vector<Spot*>& pending, std::vector<Spot*>& found) const {
        const std::vector<Spot*> children = ranked(*from, pending);
        if (children.empty()) found.push_back(from);
        for (Spot* child : children) ends(child, pending, found);
    }

    void one_round() {
        std::vector<Spot*> chosen;
        std::vector<bool> away;
        while (static_cast<int64_t>(chosen.size()) <
               std::min(problem_.options.leaves, problem_.options.iterations - iterations)) {
            std::vector<Spot*> candidates;
            ends(spots[0].get(), chosen, candidates);
            const auto leaf = std::find_if(candidates.begin(), candidates.end(), [&](Spot* spot) {
                return may_be_asked(*spot) && std::find(chosen.begin(), chosen.end(), spot) == chosen.end();
            });
            if (leaf == candidates.end()) break;
            away.push_back(!may_be_asked(*candidates.front()));
            chosen.push_back(*leaf);
        }
        for (size_t i = 0; i < chosen.size(); ++i) {
            ++iterations;
            turned_away += away[i] ? 1 : 0;
            ask(chosen[i]);
        }
    }

    void ask(Spot* leaf) {
        leaf->was_asked = true;
        for (int64_t sample = 0; sample < problem_.options.children; ++sample) {
            const ChildCandidate candidate = problem_.candidate(leaf->number, sample);
            const bool is_failure = !candidate.failure.empty();
            const auto twin = std::find_if(leaf->below.begin(), leaf->below.end(), [&](const Spot* other) {
                return !is_failure && !other->is_failure && other->text == candidate.revision;
            });
            if (twin != leaf->below.end()) {
                ++(*twin)->doubles;
                continue;
            }
            Spot* child = add(leaf);
            child->text = candidate.revision;
            child->is_failure = is_failure;
            if (is_failure) continue;
            child->own = (problem_.options.use_quality ? candidate.r_g : 0.0) +
                         (problem_.options.use_constraints ? candidate.r_c : 0.0);
        }
    }

    const RandomProblem& problem_;
};

}  // namespace craft
