#include "judge/verdicts/mark_scales.h"

#include <algorithm>

#include "core/error.h"

namespace craft {

double MarkScale::figure(size_t place) const {
    return static_cast<double>(counts_faults ? marks.size() - 1 - place : place + 1);
}

const std::vector<MarkScale>& mark_scales() {
    static const std::vector<std::string> one_to_five = {"1", "2", "3", "4", "5"};
    static const std::vector<MarkScale> scales = {
        {"fluency", one_to_five, "refinement"},
        {"coherence", one_to_five, "refinement"},
        {"consistency", one_to_five, "refinement"},
        {"semantics", one_to_five, "correction"},
        {"grammaticality", {"2 or more", "1", "0"}, "correction", true},
        {"overcorrection", {"substantial", "moderate", "slight", "none"}, "correction", true}};
    return scales;
}

std::vector<std::string> mark_scale_names() {
    std::vector<std::string> names;
    for (const MarkScale& scale : mark_scales()) names.push_back(scale.name);
    return names;
}

const MarkScale& mark_scale(const std::string& name) {
    const auto& known = mark_scales();
    const auto found = std::find_if(known.begin(), known.end(), [&](const auto& one) { return one.name == name; });
    if (found == known.end()) throw_unknown("aspect of marking", name, mark_scale_names());
    return *found;
}

std::vector<MarkScale> scales_beside(const std::string& name) {
    std::vector<MarkScale> scales;
    const std::string& question = mark_scale(name).question;
    for (const MarkScale& scale : mark_scales())
        if (scale.question == question) scales.push_back(scale);
    return scales;
}

}  // namespace craft
