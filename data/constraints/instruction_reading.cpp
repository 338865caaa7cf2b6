#include "data/constraints/instruction_reading.h"

#include <algorithm>
#include <initializer_list>
#include <optional>

#include "data/constraints/clause_targets.h"
#include "data/constraints/sentence_references.h"

namespace craft {

namespace {

// ---- Where sentences end

// What comes before an item of a list: "1." or "b)" or "-" at the start of a line.
size_t after_bullet(const Items& items, size_t at) {
    size_t end = at;
    if (end < items.size() && is_mark(items[end], "(")) ++end;
    const bool letter = end < items.size() && items[end].sign != Sign::quote && items[end].text.size() == 1 &&
                        std::isalpha(static_cast<unsigned char>(items[end].text[0])) != 0;
    if (end + 1 < items.size() && (letter || items[end].sign == Sign::number) && is_mark(items[end + 1], ".)"))
        return end + 2;
    while (at < items.size() && is_mark(items[at], "-*#")) ++at;
    return at;
}

std::vector<Items> sentences_of(const Items& items) {
    std::vector<Items> out(1);
    bool line_starts = true;
    for (size_t i = 0; i < items.size();) {
        if (line_starts) {
            const size_t behind = after_bullet(items, i);
            line_starts = false;
            if (behind > i) {
                i = behind;
                continue;
            }
        }
        if (items[i].sign == Sign::line || is_mark(items[i], ".!?;")) {
            line_starts = items[i].sign == Sign::line;
            if (is_mark(items[i], "?")) out.back().push_back(items[i]);
            if (!out.back().empty()) out.emplace_back();
        } else if (items[i].sign == Sign::ordinal && out.back().empty() && i + 1 < items.size() &&
                   is_mark(items[i + 1], ",")) {
            ++i;  // "Second, ..."
        } else {
            out.back().push_back(items[i]);
        }
        ++i;
    }
    if (out.back().empty()) out.pop_back();
    return out;
}

// "Revise this text": the verb is about the text, not about what a constraint names.
void drop_verbs_about_the_text(Items& items) {
    for (size_t i = 0; i < items.size(); ++i) {
        if (!is_any(items[i].sign, {Sign::change, Sign::keep, Sign::remove})) continue;
        if (has_any(items, {Sign::except}, i, i + 8)) continue;
        for (size_t k = i + 1; k < std::min(items.size(), i + 5); ++k) {
            if (is_any(items[k].sign, {Sign::text, Sign::quality}) && !(k + 1 < items.size() && items[k + 1].text == "of"))
                items[i].sign = Sign::none;
            if (!is_any(items[k].sign, {Sign::unknown, Sign::none, Sign::inside, Sign::it})) break;
        }
    }
}

// ---- Clauses

// A stretch of a sentence up to the next comma or conjunction.
struct Chunk {
    size_t begin = 0, end = 0;
    std::optional<size_t> target;
    bool is_taken = false;
};

class SentenceReader {
public:
    SentenceReader(Items items, InstructionReading& out) : items_(std::move(items)), out_(out) {
        drop_verbs_about_the_text(items_);
        read_each_of_counted();
        targets_ = clause_targets(items_);
    }

    // False if something in it cannot be read. `latest`: the clause that pronouns may mean.
    bool run(const OwnWords& own_words, bool is_introduced, std::optional<size_t>& latest, bool& rest_is_kept,
             bool& rest_is_changed) {
        const RequestContext context = {own_words, !targets_.empty(), is_introduced};
        if (out_.unknown_word.empty()) out_.unknown_word = unknown_word(items_, context);
        if (!is_request(items_, context)) return false;
        const bool asks = !items_.empty() && is_mark(items_.back(), "?") && !has_any(items_, {Sign::ask});
        if ((asks && !targets_.empty()) || !cut()) return false;
        const size_t before = out_.clauses.size();
        for (size_t c = 0; c < chunks_.size(); ++c)
            if (chunks_[c].target && !read_target(c)) return false;
        size_t clause = before;
        for (Chunk& chunk : chunks_) {
            if (chunk.target) latest = clause++;
            if (!chunk.is_taken && !read_other(chunk, latest, clause > before, rest_is_kept, rest_is_changed)) return false;
        }
        collect_others();
        return true;
    }

