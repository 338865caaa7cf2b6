#include "tools/grammar/noun_kinds.h"

#include "core/files.h"
#include "english/constituents.h"
#include "english/word_list.h"
#include "text/words.h"

namespace craft {

namespace {

// Of what is done and how something is, which is counted or not as the sentence has it.
bool is_abstract(std::string_view noun) {
    for (const std::string_view ending :
         {"ness", "ity", "tion", "sion", "ment", "ance", "ence", "ism", "ing", "hood", "ship", "age", "ics", "cy", "logy"})
        if (noun.size() > ending.size() + 1 && noun.ends_with(ending)) return true;
    return false;
}

}  // namespace

std::unordered_set<std::string> link_grammar_words(std::string_view text) {
    std::unordered_set<std::string> words;
    for (const std::string& written : whitespace_words(text)) {
        const std::string word = written.substr(0, written.find('.'));
        if (!word.empty() && word.find_first_not_of("abcdefghijklmnopqrstuvwxyz") == std::string::npos) words.insert(word);
    }
    return words;
}

NounKinds NounKinds::load(const std::filesystem::path& folder, const std::filesystem::path& counted,
                          const std::filesystem::path& uncounted) {
    const auto words_in = [&](std::initializer_list<const char*> files) {
        std::unordered_set<std::string> words;
        for (const char* file : files) words.merge(link_grammar_words(read_file(folder / file)));
        return words;
    };
    // Nouns that need a determiner, titles among them; nouns that can do without one. Many stand in both.
    NounKinds kinds;
    kinds.count_ = words_in({"words.n.1-const", "words.n.1-vowel", "words.n.t"});
    const auto without = words_in({"words.n.3-const", "words.n.3-vowel", "words.n.3.y", "words.n.1.gerund"});
    const auto bare = parse_word_lines(read_file(uncounted), uncounted.string());
    std::erase_if(kinds.count_, [&](const std::string& word) {
        return without.contains(word) || bare.contains(word) || is_abstract(word);
    });
    for (const std::string& word : parse_word_lines(read_file(counted), counted.string())) kinds.count_.insert(word);
    return kinds;
}

NounKinds NounKinds::installed() {
    return load(link_grammar_dictionary_file().parent_path() / "words", share_folder() / "english/count_nouns.txt",
                share_folder() / "english/bare_nouns.txt");
}

}  // namespace craft
