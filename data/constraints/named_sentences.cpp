#include "data/constraints/named_sentences.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <string_view>
#include <unordered_map>

#include "data/constraints/values.h"
#include "text/utf8.h"
#include "text/words.h"

namespace craft {

namespace {

constexpr int kChoices = 100;           // choices of parts until one belongs to the split
constexpr double kMinSimilarity = 0.3;  // share of the words, 0 to 1, that two stretches need to be the same one, revised
constexpr size_t kMaxCells = 40000;     // of a stretch without an unchanged sentence; a longer one is not matched

using SentenceViews = std::vector<std::string_view>;
using WordHashes = std::vector<size_t>;  // hashes, ascending

// The longer words of a sentence; all of them where there are no longer ones.
WordHashes hashes_of(std::string_view sentence) {
    WordHashes longer, all;
    for (const std::string& token : whitespace_words(lowercase(sentence))) {
        const auto is_edge = [](char c) { return std::ispunct(static_cast<unsigned char>(c)) != 0; };
        const auto first = std::find_if_not(token.begin(), token.end(), is_edge);
        const auto last = std::find_if_not(token.rbegin(), token.rend(), is_edge).base();
        if (first >= last) continue;
        const size_t word = std::hash<std::string_view>{}({&*first, static_cast<size_t>(last - first)});
        all.push_back(word);
        if (last - first > 3) longer.push_back(word);
    }
    WordHashes& out = longer.empty() ? all : longer;
    std::sort(out.begin(), out.end());
    return std::move(out);
}

double shared(const WordHashes& a, const WordHashes& b) {
    double count = 0;
    for (auto at = a.begin(), other = b.begin(); at != a.end() && other != b.end();)
        if (*at == *other) {
            ++count, ++at, ++other;
        } else {
            ++(*at < *other ? at : other);
        }
    return count;
}

// How many sentences of the original become how many of the revision.
struct Step {
    size_t from, to;
};
constexpr std::array<Step, 6> kSteps = {{{1, 1}, {1, 2}, {1, 3}, {2, 1}, {1, 0}, {0, 1}}};
constexpr double kExtraSentence = 0.5;  // shared words that one more sentence on a side has to bring

// The best way, step by step, through two stretches of sentences.
class Matching {
public:
    Matching(const std::vector<WordHashes>& original, const std::vector<WordHashes>& revision, size_t i0, size_t i1,
             size_t j0, size_t j1)
        : original_(original), revision_(revision), i0_(i0), j0_(j0), rows_(i1 - i0), columns_(j1 - j0) {
        for (size_t i = i0; i < i1; ++i)
            for (size_t j = j0; j < j1; ++j) shared_.push_back(shared(original[i], revision[j]));
    }

    // Calls on_match(i, from, j, to) for the stretches that match.
    template <class OnMatch>
    void run(const OnMatch& on_match) {
        const size_t width = columns_ + 1;
        std::vector<double> best((rows_ + 1) * width, 0);
        std::vector<size_t> taken((rows_ + 1) * width, kSteps.size());
        for (size_t i = rows_ + 1; i-- > 0;)
            for (size_t j = columns_ + 1; j-- > 0;)
                for (size_t k = 0; k < kSteps.size(); ++k) {
                    const Step step = kSteps[k];
                    if (i + step.from > rows_ || j + step.to > columns_) continue;
                    const double score = gain(i, j, step) + best[(i + step.from) * width + j + step.to];
                    if (taken[i * width + j] < kSteps.size() && score <= best[i * width + j]) continue;
                    best[i * width + j] = score;
                    taken[i * width + j] = k;
                }
        for (size_t i = 0, j = 0; i < rows_ || j < columns_;) {
            const Step step = kSteps[taken[i * width + j]];
            if (similarity(i, j, step) >= kMinSimilarity) on_match(i0_ + i, step.from, j0_ + j, step.to);
            i += step.from;
            j += step.to;
        }
    }

private:
    double common(size_t i, size_t j, Step step) const {
        double sum = 0;
        for (size_t a = i; a < i + step.from; ++a)
            for (size_t b = j; b < j + step.to; ++b) sum += shared_[a * columns_ + b];
        return std::min({sum, words(original_, i0_ + i, step.from), words(revision_, j0_ + j, step.to)});
    }
    static double words(const std::vector<WordHashes>& all, size_t at, size_t count) {
        double sum = 0;
        for (size_t k = at; k < at + count; ++k) sum += static_cast<double>(all[k].size());
        return sum;
    }
    double gain(size_t i, size_t j, Step step) const {
        if (step.from == 0 || step.to == 0) return 0;
        return common(i, j, step) - kExtraSentence * static_cast<double>(step.from + step.to - 2);
    }
    double similarity(size_t i, size_t j, Step step) const {
        if (step.from == 0 || step.to == 0) return 0;
        const double all = words(original_, i0_ + i, step.from) + words(revision_, j0_ + j, step.to);
        return all == 0 ? 0 : 2 * common(i, j, step) / all;
    }

