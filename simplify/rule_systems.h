// Simplifiers by rules, of different habits, so that candidates differ as those of models of different families do (policy
// simplification §2.2): they make pairs where no model is at hand, and are controls where one is.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "english/lazy_pipeline.h"
#include "simplify/text_simplifier.h"
#include "simplify/word_substitution.h"

namespace craft {

// "copy": the source as it is. "delete": appositions, parentheses, adverbs and phrases go that the sentence can do without
// (part_deletion.h). "lexical": hard words give way to easier ones (word_substitution.h). "split": long sentences become
// short ones (sentence_splitting.h). "rewrite": all three, words first. Each leaves a sentence as it is where it finds
// nothing to do. Texts of several sentences are simplified sentence by sentence, and keep their paragraphs.
const std::vector<std::string>& rule_system_names();

struct RuleResources {
    std::shared_ptr<const LazyEnglishPipeline> english;  // all but "copy" read its parses
    WordSubstitute easier;                               // "lexical" asks it
    std::shared_ptr<const PlainWords> plain = nullptr;   // its set phrases, too; null: none

    // `easier` of the installed dictionary and, first, of the plain words that ship. Throws Error as dictionary_substitute()
    // and PlainWords::shipped() do.
    static RuleResources with_easier_words(std::shared_ptr<const LazyEnglishPipeline> english);
};

// Named "rules:NAME". What it makes depends on the text alone. Throws Error on a name that is not known, listing those that
// are, and where a resource is missing that it needs.
std::unique_ptr<TextSimplifier> make_rule_system(const std::string& name, const RuleResources& resources);

}  // namespace craft
