#include "cli/evaluation_options.h"

#include <algorithm>
#include <filesystem>

#include "core/log.h"

namespace craft {

namespace {

namespace fs = std::filesystem;

// Where a path leads, whether or not a file is there yet; empty where that cannot be told.
fs::path whereabouts(const std::string& path) {
    std::error_code code;
    const fs::path place = fs::absolute(path, code);
    return code ? fs::path() : fs::weakly_canonical(place, code);
}

bool is_same_file(const std::string& a, const std::string& b) {
    std::error_code code;
    if (fs::exists(a, code) && !fs::is_regular_file(a, code)) return false;
    if (fs::equivalent(a, b, code)) return true;
    const fs::path place = whereabouts(a);
    return !place.empty() && place == whereabouts(b);
}

bool is_file(const std::string& path) {
    return !path.empty() && path != "-";
}

// The paths of an option; none where it has no value.
std::vector<std::string> paths_of(const Option& option) {
    const Json value = option.current();
    std::vector<std::string> paths;
    for (const Json& path : value.is_array() ? value : Json::array({value}))
        if (path.is_string()) paths.push_back(path.get<std::string>());
    return paths;
}

std::string path_of(OptionTable& table, const std::string& key) {
    const std::vector<std::string> paths = paths_of(*table.find(key));
    return paths.empty() ? "" : paths.front();
}

void check_two_outputs(OptionTable& table, const std::string& first, const std::string& second) {
    const std::string one = path_of(table, first), other = path_of(table, second);
    const bool both_stdout = one == "-" && other == "-";
    if (both_stdout || (is_file(one) && is_file(other) && is_same_file(one, other)))
        table.add_problem(table.find(second)->shown_name() + ": expected another file than " +
                          table.find(first)->shown_name() + ", got " + other);
}

}  // namespace

void check_output_beside(OptionTable& table, const std::string& output, const std::string& shown, const std::string& input) {
    const std::string written = path_of(table, output);
    if (is_file(written) && is_file(input) && is_same_file(written, input))
        table.add_problem(table.find(output)->shown_name() + ": expected another file than " + shown +
                          ", which it would overwrite, got " + written);
}

void check_outputs(OptionTable& table, const std::vector<std::string>& outputs, const std::vector<std::string>& inputs) {
    for (size_t i = 0; i < outputs.size(); ++i) {
        for (const std::string& key : inputs)
            for (const std::string& input : paths_of(*table.find(key)))
                check_output_beside(table, outputs[i], table.find(key)->shown_name(), input);
        for (const fs::path& file : table.files()) check_output_beside(table, outputs[i], "--config", file.string());
        for (size_t before = 0; before < i; ++before) check_two_outputs(table, outputs[before], outputs[i]);
    }
}

void warn_of_empty_revisions(const Json& counts) {
    if (std::any_of(counts.begin(), counts.end(), [](const Json& count) { return count != 0; }))
        log_warning("empty revisions are scored like others", counts);
}

}  // namespace craft
