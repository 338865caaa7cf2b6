#include "english/lazy_pipeline.h"

#include <cstdlib>
#include <filesystem>

#include "english/package.h"

namespace craft {

namespace fs = std::filesystem;

const EnglishPipeline& LazyEnglishPipeline::get() const {
    std::call_once(once_, [this] { pipeline_.emplace(EnglishPipeline::load(folder_)); });
    return *pipeline_;
}

namespace {

bool names_a_folder(const char* variable) {
    const char* value = std::getenv(variable);
    return value != nullptr && *value != '\0';
}

}  // namespace

EnglishModel find_english(const std::string& model) {
    if (model == "none") return {nullptr, "none", ""};
    const fs::path folder = model == "auto" ? english_model_folder() : fs::path(model);
    std::error_code none;
    if (model == "auto" && !names_a_folder("CRAFT_ENGLISH_MODEL") && !fs::exists(folder / "config.cfg", none))
        return {nullptr, "none", "scripts/setup.sh --english gets one; --english FOLDER names another"};
    const EnglishPackage package(folder);  // one that we can run, else an error now and not within the work
    return {std::make_shared<const LazyEnglishPipeline>(folder), english_package_name(folder), ""};
}

}  // namespace craft