    std::string refused = "unread";

private:
    // "At most five sentences, each with at least 16 words"
    void read_each_of_counted() {
        bool counts = false;
        for (size_t i = 0; i < items_.size(); ++i) {
            if (items_[i].sign == Sign::named) return;
            counts = counts || items_[i].sign == Sign::sentence;
            if (counts && items_[i].sign == Sign::they && items_[i].text.starts_with("e")) items_[i].sign = Sign::each;
        }
    }

    // "maximum: 45 words" is one stretch.
    bool is_boundary(size_t i) const {
        if (is_mark(items_[i], ",(")) return true;
        if (is_mark(items_[i], "-")) return i == 0 || items_[i - 1].sign != Sign::number;
        if (is_mark(items_[i], ":"))
            return i == 0 ||
                   !is_any(items_[i - 1].sign, {Sign::at_most, Sign::at_least, Sign::less, Sign::more, Sign::exactly,
                                                Sign::upper, Sign::word_count, Sign::sentence_count, Sign::frequency});
        return is_any(items_[i].sign, {Sign::list, Sign::joint, Sign::without});
    }

    // False if two targets stand in one stretch that are not told apart.
    bool cut() {
        size_t next = 0;
        chunks_.push_back({0, 0, std::nullopt, false});
        for (size_t i = 0; i < items_.size();) {
            if (next < targets_.size() && i == targets_[next].begin) {
                Chunk& chunk = chunks_.back();
                if (chunk.target) {
                    const bool counts = !targets_[*chunk.target].numbers.empty() && !targets_[next].numbers.empty();
                    if (!counts) return false;
                    chunk.end = targets_[*chunk.target].end;
                    chunks_.push_back({chunk.end, chunk.end, std::nullopt, false});
                }
                chunks_.back().target = next;
                i = targets_[next++].end;
                chunks_.back().end = i;
                continue;
            }
            if (is_boundary(i) && chunks_.back().end > chunks_.back().begin && !ends_in_negation(i))
                chunks_.push_back({i, i, std::nullopt, false});
            chunks_.back().end = ++i;
        }
        return true;
    }

    // "Do not, whatever happens, ...": the comma parts nothing.
    bool ends_in_negation(size_t i) const { return i > 0 && items_[i - 1].sign == Sign::negation; }

    Items between(size_t begin, size_t end) const {
        return {items_.begin() + static_cast<std::ptrdiff_t>(begin), items_.begin() + static_cast<std::ptrdiff_t>(end)};
    }

    // Whether it ends with a "not" that forbids nothing it says.
    static bool ends_in_not(const Items& items) {
        for (size_t i = items.size(); i-- > 0;) {
            if (is_any(items[i].sign, {Sign::negation, Sign::nothing, Sign::without})) return true;
            if (is_any(items[i].sign, {Sign::keep, Sign::leave, Sign::kept, Sign::remove, Sign::change, Sign::use, Sign::say,
                                       Sign::less, Sign::more, Sign::at_most, Sign::at_least, Sign::swap, Sign::free_of}))
                return false;
        }
        return false;
    }

    // It says "not" or "each sentence", and not of what.
    bool is_dangling(const Chunk& chunk) const {
        const Items items = between(chunk.begin, chunk.end);
        return ends_in_not(items) || has_any(items, {Sign::each, Sign::longest, Sign::shortest, Sign::some, Sign::except,
                                                     Sign::part, Sign::nothing});
    }

    ClauseReading read_span(size_t from, size_t to, const ClauseTarget& target) const {
        const size_t begin = chunks_[from].begin;
        Clause clause{between(begin, chunks_[to - 1].end), target};
        clause.target.begin -= begin;
        clause.target.end -= begin;
        for (size_t& number : clause.target.numbers) number -= begin;
        return read_clause(clause);
    }

    bool is_about_others(const Chunk& chunk) const {
        return has_any(items_, {Sign::rest, Sign::everything, Sign::other, Sign::nothing}, chunk.begin, chunk.end);
    }

    // The stretch alone; with those before it that say "not" and not of what; with those after it, then with those before
    // it, until it is said what is to be done.
    bool read_target(size_t c) {
        const ClauseTarget& target = targets_[*chunks_[c].target];
        const auto is_free = [&](size_t i) { return i < chunks_.size() && !chunks_[i].target && !chunks_[i].is_taken; };
        size_t from = c, to = c + 1;
        while (from > 0 && is_free(from - 1) && is_dangling(chunks_[from - 1])) --from;
        ClauseReading reading = read_span(from, to, target);
        while (reading.status == ClauseReading::Status::incomplete && is_free(to) && !is_about_others(chunks_[to]))
            reading = read_span(from, ++to, target);
        if (reading.status == ClauseReading::Status::incomplete) to = c + 1;
        while (reading.status == ClauseReading::Status::incomplete && from > 0 && is_free(from - 1))
            reading = read_span(--from, to, target);
        if (reading.status != ClauseReading::Status::read) {
            if (!reading.refused.empty()) refused = reading.refused;
            return false;
        }
        for (size_t i = from; i < to; ++i) chunks_[i].is_taken = true;
        out_.clauses.push_back(std::move(reading));
        return true;
    }

