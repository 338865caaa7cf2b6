// A stretch of annotated tokens, and what the rules for error types ask of it. Private to this folder.
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/edits/annotated_token.h"
#include "metrics/edits/token_tags.h"

namespace craft {

class TokenSpan {
public:
    TokenSpan(const AnnotatedTokens& sentence, int64_t start, int64_t end)
        : sentence_(&sentence), start_(static_cast<size_t>(start)), end_(static_cast<size_t>(end)) {}

    size_t size() const { return end_ - start_; }
    bool empty() const { return start_ == end_; }
    const AnnotatedToken& operator[](size_t i) const { return (*sentence_)[start_ + i]; }
    const AnnotatedToken& back() const { return (*sentence_)[end_ - 1]; }
    TokenSpan without_last() const { return {*sentence_, static_cast<int64_t>(start_), static_cast<int64_t>(end_) - 1}; }

    std::set<std::string_view> parts() const {
        std::set<std::string_view> found;
        for (size_t i = 0; i < size(); ++i) found.insert(part_of_tag((*this)[i].tag));
        return found;
    }
    std::set<std::string_view> dependencies() const {
        std::set<std::string_view> found;
        for (size_t i = 0; i < size(); ++i) found.insert((*this)[i].dep);
        return found;
    }
    std::vector<std::string_view> lower_sorted() const {
        std::vector<std::string_view> found;
        for (size_t i = 0; i < size(); ++i) found.push_back((*this)[i].lower);
        std::sort(found.begin(), found.end());
        return found;
    }
    std::string lower_joined() const {
        std::string joined;
        for (size_t i = 0; i < size(); ++i) joined += (*this)[i].lower;
        return joined;
    }
    std::string text() const {
        std::string joined;
        for (size_t i = 0; i < size(); ++i) joined.append(i == 0 ? "" : " ").append((*this)[i].text);
        return joined;
    }

    // The tokens that depend on a token, in their order. A token without a head is nobody's.
    std::vector<const AnnotatedToken*> children(size_t of) const {
        std::vector<const AnnotatedToken*> found;
        for (size_t i = 0; i < sentence_->size(); ++i) {
            if ((*sentence_)[i].head == static_cast<int64_t>(of) && i != of) found.push_back(&(*sentence_)[i]);
        }
        return found;
    }
    size_t index(size_t i) const { return start_ + i; }

private:
    const AnnotatedTokens* sentence_;
    size_t start_, end_;
};

}  // namespace craft
