#include "rollout/reviser.h"

#include "core/error.h"
#include "core/utf8.h"
#include "rollout/rules_reviser.h"

namespace craft {

void count_revision(std::map<std::string, int64_t>& counted, const Revised& revised) {
    if (!revised.is_usable()) ++counted["unusable: " + revised.unusable];
    for (const auto& [kind, count] : revised.noted) counted["noted: " + kind] += count;
}

std::vector<Revised> revise_all(Reviser& reviser, const std::vector<RevisionRequest>& requests) {
    std::vector<Revised> revised = reviser.revise(requests);
    if (revised.size() != requests.size())
        throw Error("reviser " + reviser.name(), std::to_string(requests.size()) + " revisions",
                    std::to_string(revised.size()));
    for (size_t i = 0; i < revised.size(); ++i) {
        if (!revised[i].is_usable() || invalid_utf8_at(revised[i].text) == std::string_view::npos) continue;
        revised[i].text = requests[i].text;
        revised[i].unusable = "not_utf8";
    }
    return revised;
}

std::unique_ptr<Reviser> open_reviser(const std::string& name, const ReviserResources& resources) {
    if (name != "rules") throw_unknown("reviser", name, {"rules"});
    return std::make_unique<RulesReviser>(resources.rules, resources.sentences);
}

}  // namespace craft