    // A stretch without a target: what it says of the rest of the text, or of what was named before. False if it takes back
    // or changes what was asked.
    bool read_other(const Chunk& chunk, const std::optional<size_t>& latest, bool same_sentence, bool& rest_is_kept,
                    bool& rest_is_changed) {
        const Items items = between(chunk.begin, chunk.end);
        // A "not" or "each sentence" of nothing, or a bound without a number: what it is about cannot be told.
        if (ends_in_not(items) || has_any(items, {Sign::each})) return false;
        if (latest && has_any(items, {Sign::less, Sign::more, Sign::at_most, Sign::at_least, Sign::too_many, Sign::too_few}))
            return false;
        if (same_sentence && has_any(items, {Sign::vague})) return false;
        const bool counts = std::any_of(targets_.begin(), targets_.end(), [](const auto& t) { return !t.numbers.empty(); });
        if (counts && has_any(items, {Sign::number, Sign::too_many, Sign::too_few})) return false;
        const Intent wish = intent_of(items, 0, items.size());
        if (has_any(items, {Sign::rest, Sign::everything, Sign::nothing})) {
            rest_is_kept = rest_is_kept || wish == Intent::keep;
            rest_is_changed = rest_is_changed || wish == Intent::change;
            return true;
        }
        rest_is_kept = rest_is_kept || (same_sentence && has_any(items, {Sign::only}));
        if (latest && wish == Intent::unclear) return false;
        if (!latest || wish == Intent::none || !(same_sentence || has_any(items, {Sign::it, Sign::they}))) return true;
        for (const ToolCall& call : out_.clauses[*latest].calls) {
            if (const auto* sentences = std::get_if<SentenceModificationCheck>(&call)) {
                if (wish != (sentences->change ? Intent::change : Intent::keep)) return false;
            } else if (const auto* keyword = std::get_if<KeywordKeepRemovalCheck>(&call)) {
                if (wish != (keyword->keep ? Intent::keep : Intent::remove)) return false;
            }
        }
        return true;
    }

    void collect_others() {
        for (size_t i = 0; i < items_.size(); ++i) {
            const bool is_part = std::any_of(targets_.begin(), targets_.end(),
                                             [i](const ClauseTarget& t) { return i >= t.begin && i < t.end; });
            if (is_part) continue;
            if (is_any(items_[i].sign, {Sign::number, Sign::ordinal})) out_.other_numbers.insert(items_[i].value);
            if (items_[i].sign == Sign::quote) out_.other_quotations.insert(items_[i].text);
        }
    }

    Items items_;
    InstructionReading& out_;
    std::vector<ClauseTarget> targets_;
    std::vector<Chunk> chunks_;
};

}  // namespace

InstructionReading read_instruction(const std::string& text, const std::vector<std::string>& sentences,
                                    const ReadingVocabulary& vocabulary, const OwnWords& own_words) {
    InstructionReading out;
    const Items items = items_of(instruction_tokens(text), vocabulary, sentences);
    const auto refuse = [&](const std::string& why) {
        out.refused = why;
        return out;
    };
    if (has_any(items, {Sign::perhaps, Sign::soft})) return refuse("unread");
    bool rest_is_kept = false, rest_is_changed = false;
    std::optional<size_t> latest;
    bool is_introduced = false;
    for (Items& sentence : sentences_of(items)) {
        const bool introduces_next = introduces(sentence);
        SentenceReader reader(std::move(sentence), out);
        if (!reader.run(own_words, is_introduced, latest, rest_is_kept, rest_is_changed)) return refuse(reader.refused);
        is_introduced = is_introduced || introduces_next;
    }
    for (const ClauseReading& clause : out.clauses) {
        const auto* named = clause.calls.size() == 1 ? std::get_if<SentenceModificationCheck>(&clause.calls[0]) : nullptr;
        if (named == nullptr || !named->change) continue;
        if (rest_is_changed || (clause.lacks_only && !rest_is_kept)) return refuse("unread");
    }
    return out;
}

}  // namespace craft
