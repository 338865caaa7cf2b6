#include "eval/editeval/task.h"

namespace craft {

const std::vector<EditTask>& edit_tasks() {
    static const std::vector<EditTask> kTasks = {EditTask::fluency,      EditTask::clarity,        EditTask::coherence,
                                                 EditTask::paraphrasing, EditTask::simplification, EditTask::neutralization,
                                                 EditTask::updating};
    return kTasks;
}

std::string task_name(EditTask task) {
    switch (task) {
        case EditTask::fluency:
            return "fluency";
        case EditTask::clarity:
            return "clarity";
        case EditTask::coherence:
            return "coherence";
        case EditTask::paraphrasing:
            return "paraphrasing";
        case EditTask::simplification:
            return "simplification";
        case EditTask::neutralization:
            return "neutralization";
        case EditTask::updating:
            return "updating";
    }
    return "";
}

}  // namespace craft
