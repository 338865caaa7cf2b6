#include "gec/rules/named_edits.h"

#include <algorithm>
#include <optional>

#include "gec/common_words.h"
#include "gec/edit_action.h"
#include "gec/sentence_words.h"

namespace craft {

namespace {

using Words = std::vector<std::string_view>;

// Words [begin, end) of a sentence as an edit names them, with "occurrence" where they stand there more than once.
Json named_words(const WordedText& text, const char* key, size_t begin, size_t end) {
    const size_t count = end - begin;
    const auto at = [&](size_t i) {
        for (size_t k = 0; k < count; ++k)
            if (plain_quotes(text.words[i + k]) != plain_quotes(text.words[begin + k])) return false;
        return true;
    };
    int64_t times = 0, which = 0;
    for (size_t i = 0; i + count <= text.words.size(); ++i) {
        if (!at(i)) continue;
        ++times;
        if (i == begin) which = times;
    }
    Json named = {{key, std::string(text.part(text.begin(begin), text.end(end - 1)))}};
    if (times > 1) named["occurrence"] = which;
    return named;
}

// The first change of `words` that leads towards the target's, in a few ways of naming it, the narrowest first but
// for those that count.
std::vector<NamedEdit> namings(const WordedText& from, const WordedText& to, const ChangedWords& change,
                               InsertionAnchor anchor) {
    std::vector<NamedEdit> all;
    const bool is_removal = change.b_begin == change.b_end, is_insertion = change.a_begin == change.a_end;
    const auto words_of = [](const WordedText& text, size_t begin, size_t end) {
        return begin == end ? std::string() : std::string(text.part(text.begin(begin), text.end(end - 1)));
    };
    const auto replace = [&](size_t before, size_t behind) {
        if (before > change.a_begin || before > change.b_begin) return;
        const size_t a_end = change.a_end + behind, b_end = change.b_end + behind;
        if (a_end > from.words.size() || b_end > to.words.size()) return;
        if (change.a_begin - before == a_end || change.b_begin - before == b_end) return;
        Json input = named_words(from, "from", change.a_begin - before, a_end);
        input["to"] = words_of(to, change.b_begin - before, b_end);
        all.push_back({change.reordered ? "rearrange" : "transform", std::move(input), ""});
    };
    if (is_removal) all.push_back({"delete", named_words(from, "words", change.a_begin, change.a_end), ""});
    if (is_insertion) {
        const std::string text = words_of(to, change.b_begin, change.b_end);
        const auto insert = [&](const char* key, size_t word) {
            Json input = named_words(from, key, word, word + 1);
            input["text"] = text;
            all.push_back({"insert", std::move(input), ""});
        };
        if (change.a_begin > 0) insert("after", change.a_begin - 1);
        if (change.a_begin < from.words.size()) insert("before", change.a_begin);
        if (anchor == InsertionAnchor::word_after) std::reverse(all.begin(), all.end());
    }
    replace(0, 0);
    replace(1, 0);
    replace(0, 1);
    replace(1, 1);
    // A model finds words around the place more easily than it counts how often a word has stood before.
    std::stable_partition(all.begin(), all.end(), [](const NamedEdit& one) { return !one.input.contains("occurrence"); });
    return all;
}

}  // namespace

std::vector<NamedEdit> named_edits(const std::string& source, const std::string& target, InsertionAnchor anchor) {
    std::vector<NamedEdit> edits;
    std::string standing = source;
    // Each edit brings the words nearer to the target's, or the loop ends.
    while (standing != target) {
        const WordedText from(standing), to(target);
        const std::vector<ChangedWords> changes = changed_words(from.words, to.words);
        if (changes.empty()) break;
        const ChangedWords& change = changes.front();
        std::optional<NamedEdit> done;
        for (NamedEdit& one : namings(from, to, change, anchor)) {
            const EditResult result = apply_edit(one.action, one.input, standing);
            if (!result.refused.empty()) continue;
            // Words are what counts: how an edit spaces them is the agent's matter.
            const WordedText made(result.sentence);
            const size_t left = changed_words(made.words, to.words).size();
            if (left >= changes.size()) continue;
            one.sentence = result.sentence;
            const bool is_exact = target.starts_with(
                std::string_view(result.sentence).substr(0, made.gap_begin(std::min(change.b_end, made.words.size()))));
            if (!done || is_exact) done = one;
            if (is_exact) break;
        }
        if (!done) break;
        standing = done->sentence;
        edits.push_back(std::move(*done));
    }
    return edits;
}

}  // namespace craft
