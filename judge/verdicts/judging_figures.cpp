#include "judge/verdicts/judging_figures.h"

#include <algorithm>

#include "core/error.h"
#include "judge/verdicts/combined_verdict.h"

namespace craft {

namespace {

Json share(int64_t part, int64_t whole) {
    return whole == 0 ? Json(nullptr) : Json(static_cast<double>(part) / static_cast<double>(whole));
}

void add_places(const JudgingAttempt& attempt, std::map<std::string, AspectFigures>& aspects) {
    for (const auto& [aspect, verdict] : attempt.verdicts) {
        auto& places = aspects[aspect].places;
        places.resize(std::max(places.size(), attempt.shown.size()));
        for (size_t place = 0; place < attempt.shown.size(); ++place) {
            ++places[place].shown;
            places[place].best += attempt.shown[place] == verdict.best ? 1 : 0;
            places[place].worst += attempt.shown[place] == verdict.worst ? 1 : 0;
            places[place].expected += 1 / static_cast<double>(attempt.shown.size());
        }
    }
}

void add_answers(const Judgement& judgement, JudgeFigures& figures) {
    const std::vector<size_t>* before = nullptr;
    for (const JudgingAttempt& attempt : judgement.attempts) {
        ++figures.answers;
        figures.asked_again += before != nullptr && *before == attempt.shown ? 1 : 0;
        before = &attempt.shown;
        const bool in_reply = attempt.let_pass.contains("thinking");
        figures.thought += in_reply || !attempt.thinking.empty() ? 1 : 0;
        if (!attempt.problem.empty()) ++(attempt.is_failed ? figures.failed : figures.malformed)[attempt.problem];
        add_leniency(figures.let_pass, attempt.let_pass);
        add_places(attempt, figures.aspects);
    }
    for (const auto& [what, times] : judgement.noted) figures.noted[what] += times;
}

void compare(const Judgement& one, const Judgement& other, VerdictAgreement AspectFigures::*agreement,
             std::map<std::string, AspectFigures>& aspects) {
    for (const auto& [aspect, verdict] : one.verdicts)
        if (const auto found = other.verdicts.find(aspect); found != other.verdicts.end())
            (aspects[aspect].*agreement).add(verdict, found->second);
}

void add_duels(const std::vector<const Judgement*>& orders, std::map<std::string, AspectFigures>& aspects) {
    for (const auto& [aspect, first] : orders.front()->duels) {
        const auto played = voice_tournament(orders, aspect);
        if (!played) continue;
        DuelFigures& figures = aspects[aspect].duels;
        const size_t candidates = played->scores.size();
        figures.met += static_cast<int64_t>(candidates * (candidates - 1) / 2);
        figures.drawn += played->ties;
        figures.unjudged += played->unjudged;
    }
}

Json duel_counts(const DuelFigures& f) {
    if (f.met == 0) return nullptr;
    return {{"met", f.met}, {"drawn", f.drawn}, {"unjudged", f.unjudged}};
}

Json aspect_json(const AspectFigures& f) {
    Json places = Json::array(), systems = Json::object();
    for (size_t place = 0; place < f.places.size(); ++place) {
        const PlaceFigures& one = f.places[place];
        places.push_back({{"place", place},
                          {"shown", one.shown},
                          {"best", one.best},
                          {"worst", one.worst},
                          {"expected", one.expected},
                          {"best_share", share(one.best, one.shown)},
                          {"worst_share", share(one.worst, one.shown)}});
    }
    for (const auto& [name, one] : f.systems)
        systems[name] = {{"stood", one.stood},
                         {"best", one.best},
                         {"worst", one.worst},
                         {"best_share", share(one.best, f.verdicts)},
                         {"worst_share", share(one.worst, f.verdicts)}};
    return {{"verdicts", f.verdicts},
            {"without", f.without},
            {"places", std::move(places)},
            {"duels", duel_counts(f.duels)},
            {"orders", f.orders.compared > 0 ? to_json(f.orders) : Json(nullptr)},
            {"repeats", f.repeats.compared > 0 ? to_json(f.repeats) : Json(nullptr)},
            {"systems", std::move(systems)}};
}

Json judge_json(const JudgeFigures& f) {
    Json aspects = Json::object();
    for (const auto& [name, one] : f.aspects) aspects[name] = aspect_json(one);
    return {{"judgements", f.judgements}, {"answers", f.answers},     {"asked_again", f.asked_again},
            {"thought", f.thought},       {"malformed", f.malformed}, {"failed", f.failed},
            {"let_pass", f.let_pass},     {"noted", f.noted},         {"aspects", std::move(aspects)}};
}

int64_t sum(const std::map<std::string, int64_t>& counts) {
    int64_t all = 0;
    for (const auto& [name, count] : counts) all += count;
    return all;
}

}  // namespace

void VerdictAgreement::add(const ListwiseVerdict& one, const ListwiseVerdict& other) {
    ++compared;
    same += one == other ? 1 : 0;
    best_same += one.best == other.best ? 1 : 0;
    worst_same += one.worst == other.worst ? 1 : 0;
    reversed += one.best == other.worst && one.worst == other.best ? 1 : 0;
}

Json to_json(const VerdictAgreement& a) {
    return {{"compared", a.compared},
            {"same", a.same},
            {"best_same", a.best_same},
            {"worst_same", a.worst_same},
            {"differ", a.compared - a.same},
            {"reversed", a.reversed},
            {"same_share", share(a.same, a.compared)},
            {"differ_share", share(a.compared - a.same, a.compared)},
            {"reversed_share", share(a.reversed, a.compared)}};
}

void JudgingFigures::add_judgement(const Judgement& judgement, const std::vector<std::string>& systems,
                                   JudgeFigures& figures) {
    ++figures.judgements;
    add_answers(judgement, figures);
    for (const auto& [aspect, reason] : judgement.reasons) ++figures.aspects[aspect].without[reason];
    for (const auto& [aspect, verdict] : judgement.verdicts) {
        AspectFigures& of = figures.aspects[aspect];
        ++of.verdicts;
        for (const size_t candidate : judgement.order) ++of.systems[systems.at(candidate)].stood;
        ++of.systems[systems.at(verdict.best)].best;
        ++of.systems[systems.at(verdict.worst)].worst;
    }
}

void JudgingFigures::compare_repeats(const std::vector<Judgement>& all, JudgeFigures& figures) {
    std::map<uint64_t, std::vector<const Judgement*>> repeats;
    for (const Judgement& judgement : all) repeats[judgement.repeat].push_back(&judgement);
    for (auto one = repeats.begin(); one != repeats.end(); ++one) {
        add_duels(one->second, figures.aspects);
        for (size_t order = 1; order < one->second.size(); ++order)
            compare(*one->second[0], *one->second[order], &AspectFigures::orders, figures.aspects);
        for (auto other = std::next(one); other != repeats.end(); ++other)
            for (size_t order = 0; order < std::min(one->second.size(), other->second.size()); ++order)
                compare(*one->second[order], *other->second[order], &AspectFigures::repeats, figures.aspects);
    }
}

void JudgingFigures::compare_judges(const std::map<std::string, std::vector<Judgement>>& by_judge) {
    for (auto one = by_judge.begin(); one != by_judge.end(); ++one) {
        for (auto other = std::next(one); other != by_judge.end(); ++other) {
            for (const std::string& aspect : aspects_of(one->second)) {
                const auto a = combined_verdict(one->second, aspect).verdict,
                           b = combined_verdict(other->second, aspect).verdict;
                if (a && b) between_[{one->first, other->first, aspect}].add(*a, *b);
            }
        }
    }
}

void JudgingFigures::add(const JudgedGroup& group) {
    ++groups_;
    std::map<std::string, std::vector<Judgement>> by_judge;
    for (const Judgement& judgement : group.judgements) {
        add_judgement(judgement, group.systems, judges_[judgement.judge]);
        by_judge[judgement.judge].push_back(judgement);
    }
    for (const auto& [judge, judgements] : by_judge) compare_repeats(judgements, judges_[judge]);
    compare_judges(by_judge);
}

UsableAnswers JudgingFigures::answers() const {
    UsableAnswers answers;
    for (const auto& [name, judge] : judges_) {
        answers.add("", judge.answers - sum(judge.failed) - sum(judge.malformed));
        for (const auto* problems : {&judge.failed, &judge.malformed})
            for (const auto& [kind, times] : *problems) answers.add(kind, times);
    }
    return answers;
}

Json JudgingFigures::to_json() const {
    Json judges = Json::object(), between = Json::array();
    for (const auto& [name, one] : judges_) judges[name] = judge_json(one);
    for (const auto& [key, agreement] : between_) {
        Json row = {{"a", std::get<0>(key)}, {"b", std::get<1>(key)}, {"aspect", std::get<2>(key)}};
        row.update(craft::to_json(agreement));
        between.push_back(std::move(row));
    }
    return {{"groups", groups_}, {"judges", std::move(judges)}, {"between_judges", std::move(between)}};
}

}  // namespace craft
