// A text being revised towards goals: sentences, what each may become, and the search over single edits.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/rng.h"
#include "rollout/rules/edits.h"
#include "rollout/rules/goals.h"
#include "rollout/rules/plan_actions.h"

namespace craft {

struct RevisionSearchOptions {
    int escapes = 16;        // how often the weight of unmet goals is raised when no edit helps
    size_t candidates = 48;  // edits kept per sentence, the cheapest
    double reluctance = 6;   // factor on the cost of touching a sentence that neither the plan nor an edit has touched yet
};

class RevisionSearch {
public:
    RevisionSearch(const Rules& rules, Goals goals, Pieces pieces, uint64_t seed, RevisionSearchOptions options = {});

    // Quality edits of one sentence, as its plan line asks; each only if no goal suffers. Returns how many lines could not
    // be carried out as they ask: their sentence is not there or has to stay, or no edit does it.
    int64_t carry_out(const std::vector<PlanLine>& plan);
    // Hill climbing over edits of single sentences until the goals are met or nothing helps.
    void run();

    std::string text() const;
    // What became of each sentence that the search began with, as a plan would ask for it.
    std::vector<PlanAction> changes() const;
    int64_t unmet() const { return goals_.unmet(totals_); }

private:
    struct Candidate {
        Edit edit;
        Counts counts;  // of its result
        double jitter;  // makes revisions of the same text under other items differ
    };
    struct Unit {
        std::string text;
        std::string gap = " ";  // what stands after it
        Counts counts;
        double stiffness = 1;      // factor on the cost of touching it
        bool open = false;         // the plan, or an edit, has touched it
        std::vector<int> sources;  // sentences of the start that it is made of
        unsigned listed = 0;       // groups in `candidates`
        std::vector<Candidate> candidates;
        std::string joined_with;  // the next sentence that the join candidates were made for
    };
    struct Move {
        size_t unit = 0;
        const Candidate* candidate = nullptr;
        double score = 0;
    };

    Unit make_unit(std::string text) const;
    void set_stiffness();
    unsigned wanted_groups(const Unit& unit) const;
    void list(size_t i, unsigned groups);
    std::vector<Edit> list_edits(size_t i, unsigned groups) const;
    void list_restores(size_t i, std::vector<Edit>& out) const;
    void list_keyword_edits(const Sentence& sentence, unsigned groups, std::vector<Edit>& out) const;
    PlanAction change_of(int sentence) const;
    double cost_of_touching(size_t i) const;
    double overlap(const std::string& sentence, const std::string& original) const;
    Counts after(size_t i, const Candidate& candidate) const;
    void apply(size_t i, const Edit& edit);
    Move best_move();
    bool act(size_t i, const PlanAction& action);
    template <class Accept>
    bool apply_cheapest(size_t i, std::vector<Edit> edits, double most, Accept accept);

    const Rules& rules_;
    Goals goals_;
    RevisionSearchOptions options_;
    WordSet lower_words_;
    EditContext context_;
    std::vector<Mention> mentions_;  // one a goal; empty keyword: none
    std::vector<std::string> start_;
    std::vector<Unit> units_;
    Counts totals_;
    Rng rng_;
    bool wide_ = false;  // every group of edits everywhere: when the likely ones did not do
};

}  // namespace craft
