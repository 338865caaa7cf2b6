// The vectors of a text's words that spaCy's small models compute: hashed embeddings of attributes, then windows of three
// words. Reference: spaCy 3.8, MultiHashEmbed.v2 and MaxoutWindowEncoder.v2 with a window of one word to each side.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "english/layers.h"
#include "english/lexicon.h"
#include "english/thinc_model.h"

namespace craft {

class Tok2Vec {
public:
    // Of a component's weights. Throws Error naming the file if layers are missing, of other shapes or of another kind.
    explicit Tok2Vec(const ThincModel& model);

    size_t width() const { return embed_.front().outputs(); }
    // [words, width()] for the words of one text. `spaces`: whether a blank follows each word.
    std::vector<float> vectors(std::span<const Lexeme> words, const std::vector<bool>& spaces) const;

private:
    enum class Attribute { norm, prefix, suffix, shape, space, is_space };
    struct Table {
        Attribute attribute = Attribute::norm;
        uint32_t seed = 0;
        uint64_t rows = 0;
        std::vector<float> vectors;  // [rows, width]
    };
    static Attribute attribute_of(const std::string& name, const std::string& where);
    static uint64_t value_of(Attribute attribute, const Lexeme& word, bool space);
    void embed(std::span<const Lexeme> words, const std::vector<bool>& spaces, float* out) const;

    std::vector<Table> tables_;
    std::vector<NormalisedMaxout> embed_;    // one
    std::vector<NormalisedMaxout> windows_;  // each adds to what it reads
};

}  // namespace craft
