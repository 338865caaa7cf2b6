#include "english/lazy_pipeline.h"

namespace craft {

const EnglishPipeline& LazyEnglishPipeline::get() const {
    std::call_once(once_, [this] { pipeline_.emplace(EnglishPipeline::load(folder_)); });
    return *pipeline_;
}

}  // namespace craft
