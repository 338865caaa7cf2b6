// Forms of verbs that the word before them does not take.
#include "gec/learner/error_kinds.h"

namespace craft {

namespace {

class VerbForms {
public:
    VerbForms(const CorrectSentence& sentence, const LearnerLanguage& language) : s_(sentence), language_(language) {}

    LearnerErrors find() && {
        for (size_t i = 0; i < s_.size(); ++i) {
            if (!s_[i].tag.starts_with("V") || !s_.is_whole_word(i) || s_[i].text != s_[i].lower) continue;
            after_auxiliary(i);
            after_to(i);
            after_preposition(i);
            after_verb(i);
            regularised(i);
        }
        return std::move(found_);
    }

private:
    std::string form(size_t verb, std::string_view tag) const { return language_.forms().form(s_[verb].lemma, tag); }
    void add(size_t verb, std::string written, size_t because, double weight = 1) {
        if (!written.empty() && written != s_[verb].lower)
            found_.push_back(s_.instead_of(verb, std::move(written)).because_of(because).weighing(weight));
    }
    // The auxiliary right before the verb, an adverb or "not" between them passed over.
    std::optional<size_t> auxiliary(size_t verb) const {
        for (size_t i = verb; i-- > 0 && i + 3 > verb;) {
            if (s_[i].head == verb && is_one_of(s_[i].dep, {"aux", "auxpass"})) return i;
            if (!is_one_of(s_[i].dep, {"neg", "advmod"})) return std::nullopt;
        }
        return std::nullopt;
    }

    void after_auxiliary(size_t verb) {
        const auto found = auxiliary(verb);
        if (!found || s_[*found].tag == "TO") return;
        const size_t before = *found;
        const std::string& tag = s_[verb].tag;
        if (s_[before].tag == "MD" && tag == "VB" && !s_.is_lemma(verb, {"be", "have"})) {
            after_modal(verb, before);
        } else if (s_.is_lemma(before, {"do"}) && tag == "VB") {
            if (s_.is_lower(before, {"did"})) add(verb, form(verb, "VBD"), before, 3);
            if (s_.is_lower(before, {"does"})) add(verb, form(verb, "VBZ"), before, 3);
            if (stands_right_before(before, verb)) add(verb, form(verb, "VBG"), before, .5);
        } else if (s_.is_lemma(before, {"have"}) && tag == "VBN" && !s_.is_lemma(verb, {"be"})) {
            add(verb, form(verb, "VBD"), before, 2);
            add(verb, form(verb, "VB"), before, 1.5);
        } else if (s_.is_lemma(before, {"be"}) && tag == "VBG" && s_[before].dep == "aux") {
            if (form(verb, "VB") != form(verb, "VBN")) add(verb, form(verb, "VB"), before, 1.5);  // "is read" is right
        } else if (s_.is_lemma(before, {"be"}) && tag == "VBN" && s_[before].dep == "auxpass") {
            add(verb, form(verb, "VB"), before);
            add(verb, form(verb, "VBD"), before, 1.5);
        }
    }

    bool stands_right_before(size_t before, size_t verb) const { return before + 1 == verb && s_[before].space_after; }

    void after_modal(size_t verb, size_t modal) {
        if (stands_right_before(modal, verb)) add(verb, "to " + s_[verb].lower, modal);
        add(verb, form(verb, "VBZ"), modal);
        add(verb, form(verb, "VBG"), modal, .4);
        if (s_.is_lower(modal, {"would", "could", "should", "might"})) add(verb, form(verb, "VBD"), modal, .5);
    }

    // "want to going", "want going", "want go"
    void after_to(size_t verb) {
        if (verb == 0 || s_[verb].tag != "VB" || s_[verb - 1].tag != "TO" || s_[verb - 1].head != verb) return;
        add(verb, form(verb, "VBG"), verb - 1, .7);
        if (form(verb, "VBD") != s_[verb].lower) add(verb, form(verb, "VBD"), verb - 1, .6);
        add(verb, form(verb, "VBZ"), verb - 1, .3);
        const size_t head = s_[verb].head;
        const bool is_complement = s_[verb].dep == "xcomp" && head < verb;
        if (is_complement && head + 2 == verb && listed_words("infinitive_verbs").contains(s_[head].lemma)) {
            found_.push_back(s_.without(verb - 1).because_of(head).weighing(1.5));
            if (!s_.is_lemma(head, {"learn", "seem"}))
                found_.push_back(s_.instead_of(verb - 1, verb, form(verb, "VBG")).because_of(head).weighing(1.5));
        }
        // "They allowed him go"
        if (s_.is_lemma(head, {"allow", "tell", "ask", "want", "persuade", "invite", "force", "encourage"}) && verb > 2 &&
            s_.is_tag(verb - 2, {"PRP", "NN", "NNS", "NNP"}) && is_one_of(s_[verb].dep, {"xcomp", "ccomp"}))
            found_.push_back(s_.without(verb - 1).because_of(head).weighing(1.5));
    }

    // "without to say", "without say"
    void after_preposition(size_t verb) {
        if (verb == 0 || s_[verb].tag != "VBG" || s_[verb].dep != "pcomp" || s_[verb].head != verb - 1) return;
        if (!s_.is_lower(verb - 1, {"without", "before", "after", "of", "for", "by", "in", "from", "about", "at", "to"}))
            return;
        add(verb, form(verb, "VB"), verb - 1, 2);
        if (!s_.is_lower(verb - 1, {"to", "in", "about"})) add(verb, "to " + form(verb, "VB"), verb - 1, 2);
    }

    void after_verb(size_t verb) {
        const size_t head = s_[verb].head;
        if (head >= verb) return;
        if (s_[verb].tag == "VBG" && s_[verb].dep == "xcomp" && head + 1 == verb &&
            listed_words("gerund_verbs").contains(s_[head].lemma)) {
            add(verb, "to " + form(verb, "VB"), head, 3);
            add(verb, form(verb, "VB"), head);
        }
        // "made me to laugh"
        if (s_[verb].tag == "VB" && s_[verb].dep == "ccomp" && s_.is_lemma(head, {"make", "let"}) && head + 2 <= verb &&
            s_.is_tag(verb - 1, {"PRP", "NN", "NNS", "NNP"}))
            add(verb, "to " + s_[verb].lower, head, 3);
    }

    // "buyed", "teached": formed by the rule.
    void regularised(size_t verb) {
        if (!s_.is_tag(verb, {"VBD", "VBN"}) || is_one_of(s_[verb].dep, {"aux", "auxpass"}) ||
            s_[verb].lower.ends_with("ed") || s_[verb].lemma.size() < 3)
            return;
        const std::string& lemma = s_[verb].lemma;
        const std::string made = lemma + (lemma.ends_with("e") ? "d" : "ed");
        if (!lemma.ends_with("y") && !language_.is_word(made)) add(verb, made, verb, .4);
    }

    const CorrectSentence& s_;
    const LearnerLanguage& language_;
    LearnerErrors found_;
};

}  // namespace

LearnerErrors verb_form_errors(const CorrectSentence& sentence, const LearnerLanguage& language) {
    return VerbForms(sentence, language).find();
}

}  // namespace craft
