#include "tools/grammar/dependency_tree.h"

#include <algorithm>

namespace craft {

bool is_one_of(std::string_view text, std::span<const std::string_view> of) {
    return std::find(of.begin(), of.end(), text) != of.end();
}

DependencyTree::DependencyTree(EnglishDocument tokens) : tokens_(std::move(tokens)), children_(tokens_.size()) {
    for (size_t i = 0; i < tokens_.size(); ++i)
        if (tokens_[i].head != i && tokens_[i].head < tokens_.size()) children_[tokens_[i].head].push_back(i);
}

std::optional<size_t> DependencyTree::child(size_t i, std::initializer_list<std::string_view> deps) const {
    for (const size_t child : children_[i])
        if (is_one_of(tokens_[child].dep, deps)) return child;
    return std::nullopt;
}

bool DependencyTree::is_lower(size_t i, std::initializer_list<std::string_view> words) const {
    return i < size() && is_one_of(tokens_[i].lower, words);
}

bool DependencyTree::is_tag(size_t i, std::initializer_list<std::string_view> tags) const {
    return i < size() && is_one_of(tokens_[i].tag, tags);
}

bool DependencyTree::is_dep(size_t i, std::initializer_list<std::string_view> deps) const {
    return i < size() && is_one_of(tokens_[i].dep, deps);
}

std::string DependencyTree::written_from(size_t i) const {
    std::string text;
    for (; i < size(); ++i) {
        text += tokens_[i].text;
        if (tokens_[i].space_after) break;
    }
    return text;
}

size_t DependencyTree::behind_adverbs(size_t i) const {
    while (i < size() && (is_tag(i, {"RB", "RBR"}) || is_lower(i, {"n't", "not", "n\xE2\x80\x99t"}))) ++i;
    return std::min(i, size());
}

}  // namespace craft
