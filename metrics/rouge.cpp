#include "metrics/rouge.h"

#include <algorithm>
#include <span>

#include "metrics/common_subsequence.h"

namespace craft {

namespace {

using Ids = std::span<const uint32_t>;

RougeScore score_of(int64_t hits, size_t prediction, size_t reference) {
    RougeScore score;
    score.precision = static_cast<double>(hits) / static_cast<double>(std::max<size_t>(prediction, 1));
    score.recall = static_cast<double>(hits) / static_cast<double>(std::max<size_t>(reference, 1));
    const double sum = score.precision + score.recall;
    score.f = sum > 0 ? 2 * score.precision * score.recall / sum : 0;
    return score;
}

int64_t overlap(const IdCounts& prediction, const IdCounts& reference) {
    int64_t hits = 0;
    for (const uint32_t id : reference.distinct()) hits += std::min(prediction[id], reference[id]);
    return hits;
}

std::vector<Ids> lines_of(const RougeWords& text, const std::vector<uint32_t>& ids) {
    std::vector<Ids> lines;
    size_t from = 0;
    for (const size_t end : text.line_ends()) {
        if (end > from) lines.push_back(Ids(ids).subspan(from, end - from));
        from = end;
    }
    return lines;
}

// For each line of the reference the words in its common subsequence with any line of the prediction; none counts more often
// than it occurs in either text.
int64_t summary_hits(const std::vector<Ids>& prediction, const std::vector<Ids>& reference, std::vector<uint32_t> left,
                     CommonSubsequence& common) {
    int64_t hits = 0;
    std::vector<bool> marks;
    for (const Ids line : reference) {
        marks.assign(line.size(), false);
        common.set(line);
        for (const Ids other : prediction) common.mark(other, marks);
        for (size_t i = 0; i < line.size(); ++i) {
            if (!marks[i] || left[line[i]] == 0) continue;
            --left[line[i]];
            ++hits;
        }
    }
    return hits;
}

}  // namespace

RougeWords::RougeWords(std::string_view text) {
    letters_.reserve(text.size());  // views into it must stay valid
    size_t from = 0;
    const auto end_word = [&] {
        if (letters_.size() > from) words_.emplace_back(letters_.data() + from, letters_.size() - from);
        from = letters_.size();
    };
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
            letters_.push_back(c);
        } else if (c >= 'A' && c <= 'Z') {
            letters_.push_back(static_cast<char>(c + ('a' - 'A')));
        } else if (text.substr(i, 3) == "\u212A") {  // the Kelvin sign
            letters_.push_back('k');
            i += 2;
        } else if (text.substr(i, 2) == "\u0130") {  // I with a dot: an i and a combining dot, which parts words
            letters_.push_back('i');
            end_word();
            ++i;
        } else {
            end_word();
            if (c == '\n') line_ends_.push_back(words_.size());
        }
    }
    end_word();
    line_ends_.push_back(words_.size());
}

std::vector<RougeScores> rouge(const RougeWords& prediction, const std::vector<RougeWords>& references) {
    std::vector<TokenTexts> texts{prediction.words()};
    for (const RougeWords& reference : references) texts.push_back(reference.words());
    const IdSequences tokens = token_ids(texts), pairs = ngram_ids(tokens, tokens, 2);
    IdCounts words(tokens.count), bigrams(pairs.count), others(std::max(tokens.count, pairs.count));
    words.set(tokens.ids[0]);
    bigrams.set(pairs.ids[0]);
    CommonSubsequence common(tokens.count);
    const std::vector<Ids> lines = lines_of(prediction, tokens.ids[0]);

    std::vector<RougeScores> results(references.size());
    for (size_t r = 0; r < references.size(); ++r) {
        const std::vector<uint32_t>&reference = tokens.ids[r + 1], &mine = tokens.ids[0];
        RougeScores& scores = results[r];
        others.set(pairs.ids[r + 1]);
        scores[kRouge2] = score_of(overlap(bigrams, others), pairs.ids[0].size(), pairs.ids[r + 1].size());
        others.set(reference);
        scores[kRouge1] = score_of(overlap(words, others), mine.size(), reference.size());
        common.set(reference);
        scores[kRougeL] = score_of(common.length(mine), mine.size(), reference.size());
        const std::vector<Ids> reference_lines = lines_of(references[r], reference);
        std::vector<uint32_t> left(tokens.count, 0);
        for (const uint32_t id : others.distinct()) left[id] = std::min(words[id], others[id]);
        scores[kRougeLsum] =
            score_of(summary_hits(lines, reference_lines, std::move(left), common), mine.size(), reference.size());
    }
    return results;
}

RougeScores best_rouge(const std::vector<RougeScores>& references) {
    RougeScores best = references.at(0);
    for (const RougeScores& scores : references) {
        for (size_t kind = 0; kind < best.size(); ++kind) {
            if (scores[kind].f > best[kind].f) best[kind] = scores[kind];
        }
    }
    return best;
}

}  // namespace craft
