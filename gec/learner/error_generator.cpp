#include "gec/learner/error_generator.h"

#include <algorithm>
#include <cctype>
#include <numeric>

#include "core/error.h"
#include "text/utf8.h"
#include "text/words.h"

namespace craft {

namespace {

// A place drawn by weights; none where they sum up to 0.
std::optional<size_t> draw_index(const std::vector<double>& weights, Rng& rng) {
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    if (sum <= 0) return std::nullopt;
    double left = rng.uniform() * sum;
    for (size_t i = 0; i < weights.size(); ++i) {
        if (weights[i] <= 0) continue;
        if (left < weights[i]) return i;
        left -= weights[i];
    }
    return std::nullopt;
}

// In small letters, marks that stand by themselves left out.
std::vector<std::string> words_alone(const std::string& text) {
    std::vector<std::string> words = whitespace_words(lowercase(text));
    std::erase_if(words, [](const std::string& word) {
        return std::none_of(word.begin(), word.end(), [](unsigned char c) { return std::isalnum(c) != 0 || c >= 0x80; });
    });
    return words;
}

bool touch(const LearnerError& a, const LearnerError& b) {
    return a.first <= b.last && b.first <= a.last;
}

std::vector<LearnerErrorKind> chosen_kinds(const std::vector<std::string>& names) {
    const std::vector<LearnerErrorKind>& all = learner_error_kinds();
    std::vector<LearnerErrorKind> chosen;
    for (const std::string& name : names) {
        const auto found =
            std::find_if(all.begin(), all.end(), [&](const LearnerErrorKind& one) { return one.name == name; });
        if (found == all.end()) {
            std::vector<std::string> known;
            for (const LearnerErrorKind& one : all) known.push_back(one.name);
            throw_unknown("kind of error", name, known);
        }
        chosen.push_back(*found);
    }
    return names.empty() ? all : chosen;
}

}  // namespace

ErrorShape shape_of(const LearnerError& error, const std::string& sentence) {
    std::vector<std::string> right = words_alone(sentence.substr(error.begin, error.end - error.begin));
    std::vector<std::string> wrong = words_alone(error.written);
    while (!right.empty() && !wrong.empty() && right.back() == wrong.back()) right.pop_back(), wrong.pop_back();
    size_t same = 0;
    while (same < right.size() && same < wrong.size() && right[same] == wrong[same]) ++same;
    const size_t words_right = right.size() - same, words_wrong = wrong.size() - same;
    if (words_right == 1 && words_wrong == 0) return ErrorShape::missing;
    if (words_right == 0 && words_wrong == 1) return ErrorShape::redundant;
    if (words_right == 1 && words_wrong == 1) return ErrorShape::substituted;
    return ErrorShape::other;
}

LearnerErrorGenerator::LearnerErrorGenerator(const LearnerLanguage& language, LearnerErrorOptions options)
    : language_(language), options_(std::move(options)), kinds_(chosen_kinds(options_.kinds)) {
    const auto& shares = options_.per_sentence;
    if (std::any_of(shares.begin(), shares.end(), [](double one) { return one < 0; }) ||
        std::accumulate(shares.begin(), shares.end(), 0.0) <= 0)
        throw Error("per_sentence", "shares of 0 or more, one of them above 0");
}

LearnerErrorGenerator::Places LearnerErrorGenerator::places(const CorrectSentence& sentence) const {
    Places all;
    for (const LearnerErrorKind& kind : kinds_) {
        LearnerErrors found = kind.find(sentence, language_);
        std::erase_if(found, [&](const LearnerError& one) {
            return one.weight <= 0 || sentence.text().substr(one.begin, one.end - one.begin) == one.written ||
                   (options_.shape && shape_of(one, sentence.text()) != *options_.shape);
        });
        all.push_back(std::move(found));
    }
    return all;
}

std::vector<LearnerErrorGenerator::Drawn> LearnerErrorGenerator::draw(const CorrectSentence& sentence, int64_t count,
                                                                      Rng& rng) const {
    Places open = places(sentence);
    std::vector<Drawn> drawn;
    while (static_cast<int64_t>(drawn.size()) < count) {
        std::vector<double> shares;
        for (size_t i = 0; i < kinds_.size(); ++i) {
            double sum = 0;
            for (const LearnerError& one : open[i]) sum += one.weight;
            shares.push_back(kinds_[i].share * std::min(sum, 1.0));
        }
        const auto kind = draw_index(shares, rng);
        if (!kind) break;
        std::vector<double> weights;
        for (const LearnerError& one : open[*kind]) weights.push_back(one.weight);
        const auto place = draw_index(weights, rng);
        if (!place) break;
        drawn.push_back({open[*kind][*place], kinds_[*kind].name});
        for (LearnerErrors& of_kind : open)
            std::erase_if(of_kind, [&](const LearnerError& one) { return touch(one, drawn.back().error); });
    }
    std::sort(drawn.begin(), drawn.end(), [](const Drawn& a, const Drawn& b) { return a.error.begin < b.error.begin; });
    return drawn;
}

std::optional<SentencePair> LearnerErrorGenerator::pair_of(const std::string& id, const CorrectSentence& sentence) {
    for (size_t i = 1; i < sentence.size(); ++i)
        if (sentence[i].sentence_start) {
            ++report_.dropped["parsed as several sentences"];
            return std::nullopt;
        }
    SentencePair pair{id, sentence.text(), sentence.text(), {}};
    Rng rng(options_.seed, "learner errors", id);
    if (rng.uniform() < options_.correct) {
        ++report_.errors[0];
        return pair;
    }
    const auto count = static_cast<int64_t>(draw_index(options_.per_sentence, rng).value_or(0)) + 1;
    const std::vector<Drawn> drawn = draw(sentence, count, rng);
    if (drawn.empty()) {
        ++report_.dropped["no place for an error"];
        return std::nullopt;
    }
    for (auto one = drawn.rbegin(); one != drawn.rend(); ++one)
        pair.source.replace(one->error.begin, one->error.end - one->error.begin, one->error.written);
    for (const Drawn& one : drawn) {
        pair.error_types.push_back(one.kind);
        ++report_.kinds[one.kind];
    }
    ++report_.errors[static_cast<int64_t>(drawn.size())];
    if (static_cast<int64_t>(drawn.size()) < count) ++report_.fewer;
    return pair;
}

}  // namespace craft
