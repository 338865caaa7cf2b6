#include "cli/edit_options.h"

#include "core/log.h"
#include "metrics/edits/m2_remarks.h"

namespace craft {

Option& bind_beta(OptionTable& table, double& beta) {
    return table.add("beta", beta, "weight of recall in F; 1: the same as precision").flag("--beta").min(1e-3).max(1e3);
}

void warn_of_edits_outside(const M2File& file, const std::string& consequence) {
    if (file.outside.empty()) return;
    log_warning(file.name + ":" + std::to_string(file.outside.front()) +
                ": span: expected within the sentence, got one past its end; " + consequence + " (" +
                std::to_string(file.outside.size()) + " in the file)");
}

void warn_of_repeated_edits(const M2File& file, const std::string& consequence) {
    const M2Remark repeated = repeated_edits(file);
    if (repeated.count == 0) return;
    log_warning(file.name + ":" + std::to_string(repeated.line) + ": annotator " + std::to_string(repeated.annotator) +
                    " lists an edit of this sentence twice; " + consequence,
                {{"edits", repeated.count}});
}

void warn_of_missing_annotators(const M2File& file) {
    const M2Remark missing = missing_annotators(file);
    if (missing.count == 0) return;
    log_warning(file.name + ":" + std::to_string(missing.line) + ": annotator " + std::to_string(missing.annotator) +
                    " has no line for this sentence and is skipped there",
                {{"sentences", missing.count},
                 {"hint", "a line \"A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||" + std::to_string(missing.annotator) +
                              "\" says that no error was found"}});
}

void warn_of_passed_lines(const M2File& file) {
    if (file.passed.empty()) return;
    log_warning(file.name + ": lines that begin with I are ignored", {{"lines", file.passed.size()}});
}

}  // namespace craft
