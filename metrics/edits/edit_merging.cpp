#include "metrics/edits/edit_merging.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "core/error.h"
#include "metrics/edits/character_distance.h"
#include "text/code_points.h"

namespace craft {

namespace {

constexpr std::array<std::string_view, 19> kParts = {"ADJ",   "ADP",   "ADV",  "AUX",  "CONJ", "CCONJ", "DET",
                                                     "EOL",   "INTJ",  "NOUN", "NUM",  "PART", "PRON",  "PROPN",
                                                     "PUNCT", "SCONJ", "SYM",  "VERB", "X"};
constexpr uint32_t kSpace = uint32_t{1} << kParts.size();

// A bit for each part of speech; none without a model.
uint32_t part_bit(const std::string& pos) {
    if (pos.empty()) return 0;
    if (pos == "SPACE") return kSpace;
    const auto found = std::find(kParts.begin(), kParts.end(), pos);
    if (found == kParts.end()) throw Error("token", "a part of speech of Universal Dependencies", pos);
    return uint32_t{1} << (found - kParts.begin());
}

bool is_punctuation(const AnnotatedToken& token) {
    constexpr std::string_view kAscii = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
    return token.pos == "PUNCT" || kAscii.find(token.text) != std::string_view::npos;  // runs of it too, as in the reference
}

bool begins_upper(const AnnotatedToken& token) {
    return !token.text.empty() && u_isUUppercase(static_cast<UChar32>(code_point_at(token.text, 0).value));
}

double letters_alike(const AnnotatedToken& a, const AnnotatedToken& b) {
    return 1 - normalized_indel_distance(decode_utf8(a.text), decode_utf8(b.text));
}

// One side of an alignment with what the rules ask of spans, in constant time.
class Side {
public:
    explicit Side(const AnnotatedTokens& tokens) : tokens_(tokens), parts_(1), starts_{0} {
        for (const AnnotatedToken& token : tokens) {
            std::array<int32_t, 32> counts = parts_.back();
            const uint32_t bit = part_bit(token.pos);
            for (size_t b = 0; b < counts.size(); ++b) counts[b] += static_cast<int32_t>((bit >> b) & 1);
            parts_.push_back(counts);
            for (const char c : token.lower) {
                if (c != '\'' && c != '-') joined_ += c;
            }
            starts_.push_back(joined_.size());
        }
    }
    const AnnotatedToken& operator[](int64_t i) const { return tokens_[static_cast<size_t>(i)]; }
    // The parts of speech within a span.
    uint32_t parts(int64_t start, int64_t end) const {
        const auto &before = parts_[static_cast<size_t>(start)], &after = parts_[static_cast<size_t>(end)];
        uint32_t bits = 0;
        for (size_t b = 0; b < before.size(); ++b) bits |= static_cast<uint32_t>(after[b] > before[b]) << b;
        return bits;
    }
    // Lower-cased, without blanks, hyphens and apostrophes.
    std::string_view joined(int64_t start, int64_t end) const {
        const size_t from = starts_[static_cast<size_t>(start)];
        return std::string_view(joined_).substr(from, starts_[static_cast<size_t>(end)] - from);
    }

private:
    const AnnotatedTokens& tokens_;
    std::vector<std::array<int32_t, 32>> parts_;  // how many of each before a token
    std::string joined_;
    std::vector<size_t> starts_;
};

AlignedTokens joined_steps(const std::vector<AlignedTokens>& steps, size_t first, size_t last) {
    return {AlignmentStep::substitute, steps[first].source_start, steps[last].source_end, steps[first].target_start,
            steps[last].target_end};
}

class RuleMerger {
public:
    RuleMerger(const AnnotatedTokens& source, const AnnotatedTokens& target, int64_t max_steps)
        : source_(source), target_(target), max_steps_(max_steps) {}

