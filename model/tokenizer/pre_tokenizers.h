// Pre-tokenizers of tokenizer.json: the words that the model sees one by one. Inside model/tokenizer/ only.
#pragma once

#include <memory>

#include "model/tokenizer/component.h"
#include "model/tokenizer/pieces.h"

namespace craft {

class PreTokenizer {
public:
    virtual ~PreTokenizer() = default;
    virtual void split(PieceList& list) const = 0;
    // Leaves the mapping to GPT-2's alphabet to the caller, if it is the last thing that is done; false if it is not.
    virtual bool leave_byte_alphabet() { return false; }
};

// BertPreTokenizer, ByteLevel, CharDelimiterSplit, Digits, FixedLength, Metaspace, Punctuation, Sequence, Split, Whitespace,
// WhitespaceSplit. Throws Error naming the component: another type, a field that is absent or of the wrong type.
std::unique_ptr<PreTokenizer> make_pre_tokenizer(const Component& component);

// The parts that live in files of their own.
std::unique_ptr<PreTokenizer> make_byte_level(const Component& component);
std::unique_ptr<PreTokenizer> make_metaspace(const Component& component);

// A pattern field: {"String": text} or {"Regex": expression}.
Pattern pattern_of(const Component& component);

}  // namespace craft
