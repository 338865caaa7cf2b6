// Normalizers of tokenizer.json: what becomes of a text before it is split. Inside model/tokenizer/ only.
#pragma once

#include <memory>
#include <string>

#include "model/tokenizer/component.h"

namespace craft {

// A part of a text under way. Well-formed UTF-8.
struct NormalizedText {
    std::string text;
    bool at_start = true;  // its first character comes from the first one of the whole text (Metaspace asks for it)
};

class Normalizer {
public:
    virtual ~Normalizer() = default;
    virtual void apply(NormalizedText& text) const = 0;
};

// BertNormalizer, ByteLevel, Lowercase, NFC, NFD, NFKC, NFKD, Nmt, Precompiled, Prepend, Replace, Sequence, Strip,
// StripAccents. Throws Error naming the component: another type, a field that is absent or of the wrong type.
std::unique_ptr<Normalizer> make_normalizer(const Component& component);

// Drops the characters that `keep` refuses.
void filter_characters(NormalizedText& text, bool (*keep)(char32_t));
// In canonical decomposition, as of Unicode 9.
void decompose(NormalizedText& text);

// The parts that live in files of their own.
std::unique_ptr<Normalizer> make_unicode_normalizer(const Component& component);   // NFC, NFD, NFKC, NFKD
std::unique_ptr<Normalizer> make_charsmap_normalizer(const Component& component);  // Precompiled
std::unique_ptr<Normalizer> make_bert_normalizer(const Component& component);

}  // namespace craft
