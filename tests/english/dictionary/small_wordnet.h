// WordNet's files for tests, with places that fit.
#pragma once

#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/core/temporary_folder.h"

namespace craft::test {

struct SmallMeaning {
    std::vector<std::string> words;                        // underscores for blanks
    std::vector<std::pair<std::string, size_t>> pointers;  // symbol, number of another meaning of the kind
    std::string gloss;
    char type = ' ';  // ' ': the kind's own
};
struct SmallKind {
    std::vector<SmallMeaning> meanings;
    std::vector<std::pair<std::string, std::vector<size_t>>> index;  // lemma, numbers of meanings, by the alphabet
};

inline std::string eight_digits(size_t number) {
    char text[32];
    std::snprintf(text, sizeof text, "%08zu", number);
    return text;
}

inline std::string meaning_line(const SmallMeaning& meaning, char type, const std::vector<size_t>& places, size_t own) {
    char count[32];
    std::snprintf(count, sizeof count, "%02zx", meaning.words.size());
    std::string line = eight_digits(places[own]) + " 30 " + (meaning.type == ' ' ? type : meaning.type) + " " + count;
    for (const std::string& word : meaning.words) line += " " + word + " 0";
    std::snprintf(count, sizeof count, "%03zu", meaning.pointers.size());
    line += std::string(" ") + count;
    for (const auto& [symbol, to] : meaning.pointers)
        line += " " + symbol + " " + eight_digits(places[to]) + " " + type + " 0000";
    if (type == 'v') line += " 01 + 08 00";
    return line + " | " + meaning.gloss + "  \n";
}

// index.KIND and data.KIND after two lines of licence.
inline std::pair<std::string, std::string> kind_files(const SmallKind& kind, char type) {
    const std::string licence = "  1 This is a licence.\n  2 It goes on.\n";
    std::vector<size_t> places(kind.meanings.size(), 0);
    std::string data;
    for (int turn = 0; turn < 2; ++turn) {  // lines are as long whatever the places are
        data = licence;
        for (size_t i = 0; i < kind.meanings.size(); ++i) {
            places[i] = data.size();
            data += meaning_line(kind.meanings[i], type, places, i);
        }
    }
    // Pointers ahead have their places only now.
    data = licence;
    for (size_t i = 0; i < kind.meanings.size(); ++i) data += meaning_line(kind.meanings[i], type, places, i);
    std::string index = licence;
    for (const auto& [lemma, meanings] : kind.index) {
        const std::string count = std::to_string(meanings.size());
        index += lemma + " " + type + " " + count + " 2 @ ~ " + count + " 0";
        for (const size_t meaning : meanings) index += " " + eight_digits(places[meaning]);
        index += "  \n";
    }
    return {index, data};
}

// Verbs and adjectives as given; nouns and adverbs have one word that nobody asks for.
inline void write_wordnet(const TemporaryFolder& folder, const SmallKind& verbs, const SmallKind& adjectives,
                          const std::string& counts) {
    const SmallKind other = {{{{"nothing"}, {}, "no thing"}}, {{"nothing", {0}}}};
    const auto write = [&](const std::string& ending, const SmallKind& kind, char type) {
        const auto [index, data] = kind_files(kind.meanings.empty() ? other : kind, type);
        folder.file("index." + ending, index);
        folder.file("data." + ending, data);
    };
    write("noun", other, 'n');
    write("verb", verbs, 'v');
    write("adj", adjectives, 'a');
    write("adv", other, 'r');
    folder.file("cntlist.rev", counts);
}

}  // namespace craft::test
