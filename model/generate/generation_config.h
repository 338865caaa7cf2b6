// What a model folder's generation_config.json asks of whoever generates with the model, read as transformers' generate()
// takes it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/json.h"
#include "model/decoder/decoder.h"
#include "model/generate/generate.h"
#include "model/generate/logit_rules.h"
#include "model/generate/sampler.h"

namespace craft {

// What a caller says of sampling, where it says something.
struct AskedSampling {
    bool greedy = false;
    std::optional<double> temperature = {}, top_p = {}, min_p = {};
    std::optional<int64_t> top_k = {};
};

// A file's values. Each function throws Error, naming file and key, on a value of the wrong type or out of range; null is
// absent.
class GenerationConfig {
public:
    // `content`: the file's, or null without one. `path` is what errors name.
    GenerationConfig(std::filesystem::path path, Json content);

    // The caller before the file; of the file only where it asks for sampling (do_sample). Nobody asks for sampling: greedy.
    Sampling sampling(const AskedSampling& asked) const;
    // What changes logits with and without sampling. `vocabulary`: of the model's logits.
    LogitRules rules(std::optional<double> repetition_penalty, int64_t vocabulary) const;
    std::vector<std::string> stop_strings() const;
    // The keys that have a value which is not done here.
    std::vector<std::string> ignored() const;

private:
    const Json* find(const char* key) const;
    [[noreturn]] void fail(const char* key, const std::string& expected) const;
    template <class IsFine>
    std::optional<double> number(const char* key, const std::string& expected, const IsFine& is_fine) const;
    std::optional<int64_t> count(const char* key) const;
    int64_t token(const char* key, const Json& value, int64_t vocabulary) const;
    std::vector<int64_t> tokens(const char* key, const Json& value, int64_t vocabulary) const;
    std::vector<int64_t> suppressed(const char* key) const;

    std::filesystem::path path_;
    Json content_;
};

// What a caller says before the file does.
struct AskedGeneration {
    AskedSampling sampling = {};
    std::optional<double> repetition_penalty = {};
    bool has_text = true;  // false: what is generated are ids alone, and no string can end it
};
// Puts sampling, rules for logits and stop tokens into `generate`, and stop strings where it has none. Warns of what the
// model's file asks for and is not done here. Throws Error as GenerationConfig does.
void follow_generation_config(const std::filesystem::path& model, const DecoderConfig& config, const AskedGeneration& asked,
                              GenerateOptions& generate);

}  // namespace craft
