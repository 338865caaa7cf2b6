// A sentence's tokens with the way down their heads, for rules that look at words around words.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "english/parsed_sentence.h"
#include "english/token.h"

namespace craft {

class DependencyTree {
public:
    explicit DependencyTree(EnglishDocument tokens);
    const EnglishDocument& tokens() const { return tokens_; }
    size_t size() const { return tokens_.size(); }
    const EnglishToken& operator[](size_t i) const { return tokens_[i]; }

    // Dependents of a token, left to right.
    const std::vector<size_t>& children(size_t i) const { return children_[i]; }
    // The first dependent with one of these labels.
    std::optional<size_t> child(size_t i, std::initializer_list<std::string_view> deps) const;
    bool has_child(size_t i, std::initializer_list<std::string_view> deps) const { return child(i, deps).has_value(); }

    // Of any place, also before the first token and behind the last one, where it is "" (a `size_t` below 0 wraps around).
    std::string_view lower(size_t i) const { return i < size() ? std::string_view(tokens_[i].lower) : std::string_view(); }
    std::string_view tag(size_t i) const { return i < size() ? std::string_view(tokens_[i].tag) : std::string_view(); }
    std::string_view dep(size_t i) const { return i < size() ? std::string_view(tokens_[i].dep) : std::string_view(); }
    bool is_lower(size_t i, std::initializer_list<std::string_view> words) const;
    bool is_tag(size_t i, std::initializer_list<std::string_view> tags) const;
    bool is_dep(size_t i, std::initializer_list<std::string_view> deps) const;
    // The tokens from `i` to the next blank, as they were written: "\"one-off\"".
    std::string written_from(size_t i) const;
    // The next token from `i` on that is neither an adverb nor a negation; size() where there is none.
    size_t behind_adverbs(size_t i) const;

private:
    EnglishDocument tokens_;
    std::vector<std::vector<size_t>> children_;
};

// Whether one of them is it; of a list in braces english/parsed_sentence.h asks the same.
bool is_one_of(std::string_view text, std::span<const std::string_view> of);

}  // namespace craft
