#include "cli/asking_run.h"

#include "core/error.h"
#include "core/option_files.h"
#include "core/output_place.h"

namespace craft {

std::string rows_say_why(const std::string& output) {
    const std::string again = "; " + std::string(kAsksAnew);
    if (is_written_directly(output)) return "warnings and the rows say why" + again;
    return "warnings and the rows in " + partial_path(output).string() + " say why" + again;
}

AskingRun::AskingRun(const RoleSystemOptions& systems, const FlowOptions& flow, const CommonOptions& common,
                     const Json& earlier)
    : batch_(systems.batch),
      place_(open_placement(common)),
      flow_(flow),
      systems_(systems, common, place_, flow_, earlier) {}

void AskingRun::require_answers(const UsableAnswers& answers, const std::string& hint, int64_t earlier) const {
    if (const std::string line = systems_.unanswered(); earlier == 0 && !line.empty())
        throw Error(line.substr(0, line.find(':')), "answers", "none" + line.substr(line.find(':')), hint);
    answers.require_any("answers", hint);
}

void AskingRun::report(bool all) const {
    systems_.log();
    if (all) return;
    log_info("waits for answers: put them into the folder of the batch, then give the same command again",
             {{"requests", systems_.awaited()}, {"folder", batch_.string()}});
}

}  // namespace craft
