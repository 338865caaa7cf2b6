// Which modules an adapter is on, by PEFT's own rules (check_target_module_exists, get_pattern_key). Inside model/ only.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/regular_expression.h"
#include "model/spec/lora_options.h"

namespace craft {

// Module names are whole: "model.layers.0.self_attn.q_proj".
class AdapterRules {
public:
    // Throws Error naming `where` on what is no regular expression.
    AdapterRules(const LoraOptions& options, const std::string& where);

    bool is_target(const std::string& module) const;
    // Whether the module, or one that it is a part of, is replaced as a whole.
    bool is_saved(const std::string& module) const;
    int64_t rank(const std::string& module) const;
    double scale(const std::string& module) const;  // alpha / rank, or alpha / sqrt(rank)
    // Throws Error naming `where` and a pattern of ranks or alphas that matches none of these targets.
    void check_patterns(const std::vector<std::string>& targets, const std::string& where) const;

private:
    bool is_excluded(const std::string& module) const;
    bool is_in_layers(const std::string& module) const;

    LoraOptions options_;
    std::vector<RegularExpression> target_, excluded_;  // one or none each
    std::vector<RegularExpression> saved_, layers_;
    std::vector<std::pair<RegularExpression, int64_t>> ranks_;
    std::vector<std::pair<RegularExpression, double>> alphas_;
};

}  // namespace craft
