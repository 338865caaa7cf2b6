#include "english/bracketed_tree.h"

#include <algorithm>

namespace craft {

namespace {

constexpr std::string_view kTreeSpace = " \t\r\n";

std::string without_brackets(std::string_view word) {
    std::string out;
    for (const char c : word) {
        constexpr std::string_view kBrackets = "()[]{}";
        constexpr const char* kNames[] = {"-LRB-", "-RRB-", "-LSB-", "-RSB-", "-LCB-", "-RCB-"};
        const size_t bracket = kBrackets.find(c);
        if (bracket == std::string_view::npos) {
            out += c;
        } else {
            out += kNames[bracket];
        }
    }
    return out;
}

class TreeWriter {
public:
    explicit TreeWriter(const std::vector<TreeWord>& words) : words_(words) {}

    bool opening(std::string_view label) {
        if (label.empty() || (open_ == 0 && !tree_.bracketed.empty())) return false;
        space();
        tree_.bracketed += '(';
        tree_.bracketed += label;
        ++open_;
        return true;
    }
    bool closing() {
        if (open_ == 0) return false;
        if (--open_ == 0)
            while (next_ < words_.size()) flat_word();
        tree_.bracketed += ')';
        return true;
    }
    bool leaf(std::string_view leaf) {
        if (open_ == 0) return false;
        size_t found = next_;
        while (found < words_.size() && words_[found].leaf != leaf) ++found;
        if (found == words_.size()) return false;
        while (next_ < found) flat_word();
        append_word();
        return true;
    }
    std::optional<WordTree> tree() && {
        if (open_ != 0 || tree_.bracketed.empty()) return std::nullopt;
        return std::move(tree_);
    }

private:
    void space() {
        if (!tree_.bracketed.empty()) tree_.bracketed += ' ';
    }
    void append_word() {
        space();
        tree_.bracketed += without_brackets(words_[next_++].text);
    }
    void flat_word() {
        append_word();
        ++tree_.flat_words;
    }

    const std::vector<TreeWord>& words_;
    WordTree tree_;
    size_t next_ = 0, open_ = 0;
};

}  // namespace

std::optional<WordTree> tree_with_words(std::string_view tree, const std::vector<TreeWord>& words) {
    TreeWriter writer(words);
    for (size_t at = 0; (at = tree.find_first_not_of(kTreeSpace, at)) != std::string_view::npos;) {
        const size_t begin = tree[at] == '(' || tree[at] == ')' ? at + 1 : at;
        const size_t end = tree[at] == ')' ? begin : std::min(tree.find_first_of("() \t\r\n", begin), tree.size());
        const std::string_view name = tree.substr(begin, end - begin);
        const bool fits = tree[at] == '(' ? writer.opening(name) : tree[at] == ')' ? writer.closing() : writer.leaf(name);
        if (!fits) return std::nullopt;
        at = end;
    }
    return std::move(writer).tree();
}

}  // namespace craft
