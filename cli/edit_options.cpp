#include "cli/edit_options.h"

#include <algorithm>
#include <filesystem>

#include "core/log.h"

namespace craft {

void check_output(OptionTable& table, const std::string& output, const std::vector<std::string>& keys) {
    const Option* written = table.find(output);
    const Json to = written->current();
    if (!to.is_string() || to.get_ref<const std::string&>().empty() || to == "-") return;
    const auto same = [&](const Json& path) {
        std::error_code code;
        return path == to || std::filesystem::equivalent(path.get<std::string>(), to.get<std::string>(), code);
    };
    for (const std::string& key : keys) {
        const Option* read = table.find(key);
        const Json value = read->current(), paths = value.is_array() ? value : Json::array({value});
        if (std::any_of(paths.begin(), paths.end(), same))
            table.add_problem(written->shown_name() + ": expected another file than " + read->shown_name() +
                              ", which it would overwrite, got " + to.get<std::string>());
    }
}

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
