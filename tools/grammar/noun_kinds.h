// Which nouns are always counted, so that one of them needs an article: by link-grammar's word lists and lists of ours.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_set>

namespace craft {

class NounKinds {
public:
    // Of `folder` link-grammar's lists "words.n.1-const" and its like, without what `uncounted` has; of `counted` all words.
    // The two files have a word a line. Throws Error as read_file() does.
    static NounKinds load(const std::filesystem::path& folder, const std::filesystem::path& counted,
                          const std::filesystem::path& uncounted);
    // As scripts/setup.sh --english installs them, share/english/count_nouns.txt and share/english/bare_nouns.txt.
    static NounKinds installed();

    bool is_count(const std::string& lemma) const { return count_.contains(lemma); }
    size_t size() const { return count_.size(); }

private:
    std::unordered_set<std::string> count_;
};

// The words of one of link-grammar's lists, "car.n" and "balance.s" without what stands behind the dot; compounds ("a_la")
// are left out.
std::unordered_set<std::string> link_grammar_words(std::string_view text);

}  // namespace craft
