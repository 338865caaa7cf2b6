// A tokenizer trained on a few made-up sentences, for the tests of model/tokenizer/ and model/generate/.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "model/tokenizer/train_tokenizer.h"

namespace craft::test {

inline std::vector<std::string> sample_texts() {
    std::vector<std::string> texts;
    const std::vector<std::string> who = {"The gardener", "A careful editor", "Our neighbour", "The old bridge", "Nobody"};
    const std::vector<std::string> does = {"rewrites", "waters", "remembers", "crosses", "measures"};
    const std::vector<std::string> what = {"every sentence", "the quiet river", "twelve short words", "the paragraph",
                                           "a plan"};
    for (size_t i = 0; i < who.size(); ++i)
        for (size_t j = 0; j < does.size(); ++j)
            for (size_t k = 0; k < what.size(); ++k)
                texts.push_back(who[i] + " " + does[j] + " " + what[k] + " on day " + std::to_string(i * 25 + j * 5 + k) +
                                ".\nThen " + who[k] + " " + does[i] + " " + what[j] + "; it's done!");
    return texts;
}

inline TextSource source_of(const std::vector<std::string>& texts) {
    return [texts, next = size_t{0}]() mutable -> std::optional<std::string> {
        return next < texts.size() ? std::optional(texts[next++]) : std::nullopt;
    };
}

struct TokenizerFolder {
    std::filesystem::path path;
    explicit TokenizerFolder(const std::string& name, const TokenizerTraining& options = {400, TokenizerModel::bpe})
        : path(std::filesystem::temp_directory_path() / ("craft-" + name + "-" + std::to_string(::getpid()))) {
        std::filesystem::remove_all(path);
        train_tokenizer(source_of(sample_texts()), options, path);
    }
    ~TokenizerFolder() { std::filesystem::remove_all(path); }
};

}  // namespace craft::test
