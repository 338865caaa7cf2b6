// Whether texts to train on share words with files that a model will be judged by: sequences of n words, without case and
// punctuation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/id_set.h"
#include "core/json.h"

namespace craft {

// The words of a text as the check compares them: runs of letters and digits of any script, in lower case.
std::vector<std::string> leak_words(std::string_view text);

// Keeps a hash of each sequence, 32 to 64 bytes, and no text.
class LeakCheck {
public:
    // `words` a sequence. Throws Error below 1.
    explicit LeakCheck(int64_t words = 8);

    // A text of an evaluation. One with fewer words than a sequence has counts as one sequence, that of all its words, and
    // meets only texts that consist of the very same; one without words has none.
    void add(std::string_view text);
    // The texts of a file: JSON Lines, of whose rows `text`, `source` and `references` (a list, or one text) are taken, or,
    // where the first character is no '{', plain text, a line each. Rows and lines without words are passed over. Throws
    // Error as readers of such files do, for a row without any of these fields, and where a file has no words at all.
    void add_file(const std::string& path);
    bool meets(std::string_view text) const;

    size_t sequences() const { return hashes_.size(); }  // different ones
    // {"words","files":[{"file","hash","texts"}],"sequences"}, for manifests: what "no leak" means.
    Json to_json() const;

private:
    template <class Visit>
    void visit(std::string_view text, const Visit& visit) const;
    int64_t add_rows(const std::string& path);
    int64_t add_lines(const std::string& path);
    size_t words_;
    IdSet hashes_;
    Json files_ = Json::array();
};

}  // namespace craft
