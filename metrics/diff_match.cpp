#include "metrics/diff_match.h"

#include <algorithm>
#include <cstring>
#include <set>

#include "core/error.h"
#include "metrics/exact_sum.h"
#include "metrics/sequence_matcher.h"
#include "text/code_points.h"

namespace craft {

namespace {

constexpr int64_t kMaxSearchedBytes = int64_t{1} << 34;  // some seconds

std::string encoded(std::u32string_view text) {
    std::string bytes;
    for (const char32_t c : text) append_utf8(bytes, c);
    return bytes;
}

// The source, with what is asked of it. Positions are those of code points, as in Python.
class DiffSource {
public:
    explicit DiffSource(const std::u32string& text) : text_(text) {
        for (const char32_t c : text) {
            offsets_.push_back(bytes_.size());
            append_utf8(bytes_, c);
        }
        offsets_.push_back(bytes_.size());
    }

    // From the beginning of the word in which the change begins; after the blank, where it begins with one.
    size_t left_of(const TextChange& change) const {
        size_t left = change.a_from + 1;
        if (change.a_from == text_.size()) --left;  // after the end the last word is looked at
        while (left > 0 && !is_space(text_[left - 1])) --left;
        return left;
    }
    // To the end of the first word, after the change, up to which the part stands in the source once.
    size_t right_of(const TextChange& change, size_t left) {
        size_t right = change.a_to;
        while (right < text_.size() && !(is_space(text_[right]) && stands_once(left, right))) ++right;
        return right;
    }

private:
    // Python's text.count(part) == 1: parts that overlap count once, and an empty part stands before every character.
    bool stands_once(size_t left, size_t right) {
        if (left >= right) return text_.empty();
        const std::string_view part(bytes_.data() + offsets_[left], offsets_[right] - offsets_[left]);
        const char* end = bytes_.data() + bytes_.size();
        const char* first = find(bytes_.data(), end, part);  // it stands there
        return find(first + part.size(), end, part) == nullptr;
    }
    const char* find(const char* from, const char* end, std::string_view part) {
        const auto* found =
            static_cast<const char*>(memmem(from, static_cast<size_t>(end - from), part.data(), part.size()));
        searched_ += (found == nullptr ? end : found) - from;
        if (searched_ > kMaxSearchedBytes) {
            throw Error("source", "a text whose words differ more", std::to_string(text_.size()) + " characters that repeat",
                        "edits are widened until they occur once in the source, which takes too long here");
        }
        return found;
    }

    const std::u32string& text_;
    std::string bytes_;
    std::vector<size_t> offsets_;  // in bytes_, of each code point
    int64_t searched_ = 0;
};

// Python's text[from:to]: empty where the ends are the wrong way round.
std::u32string_view slice(const std::u32string& text, size_t from, size_t to) {
    return from < to ? std::u32string_view(text).substr(from, to - from) : std::u32string_view();
}

struct EditGroup {
    size_t left = 0, right = 0;
    std::vector<TextChange> changes;
};

std::vector<EditGroup> edit_groups(const std::u32string& source, const std::u32string& target) {
    std::vector<EditGroup> groups;
    DiffSource words(source);
    for (const TextChange& change : text_changes(source, target)) {
        const size_t left = words.left_of(change), right = words.right_of(change, left);
        if (groups.empty() || left > groups.back().right) groups.push_back({.left = left, .right = right, .changes = {}});
        groups.back().right = right;
        groups.back().changes.push_back(change);
    }
    return groups;
}

class DiffMatch : public Metric {
public:
    std::string name() const override { return "diff_match"; }
    std::string signature() const override { return "diff_match|EditEval-013cd20|-|characters|as given"; }
    Json options() const override { return Json::object(); }
    MetricNeeds needs() const override { return {.source = true, .prediction = true, .references = true}; }
    ItemScore measure(const MetricItem& item) const override {
        const std::vector<TextEdit> edits = text_edits(item.source, item.prediction);
        double best = 0;
        for (const std::string& reference : item.references) {
            best = std::max(best, shared_edits(edits, text_edits(item.source, reference)));
        }
        ItemScore score;
        score.value = best;
        score.parts = {{"edits", edits.size()}};
        score.numbers = {best};
        return score;
    }
    void add(const ItemScore& score) override { sum_.add(score.numbers.at(0)); }
    Json corpus() const override { return {{"diff_match", value_or_null(sum_.mean())}}; }

private:
    ExactSum sum_;
};

}  // namespace

std::vector<TextEdit> text_edits(std::string_view source, std::string_view target) {
    const std::u32string from = decode_utf8(source), to = decode_utf8(target);
    std::vector<TextEdit> edits;
    for (const EditGroup& group : edit_groups(from, to)) {
        std::u32string revised;
        size_t kept = group.left;
        for (const TextChange& change : group.changes) {
            revised += slice(from, kept, change.a_from);
            revised += slice(to, change.b_from, change.b_to);
            kept = change.a_to;
        }
        revised += slice(from, kept, group.right);
        edits.push_back({.from = encoded(slice(from, group.left, group.right)), .to = encoded(revised)});
    }
    return edits;
}

double shared_edits(const std::vector<TextEdit>& prediction, const std::vector<TextEdit>& reference) {
    const std::set<TextEdit> mine(prediction.begin(), prediction.end()), theirs(reference.begin(), reference.end());
    const auto shared = std::count_if(mine.begin(), mine.end(), [&](const TextEdit& edit) { return theirs.contains(edit); });
    return static_cast<double>(shared) / static_cast<double>(std::max({size_t{1}, prediction.size(), reference.size()}));
}

std::unique_ptr<Metric> make_diff_match(const MetricOptions&) {
    return std::make_unique<DiffMatch>();
}

}  // namespace craft
