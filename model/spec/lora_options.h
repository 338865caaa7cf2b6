// What an adapter is put on and how large it is, in PEFT's terms (LoraConfig).
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace craft {

struct LoraOptions {
    int64_t rank = 16;
    double alpha = 32;
    double dropout = 0;   // on the adapter's input; acts only between set_dropout calls of a trainer
    bool rslora = false;  // scale alpha / sqrt(rank) instead of alpha / rank
    // Modules by name or by the end of it after a dot; or {"all-linear"}.
    std::vector<std::string> targets = {"q_proj", "k_proj", "v_proj", "o_proj"};
    std::string target_expression = {};      // in place of `targets`: a regular expression of whole names; empty: none
    std::vector<std::string> excluded = {};  // modules that are none, as targets are named
    std::string excluded_expression = {};    // in place of `excluded`
    std::vector<int64_t> layers = {};        // targets in these layers only; empty: in all
    double upper = 1;                        // below 1 in place of `layers`: the share of the layers, from the last one down
    std::vector<std::string> layers_patterns = {};  // what comes before a layer's number; empty: anything
    // Ranks and alphas of single modules: regular expressions of their names or their ends after a dot; the first counts.
    std::vector<std::pair<std::string, int64_t>> ranks = {};
    std::vector<std::pair<std::string, double>> alphas = {};
    std::vector<std::string> saved_modules = {};  // modules_to_save: replaced as a whole, by the ends of their names
    bool ensure_weight_tying = false;             // a saved embedding stays tied to the head where the base ties them
};

}  // namespace craft