    std::vector<AlignedTokens> merge(const std::vector<AlignedTokens>& steps) {
        for (size_t i = 0; i < steps.size();) {
            if (steps[i].step == AlignmentStep::match || steps[i].step == AlignmentStep::transpose) {
                if (steps[i].step == AlignmentStep::transpose) edits_.push_back(steps[i]);
                ++i;
                continue;
            }
            size_t end = i;
            while (end < steps.size() && steps[end].step != AlignmentStep::match &&
                   steps[end].step != AlignmentStep::transpose)
                ++end;
            steps_.assign(steps.begin() + static_cast<std::ptrdiff_t>(i), steps.begin() + static_cast<std::ptrdiff_t>(end));
            substitutions_.assign(1, 0);
            for (const AlignedTokens& step : steps_) {
                substitutions_.push_back(substitutions_.back() + (step.step == AlignmentStep::substitute ? 1 : 0));
            }
            process(0, steps_.size());
            i = end;
        }
        return std::move(edits_);
    }

private:
    // A stretch of steps under look: those from `first` to `last`, both included, of the sequence [begin, end).
    struct Stretch {
        size_t begin, end, first, last;
        int64_t source_start, source_end, target_start, target_end;
        int64_t source_size() const { return source_end - source_start; }
        int64_t target_size() const { return target_end - target_start; }
    };

    void keep(size_t step) { edits_.push_back(steps_[step]); }
    void join(size_t first, size_t last) { edits_.push_back(joined_steps(steps_, first, last)); }

    bool one_kind(size_t begin, size_t end) const {
        const AlignmentStep kind = steps_[begin].step;
        return kind != AlignmentStep::substitute &&
               std::all_of(steps_.begin() + static_cast<std::ptrdiff_t>(begin),
                           steps_.begin() + static_cast<std::ptrdiff_t>(end),
                           [&](const AlignedTokens& step) { return step.step == kind; });
    }

    // Adds the edits of the steps [begin, end): stretches are looked at from the longest to pairs, and the first that a rule
    // speaks of is decided; what is left on both sides is processed by itself.
    void process(size_t begin, size_t end) {
        const size_t size = end - begin;
        if (size == 0) return;
        if (size == 1) return keep(begin);
        if (one_kind(begin, end)) return join(begin, end - 1);
        bool content = false;
        for (size_t length = size; length >= 2; --length) {
            for (size_t first = begin; first + length <= end; ++first) {
                const size_t last = first + length - 1;
                take_step();
                if (substitutions_[last + 1] == substitutions_[first]) continue;
                const Stretch stretch = {begin,
                                         end,
                                         first,
                                         last,
                                         steps_[first].source_start,
                                         steps_[last].source_end,
                                         steps_[first].target_start,
                                         steps_[last].target_end};
                if (decide(stretch)) return;
                const uint32_t open =
                    part_bit("ADJ") | part_bit("ADV") | part_bit("AUX") | part_bit("NOUN") | part_bit("VERB");
                if ((parts(stretch) & open) != 0) content = true;
            }
        }
        if (content) return join(begin, end - 1);
        for (size_t i = begin; i < end; ++i) keep(i);
    }

    void take_step() {
        if (++taken_ <= max_steps_) return;
        throw Error("edits", "fewer adjacent changes", std::to_string(steps_.size()) + " changed tokens in a row",
                    "rules would look at more than " + std::to_string(max_steps_) + " stretches of them");
    }

    uint32_t parts(const Stretch& s) const {
        return source_.parts(s.source_start, s.source_end) | target_.parts(s.target_start, s.target_end);
    }

    // Whether a rule speaks of the stretch; then the whole sequence's edits are added.
    bool decide(const Stretch& s) {
        if (decide_possessive(s) || decide_case(s) || decide_whole(s)) return true;
        return s.last - s.first == 1 && decide_pair(s);
    }

    void join_last_pair(const Stretch& s) {
        process(s.begin, s.last - 1);
        join(s.last - 1, s.last);
        process(s.last + 1, s.end);
    }

    bool decide_possessive(const Stretch& s) {
        if (s.first == s.begin && (source_[s.source_start].tag == "POS" || target_[s.target_start].tag == "POS")) {
            keep(s.begin);
            process(s.begin + 1, s.end);
            return true;
        }
        if (source_[s.source_end - 1].tag == "POS" || target_[s.target_end - 1].tag == "POS") {
            join_last_pair(s);
            return true;
        }
        return false;
    }

