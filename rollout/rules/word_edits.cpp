// Rewrites of phrases and words.
#include <cstdlib>

#include "english/parsed_sentence.h"
#include "rollout/rules/edits.h"

namespace craft {

namespace {

bool matches(const Sentence& s, size_t i, const Rewrite& r) {
    if (i + r.from.size() > s.size()) return false;
    for (size_t k = 0; k < r.from.size(); ++k) {
        if (s.word(i + k) != r.from[k]) return false;
        if (k > 0 && !s.tight(i + k - 1)) return false;
    }
    return true;
}

// Whether the word at `i` follows a form of "be" or "have" (an adverb may stand between): it is a participle then.
bool after_auxiliary(const Sentence& s, size_t i) {
    const auto auxiliary = [&](size_t k) {
        const auto w = s.word(k);
        return is_one_of(w, {"is", "are", "was", "were", "be", "been", "being", "am", "has", "have", "had", "having", "get",
                             "got", "gets"}) ||
               w.ends_with("'ve") || w.ends_with("'d") || w.ends_with("n't");
    };
    return (i > 0 && auxiliary(i - 1)) || (i > 1 && auxiliary(i - 2));
}

bool is_participle(std::string_view word) {
    return word.ends_with("ed") || word.ends_with("en") || word.ends_with("wn") || word.ends_with("ne") ||
           word.ends_with("ght") ||
           is_one_of(word, {"had", "made", "put", "set", "come", "become", "found", "led", "kept", "held", "heard", "won",
                            "met", "read"});
}

bool fits_contraction(const Rewrite& r, std::string_view next) {
    if (r.gain > 0) return !is_one_of(next, {"been", "got", "had", "become", "be", "better"});
    if (r.gain == 0) return true;
    const bool perfect = r.to.ends_with("'ve") || (r.to.ends_with("'d") && r.from.back() == "had");
    if (perfect && !is_participle(next)) return false;
    return r.to.ends_with("n't") || (!next.empty() && next != "to");
}

bool fits_omission(const Sentence& s, const Rewrite& r, std::string_view before, std::string_view next) {
    if (s.size() <= r.from.size() + 2) return false;
    const std::string& first = r.from[0];
    if (next.empty() && is_one_of(first, {"own", "such", "even", "always"})) return false;
    if (!next.empty() && !before.empty() && is_one_of(first, {"too", "now", "still", "here"})) return false;
    if (is_one_of(before, {"not", "so", "as", "how", "more", "most", "and", "or"})) return false;
    const bool is_predicate = r.from.size() == 1 && next.empty();
    return !is_predicate || !is_one_of(before, {"is", "are", "was", "were", "be", "been"});
}

bool fits(const Sentence& s, size_t i, const Rewrite& r) {
    const size_t last = i + r.from.size() - 1;
    // The neighbours; "" where there is none, or a mark stands before the next one.
    const std::string_view before = i > 0 ? s.word(i - 1) : "", next = s.tight(last) ? s.word(last + 1) : "";
    if (r.unless_after != nullptr && r.unless_after->contains(before)) return false;
    if (r.unless_before != nullptr && r.unless_before->contains(next)) return false;
    if (r.tense != Tense::any && after_auxiliary(s, i) != (r.tense == Tense::participle)) return false;
    if (r.gain > 0 && !before.empty() && r.to.starts_with(before) && r.to[before.size()] == ' ') return false;
    if (r.kind == RewriteKind::contract) return fits_contraction(r, next);
    return r.kind != RewriteKind::drop || fits_omission(s, r, before, next);
}

double cost_of(const Rewrite& r) {
    switch (r.kind) {
        case RewriteKind::concise:
            return 1;
        case RewriteKind::contract:
        case RewriteKind::drop:
            return 1.2;
        case RewriteKind::expand:
            return 2;
        case RewriteKind::synonym:
            return 2 + 0.3 * std::abs(r.gain);
    }
    return 2;
}

}  // namespace

void list_word_edits(const EditContext& context, const Sentence& s, unsigned groups, std::vector<Edit>& out) {
    for (size_t i = 0; i < s.size(); ++i) {
        const auto found = context.rules.rewrites.find(s.word(i));
        if (found == context.rules.rewrites.end()) continue;
        // Names and headings are left alone; "I am" is not a name.
        const auto written = s.written(i);
        const bool shouting = written.size() > 1 && written[1] >= 'A' && written[1] <= 'Z';
        if (shouting || (i > 0 && s.capital(i) && s.word(i) != "i" && !s.word(i).starts_with("i'"))) continue;
        for (const Rewrite& r : found->second) {
            const unsigned group = r.gain < 0 ? kShrink : r.gain > 0 ? kGrow : kNeutral;
            const bool other_words = r.kind == RewriteKind::synonym || r.kind == RewriteKind::contract;
            const EditGroup as = other_words ? kNeutral : static_cast<EditGroup>(group);
            if ((groups & (group | as)) == 0 || !matches(s, i, r) || !fits(s, i, r)) continue;
            out.push_back({as, cost_of(r), {s.replaced(i, r.from.size(), r.to)}, 1});
        }
    }
}

}  // namespace craft
