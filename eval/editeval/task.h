// The seven tasks of EditEval (§3).
#pragma once

#include <string>
#include <vector>

namespace craft {

enum class EditTask { fluency, clarity, coherence, paraphrasing, simplification, neutralization, updating };

const std::vector<EditTask>& edit_tasks();  // in the order of the paper's appendix B
std::string task_name(EditTask task);       // "fluency"

}  // namespace craft
