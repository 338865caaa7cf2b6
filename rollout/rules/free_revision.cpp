#include "rollout/rules/free_revision.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_set>

#include "core/ascii.h"
#include "core/signals.h"
#include "rollout/rules/edits.h"

namespace craft {

namespace {

// Of one kind of change. Without it the cost of a long text grows with the square of its length.
constexpr size_t kMaxRounds = 100;

size_t words_in(const std::string& text) {
    return text.empty() ? 0 : static_cast<size_t>(std::count(text.begin(), text.end(), ' ')) + 1;
}

class FreeRevision {
public:
    FreeRevision(const Rules& rules, Pieces pieces, Rng& rng)
        : rng_(rng),
          units_(std::move(pieces.sentences)),
          gaps_(std::move(pieces.gaps)),
          lower_words_(lower_case_words(units_)),
          context_{rules, lower_words_} {
        frozen_.assign(units_.size(), false);
        for (const auto& unit : units_) lengths_.push_back(words_in(unit));
        total_ = std::accumulate(lengths_.begin(), lengths_.end(), size_t{0});
        target_ = static_cast<double>(total_);
    }

    Pieces run() {
        const double untouched = 0.15 + 0.4 * rng_.uniform();
        for (size_t i = 0; i < frozen_.size(); ++i) frozen_[i] = rng_.uniform() < untouched;
        if (rng_.uniform() < 0.6) even_out(true);
        if (rng_.uniform() < 0.5) even_out(false);
        swap_words();
        restructure();
        resize();
        return {std::move(units_), std::move(gaps_)};
    }

    // Changes one more sentence, in whatever way there is; false if there is none.
    static bool change_somehow(const EditContext& context, std::string& unit, Rng& rng) {
        const Sentence s(unit);
        std::vector<Edit> edits;
        list_word_edits(context, s, kShrink | kGrow | kNeutral, edits);
        if (edits.empty()) list_additions(context, s, edits);
        if (edits.empty()) list_omissions(context, s, edits);
        std::erase_if(edits, [&](const Edit& e) { return e.result[0].find(bare_sentence(unit)) != std::string::npos; });
        if (edits.empty()) {  // no word of it is known: it is spoken of as a remark
            for (const auto& opener : context.rules.openers) edits.push_back({kGrow, 4, {opener + " " + unit}, 1});
            const size_t blank = unit.find(' ');
            if (blank != std::string::npos)
                for (const auto& words : context.rules.insertions)
                    edits.push_back({kGrow, 4, {unit.substr(0, blank) + ", " + words + "," + unit.substr(blank)}, 1});
            std::erase_if(edits, [&](const Edit& e) { return e.result[0].find(bare_sentence(unit)) != std::string::npos; });
        }
        if (edits.empty()) return false;
        unit = edits[pick(edits, rng)].result[0];
        return true;
    }

    const WordSet& lower_words() const { return lower_words_; }

private:
    // A cheap edit is more likely than a dear one.
    static size_t pick(const std::vector<Edit>& edits, Rng& rng) {
        double sum = 0;
        for (const auto& edit : edits) sum += 1 / (edit.cost * edit.cost);
        double at = rng.uniform() * sum;
        for (size_t i = 0; i < edits.size(); ++i) {
            at -= 1 / (edits[i].cost * edits[i].cost);
            if (at <= 0) return i;
        }
        return edits.size() - 1;
    }

    void apply(size_t i, const Edit& edit) {
        throw_if_stopped();
        for (int k = 0; k < edit.consumed; ++k) total_ -= lengths_[i + static_cast<size_t>(k)];
        for (const auto& text : edit.result) total_ += words_in(text);
        units_[i] = edit.result[0];
        lengths_[i] = words_in(units_[i]);
        const auto next = static_cast<std::ptrdiff_t>(i + 1);
        if (edit.consumed == 2) {
            units_.erase(units_.begin() + next);
            gaps_.erase(gaps_.begin() + static_cast<std::ptrdiff_t>(i));
            frozen_.erase(frozen_.begin() + next);
            lengths_.erase(lengths_.begin() + next);
        } else if (edit.result.size() == 2) {
            units_.insert(units_.begin() + next, edit.result[1]);
            gaps_.insert(gaps_.begin() + static_cast<std::ptrdiff_t>(i), " ");
            frozen_.insert(frozen_.begin() + next, false);
            lengths_.insert(lengths_.begin() + next, words_in(edit.result[1]));
        }
    }

