// spaCy's tokenizer: affixes are split off by regular expressions, exceptions are looked up.
// Reference: spaCy 3.8, spacy.Tokenizer.v1 with faster_heuristics.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/string_hash.h"
#include "english/msgpack.h"
#include "english/python_pattern.h"

namespace craft {

// A token before anything is known of it but where it stands.
struct EnglishWord {
    std::string text;
    std::string norm;  // of an exception ("n't" is "not"); empty: the word's own
    bool space_after = false;
};

class EnglishTokenizer {
public:
    // Of the package's file `tokenizer`. Throws Error naming `where` and the field if one is missing, unknown or of a wrong
    // kind.
    EnglishTokenizer(const MsgpackValue& file, const std::string& where);

    // The tokens, joined with a blank after each that has one, are the text. A text that begins with white space, or has
    // more than a blank in one place, has tokens of white space. `text` is UTF-8. A piece between blanks of more than 10,000
    // bytes is not tried as an address, which could take time without end.
    std::vector<EnglishWord> tokenize(std::string_view text) const;

private:
    // A sequence of tokens that an exception looks like where its own rule did not apply.
    struct SequenceNode {
        std::unordered_map<std::string, size_t, StringHash, std::equal_to<>> next;
        bool ends = false;
    };
    struct Span {
        size_t begin = 0;
        size_t end = 0;
    };
    using Words = std::vector<EnglishWord>;

    void read_exceptions(const MsgpackValue& exceptions, const std::string& where);
    void add_sequence(const Words& words);
    const Words* exception(std::string_view text) const;
    bool add_exception(std::string_view text, bool with_exceptions, Words& out) const;
    Words split(std::string_view text, bool with_exceptions) const;
    void split_span(std::string_view span, bool with_exceptions, Words& out) const;
    std::string_view split_affixes(std::string_view span, bool with_exceptions, std::vector<std::string_view>& prefixes,
                                   std::vector<std::string_view>& suffixes) const;
    void split_infixes(std::string_view span, Words& out) const;
    size_t prefix_length(std::string_view span) const;
    size_t suffix_length(std::string_view span) const;
    std::vector<Span> exception_spans(const Words& words) const;
    Words with_exceptions(Words words) const;

    std::optional<PythonPattern> prefix_, suffix_, infix_, token_, url_;  // none: nothing matches
    std::unordered_map<std::string, Words, StringHash, std::equal_to<>> exceptions_;
    size_t longest_exception_ = 0;         // bytes
    std::vector<SequenceNode> sequences_;  // [0] is before the first token
};

}  // namespace craft
