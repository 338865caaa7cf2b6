#include "metrics/rouge.h"

#include <algorithm>
#include <map>
#include <span>

#include "core/ascii.h"
#include "core/error.h"
#include "metrics/common_subsequence.h"
#include "metrics/id_counts.h"
#include "metrics/ngrams.h"

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

struct BeforeIds {
    bool operator()(Ids a, Ids b) const { return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end()); }
};

// Each line once: others like it have nothing to add.
std::vector<Ids> different(std::vector<Ids> lines) {
    std::sort(lines.begin(), lines.end(), BeforeIds());
    const auto same = [](Ids a, Ids b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); };
    lines.erase(std::unique(lines.begin(), lines.end(), same), lines.end());
    return lines;
}

std::vector<Ids> lines_of(const RougeWords& text, Ids ids) {
    std::vector<Ids> lines;
    size_t from = 0;
    for (const size_t end : text.line_ends) {
        if (end > from) lines.push_back(ids.subspan(from, end - from));
        from = end;
    }
    return lines;
}

// All lines are compared with all.
void check_lines(const std::vector<Ids>& prediction, int64_t reference) {
    int64_t words = 0;
    for (const Ids line : prediction) words += static_cast<int64_t>(line.size());
    if (words == 0 || reference <= kMaxRougeSteps / words) return;
    throw Error("prediction", "texts with fewer lines that differ",
                std::to_string(prediction.size()) + " lines beside " + std::to_string(reference) + " of a reference",
                "ROUGE-Lsum compares every line with every other");
}

// For each line of the reference the words in its common subsequence with any line of the prediction; none counts more often
// than it occurs in either text.
int64_t summary_hits(const std::vector<Ids>& prediction, const std::vector<Ids>& reference, std::vector<uint32_t> left,
                     CommonSubsequence& common) {
    std::map<Ids, std::vector<bool>, BeforeIds> marked;  // of the reference's lines
    for (const Ids line : reference) marked.try_emplace(line, line.size(), false);
    const std::vector<Ids> others = different(prediction);
    check_lines(others, static_cast<int64_t>(marked.size()));
    for (auto& [line, marks] : marked) {
        common.set(line);
        for (const Ids other : others) common.mark(other, marks);
    }
    int64_t hits = 0;
    for (const Ids line : reference) {
        const std::vector<bool>& marks = marked.at(line);
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
    size_t count = 0;
    bool inside = false;
    const auto append = [&](char c) {
        if (!inside && count > 0) words += ' ';
        if (!inside) ++count;
        inside = true;
        words += c;
    };
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (is_ascii_letter(c) || (c >= '0' && c <= '9')) {
            append(ascii_lower(c));
        } else if (text.substr(i, 3) == "\u212A") {  // the Kelvin sign
            append('k');
            i += 2;
        } else {
            // I with a dot is an i in lower case and a combining dot, which parts words.
            if (text.substr(i, 2) == "\u0130") append('i');
            inside = false;
            if (c == '\n') line_ends.push_back(count);
        }
    }
    line_ends.push_back(count);
}

std::vector<RougeScores> rouge(const RougeWords& prediction, const std::vector<RougeWords>& references) {
    std::vector<std::string> texts{prediction.words};
    for (const RougeWords& reference : references) texts.push_back(reference.words);
    NgramIds ids(texts);
    std::vector<RougeScores> results(references.size());
    CommonSubsequence common(ids.types());
    IdCounts mine(ids.types()), theirs(ids.types());
    mine.set(ids.of(0));
    const std::vector<Ids> lines = lines_of(prediction, ids.of(0));
    for (size_t r = 0; r < references.size(); ++r) {
        const Ids reference = ids.of(r + 1);
        const auto score = [&](int64_t hits) { return score_of(hits, ids.of(0).size(), reference.size()); };
        theirs.set(reference);
        std::vector<uint32_t> left(ids.types(), 0);
        for (const uint32_t id : theirs.distinct()) left[id] = std::min(mine[id], theirs[id]);
        results[r][kRouge1] = score(overlap(mine, theirs));
        common.set(reference);
        results[r][kRougeL] = score(common.length(ids.of(0)));
        results[r][kRougeLsum] = score(summary_hits(lines, lines_of(references[r], reference), std::move(left), common));
    }
    ids.advance();
    IdCounts pairs(ids.types()), other_pairs(ids.types());
    pairs.set(ids.of(0));
    for (size_t r = 0; r < references.size(); ++r) {
        other_pairs.set(ids.of(r + 1));
        results[r][kRouge2] = score_of(overlap(pairs, other_pairs), ids.of(0).size(), ids.of(r + 1).size());
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
