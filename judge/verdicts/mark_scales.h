// What single texts are marked by (CRAFT App. E.5).
#pragma once

#include <string>
#include <vector>

namespace craft {

struct MarkScale {
    std::string name;                // of the aspect; alone it is asked for by pointwise.NAME.txt
    std::vector<std::string> marks;  // worst first
    std::string question;            // with the others of that question by joint.QUESTION.txt: refinement or correction
    bool counts_faults = false;      // its figure grows from the best mark, 0, to the worst
    // The figure of a mark by its place: 1 to 5, or faults from 0 on.
    double figure(size_t place) const;
};
// Of refinement: fluency, coherence, consistency, 1 to 5. Of correction: semantics, 1 to 5; grammaticality, errors left ("2
// or more", "1", "0"); overcorrection ("substantial", "moderate", "slight", "none").
const std::vector<MarkScale>& mark_scales();
std::vector<std::string> mark_scale_names();
// Throws Error listing the known ones.
const MarkScale& mark_scale(const std::string& name);
// The scales of the question that this aspect belongs to.
std::vector<MarkScale> scales_beside(const std::string& name);

}  // namespace craft
