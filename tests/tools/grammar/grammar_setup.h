// What the tests of the grammar tools share: the installed package, dictionaries and parser, opened once a program.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "english/pipeline.h"
#include "tests/english/english_model.h"
#include "tools/grammar/mark_rules.h"
#include "tools/grammar/sentence_parser.h"
#include "tools/grammar/spelling.h"

namespace craft::test {

inline std::filesystem::path missing_grammar_file() {
    const EnglishDictionaryPlaces places = EnglishDictionaryPlaces::installed();
    for (const std::filesystem::path& file :
         {installed_english_model() / "config.cfg", english_word_list_file(), american_word_list_file(),
          link_grammar_dictionary_file(), places.inflections, places.counts})
        if (!std::filesystem::exists(file)) return file;
    return {};
}

// "kind words: first suggestion" of each mark, "missing before WORD: ...".
inline std::vector<std::string> said(const std::vector<ErrorMark>& marks, const EnglishDocument& tokens) {
    std::vector<std::string> lines;
    for (const ErrorMark& mark : marks) {
        std::string line(name_of(mark.kind));
        if (mark.count > 0) line += " " + words_of(mark, tokens);
        if (mark.count == 0)
            line += " before " + (mark.token < tokens.size() ? tokens[mark.token].text : std::string("the end"));
        if (!mark.suggestions.empty()) line += ": " + mark.suggestions.front();
        lines.push_back(line);
    }
    return lines;
}

class InstalledGrammar {
public:
    static InstalledGrammar& get() {
        static InstalledGrammar installed;
        return installed;
    }
    ParsedSentence tree(const std::string& sentence) const { return ParsedSentence(pipeline_.annotate(sentence)); }
    const RuleKnowledge& know() const { return know_; }
    const SpellChecker& spelling() const { return spelling_; }
    const WordForms& forms() const { return forms_; }
    SentenceParser& parser() { return *parser_; }
    // What one rule says of a sentence.
    std::vector<std::string> marks(void (*rule)(RuleMarks&), const std::string& sentence) const {
        const ParsedSentence of = tree(sentence);
        RuleMarks found{of, know_};
        rule(found);
        return said(without_overlaps(found.marks), of.tokens());
    }

private:
    InstalledGrammar()
        : pipeline_(EnglishPipeline::load(installed_english_model())),
          dictionary_(std::make_shared<EnglishDictionary>()),
          forms_(dictionary_),
          spelling_(dictionary_),
          prepositions_(GovernedPrepositions::shipped()),
          nouns_(NounFacts::installed()),
          parser_(local_sentence_parser()),
          know_{forms_, prepositions_, nouns_, [this](const std::string& word) { return spelling_.knows(word); },
                [this](const std::string& word) { return spelling_.is_common(word); }} {}
    EnglishPipeline pipeline_;
    std::shared_ptr<const EnglishDictionary> dictionary_;
    WordForms forms_;
    SpellChecker spelling_;
    GovernedPrepositions prepositions_;
    NounFacts nouns_;
    std::unique_ptr<SentenceParser> parser_;
    RuleKnowledge know_;
};

}  // namespace craft::test

#define CRAFT_NEEDS_GRAMMAR()                         \
    if (!craft::test::missing_grammar_file().empty()) \
    GTEST_SKIP() << "not installed: " << craft::test::missing_grammar_file() << " (run scripts/setup.sh --english)"
