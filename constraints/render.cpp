// Puts constraints into words: fills the slots of wordings and joins them into sentences.
#include <algorithm>

#include "constraints/wordings.h"
#include "text/lists.h"
#include "text/numbers.h"
#include "text/utf8.h"

namespace craft {

namespace {

// How one constraint writes its numbers.
struct NumberStyle {
    bool words = false;

    std::string cardinal(int64_t value) const {
        // Nobody writes large counts in words.
        return words && value >= 0 && value <= 120 ? number_words(value) : std::to_string(value);
    }
    std::string ordinal(int64_t value) const { return words && value <= 100 ? ordinal_words(value) : ordinal_digits(value); }
    std::string times(int64_t value) const {
        if (value == 1) return "once";
        if (value == 2 && words) return "twice";
        return cardinal(value) + " times";
    }
};

std::string quoted(const std::string& keyword, Rng& rng) {
    const bool has_single = keyword.find('\'') != std::string::npos;
    const bool has_double = keyword.find('"') != std::string::npos;
    const bool use_double = has_single || (!has_double && rng.uniform() < 0.2);
    return use_double ? "\"" + keyword + "\"" : "'" + keyword + "'";
}

std::string slot_value(const std::string& slot, const Constraint& c, const NumberStyle& style, Rng& rng) {
    if (slot == "A") return quoted(c.keyword, rng);
    if (slot == "I" || slot == "ids") {
        std::vector<std::string> items;
        for (const int64_t id : c.ids) items.push_back(slot == "I" ? style.ordinal(id) : std::to_string(id));
        return listed(items);
    }
    const int64_t base = slot[0] == 'M' ? c.m : c.n;
    const int64_t shift = slot.find("+1") != std::string::npos ? 1 : slot.find("-1") != std::string::npos ? -1 : 0;
    const bool times = slot.find(":times") != std::string::npos;
    return times ? style.times(base + shift) : style.cardinal(base + shift);
}

// " sentences, with" -> " sentence, with"; other text stays.
std::string singular(const std::string& rest) {
    for (const std::string unit : {" sentences", " words", " tokens"})
        if (rest.starts_with(unit)) return unit.substr(0, unit.size() - 1) + rest.substr(unit.size());
    return rest;
}

std::string fill(const std::string& text, const Constraint& c, Rng& rng) {
    const NumberStyle style{rng.uniform() < 0.4};
    std::string out, rest = text;
    for (size_t open = rest.find('{'); open != std::string::npos; open = rest.find('{')) {
        const size_t close = rest.find('}', open);
        const std::string value = slot_value(rest.substr(open + 1, close - open - 1), c, style, rng);
        out += rest.substr(0, open) + value;
        rest = rest.substr(close + 1);
        if (value == style.cardinal(1)) rest = singular(rest);
    }
    return out + rest;
}

// A sentence under construction and what may still be joined to it.
struct Sentence {
    std::string text;
    int clauses = 0;  // "ensure that" clauses
    int phrases = 0;  // attached "with" and "ing" phrases
};

const std::string& pick_text(const std::vector<const Wording*>& wordings, Rng& rng) {
    return rng.pick(rng.pick(wordings)->texts);
}

void attach_phrase(Sentence& sentence, const std::string& phrase) {
    sentence.text += (sentence.phrases > 0 ? " and " : ", ") + phrase;
    ++sentence.phrases;
}

// Returns what says the clause there, with the "ensure that" which opens its sentence: an answer that quotes the first words
// of a constraint then quotes the start of a sentence.
std::string add_clause(std::vector<Sentence>& sentences, const std::string& clause, const std::string& ensure, Rng& rng) {
    Sentence& last = sentences.back();
    if (last.clauses > 0 && last.clauses < 3 && last.phrases == 0 && rng.uniform() < 0.7) {
        last.text += (rng.uniform() < 0.5 ? " and that " : ", and ") + clause;
        ++last.clauses;
        return clause;
    }
    // A clause needs no "ensure": it can stand as a sentence.
    const bool bare = rng.uniform() < 0.25;
    sentences.push_back({bare ? uppercase_first(clause) : ensure + " " + clause, bare ? 0 : 1, 0});
    return sentences.back().text;
}

}  // namespace

Rendering render_instruction(const std::vector<Constraint>& constraints, const Wordings& wordings, Split split, Rng& rng) {
    const std::vector<const Wording*> openers = allowed(wordings.openers(), split),
                                      ensures = allowed(wordings.ensure(), split);
    std::vector<Sentence> sentences = {{pick_text(openers, rng), 0, 0}};
    Rendering rendering;
    for (const Constraint& constraint : constraints) {
        const Wording& wording = *rng.pick(allowed(wordings.of(constraint.shape), split));
        std::string words = fill(rng.pick(wording.texts), constraint, rng);
        const bool phrase = wording.form == Form::with || wording.form == Form::ing;
        if (phrase && sentences.back().phrases < 2) {
            attach_phrase(sentences.back(), words);
        } else if (wording.form == Form::that) {
            words = add_clause(sentences, words, pick_text(ensures, rng), rng);
        } else if (phrase) {
            sentences.push_back({"Do so " + words, 0, 1});
        } else {
            sentences.push_back({words, 0, 0});
        }
        rendering.phrases.push_back(std::move(words));
    }
    std::string& out = rendering.instruction;
    for (const Sentence& sentence : sentences) out += (out.empty() ? "" : ". ") + sentence.text;
    out += ":";
    return rendering;
}

}  // namespace craft
