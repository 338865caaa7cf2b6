#include "cli/english_options.h"

#include <algorithm>
#include <cstdlib>
#include <mutex>

#include "core/log.h"
#include "english/package.h"
#include "eval/annotation/named_entities.h"
#include "judge/fidelity/capital_names.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

bool names_a_folder(const char* variable) {
    const char* value = std::getenv(variable);
    return value != nullptr && *value != '\0';
}

// Names by their capitals, which says so once.
class CapitalNames {
public:
    explicit CapitalNames(std::string hint) : hint_(std::move(hint)) {}
    std::vector<std::string> operator()(const std::string& text) {
        std::call_once(said_, [this] {
            log_warning("names are told by their capitals, without a model of English",
                        hint_.empty() ? Json::object() : Json{{"hint", hint_}});
        });
        return capital_names(text);
    }

private:
    std::once_flag said_;
    std::string hint_;
};

}  // namespace

Option& bind_english(OptionTable& table, std::string& model) {
    return table
        .add("english", model,
             "folder of spaCy's small English model; none: names and edits are told by letters; auto: $CRAFT_ENGLISH_MODEL, "
             "or "
             "weights/en_core_web_sm where it is there")
        .flag("--english")
        .input()
        .reads({});
}

EnglishModel find_english(const std::string& model) {
    if (model == "none") return {nullptr, "none", ""};
    const fs::path folder = model == "auto" ? english_model_folder() : fs::path(model);
    std::error_code none;
    if (model == "auto" && !names_a_folder("CRAFT_ENGLISH_MODEL") && !fs::exists(folder / "config.cfg", none))
        return {nullptr, "none", "scripts/setup.sh --english gets one; --english FOLDER names another"};
    const EnglishPackage package(folder);  // one that we can run, else an error now and not within the work
    return {std::make_shared<const LazyEnglishPipeline>(folder), english_package_name(folder), ""};
}

NameFinder find_names(const std::string& model) {
    const EnglishModel english = find_english(model);
    if (english.pipeline == nullptr) {
        auto guess = std::make_shared<CapitalNames>(english.hint);
        return {[guess](const std::string& text) { return (*guess)(text); }, "names:capitals"};
    }
    std::string name = english.name;
    std::replace(name.begin(), name.end(), ' ', '-');
    return {named_entities(english.pipeline), "names:" + name};
}

}  // namespace craft