    bool movable(size_t i) const {  // not the rest of a sentence that an abbreviation cut off
        return i == 0 || !ends_in_abbreviation(units_[i - 1], context_.rules);
    }

    bool split(size_t i) {
        std::vector<Edit> edits;
        list_splits(context_, Sentence(units_[i]), 2, edits);
        std::erase_if(edits, [](const Edit& e) { return e.cost > 3.2; });
        if (edits.empty()) return false;
        apply(i, edits[pick(edits, rng_)]);
        return true;
    }

    bool join(size_t i) {
        if (i + 1 >= units_.size()) return false;
        std::vector<Edit> edits;
        list_joins(context_, units_[i], units_[i + 1], edits);
        if (edits.empty()) return false;
        apply(i, edits[pick(edits, rng_)]);
        return true;
    }

    // Cuts the longest sentences down, or fills the shortest up, so that the extremes of the lengths change.
    void even_out(bool longest) {
        const size_t rounds = std::min(kMaxRounds, 1 + rng_.below(2 + units_.size() / 12));
        for (size_t k = 0; k < rounds && units_.size() > 1; ++k) {
            size_t best = 0;
            for (size_t i = 1; i < units_.size(); ++i) {
                const bool more = lengths_[i] > lengths_[best];
                if (more == longest && lengths_[i] != lengths_[best]) best = i;
            }
            frozen_[best] = false;
            if (longest) {
                if (!split(best)) trim(best);
            } else if (rng_.uniform() < 0.5 || !grow(best)) {
                const size_t first = best > 0 && (best + 1 == units_.size() || rng_.uniform() < 0.5) ? best - 1 : best;
                frozen_[first] = false;
                if (!join(first)) grow(best);
            }
        }
    }

    bool trim(size_t i) { return edit_once(i, true); }
    bool grow(size_t i) { return edit_once(i, false); }

    bool edit_once(size_t i, bool shrink) {
        const Sentence s(units_[i]);
        std::vector<Edit> edits;
        list_word_edits(context_, s, shrink ? kShrink : kGrow, edits);
        if (shrink)
            list_omissions(context_, s, edits);
        else if (movable(i))
            list_additions(context_, s, edits);
        if (edits.empty()) return false;
        apply(i, edits[pick(edits, rng_)]);
        return true;
    }

    // Replaces a few words by synonyms wherever they occur, so that keywords vanish or become more.
    void swap_words() {
        const size_t swaps = std::min(kMaxRounds, 1 + rng_.below(2 + units_.size() / 6));
        for (size_t k = 0; k < swaps; ++k) {
            throw_if_stopped();
            const size_t at = rng_.below(units_.size());
            const Sentence s(units_[at]);
            if (s.size() == 0) continue;
            const size_t start = rng_.below(s.size());
            for (size_t j = 0; j < s.size(); ++j) {
                const std::string word(s.word((start + j) % s.size()));
                const auto found = context_.rules.rewrites.find(word);
                if (found == context_.rules.rewrites.end() || context_.rules.function_words.contains(word)) continue;
                if (swap_everywhere(word, found->second)) break;
            }
        }
    }

