#include "systems/usable_answers.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/error.h"

namespace craft {

void UsableAnswers::add(const std::string& problem, int64_t times) {
    (problem.empty() ? usable_ : unusable_) += times;
    if (!problem.empty()) problems_[problem] += times;
}

void UsableAnswers::add_row(const Json& row) {
    add(row.value("status", "") == "failed" ? row.value("reason", "") : "");
}

std::string UsableAnswers::reasons() const {
    std::vector<std::pair<std::string, int64_t>> sorted(problems_.begin(), problems_.end());
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    std::string all;
    for (const auto& [problem, times] : sorted) all += (all.empty() ? "" : ", ") + problem + " " + std::to_string(times);
    return all;
}

void UsableAnswers::require_any(const std::string& who, const std::string& hint) const {
    if (!none_is_usable()) return;
    throw Error(who, "a usable answer", "none of " + std::to_string(unusable_) + " (" + reasons() + ")", hint);
}

void add_status(Json& row, bool is_changed, const std::string& problem) {
    row["status"] = !problem.empty() ? "failed" : is_changed ? "revised" : "unchanged";
    if (!problem.empty()) row["reason"] = problem;
}

}  // namespace craft
