// The model of English, read once, and a rule's output on a text.
#pragma once

#include <functional>
#include <string>

#include "english/pipeline.h"
#include "tests/english/english_model.h"

namespace craft::test {

inline const EnglishPipeline& english_pipeline() {
    static const EnglishPipeline pipeline = EnglishPipeline::load(installed_english_model());
    return pipeline;
}

using Rule = std::function<std::string(const std::string& text, const EnglishDocument& document)>;

inline std::string ruled(const Rule& rule, const std::string& text) {
    return rule(text, english_pipeline().annotate(text));
}

}  // namespace craft::test