    bool swap_everywhere(const std::string& word, const std::vector<Rewrite>& rewrites) {
        std::vector<std::string> choices;
        for (const auto& r : rewrites)
            if (r.from.size() == 1 && r.kind == RewriteKind::synonym && r.tense != Tense::participle)
                choices.push_back(r.to);
        if (choices.empty()) return false;
        const std::string to = rng_.pick(choices);
        for (size_t i = 0; i < units_.size(); ++i) {
            if (ascii_lower(units_[i]).find(word) == std::string::npos) continue;
            const Sentence s(units_[i]);
            for (size_t k = s.size(); k-- > 0;) {
                if (s.word(k) != word || (k > 0 && s.capital(k))) continue;
                frozen_[i] = false;
                apply(i, {kNeutral, 1, {Sentence(units_[i]).replaced(k, 1, to)}, 1});
            }
        }
        return true;
    }

    void restructure() {
        const double kind = rng_.uniform();
        const size_t most = 1 + rng_.below(2 + units_.size() / 8);
        for (size_t k = 0, done = 0; k < 6 * most && done < most && kind < 0.85; ++k) {
            const size_t i = rng_.below(units_.size());
            if (frozen_[i]) continue;
            done += (kind < 0.45 ? split(i) : join(i)) ? 1 : 0;
        }
    }

    void resize() {
        const double kind = rng_.uniform(), amount = 0.05 + 0.2 * rng_.uniform();
        if (kind > 0.92) return;
        const bool shrink = kind < 0.47;
        target_ *= shrink ? 1 - amount : 1 + amount;
        size_t misses = 0;
        while (misses < 2 * units_.size() &&
               (shrink ? static_cast<double>(total_) > target_ : static_cast<double>(total_) < target_)) {
            const size_t i = rng_.below(units_.size());
            if (frozen_[i] || !edit_once(i, shrink)) ++misses;
        }
    }

    Rng& rng_;
    std::vector<std::string> units_, gaps_;  // sentences and what stands after each
    std::vector<size_t> lengths_;            // words of each
    WordSet lower_words_;
    EditContext context_;
    std::vector<bool> frozen_;
    size_t total_ = 0;
    double target_ = 0;
};

}  // namespace

int64_t changed_sentences(const std::string& original, const std::string& revision, SentenceRule rule) {
    std::unordered_set<std::string> kept;  // most are found here, without a search through the text
    for (const auto& sentence : sentence_views(revision, rule)) kept.insert(bare_sentence(sentence));
    int64_t changed = 0;
    for (const auto& sentence : sentence_views(original, rule)) {
        throw_if_stopped();
        const std::string bare = bare_sentence(sentence);
        changed += !kept.contains(bare) && revision.find(bare) == std::string::npos ? 1 : 0;
    }
    return changed;
}

std::string free_revision(const Rules& rules, const std::string& text, Rng& rng, SentenceRule rule) {
    Pieces original = pieces_of(text, rule);
    if (original.sentences.empty()) return "";
    FreeRevision revision(rules, original, rng);
    Pieces pieces = revision.run();
    const auto enough = static_cast<int64_t>(std::ceil(kChangedShare * static_cast<double>(original.sentences.size())));
    std::string revised = joined(pieces.sentences, pieces.gaps);
    int64_t changed = changed_sentences(text, revised, rule);
    if (changed >= enough) return revised;
    // Too little: more sentences of the revision change, or, where that does not do, of the original.
    const EditContext context{rules, revision.lower_words()};
    for (Pieces* base : {&pieces, &original}) {
        std::vector<std::string>& drafted = base->sentences;
        std::vector<size_t> order(drafted.size());
        std::iota(order.begin(), order.end(), size_t{0});
        rng.shuffle(order);
        if (base == &original) changed = 0;
        int64_t missing = enough - changed;  // they are counted again when as many more may have changed
        for (size_t k = 0; k < order.size(); ++k) {
            missing -= FreeRevision::change_somehow(context, drafted[order[k]], rng) ? 1 : 0;
            if (missing > 0 && k + 1 < order.size()) continue;
            revised = joined(drafted, base->gaps);
            changed = changed_sentences(text, revised, rule);
            if (changed >= enough) return revised;
            missing = enough - changed;
        }
    }
    return "";
}

}  // namespace craft