    bool decide_case(const Stretch& s) {
        if (source_[s.source_end - 1].lower != target_[s.target_end - 1].lower) return false;
        if (s.first == s.begin && ((s.source_size() == 1 && begins_upper(target_[s.target_start])) ||
                                   (s.target_size() == 1 && begins_upper(source_[s.source_start])))) {
            join(s.first, s.last);
            process(s.last + 1, s.end);
            return true;
        }
        if ((s.source_size() > 1 && is_punctuation(source_[s.source_end - 2])) ||
            (s.target_size() > 1 && is_punctuation(target_[s.target_end - 2]))) {
            join_last_pair(s);
            return true;
        }
        return false;
    }

    // Words that only blanks, hyphens and apostrophes divide otherwise; and one part of speech, or verbs with their
    // particles and auxiliaries, in another number of tokens.
    bool decide_whole(const Stretch& s) {
        bool whole = source_.joined(s.source_start, s.source_end) == target_.joined(s.target_start, s.target_end);
        if (!whole && s.source_size() != s.target_size()) {
            const uint32_t bits = parts(s), verbal = part_bit("AUX") | part_bit("PART") | part_bit("VERB");
            whole = bits != 0 && ((bits & (bits - 1)) == 0 || (bits & ~verbal) == 0);
        }
        if (!whole) return false;
        process(s.begin, s.first);
        join(s.first, s.last);
        process(s.last + 1, s.end);
        return true;
    }

    bool decide_pair(const Stretch& s) {
        const AlignmentStep first = steps_[s.first].step, last = steps_[s.last].step;
        const bool two_substitutions = s.source_size() == 2 && s.target_size() == 2;
        const bool alike_at_border =
            !two_substitutions && ((first == AlignmentStep::substitute &&
                                    letters_alike(source_[s.source_start], target_[s.target_start]) > 0.75) ||
                                   (last == AlignmentStep::substitute &&
                                    letters_alike(source_[s.source_end - 1], target_[s.target_end - 1]) > 0.75));
        if (two_substitutions || alike_at_border) {
            process(s.begin, s.first + 1);
            process(s.first + 1, s.end);
            return true;
        }
        const bool final_determiner =
            s.last + 1 == s.end && ((last != AlignmentStep::insert && source_[s.source_end - 1].pos == "DET") ||
                                    (last != AlignmentStep::remove && target_[s.target_end - 1].pos == "DET"));
        if (!final_determiner) return false;
        process(s.begin, s.end - 1);
        keep(s.end - 1);
        return true;
    }

    Side source_, target_;
    std::vector<AlignedTokens> steps_;
    std::vector<int64_t> substitutions_;  // how many before a step
    std::vector<AlignedTokens> edits_;
    int64_t max_steps_, taken_ = 0;
};

}  // namespace

std::vector<AlignedTokens> merge_steps(const std::vector<AlignedTokens>& alignment, const AnnotatedTokens& source,
                                       const AnnotatedTokens& target, EditMerging merging, int64_t max_steps) {
    if (merging == EditMerging::rules) return RuleMerger(source, target, max_steps).merge(alignment);
    std::vector<AlignedTokens> edits;
    for (size_t i = 0; i < alignment.size();) {
        if (alignment[i].step == AlignmentStep::match) {
            ++i;
            continue;
        }
        size_t last = i;
        const auto continues = [&](const AlignedTokens& next) {
            if (merging == EditMerging::all_split || next.step == AlignmentStep::match) return false;
            // A transposition's size is part of its kind.
            return merging == EditMerging::all_merge ||
                   (next.step == alignment[i].step &&
                    (next.step != AlignmentStep::transpose ||
                     next.source_end - next.source_start == alignment[i].source_end - alignment[i].source_start));
        };
        while (last + 1 < alignment.size() && continues(alignment[last + 1])) ++last;
        edits.push_back(joined_steps(alignment, i, last));
        i = last + 1;
    }
    return edits;
}

}  // namespace craft
