#include "cli/inquiry.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/option_files.h"
#include "core/output_place.h"
#include "systems/hosted/transport.h"
#include "systems/open/open_system.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

Inquiry* asked_now = nullptr;

std::vector<std::string> texts_in(const Option& option) {
    const Json value = option.current();
    std::vector<std::string> texts;
    for (const Json& one : value.is_array() ? value : Json::array({value}))
        if (one.is_string() && !one.get_ref<const std::string&>().empty()) texts.push_back(one.get<std::string>());
    return texts;
}

// A path is one, also where its content is no part of what makes two runs the same (`reads({})`).
std::vector<fs::path> files_of(const Option& option) {
    const std::vector<std::string> values = texts_in(option);
    if (option.type == "path") return {values.begin(), values.end()};
    return option.files.value_or(std::vector<fs::path>(values.begin(), values.end()));
}

// Keys are read by nobody before a system is opened, which may be hours after the experiment began.
void check_key(const Json& profiles, const std::string& system, std::vector<std::string>& problems) {
    try {
        static_cast<void>(HostedKeys::read(hosted_profile(SystemSpec::parse(system, ""), profiles)));
    } catch (const UsageError& error) {
        for (const std::string& problem : error.problems())
            if (std::find(problems.begin(), problems.end(), problem) == problems.end()) problems.push_back(problem);
    }
}

}  // namespace

Inquiry* Inquiry::under_way() {
    return asked_now;
}

Inquiry* Inquiry::estimating() {
    return asked_now != nullptr && asked_now->size_of ? asked_now : nullptr;
}

void Inquiry::tell(WorkEstimate estimate, std::map<fs::path, DataSize> outputs_hold) {
    work = std::move(estimate);
    makes = std::move(outputs_hold);
}

void Inquiry::ask(const Command& command, const std::vector<fs::path>& configurations) {
    std::vector<std::string> arguments = {command.name};
    for (const fs::path& file : configurations) arguments.insert(arguments.end(), {"--config", file.string()});
    std::vector<const char*> argv;
    for (const std::string& argument : arguments) argv.push_back(argument.c_str());
    struct Current {
        explicit Current(Inquiry* inquiry) : outer(std::exchange(asked_now, inquiry)) {}
        ~Current() { asked_now = outer; }
        Inquiry* outer;
    } const current(this);
    command.run(static_cast<int>(argv.size()), argv.data());
}

void Inquiry::answer(const Command& command, OptionTable& table, const CommonOptions& common) {
    // Outputs of a stage that was there before are the experiment's business.
    check_files(table, /*overwrite=*/true);
    try {
        table.finish();
    } catch (const UsageError& error) {
        problems = error.problems();
    }
    const Json resolved = table.resolved();
    for (const Option& option : table.options()) {
        const std::vector<std::string> texts = texts_in(option);
        if (option.file == FileRole::input)
            for (const fs::path& file : files_of(option))
                if (!is_written_directly(file.string())) inputs.push_back({option.shown_name(), file});
        if (option.file == FileRole::output || option.file == FileRole::output_folder)
            for (const std::string& file : texts)
                if (!is_written_directly(file)) outputs.push_back({option.shown_name(), file});
        if (option.key == "out" && option.file == FileRole::managed && !texts.empty()) {
            run_folder = texts.front();
            outputs.push_back({option.shown_name(), run_folder});
        }
        for (const std::string& text : texts)
            if (text.starts_with("local:") || text.starts_with("openai:")) systems.push_back(text);
    }
    profiles = resolved.value("openai", Json::object());
    for (const std::string& system : systems)
        if (needs_keys && system.starts_with("openai:")) check_key(profiles, system, problems);
    has_overwrite = table.find("overwrite") != nullptr;
    identity = identity_of(command, table, common);
}

}  // namespace craft
