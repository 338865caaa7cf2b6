#include "english/parsed_sentence.h"

#include <algorithm>

namespace craft {

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_one_of(std::string_view word, std::span<const std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

ParsedSentence::ParsedSentence(std::shared_ptr<const EnglishDocument> document, size_t begin, size_t end)
    : document_(std::move(document)), begin_(begin), end_(end), children_(end - begin) {
    for (size_t i = begin; i < end; ++i) {
        const size_t head = (*document_)[i].head;
        if (head != i && head >= begin && head < end) children_[head - begin].push_back(i);
    }
}

ParsedSentence::ParsedSentence(const EnglishDocument& document, size_t begin, size_t end)
    : ParsedSentence(std::shared_ptr<const EnglishDocument>(std::shared_ptr<void>(), &document), begin, end) {}

ParsedSentence::ParsedSentence(const std::shared_ptr<const EnglishDocument>& document)
    : ParsedSentence(document, 0, document->size()) {}

ParsedSentence::ParsedSentence(EnglishDocument document)
    : ParsedSentence(std::make_shared<const EnglishDocument>(std::move(document))) {}

bool ParsedSentence::is_lower(size_t token, std::initializer_list<std::string_view> words) const {
    return has(token) && is_one_of((*this)[token].lower, words);
}

bool ParsedSentence::is_lemma(size_t token, std::initializer_list<std::string_view> lemmas) const {
    return has(token) && is_one_of((*this)[token].lemma, lemmas);
}

bool ParsedSentence::is_tag(size_t token, std::initializer_list<std::string_view> tags) const {
    return has(token) && is_one_of((*this)[token].tag, tags);
}

bool ParsedSentence::is_dep(size_t token, std::initializer_list<std::string_view> deps) const {
    return has(token) && is_one_of((*this)[token].dep, deps);
}

std::string ParsedSentence::written_from(size_t token) const {
    std::string text;
    for (; has(token); ++token) {
        text += (*this)[token].text;
        if ((*this)[token].space_after) break;
    }
    return text;
}

size_t ParsedSentence::after_adverbs(size_t token) const {
    while (is_tag(token, {"RB", "RBR"}) || is_lower(token, {"n't", "not", "n\xE2\x80\x99t"})) ++token;
    return std::min(token, end_);
}

std::optional<size_t> ParsedSentence::child(size_t token, std::initializer_list<std::string_view> relations) const {
    for (const size_t one : children(token))
        if (is_one_of((*this)[one].dep, relations)) return one;
    return std::nullopt;
}

std::vector<size_t> ParsedSentence::subtree(size_t token) const {
    std::vector<size_t> all = {token};
    for (size_t i = 0; i < all.size(); ++i) {
        const std::vector<size_t>& more = children(all[i]);
        all.insert(all.end(), more.begin(), more.end());
    }
    std::sort(all.begin(), all.end());
    const auto is_mark = [&](size_t one) { return one != token && (*this)[one].pos == "PUNCT" && (*this)[one].text != ")"; };
    while (all.size() > 1 && is_mark(all.back())) all.pop_back();
    while (all.size() > 1 && is_mark(all.front())) all.erase(all.begin());
    return all;
}

bool ParsedSentence::is_within(size_t token, size_t ancestor) const {
    for (size_t steps = 0; steps <= end_ - begin_; ++steps) {
        if (token == ancestor) return true;
        if (is_root(token)) return false;
        token = (*this)[token].head;
    }
    return false;
}

std::optional<size_t> ParsedSentence::subject(size_t verb) const {
    return child(verb, {"nsubj", "nsubjpass", "expl"});
}

bool ParsedSentence::is_verb(size_t token) const {
    return (*this)[token].tag.starts_with("VB") || (*this)[token].tag == "MD";
}

std::optional<size_t> ParsedSentence::finite_word(size_t verb) const {
    const auto finite = [&](size_t token) { return is_one_of((*this)[token].tag, {"VBD", "VBZ", "VBP", "MD"}); };
    for (const size_t one : children(verb))
        if (one < verb && is_one_of((*this)[one].dep, {"aux", "auxpass"})) {
            if (finite(one)) return one;
            return std::nullopt;  // "to", "having"
        }
    if (finite(verb)) return verb;
    return std::nullopt;
}

bool ParsedSentence::is_past(size_t verb) const {
    const std::optional<size_t> word = finite_word(verb);
    return word && (*this)[*word].tag == "VBD";
}

GrammaticalNumber ParsedSentence::agreement(size_t verb) const {
    const std::optional<size_t> word = finite_word(verb);
    if (!word) return GrammaticalNumber::unknown;
    const EnglishToken& token = (*this)[*word];
    if (token.tag == "VBZ" || token.lower == "was") return GrammaticalNumber::singular;
    if (token.tag == "VBP" || token.lower == "were") return GrammaticalNumber::plural;
    return GrammaticalNumber::unknown;
}

GrammaticalNumber ParsedSentence::number(size_t noun) const {
    const EnglishToken& token = (*this)[noun];
    const std::optional<size_t> joined = child(noun, {"cc"});
    if (joined && (*this)[*joined].lower == "and" && has_child(noun, {"conj"})) return GrammaticalNumber::plural;
    if (is_one_of(token.tag, {"NNS", "NNPS"}) || is_one_of(token.lower, {"they", "we", "these", "those"}))
        return GrammaticalNumber::plural;
    if (is_one_of(token.tag, {"NN", "NNP"}) || is_one_of(token.lower, {"he", "she", "it", "this", "that"}))
        return GrammaticalNumber::singular;
    return GrammaticalNumber::unknown;
}

bool ParsedSentence::agrees(size_t verb, GrammaticalNumber number) const {
    const GrammaticalNumber asked = agreement(verb);
    return asked == GrammaticalNumber::unknown || number == GrammaticalNumber::unknown || asked == number;
}

bool ParsedSentence::is_negated(size_t verb) const {
    return has_child(verb, {"neg"}) || std::any_of(children(verb).begin(), children(verb).end(), [&](size_t one) {
               return is_one_of((*this)[one].lower, {"hardly", "scarcely", "barely", "never", "seldom", "rarely"});
           });
}

std::vector<ParsedSentence> parsed_sentences(const EnglishDocument& document) {
    std::vector<ParsedSentence> all;
    for (size_t begin = 0, end = 0; begin < document.size(); begin = end) {
        end = begin + 1;
        while (end < document.size() && !document[end].sentence_start) ++end;
        all.emplace_back(document, begin, end);
    }
    return all;
}

}  // namespace craft
