#include "model/generate/generation_config.h"

#include <cmath>
#include <limits>
#include <utility>

#include "core/error.h"
#include "core/log.h"

namespace craft {

namespace {

constexpr int64_t kLargestCount = int64_t{1} << 31;
constexpr int64_t kUsualTopK = 50;  // transformers' where do_sample is set and top_k is not

}  // namespace

GenerationConfig::GenerationConfig(std::filesystem::path path, Json content)
    : path_(std::move(path)), content_(std::move(content)) {}

const Json* GenerationConfig::find(const char* key) const {
    if (!content_.is_object()) return nullptr;
    const auto found = content_.find(key);
    return found == content_.end() || found->is_null() ? nullptr : &*found;
}

void GenerationConfig::fail(const char* key, const std::string& expected) const {
    throw Error(path_.string() + ": " + key, expected, dump_line(*find(key)));
}

template <class IsFine>
std::optional<double> GenerationConfig::number(const char* key, const std::string& expected, const IsFine& is_fine) const {
    const Json* const found = find(key);
    if (found == nullptr) return std::nullopt;
    if (!found->is_number() || !is_fine(found->get<double>())) fail(key, expected);
    return found->get<double>();
}

std::optional<int64_t> GenerationConfig::count(const char* key) const {
    const auto value = number(key, "an integer from 0 to " + std::to_string(kLargestCount), [](double n) {
        return n >= 0 && n <= static_cast<double>(kLargestCount) && n == std::floor(n);
    });
    return value ? std::optional(static_cast<int64_t>(*value)) : std::nullopt;
}

int64_t GenerationConfig::token(const char* key, const Json& value, int64_t vocabulary) const {
    if (!value.is_number_integer() || value.get<double>() < 0 || value.get<double>() >= static_cast<double>(vocabulary))
        fail(key, "token ids below the model's vocabulary of " + std::to_string(vocabulary));
    return value.get<int64_t>();
}

std::vector<int64_t> GenerationConfig::tokens(const char* key, const Json& value, int64_t vocabulary) const {
    if (!value.is_array() || value.empty()) fail(key, "lists of at least one token id");
    std::vector<int64_t> ids;
    for (const Json& id : value) ids.push_back(token(key, id, vocabulary));
    return ids;
}

// Ids that no token has stand for none here, as -1 in some files.
std::vector<int64_t> GenerationConfig::suppressed(const char* key) const {
    const Json* const found = find(key);
    std::vector<int64_t> ids;
    if (found == nullptr) return ids;
    if (!found->is_array()) fail(key, "a list of token ids");
    for (const Json& id : *found) {
        if (!id.is_number_integer()) fail(key, "a list of token ids");
        ids.push_back(id.get<int64_t>());
    }
    return ids;
}

Sampling GenerationConfig::sampling(const AskedSampling& asked) const {
    const bool is_asked = asked.temperature || asked.top_p || asked.top_k || asked.min_p;
    const Json* const do_sample = find("do_sample");
    const bool samples = do_sample != nullptr && *do_sample == true;
    if (asked.greedy || (!is_asked && !samples)) return {.temperature = 0};
    Sampling sampling;
    if (samples) {
        const auto share = [](double p) { return p > 0 && p <= 1; };
        const auto cutoff = [](double p) { return p >= 0 && p < 1; };
        sampling.temperature =
            number("temperature", "0 or more", [](double t) { return t >= 0; }).value_or(sampling.temperature);
        sampling.top_p = number("top_p", "above 0, at most 1", share).value_or(1);
        sampling.top_k = count("top_k").value_or(kUsualTopK);
        sampling.min_p = number("min_p", "0 to 1", [](double p) { return p >= 0 && p <= 1; }).value_or(0);
        sampling.typical_p = number("typical_p", "above 0, at most 1", share).value_or(1);
        sampling.epsilon_cutoff = number("epsilon_cutoff", "0 or more, below 1", cutoff).value_or(0);
        sampling.eta_cutoff = number("eta_cutoff", "0 or more, below 1", cutoff).value_or(0);
        sampling.top_h = number("top_h", "above 0, at most 1", share).value_or(0);
    }
    sampling.temperature = asked.temperature.value_or(sampling.temperature);
    sampling.top_p = asked.top_p.value_or(sampling.top_p);
    sampling.top_k = asked.top_k.value_or(sampling.top_k);
    sampling.min_p = asked.min_p.value_or(sampling.min_p);
    return sampling;
}

LogitRules GenerationConfig::rules(std::optional<double> repetition_penalty, int64_t vocabulary) const {
    LogitRules rules;
    const auto penalty = number("repetition_penalty", "a number above 0 that logits can be divided by", [](double p) {
        const auto narrow = static_cast<float>(p);
        return narrow > 0 && std::isfinite(narrow) && std::isfinite(1 / narrow);
    });
    rules.repetition_penalty = repetition_penalty.value_or(penalty.value_or(1));
    rules.no_repeat_ngram_size = count("no_repeat_ngram_size").value_or(0);
    rules.min_length = count("min_length").value_or(0);
    rules.min_new_tokens = count("min_new_tokens");
    if (const Json* const found = find("sequence_bias")) {
        const char* const expected = "a list of pairs of a list of token ids and a number";
        if (!found->is_array()) fail("sequence_bias", expected);
        for (const Json& pair : *found) {
            if (!pair.is_array() || pair.size() != 2 || !pair[1].is_number() ||
                !std::isfinite(static_cast<float>(pair[1].get<double>())))
                fail("sequence_bias", expected);
            rules.sequence_bias.push_back({tokens("sequence_bias", pair[0], vocabulary), pair[1].get<double>()});
        }
    }
    if (const Json* const found = find("bad_words_ids")) {
        if (!found->is_array()) fail("bad_words_ids", "a list of lists of token ids");
        for (const Json& word : *found) rules.bad_words_ids.push_back(tokens("bad_words_ids", word, vocabulary));
    }
    if (const Json* const found = find("forced_bos_token_id"))
        rules.forced_bos_token_id = token("forced_bos_token_id", *found, vocabulary);
    if (const Json* const found = find("forced_eos_token_id"))
        rules.forced_eos_token_id =
            tokens("forced_eos_token_id", found->is_array() ? *found : Json::array({*found}), vocabulary);
    rules.suppress_tokens = suppressed("suppress_tokens");
    rules.begin_suppress_tokens = suppressed("begin_suppress_tokens");
    return rules;
}

std::vector<std::string> GenerationConfig::stop_strings() const {
    const Json* const found = find("stop_strings");
    std::vector<std::string> strings;
    if (found == nullptr) return strings;
    for (const Json& string : found->is_array() ? *found : Json::array({*found})) {
        if (!string.is_string() || string.get_ref<const std::string&>().empty())
            fail("stop_strings", "a string that is not empty, or a list of them");
        strings.push_back(string.get<std::string>());
    }
    return strings;
}

std::vector<std::string> GenerationConfig::ignored() const {
    const std::vector<std::pair<const char*, Json>> neutral = {{"encoder_repetition_penalty", 1.0},
                                                               {"encoder_no_repeat_ngram_size", 0},
                                                               {"num_beams", 1},
                                                               {"penalty_alpha", Json()},
                                                               {"guidance_scale", 1.0},
                                                               {"exponential_decay_length_penalty", Json()},
                                                               {"watermarking_config", Json()}};
    std::vector<std::string> keys;
    for (const auto& [key, usual] : neutral) {
        const Json* const found = find(key);
        if (found != nullptr && !(found->is_array() && found->empty()) && *found != usual) keys.emplace_back(key);
    }
    return keys;
}

void follow_generation_config(const std::filesystem::path& model, const DecoderConfig& config, const AskedGeneration& asked,
                              GenerateOptions& generate) {
    const GenerationConfig file(model / "generation_config.json", config.generation_source);
    generate.sampling = file.sampling(asked.sampling);
    generate.rules = file.rules(asked.repetition_penalty, config.vocab_size);
    generate.stop_tokens = config.end_tokens;
    std::vector<std::string> ignored = file.ignored();
    const std::vector<std::string> stop_strings = file.stop_strings();
    if (!asked.has_text && !stop_strings.empty())
        ignored.emplace_back("stop_strings");
    else if (generate.stop_strings.empty())
        generate.stop_strings = stop_strings;
    std::string names;
    for (const std::string& key : ignored) names += (names.empty() ? "" : ", ") + key;
    if (!names.empty()) log_warning("generation_config.json: unsupported, ignored: " + names);
}

}  // namespace craft
