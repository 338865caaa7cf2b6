// The reviser's rules of English, read from share/rules/*.json: phrases, synonyms, and how sentences are split and joined.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/json.h"
#include "core/string_hash.h"

namespace craft {

using WordSet = std::unordered_set<std::string, StringHash, std::equal_to<>>;

enum class RewriteKind : uint8_t { concise, expand, contract, drop, synonym };
// Verbs whose past tense and participle are spelled alike but whose synonym's are not: which of the two a rule stands for.
enum class Tense : uint8_t { any, past, participle };

// A phrase and what may stand for it.
struct Rewrite {
    std::vector<std::string> from;  // lower-case words
    std::string to;                 // empty: the phrase is dropped
    int gain = 0;                   // white-space words that the text gains (negative: loses)
    RewriteKind kind = RewriteKind::synonym;
    Tense tense = Tense::any;
    // Words beside which the phrase means something else; null: none.
    const WordSet* unless_after = nullptr;
    const WordSet* unless_before = nullptr;
};

struct SplitRule {
    std::string connector, start;  // ", and " and what the second sentence starts with
    enum class Needs : uint8_t { any, subject, pronoun, verb } needs = Needs::any;
    double cost = 1;
};
struct Joiner {
    std::string text;
    double cost = 1;
};
struct MentionRule {
    bool opener = true;  // false: before the closing mark
    std::string text;    // {} is what is mentioned
    double cost = 1;
};

struct Rules {
    Rules() = default;
    Rules(Rules&&) = default;
    Rules(const Rules&) = delete;  // rewrites point at the word sets beside them
    Rules& operator=(Rules&&) = default;
    // Throws Error naming the file and what is wrong with it.
    static Rules load(const std::filesystem::path& folder);

    // By first word; longer phrases first.
    std::unordered_map<std::string, std::vector<Rewrite>, StringHash, std::equal_to<>> rewrites;
    std::unordered_map<std::string, WordSet, StringHash, std::equal_to<>> unless_after, unless_before;  // by phrase
    std::vector<std::string> openers, that_openers, insertions, tails, fillers, clauses;
    std::vector<std::vector<std::string>> removable_openers;  // in words, longest first
    std::vector<SplitRule> splits;
    std::vector<Joiner> joiners;
    std::vector<std::pair<std::string, std::string>> own_joiners;  // "But " -> ", but "
    std::vector<MentionRule> mention_phrase, mention_word;
    WordSet pronouns, determiners, function_words, not_adverbs, abbreviations;
    WordSet plain_words;   // synonyms without forms: between an article and a noun they are adjectives
    WordSet common_words;  // words of the rules that are no names: may be lower-cased when a sentence is moved
    std::unordered_map<std::string, std::vector<std::string>> stand_ins;
    std::string version;  // hash of the files, for manifests
};

}  // namespace craft
