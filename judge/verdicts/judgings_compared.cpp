// compare_judgings() of judge/verdicts/judging_figures.h.
#include <set>

#include "core/error.h"
#include "judge/verdicts/combined_verdict.h"
#include "judge/verdicts/judging_figures.h"

namespace craft {

namespace {

struct BothModes {
    int64_t best_a = 0, best_b = 0, worst_a = 0, worst_b = 0;
};

struct ComparedAspect {
    int64_t without_a = 0, without_b = 0;  // groups of both runs
    VerdictAgreement agreement;
    std::map<std::string, BothModes> systems;
};

void compare_group(const JudgedGroup& a, const JudgedGroup& b, const std::string& aspect, ComparedAspect& compared) {
    const auto of_a = combined_verdict(a.judgements, aspect).verdict, of_b = combined_verdict(b.judgements, aspect).verdict;
    compared.without_a += of_a ? 0 : 1;
    compared.without_b += of_b ? 0 : 1;
    if (!of_a || !of_b) return;
    compared.agreement.add(*of_a, *of_b);
    for (const std::string& system : a.systems) compared.systems[system];
    ++compared.systems[a.systems[of_a->best]].best_a;
    ++compared.systems[a.systems[of_a->worst]].worst_a;
    ++compared.systems[b.systems[of_b->best]].best_b;
    ++compared.systems[b.systems[of_b->worst]].worst_b;
}

Json compared_json(const ComparedAspect& compared) {
    Json json = {{"without_a", compared.without_a}, {"without_b", compared.without_b}};
    json.update(to_json(compared.agreement));
    const auto n = static_cast<double>(compared.agreement.compared);
    const auto share = [&](int64_t part) { return n > 0 ? Json(static_cast<double>(part) / n) : Json(nullptr); };
    json["systems"] = Json::object();
    for (const auto& [name, one] : compared.systems)
        json["systems"][name] = {{"best_a", share(one.best_a)},
                                 {"best_b", share(one.best_b)},
                                 {"worst_a", share(one.worst_a)},
                                 {"worst_b", share(one.worst_b)}};
    return json;
}

}  // namespace

Json compare_judgings(const std::vector<JudgedGroup>& a, const std::vector<JudgedGroup>& b) {
    std::map<std::string, const JudgedGroup*> by_id;
    for (const JudgedGroup& group : b) by_id[group.id] = &group;
    std::map<std::string, ComparedAspect> aspects;
    int64_t both = 0;
    for (const JudgedGroup& group : a) {
        const auto found = by_id.find(group.id);
        if (found == by_id.end()) continue;
        ++both;
        if (found->second->systems != group.systems)
            throw Error("group '" + group.id + "'", "the same candidates in both runs", "those of other systems");
        std::set<std::string> names = aspects_of(group.judgements);
        names.merge(aspects_of(found->second->judgements));
        for (const std::string& aspect : names) compare_group(group, *found->second, aspect, aspects[aspect]);
    }
    if (both == 0) throw Error("judgements to be compared", "groups that both runs judged", "none");
    const auto only = [&](const std::vector<JudgedGroup>& of) { return static_cast<int64_t>(of.size()) - both; };
    Json json = {{"groups", both}, {"only_a", only(a)}, {"only_b", only(b)}, {"aspects", Json::object()}};
    for (const auto& [name, compared] : aspects) json["aspects"][name] = compared_json(compared);
    return json;
}

}  // namespace craft
