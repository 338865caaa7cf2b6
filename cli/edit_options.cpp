#include "cli/edit_options.h"

#include "core/log.h"

namespace craft {

Option& bind_beta(OptionTable& table, double& beta) {
    return table.add("beta", beta, "weight of recall in F; 1 weighs precision and recall alike")
        .flag("--beta")
        .min(1e-3)
        .max(1e3);
}

void warn_of_edits_outside(const M2File& file, const std::string& what_becomes) {
    if (file.outside.empty()) return;
    log_warning(file.name + ":" + std::to_string(file.outside.front()) +
                ": span: expected within the sentence, got one behind it; " + what_becomes + " (" +
                std::to_string(file.outside.size()) + " in the file)");
}

void warn_of_passed_lines(const M2File& file) {
    if (file.passed.empty()) return;
    log_warning(file.name + ": lines that begin with I are passed over", {{"lines", file.passed.size()}});
}

}  // namespace craft
