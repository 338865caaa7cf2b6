#include "judge/verdicts/tournament.h"

#include <algorithm>

#include "core/error.h"

namespace craft {

namespace {

// Of two candidates: half wins of the first over the second, less those of the second.
struct Meeting {
    int64_t lead = 0;
    int64_t duels = 0, unjudged = 0;
    bool is_judged() const { return duels > 0 && unjudged == 0; }
};

class Table {
public:
    explicit Table(size_t candidates) : candidates_(candidates), meetings_(candidates * candidates) {}

    void add(const Duel& duel) {
        if (duel.a >= candidates_ || duel.b >= candidates_ || duel.a == duel.b)
            throw Error("tournament", "two of " + std::to_string(candidates_) + " candidates",
                        std::to_string(duel.a) + " and " + std::to_string(duel.b));
        const int64_t lead = duel.verdict == PairVerdict::win ? 1 : duel.verdict == PairVerdict::loss ? -1 : 0;
        for (const bool forward : {true, false}) {
            Meeting& meeting = forward ? at(duel.a, duel.b) : at(duel.b, duel.a);
            meeting.lead += forward ? lead : -lead;
            ++meeting.duels;
            meeting.unjudged += duel.verdict ? 0 : 1;
        }
    }

    Meeting& at(size_t a, size_t b) { return meetings_[a * candidates_ + b]; }

private:
    size_t candidates_;
    std::vector<Meeting> meetings_;
};

// The candidate whose score is above (sign 1) or below (sign -1) all others' however the unjudged meetings end.
std::optional<size_t> sole_extreme(const std::vector<double>& scores, const std::vector<double>& open, double sign) {
    for (size_t i = 0; i < scores.size(); ++i) {
        bool stands_out = true;
        for (size_t other = 0; other < scores.size() && stands_out; ++other) {
            // What is open may go against i and for the other one.
            const double mine = sign > 0 ? scores[i] : scores[i] + open[i];
            const double others = sign > 0 ? scores[other] + open[other] : scores[other];
            stands_out = other == i || sign * mine > sign * others;
        }
        if (stands_out) return i;
    }
    return std::nullopt;
}

}  // namespace

TournamentResult run_tournament(size_t candidates, const std::vector<Duel>& duels) {
    Table table(candidates);
    for (const Duel& duel : duels) table.add(duel);
    TournamentResult result;
    result.scores.assign(candidates, 0);
    std::vector<double> open(candidates, 0);  // what the unjudged meetings could still add
    for (size_t a = 0; a < candidates; ++a) {
        for (size_t b = 0; b < candidates; ++b) {
            if (a == b) continue;
            const Meeting& meeting = table.at(a, b);
            if (!meeting.is_judged())
                open[a] += 1;
            else
                result.scores[a] += meeting.lead > 0 ? 1 : meeting.lead == 0 ? 0.5 : 0;
            if (a < b && !meeting.is_judged()) ++result.unjudged;
            if (a < b && meeting.is_judged() && meeting.lead == 0) ++result.ties;
        }
    }
    const auto best = sole_extreme(result.scores, open, 1), worst = sole_extreme(result.scores, open, -1);
    if (candidates < 2)
        result.reason = "too few candidates";
    else if (best && worst)
        result.verdict = ListwiseVerdict{*best, *worst};
    else
        result.reason = result.unjudged > 0 ? "unjudged" : "tie";
    return result;
}

TournamentResult run_tournament(const std::vector<size_t>& order, const std::vector<Duel>& duels) {
    const auto place_of = [&](size_t candidate) {
        return static_cast<size_t>(std::find(order.begin(), order.end(), candidate) - order.begin());
    };
    std::vector<Duel> placed;
    for (const Duel& duel : duels) placed.push_back({place_of(duel.a), place_of(duel.b), duel.verdict});
    TournamentResult result = run_tournament(order.size(), placed);
    if (result.verdict) result.verdict = ListwiseVerdict{order[result.verdict->best], order[result.verdict->worst]};
    return result;
}

}  // namespace craft
