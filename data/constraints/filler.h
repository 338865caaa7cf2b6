// Puts the values of a constraint into one of its wordings.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/rng.h"
#include "data/constraints/wordings.h"
#include "data/instruction.h"

namespace craft {

struct Filled {
    std::string text;
    // What the wording has in its slot, as a correction would name it: "250", "the 5th", "'river'". Of a keyword's frequency
    // it is the number. Empty where a wording has several such slots.
    std::string value;
};

// Whether what comes after this text begins a sentence within it.
bool begins_sentence(std::string_view before);

class Filler {
public:
    // `sentences`: of the text to revise; may be empty. All but `split` must outlive the filler.
    Filler(const Wordings& wordings, const std::vector<std::string>& sentences, Split split, Rng& rng)
        : wordings_(wordings), sentences_(sentences), split_(split), rng_(rng) {}

    // `text`: one of the texts of a wording of c's shape. `all`: the instruction's constraints, whose keywords name no
    // sentence.
    Filled fill(const std::string& text, const Constraint& c, const std::vector<Constraint>& all);
    // True as often as that; no number is drawn where it is never true.
    bool chance(double probability) { return probability > 0 && rng_.uniform() < probability; }
    const std::string& pick(const std::vector<Wording>& all) { return rng_.pick(rng_.pick(allowed(all, split_))->texts); }

private:
    // How one wording writes its numbers.
    struct NumberStyle {
        bool words = false, large_words = false;
        std::string cardinal(int64_t value) const;
        std::string ordinal(int64_t value) const;
        std::string times(int64_t value) const;
    };

    std::string slot_value(const std::string& slot, const Constraint& c, const NumberStyle& style);
    std::string adjectives(const std::vector<int64_t>& ids, const NumberStyle& style);
    std::string nouns(const std::vector<int64_t>& ids, const NumberStyle& style);
    std::string noun(int64_t id, const NumberStyle& style);
    std::string described(const SentenceName& name, const NumberStyle& style);
    std::vector<SentenceName> usable_names(int64_t id, bool adjectives_only) const;
    std::string quoted(const std::string& keyword);

    const Wordings& wordings_;
    const std::vector<std::string>& sentences_;
    Split split_;
    Rng& rng_;
    std::vector<std::string> keywords_;  // of all constraints
};

}  // namespace craft
