// The English pipeline, loaded when somebody first asks for it and shared by all who do.
#pragma once

#include <filesystem>
#include <mutex>
#include <optional>

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

}  // namespace craft