    const std::vector<WordHashes>& original_;
    const std::vector<WordHashes>& revision_;
    size_t i0_, j0_, rows_, columns_;
    std::vector<double> shared_;  // of each pair
};

// Places (original, revision) of sentences that stand once in both, in an order that both have.
std::vector<std::pair<size_t, size_t>> unchanged_places(const SentenceViews& original, const SentenceViews& revision) {
    constexpr size_t kTwice = static_cast<size_t>(-1);
    const auto places = [&](const SentenceViews& sentences) {
        std::unordered_map<std::string_view, size_t> out;
        for (size_t i = 0; i < sentences.size(); ++i)
            if (const auto [place, is_new] = out.try_emplace(sentences[i], i); !is_new) place->second = kTwice;
        return out;
    };
    const auto here = places(original), there = places(revision);
    std::vector<std::pair<size_t, size_t>> out;
    for (size_t i = 0; i < original.size(); ++i) {
        const auto found = there.find(original[i]);
        if (found == there.end() || found->second == kTwice || here.at(original[i]) == kTwice) continue;
        if (out.empty() || found->second > out.back().second) out.emplace_back(i, found->second);
    }
    return out;
}

int64_t words_in(const ChangedPart& part, const MeasuredText& original) {
    int64_t words = 0;
    for (const int64_t id : part.ids) words += original.sentence_lengths()[static_cast<size_t>(id - 1)];
    return words;
}

// Whether a change of this part alone can make the difference that a constraint of that shape asks for.
bool helps(Shape shape, const ChangedPart& part, const MeasuredText& original) {
    const auto& lengths = original.sentence_lengths();
    const auto has_length = [&](int64_t length) {
        return std::any_of(part.ids.begin(), part.ids.end(),
                           [&](int64_t id) { return lengths[static_cast<size_t>(id - 1)] == length; });
    };
    const auto more_sentences = part.sentences - static_cast<int64_t>(part.ids.size());
    const auto more_words = count_whitespace_words(part.text) - words_in(part, original);
    switch (shape) {
        case Shape::length_more:
            return has_length(*std::min_element(lengths.begin(), lengths.end()));
        case Shape::length_less:
            return has_length(*std::max_element(lengths.begin(), lengths.end()));
        case Shape::sentences_more:
            return more_sentences > 0;
        case Shape::sentences_less:
            return more_sentences < 0;
        case Shape::sentences_exactly:
            return more_sentences != 0;
        case Shape::words_more:
            return more_words > 0;
        case Shape::words_less:
            return more_words < 0;
        default:
            return false;
    }
}

// So many sentences in whole parts, those of a high score first; empty if there is no such choice.
std::vector<const ChangedPart*> chosen(size_t sentences, const std::vector<ChangedPart>& parts,
                                       const std::vector<double>& helpful, Rng& rng) {
    std::vector<std::pair<double, const ChangedPart*>> scored;
    for (size_t i = 0; i < parts.size(); ++i) scored.emplace_back(helpful[i] + 1.5 * rng.uniform(), &parts[i]);
    std::sort(scored.begin(), scored.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<const ChangedPart*> out;
    for (const auto& [score, part] : scored) {
        if (part->ids.size() > sentences) continue;
        sentences -= part->ids.size();
        out.push_back(part);
    }
    if (sentences > 0) out.clear();
    std::sort(out.begin(), out.end(), [](const auto* a, const auto* b) { return a->ids < b->ids; });
    return out;
}

std::string with_parts(const std::string& text, const std::vector<const ChangedPart*>& parts, SentenceRule rule) {
    const SentenceViews sentences = sentence_views(text, rule);
    std::string out;
    const char* from = text.data();
    for (const ChangedPart* part : parts) {
        const std::string_view first = sentences[static_cast<size_t>(part->ids.front() - 1)];
        const std::string_view last = sentences[static_cast<size_t>(part->ids.back() - 1)];
        out.append(from, first.data());
        out += part->text;
        from = last.data() + last.size();
    }
    return out.append(from, text.data() + text.size());
}

}  // namespace

std::vector<ChangedPart> changed_parts(const std::string& original, const std::string& revision, SentenceRule rule) {
    const SentenceViews before = sentence_views(original, rule), after = sentence_views(revision, rule);
    auto unchanged = unchanged_places(before, after);
    unchanged.emplace_back(before.size(), after.size());
    std::vector<WordHashes> old_words, new_words;
    for (const auto sentence : before) old_words.push_back(hashes_of(sentence));
    for (const auto sentence : after) new_words.push_back(hashes_of(sentence));
    std::vector<ChangedPart> parts;
    const auto add = [&](size_t i, size_t from, size_t j, size_t to) {
        if (from == to && before[i] == after[j]) return;
        ChangedPart part;
        for (size_t k = i; k < i + from; ++k) part.ids.push_back(static_cast<int64_t>(k) + 1);
        part.text.assign(after[j].data(), after[j + to - 1].data() + after[j + to - 1].size());
        part.sentences = static_cast<int64_t>(to);
        parts.push_back(std::move(part));
    };
    size_t i = 0, j = 0;
    for (const auto& [next_i, next_j] : unchanged) {
        if (next_i > i && next_j > j && (next_i - i) * (next_j - j) <= kMaxCells)
            Matching(old_words, new_words, i, next_i, j, next_j).run(add);
        i = next_i + 1;
        j = next_j + 1;
    }
    return parts;
}

std::optional<std::string> narrowed_revision(Shape modify, const std::vector<Shape>& shapes, const MeasuredText& original,
                                             const std::string& revision, SentenceRule rule, Split split, Rng& rng) {
    const auto parts = changed_parts(original.text(), revision, rule);
    std::vector<double> helpful;
    for (const ChangedPart& part : parts)
        helpful.push_back(static_cast<double>(
            std::count_if(shapes.begin(), shapes.end(), [&](Shape shape) { return helps(shape, part, original); })));
    for (int i = 0; i < kChoices; ++i) {
        const auto some = chosen(sentences_named(modify), parts, helpful, rng);
        if (some.empty()) return std::nullopt;
        std::vector<int64_t> ids;
        for (const ChangedPart* part : some) ids.insert(ids.end(), part->ids.begin(), part->ids.end());
        if (!in_split({modify, ids, 0, 0, ""}, split)) continue;
        std::string proof = with_parts(original.text(), some, rule);
        if (keeps_all_but(ids, original, MeasuredText(proof, rule))) return proof;
    }
    return std::nullopt;
}

bool keeps_all_but(const std::vector<int64_t>& ids, const MeasuredText& original, const MeasuredText& revision) {
    auto at = revision.sentences().begin();
    for (size_t i = 0; i < original.sentences().size(); ++i) {
        if (std::binary_search(ids.begin(), ids.end(), static_cast<int64_t>(i) + 1)) continue;
        at = std::find(at, revision.sentences().end(), original.sentences()[i]);
        if (at == revision.sentences().end()) return false;
        ++at;
    }
    return true;
}

}  // namespace craft
