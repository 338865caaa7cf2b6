#include "tools/grammar/governed_prepositions.h"

#include <algorithm>
#include <sstream>

#include "core/error.h"
#include "core/files.h"
#include "core/utf8.h"
#include "text/utf8.h"
#include "text/words.h"

namespace craft {

namespace {

void add_words(std::string_view text, std::vector<std::string>& to) {
    for (const std::string& word : whitespace_words(text))
        if (word != "-" && std::find(to.begin(), to.end(), word) == to.end()) to.push_back(word);
}

}  // namespace

GovernedPrepositions GovernedPrepositions::parse(std::string_view text, const std::string& where) {
    if (const size_t at = invalid_utf8_at(text); at != std::string_view::npos)
        throw Error(where, "UTF-8", "other bytes at byte " + std::to_string(at));
    GovernedPrepositions list;
    std::istringstream lines{std::string(text)};
    size_t number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        const std::string said = trim(line);
        if (said.empty() || said[0] == '#') continue;
        const size_t colon = said.find(':'), bar = said.find('|');
        const std::vector<std::string> head = whitespace_words(said.substr(0, colon));
        const bool is_line = colon != std::string::npos && bar != std::string::npos && colon < bar && head.size() == 2 &&
                             (head[0] == "v" || head[0] == "v!" || head[0] == "a" || head[0] == "n");
        if (!is_line)
            throw Error(where + ":" + std::to_string(number), "'KIND WORD: RIGHT ... | WRONG ...' with KIND v, v!, a or n",
                        "'" + one_line(shortened(said, 60)) + "'");
        GovernedWord& word = list.words_[{head[0][0], head[1]}];
        add_words(std::string_view(said).substr(colon + 1, bar - colon - 1), word.right);
        add_words(std::string_view(said).substr(bar + 1), word.wrong);
        word.needs_one = word.needs_one || head[0] == "v!";
    }
    return list;
}

GovernedPrepositions GovernedPrepositions::load(const std::filesystem::path& file) {
    return parse(read_file(file), file.string());
}

GovernedPrepositions GovernedPrepositions::shipped() {
    return load(share_folder() / "english/prepositions.txt");
}

const GovernedWord* GovernedPrepositions::find(char kind, const std::string& word) const {
    const auto found = words_.find({kind, word});
    return found == words_.end() ? nullptr : &found->second;
}

}  // namespace craft
