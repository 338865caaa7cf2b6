#include "gec/learner/preposition_tables.h"

#include "core/error.h"
#include "core/files.h"
#include "english/listed_words.h"
#include "text/words.h"

namespace craft {

LearnerPrepositions LearnerPrepositions::parse(std::string_view text, const std::string& where) {
    LearnerPrepositions all;
    for_each_list_line(text, where, [&](std::string_view line, const std::string& place) {
        const size_t colon = line.find(':');
        const std::vector<std::string> head = whitespace_words(line.substr(0, colon));
        const bool is_known = head.size() == 3 && (head[0] == "behind" || head[0] == "before");
        if (colon == std::string_view::npos || !is_known)
            throw Error(place, "'behind WORD PREPOSITION: WRITTEN ...', or 'before NOUN ...'",
                        "'" + std::string(line) + "'");
        (head[0] == "behind" ? all.behind : all.before)
            .push_back({head[1], head[2], whitespace_words(line.substr(colon + 1))});
    });
    return all;
}

const LearnerPrepositions& LearnerPrepositions::shipped() {
    static const LearnerPrepositions all = [] {
        const std::filesystem::path file = share_folder() / "gec" / "learner_prepositions.txt";
        return parse(read_file(file), file.string());
    }();
    return all;
}

}  // namespace craft
