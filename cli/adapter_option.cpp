#include "cli/adapter_option.h"

#include "cli/option_groups.h"
#include "core/model_files.h"

namespace craft {

Option& bind_adapter(OptionTable& table, std::filesystem::path& adapter, const std::string& note) {
    const auto group = table.group(kModelGroup);
    const std::string help = "adapter folder, or the run folder that holds one";
    Option& option = table.add("adapter", adapter, note.empty() ? help : help + "; " + note);
    option.flag("--adapter").input();
    option.assign_text = [assign = option.assign_text](const std::string& text) { return assign(adapter_folder(text)); };
    option.assign = [assign = option.assign](const Json& value) {
        return assign(value.is_string() ? Json(adapter_folder(value.get<std::string>()).string()) : value);
    };
    return option;
}

}  // namespace craft
