#include "judge/verdicts/principles/lemma_alignment.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "judge/verdicts/principles/measured_sentence.h"
#include "text/utf8.h"
#include "text/words.h"

namespace craft {

namespace {

using Words = std::vector<JudgedWord>;
using Links = std::vector<std::pair<size_t, size_t>>;

Words words_of(const std::string& text, const LazyEnglishPipeline& english) {
    Words words = measure_sentence(
                      text, english.get().annotate(text), [](std::string_view) { return 0.0; }, 1)
                      .words;
    for (JudgedWord& word : words)
        if (word.lemma.empty()) word.lemma = word.text;  // marks that stand alone
    return words;
}

// A longest common sequence of lemmas.
Links common_sequence(const Words& a, const Words& b) {
    std::vector<std::vector<size_t>> length(a.size() + 1, std::vector<size_t>(b.size() + 1, 0));
    for (size_t i = a.size(); i-- > 0;)
        for (size_t j = b.size(); j-- > 0;)
            length[i][j] =
                a[i].lemma == b[j].lemma ? length[i + 1][j + 1] + 1 : std::max(length[i + 1][j], length[i][j + 1]);
    Links links;
    for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        if (a[i].lemma == b[j].lemma)
            links.emplace_back(i++, j++);
        else
            length[i + 1][j] >= length[i][j + 1] ? ++i : ++j;
    }
    return links;
}

class LemmaLinks {
public:
    LemmaLinks(const Words& a, const Words& b) : a_(a), b_(b), has_a_(a.size()), has_b_(b.size()) {
        Links in_order = common_sequence(a, b);
        for (const auto& [i, j] : in_order) link(i, j);
        for (size_t i = 0; i < a.size(); ++i)
            for (size_t j = 0; j < b.size() && !has_a_[i]; ++j)
                if (!has_b_[j] && a[i].lemma == b[j].lemma) link(i, j);
        in_order.emplace_back(a.size(), b.size());
        size_t from_i = 0, from_j = 0;
        for (const auto& [i, j] : in_order) {
            share_out(free_words(a_, has_a_, from_i, i), free_words(b_, has_b_, from_j, j));
            from_i = i + 1;
            from_j = j + 1;
        }
        std::sort(links_.begin(), links_.end());
    }
    Links take() { return std::move(links_); }

private:
    void link(size_t i, size_t j) {
        links_.emplace_back(i, j);
        has_a_[i] = has_b_[j] = true;
    }
    static std::vector<size_t> free_words(const Words& words, const std::vector<bool>& has, size_t begin, size_t end) {
        std::vector<size_t> found;
        for (size_t i = begin; i < end; ++i)
            if (!has[i] && words[i].is_content) found.push_back(i);
        return found;
    }
    void share_out(const std::vector<size_t>& a, const std::vector<size_t>& b) {
        const size_t most = a.empty() || b.empty() ? 0 : std::max(a.size(), b.size());
        for (size_t k = 0; k < most; ++k) link(a[k * a.size() / most], b[k * b.size() / most]);
    }

    const Words &a_, &b_;
    std::vector<bool> has_a_, has_b_;
    Links links_;
};

}  // namespace

WordAlignment lemma_alignment(const std::string& source, const std::string& candidate, const LazyEnglishPipeline& english) {
    WordAlignment alignment;
    for (const std::string& word : whitespace_words(source)) alignment.source.push_back(lowercase(word));
    for (const std::string& word : whitespace_words(candidate)) alignment.candidate.push_back(lowercase(word));
    const Words a = words_of(source, english), b = words_of(candidate, english);
    alignment.links = LemmaLinks(a, b).take();
    return alignment;
}

}  // namespace craft
