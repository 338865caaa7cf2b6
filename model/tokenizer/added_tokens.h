// Added tokens: spellings that are one token wherever a text has them, found before the text is split into words. Inside
// model/tokenizer/ only.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/tokenizer/byte_trie.h"
#include "model/tokenizer/normalizers.h"
#include "model/tokenizer/tokenizer.h"
#include "model/tokenizer/vocabulary.h"

namespace craft {

struct AddedToken {
    std::string content;
    bool single_word = false;  // not within a longer word
    bool lstrip = false;       // takes the white space before it
    bool rstrip = false;       // takes the white space after it
    bool normalized = true;    // looked for, in its normalized form, in the normalized text
    bool special = false;      // no text: left out of decoded text, and not looked for in literal text
};

struct AddedSpan {
    size_t begin = 0, end = 0;  // bytes
    int64_t token = -1;         // -1: text between added tokens
};

class AddedTokens {
public:
    // Opens a list of tokens to add: those that are new get ids from here on, after as many as the model has tokens and
    // after those of former lists, as in the library.
    void open_list(const Vocabulary& model);
    // A token of the model keeps its id, others get the list's next one. One that is there already gets the new properties.
    void add(const AddedToken& token, const Vocabulary& model, const Normalizer* normalizer);
    // With an id that is known. Throws Error if it is too large.
    void add_at(const AddedToken& token, int64_t id, const Normalizer* normalizer = nullptr);
    // To be called after the last add() and before anything is looked for.
    void prepare();

    int64_t id_of(std::string_view content) const;  // -1 if it is none of them
    // How the token stands in what a decoder reads: in its normalized form; nullptr for ids that are none of them.
    const std::string* spelling(int64_t id) const;
    bool is_special(const std::string& spelling) const { return special_.count(spelling) > 0; }
    int64_t id_limit() const { return tokens_.empty() ? 0 : tokens_.rbegin()->first + 1; }

    // The tokens in a text, leftmost first and then the longest, and what is between them. Special ones that touch
    // `literal` (bytes of the text, ascending) are text. `raw`: those that are looked for before normalization; in a text
    // with literal parts all special ones are, since afterwards nobody knows which parts those were.
    void find_raw(std::string_view text, const std::vector<ByteRange>& literal, std::vector<AddedSpan>& spans) const;
    void find_normalized(std::string_view text, bool with_special, std::vector<AddedSpan>& spans) const;

private:
    void find(const ByteTrie& trie, std::string_view text, const std::function<bool(const AddedSpan&)>& allowed,
              std::vector<AddedSpan>& spans) const;
    std::map<int64_t, AddedToken> tokens_;
    std::map<std::string, int64_t, std::less<>> ids_;
    std::map<int64_t, std::string> normalized_;  // forms unlike the content
    std::set<std::string> special_;
    int64_t next_ = 0;
    ByteTrie raw_, raw_and_special_, normalized_trie_;
};

}  // namespace craft
