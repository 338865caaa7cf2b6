#include "gec/retrieval/rule_entries.h"

#include "gec/retrieval/edit_pattern.h"
#include "gec/retrieval/error_keys.h"
#include "text/words.h"

namespace craft {

namespace {

// A sentence with single blanks, its tokens, and where each stands in it.
struct TokenisedSentence {
    std::string text;
    AnnotatedTokens tokens;
    std::vector<size_t> begins;  // bytes; of a token that does not stand there as it is, where the one before it ends

    // What stands from one token to the one before `end`, as it stands in the sentence.
    std::string_view words(int64_t start, int64_t end) const {
        if (start >= end) return {};
        const auto first = static_cast<size_t>(start), last = static_cast<size_t>(end - 1);
        return std::string_view(text).substr(begins[first], begins[last] + tokens[last].text.size() - begins[first]);
    }
};

TokenisedSentence tokenised(const std::string& sentence, const EntryLanguage& language) {
    TokenisedSentence made;
    const std::vector<std::string> words = whitespace_words(sentence);
    for (const std::string& word : words) made.text.append(made.text.empty() ? "" : " ").append(word);
    made.tokens = language.tokens ? language.tokens(made.text) : plain_tokens(words);
    size_t at = 0;
    for (const AnnotatedToken& token : made.tokens) {
        const size_t found = made.text.find(token.text, at);
        made.begins.push_back(found == std::string::npos ? at : found);
        if (found != std::string::npos) at = found + token.text.size();
    }
    return made;
}

EditOperation modification_of_type(const std::string& type) {
    if (type.starts_with("M:")) return EditOperation::insert;
    if (type.starts_with("U:")) return EditOperation::remove;
    return type == "R:WO" ? EditOperation::rearrange : EditOperation::transform;
}

// Words that are wrong wherever they occur.
bool is_wrong_anywhere(const std::string& type) {
    return type == "R:SPELL" || type == "R:NOUN:INFL" || type == "R:VERB:INFL";
}

GrammarEntry entry_of(const TypedEdit& edit, const TokenisedSentence& source, const TokenisedSentence& target,
                      const GrammarKnowledge& knowledge) {
    const GrammarConcept& known = knowledge.of_type(edit.type);
    GrammarEntry entry;
    entry.knowledge = known.name;
    entry.rule = known.rule;
    entry.modification = modification_of_type(edit.type);
    entry.from = source.words(edit.source_start, edit.source_end);
    entry.to = target.words(edit.target_start, edit.target_end);
    entry.pattern = edit_pattern(edit, source.tokens, target.tokens);
    entry.type = edit.type;
    entry.keys =
        error_keys(source.words(0, edit.source_start), entry.from,
                   source.words(edit.source_end, static_cast<int64_t>(source.tokens.size())), is_wrong_anywhere(edit.type));
    return entry;
}

}  // namespace

std::vector<GrammarEntry> rule_entries(const SentencePair& pair, const EntryLanguage& language,
                                       const GrammarKnowledge& knowledge) {
    std::vector<GrammarEntry> entries;
    if (whitespace_words(pair.source) == whitespace_words(pair.target)) return entries;
    const TokenisedSentence source = tokenised(pair.source, language), target = tokenised(pair.target, language);
    EditLanguage edits;
    edits.known_word = language.known_word;
    // Its being there is what asks for types; the tokens are annotated already.
    if (language.tokens) edits.annotate = [](const std::vector<std::string>& words) { return plain_tokens(words); };
    for (const TypedEdit& edit : edits_of(source.tokens, target.tokens, edits))
        entries.push_back(entry_of(edit, source, target, knowledge));
    return entries;
}

}  // namespace craft
