// Decoders of tokenizer.json: the spellings of tokens back to text. Inside model/tokenizer/ only.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/tokenizer/component.h"

namespace craft {

class TokenDecoder {
public:
    virtual ~TokenDecoder() = default;
    // Spellings to texts; what stands in the list at the end is the text, one part after the other.
    virtual void decode(std::vector<std::string>& tokens) const = 0;
    // Puts what a token alone adds to a text that has begun in place of its spelling: bytes, which need not be whole
    // characters. False: its text depends on its neighbours.
    virtual bool spell_inside(std::string&) const { return false; }
    virtual bool makes_one_text() const { return false; }      // of all tokens
    virtual bool changes_ends_alone() const { return false; }  // of each text that it is given
    // How many of the last tokens, given by their spellings, may read otherwise when more follow.
    virtual size_t unsettled(const std::vector<std::string>&) const { return 0; }
};

// BPEDecoder, ByteFallback, ByteLevel, CTC, Fuse, Metaspace, Replace, Sequence, Strip, WordPiece. Throws Error naming the
// component: another type, a field that is absent or of the wrong type.
std::unique_ptr<TokenDecoder> make_token_decoder(const Component& component);

// The parts that live in a file of their own.
std::unique_ptr<TokenDecoder> make_byte_level_decoder(const Component& component);
std::unique_ptr<TokenDecoder> make_byte_fallback_decoder(const Component& component);

// `text` with every `from` written `to`; an empty `from` stands around every character.
std::string replaced(const std::string& text, const std::string& from, const std::string& to);

}  // namespace craft
