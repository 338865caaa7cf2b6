#include "tools/grammar/governed_prepositions.h"

#include <algorithm>

#include "core/error.h"
#include "core/files.h"
#include "core/utf8.h"
#include "english/listed_words.h"
#include "english/parsed_sentence.h"
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
    GovernedPrepositions list;
    for_each_list_line(text, where, [&](std::string_view line, const std::string& place) {
        const size_t colon = line.find(':'), bar = line.find('|');
        const std::vector<std::string> head = whitespace_words(line.substr(0, colon));
        const bool is_line = colon != std::string_view::npos && bar != std::string_view::npos && colon < bar &&
                             head.size() == 2 && is_one_of(head[0], {"v", "v!", "a", "n"});
        if (!is_line)
            throw Error(place, "'KIND WORD: RIGHT ... | WRONG ...' with KIND v, v!, a or n",
                        "'" + one_line(shortened(std::string(line), 60)) + "'");
        GovernedWord& word = list.words_[{head[0][0], head[1]}];
        add_words(line.substr(colon + 1, bar - colon - 1), word.right);
        add_words(line.substr(bar + 1), word.wrong);
        word.needs_one = word.needs_one || head[0] == "v!";
    });
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
