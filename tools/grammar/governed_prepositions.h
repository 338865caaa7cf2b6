// Which prepositions come after a verb, an adjective or a noun: a list that ships.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace craft {

struct GovernedWord {
    std::vector<std::string> right;  // the usual one first; empty: an object follows directly
    std::vector<std::string> wrong;  // what learners put there
    bool needs_one = false;          // an object without one of them is an error
};

class GovernedPrepositions {
public:
    // Lines "KIND WORD: RIGHT ... | WRONG ...", as share/english/prepositions.txt says at its top; lines with # and empty
    // ones say nothing. A word that stands there twice has what both lines say. Throws Error naming file and line of another
    // form.
    static GovernedPrepositions load(const std::filesystem::path& file);
    static GovernedPrepositions parse(std::string_view text, const std::string& where);
    static GovernedPrepositions shipped();  // share/english/prepositions.txt

    // `kind`: 'v' and a lemma, 'a' and a form, 'n' and a lemma. Null: the list does not have it.
    const GovernedWord* find(char kind, const std::string& word) const;
    size_t size() const { return words_.size(); }

private:
    std::map<std::pair<char, std::string>, GovernedWord> words_;
};

}  // namespace craft
