#include <algorithm>

#include "english/dictionary/noun_facts.h"
#include "english/dictionary/subject_number.h"
#include "gec/rules/proposals.h"

namespace craft {

namespace {

// What comes before a verb and asks for a form of it.
enum class Governor { none, modal, to, have, be, does, preposition };

struct Governed {
    Governor by = Governor::none;
    size_t token = 0;  // where it stands
};

bool is_lexical_tag(std::string_view tag) {
    return tag.starts_with("VB");
}

Governor governor_of(const WrittenSentence& s, size_t i) {
    const EnglishToken& token = s[i];
    if (token.tag == "MD") return Governor::modal;
    if (token.tag == "TO" || token.lower == "to") return Governor::to;
    if (token.lemma == "have" && is_lexical_tag(token.tag)) return Governor::have;
    if (token.lemma == "be" && is_lexical_tag(token.tag)) return Governor::be;
    if (token.lemma == "do" && token.pos == "AUX") return Governor::does;
    const bool opens = token.dep == "prep" || is_one_of(token.lower, {"after", "before", "without", "by", "while"});
    const bool is_preposition = token.tag == "IN" && opens && token.lower != "than" && token.lower != "as" &&
                                token.lower != "like" && token.lower != "because" && token.lower != "that";
    return is_preposition ? Governor::preposition : Governor::none;
}

// The word before the verb, adverbs skipped; else an auxiliary of the parse ("can you helps").
Governed governed(const WrittenSentence& s, size_t verb) {
    size_t before = verb;
    while (before > 0 && (s.tag(before - 1) == "RB" || s.lower(before - 1) == "not")) --before;
    if (before > 0) {
        const Governor by = governor_of(s, before - 1);
        // "have" and "do" may be verbs of their own: what follows is then a noun that looks like a verb.
        const bool helps = by != Governor::have || s[before - 1].pos == "AUX" || s.tag(verb) == "VBN";
        if (by != Governor::none && helps) return {by, before - 1};
    }
    const std::vector<size_t>& children = s.children(verb);
    for (auto at = children.rbegin(); at != children.rend(); ++at) {
        if (*at >= verb || !is_one_of(s[*at].dep, {"aux", "auxpass"})) continue;
        const Governor by = governor_of(s, *at);
        if (by != Governor::none) return {by, *at};
    }
    return {};
}

std::vector<std::string_view> wanted_tags(Governor by) {
    switch (by) {
        case Governor::modal:
        case Governor::to:
        case Governor::does:
            return {"VB"};
        case Governor::have:
            return {"VBN"};
        case Governor::be:
            return {"VBG", "VBN"};
        case Governor::preposition:
            return {"VBG"};
        case Governor::none:
            break;
    }
    return {};
}

bool is_contracted(std::string_view word) {
    return word.find('\'') != std::string_view::npos || word.find("\xE2\x80\x99") != std::string_view::npos;
}

// A past form that stands where no verb should be past ("to went") is taken for a verb of its own by the lemmatizer.
std::string lemma_of(const CorrectionLanguage& language, const EnglishToken& verb) {
    return language.forms().irregular_verb_of(verb.lemma).value_or(verb.lemma);
}

std::string verb_form_of(const CorrectionLanguage& language, const EnglishToken& verb, std::string_view tag) {
    const std::string lemma = lemma_of(language, verb);
    return tag == "VB" ? lemma : language.forms().form(lemma, tag);
}

// "am", "is" or "are" (past: "was", "were") for a subject.
std::string be_for(const WrittenSentence& s, std::optional<size_t> subject, GrammaticalNumber number, bool is_past) {
    const std::string_view word = subject ? s.lower(*subject) : "";
    if (word == "i") return is_past ? "was" : "am";
    if (number == GrammaticalNumber::plural) return is_past ? "were" : "are";
    return is_past ? "was" : "is";
}

bool has_past_adverb(const WrittenSentence& s, const CorrectionLanguage& language, bool is_past) {
    const KnownWords& adverbs = is_past ? language.words().past_adverbs : language.words().present_adverbs;
    for (size_t i = 0; i < s.size(); ++i)
        if (adverbs.contains(s.lower(i))) return true;
    return false;
}

// The subject of a verb, or of the one that it stands with as an auxiliary; of a relative clause the noun that it describes.
std::optional<size_t> subject_of(const WrittenSentence& s, size_t verb) {
    const size_t main = s.is_dep(verb, {"aux", "auxpass"}) ? s[verb].head : verb;
    const std::optional<size_t> subject = s.subject(main);
    if (!subject) return std::nullopt;
    if (s.dep(*subject) == "expl" && s.is_lower(*subject, {"there"})) {
        const std::optional<size_t> real = s.child(main, {"attr", "dobj", "nsubj"});
        return real ? real : subject;
    }
    const bool is_relative = s.is_lower(*subject, {"who", "which", "that"}) && s.dep(main) == "relcl";
    return is_relative ? s[main].head : subject;
}

GrammaticalNumber number_for(const WrittenSentence& s, size_t verb) {
    const std::optional<size_t> subject = subject_of(s, verb);
    return subject ? subject_number(s, *subject) : GrammaticalNumber::unknown;
}

bool is_finite_verb(const WrittenSentence& s, size_t i) {
    return is_one_of(s.tag(i), {"VBZ", "VBP", "VBD"});
}

bool may_be_changed(const WrittenSentence& s, size_t i) {
    return is_lexical_tag(s.tag(i)) && s.is_word(i) && !is_contracted(s[i].text) && !s[i].lemma.empty();
}

void propose_form(const WrittenSentence& s, const CorrectionLanguage& language, size_t i, std::string_view tag,
                  double evidence, const std::string& why, CorrectionProposals& to) {
    const std::string form = verb_form_of(language, s[i], tag);
    if (!form.empty() && form != s[i].lower)
        to.push_back({s.replaced(i, form), CorrectionKind::verb_form, evidence, false, why});
}

// Forms that what governs the verb may ask for.
void propose_governed_form(const WrittenSentence& s, const CorrectionLanguage& language, size_t i, const Governed& by,
                           CorrectionProposals& to) {
    const std::vector<std::string_view> tags = wanted_tags(by.by);
    const EnglishToken& verb = s[i];
    const bool is_right = std::any_of(tags.begin(), tags.end(), [&](std::string_view tag) {
        return verb_form_of(language, verb, tag) == verb.lower ||
               language.forms().is_form(verb.lower, lemma_of(language, verb), tag);
    });
    const std::string quoted = "'" + s[by.token].text + "'", why = quoted + " asks for another form of the verb";
    if (!is_right)
        for (const std::string_view tag : tags)
            propose_form(s, language, i, tag, by.by == Governor::preposition ? 1 : 2, why, to);
    else if (by.by == Governor::be && verb.lemma != "be")
        for (const std::string_view tag : tags) propose_form(s, language, i, tag, -4, why, to);
    else if (by.by == Governor::to && by.token > 0)
        propose_form(s, language, i, "VBG", -4, quoted + " may be a preposition here", to);
}

// A verb by itself: a finite one may be meant as a participle and the other way round.
void propose_ungoverned_form(const WrittenSentence& s, const CorrectionLanguage& language, size_t i,
                             CorrectionProposals& to) {
    struct Change {
        std::string_view tag, form;
        const char* why;
    };
    static constexpr Change kChanges[] = {{"VBG", "VB", "a verb by itself"},
                                          {"VBN", "VBG", "a participle by itself"},
                                          {"VB", "VBG", "a verb by itself"},
                                          {"VBP", "VBG", "a verb by itself"},
                                          {"VBN", "VB", "a verb by itself"}};
    for (const Change& one : kChanges)
        if (s.tag(i) == one.tag) propose_form(s, language, i, one.form, -4, one.why, to);
}

}  // namespace

void propose_verb_forms(const WrittenSentence& s, const CorrectionLanguage& language, CorrectionProposals& to) {
    for (size_t i = 0; i < s.size(); ++i) {
        if (!may_be_changed(s, i)) continue;
        const Governed by = governed(s, i);
        if (by.by != Governor::none)
            propose_governed_form(s, language, i, by, to);
        else if (s[i].lemma != "be")
            propose_ungoverned_form(s, language, i, to);
    }
}

namespace {

// "If I will have time": no "will" or "would" in a clause of time or condition.
void propose_conditional(const WrittenSentence& s, const CorrectionLanguage& language, size_t i, CorrectionProposals& to) {
    if (!is_one_of(s.lower(i), {"will", "would"}) || i + 1 >= s.size() || !is_lexical_tag(s.tag(i + 1))) return;
    const size_t verb = s[i].head;
    const std::optional<size_t> mark = s.child(verb, {"mark", "advmod"});
    if (verb != i + 1 || !mark || !is_one_of(s.lower(*mark), {"if", "when", "unless", "until", "before", "after", "once"}))
        return;
    const bool is_past = s.lower(i) == "would";
    const bool is_singular = number_for(s, verb) == GrammaticalNumber::singular;
    const std::string lemma = lemma_of(language, s[verb]);
    std::string form = lemma;
    if (is_past)
        form = language.forms().agreeing(lemma, false, true);  // "were" with any subject
    else if (lemma == "be")
        form = is_singular ? "is" : "are";
    else if (is_singular)
        form = language.forms().form(lemma, "VBZ");
    to.push_back({s.replaced(i, verb + 1, form), CorrectionKind::tense, 1, false,
                  "'" + s[*mark].text + "' asks for no '" + s[i].text + "'"});
}

// "He has bought it last month": a time that is over asks for the simple past.
void propose_simple_past(const WrittenSentence& s, const CorrectionLanguage& language, size_t i, CorrectionProposals& to) {
    if (s.tag(i) != "VBN" || i == 0 || s[i - 1].lemma != "have" || !has_past_adverb(s, language, true)) return;
    const bool is_singular = number_for(s, i) == GrammaticalNumber::singular;
    to.push_back({s.replaced(i - 1, i + 1, language.forms().agreeing(lemma_of(language, s[i]), is_singular, true)),
                  CorrectionKind::tense, 0.5, false, "the time is over"});
}

// A finite verb with what is known of its subject.
struct FiniteVerb {
    size_t token = 0;
    std::optional<size_t> subject = {};
    GrammaticalNumber number = GrammaticalNumber::unknown;  // of the subject
    bool is_past = false, is_be = false;
};

std::optional<FiniteVerb> finite_verb(const WrittenSentence& s, size_t i) {
    const std::optional<size_t> subject = subject_of(s, i);
    const Governor by = governed(s, i).by;
    const bool is_bare = s.tag(i) == "VB" && subject && by == Governor::none;
    const bool is_be = s[i].lemma == "be", is_past = s.tag(i) == "VBD";
    if ((!is_finite_verb(s, i) && !is_bare) || (is_past && by != Governor::none && !is_be)) return std::nullopt;
    const bool is_mass = subject && is_uncountable(s[*subject].lemma);  // "informations is"
    return FiniteVerb{i, subject, is_mass ? GrammaticalNumber::singular : number_for(s, i), is_past, is_be};
}

void propose_finite(const WrittenSentence& s, const FiniteVerb& verb, const std::string& form, CorrectionKind kind,
                    double evidence, const std::string& why, CorrectionProposals& to) {
    if (!form.empty() && form != s[verb.token].lower)
        to.push_back({s.replaced(verb.token, form), kind, evidence, false, why});
}

// The other form of the same tense.
void propose_other_number(const WrittenSentence& s, const CorrectionLanguage& language, const FiniteVerb& verb,
                          CorrectionProposals& to) {
    const EnglishToken& token = s[verb.token];
    // "the team have", "the team has"
    if (verb.subject && s.tag(*verb.subject) == "NN" && has_either_number(s[*verb.subject].lemma)) return;
    const std::string why =
        verb.subject ? "the subject is '" + s[*verb.subject].text + "'" : "its subject may be of the other number";
    const bool is_singular = token.tag == "VBZ" || token.lower == "was";
    const bool fits = (verb.number == GrammaticalNumber::singular) == is_singular;
    const double evidence = verb.number == GrammaticalNumber::unknown ? 0 : fits ? -1.5 : 1.5;
    if (verb.is_be && is_one_of(token.lower, {"is", "are", "am", "was", "were", "be"})) {
        const std::string right = be_for(s, verb.subject, verb.number, verb.is_past);
        propose_finite(s, verb, right, CorrectionKind::agreement, evidence == -1.5 ? 1.5 : evidence, why, to);
        const std::string other = language.forms().agreeing("be", !is_singular, verb.is_past);
        propose_finite(s, verb, other, CorrectionKind::agreement, evidence, why, to);
    } else if (!verb.is_past) {
        const std::string other = language.forms().agreeing(token.lemma, !is_singular);
        propose_finite(s, verb, other, CorrectionKind::agreement, evidence, why, to);
    }
}

// Where other verbs or an adverb speak for another tense; `same` and `other` verbs of the sentence are of this and of the
// other one.
void propose_other_tense(const WrittenSentence& s, const CorrectionLanguage& language, const FiniteVerb& verb, int same,
                         int other, CorrectionProposals& to) {
    const double evidence =
        (has_past_adverb(s, language, !verb.is_past) ? 0.5 : 0) + (other > same - 1 && other > 0 ? 0.5 : 0) - 0.5;
    if (evidence < 0) return;
    const bool is_plural = verb.number == GrammaticalNumber::plural;
    const std::string form = verb.is_be ? be_for(s, verb.subject, verb.number, !verb.is_past)
                                        : language.forms().agreeing(s[verb.token].lemma, !is_plural, !verb.is_past);
    propose_finite(s, verb, form, CorrectionKind::tense, evidence,
                   "other verbs or an adverb of the sentence are of another time", to);
}

}  // namespace

void propose_agreement(const WrittenSentence& s, const CorrectionLanguage& language, CorrectionProposals& to) {
    int past = 0, present = 0;
    for (size_t i = 0; i < s.size(); ++i) {
        if (s.tag(i) == "VBD") ++past;
        if (s.is_tag(i, {"VBZ", "VBP"})) ++present;
    }
    for (size_t i = 0; i < s.size(); ++i) {
        if (!s.is_word(i) || is_contracted(s[i].text)) continue;
        propose_conditional(s, language, i, to);
        propose_simple_past(s, language, i, to);
        const std::optional<FiniteVerb> verb = finite_verb(s, i);
        if (!verb || (s[i].lower == "be" && governed(s, i).by != Governor::none)) continue;
        propose_other_number(s, language, *verb, to);
        propose_other_tense(s, language, *verb, verb->is_past ? past : present, verb->is_past ? present : past, to);
    }
}

namespace {

// Forms of be or have before a participle or a predicate that has none.
void propose_missing_verb(const WrittenSentence& s, size_t i, CorrectionProposals& to) {
    const EnglishToken& word = s[i];
    const std::optional<size_t> subject = subject_of(s, i);
    const bool is_participle = word.tag == "VBG" || word.tag == "VBN";
    if (is_participle && subject && governed(s, i).by == Governor::none) {
        const GrammaticalNumber number = number_for(s, i);
        for (const bool is_past : {false, true})
            to.push_back({s.inserted_before(i, be_for(s, subject, number, is_past)), CorrectionKind::missing_verb, 0.5,
                          false, "a participle by itself is no predicate"});
        if (word.tag == "VBN")
            to.push_back({s.inserted_before(i, number == GrammaticalNumber::singular ? "has" : "have"),
                          CorrectionKind::missing_verb, 0.5, false, "a participle by itself is no predicate"});
    }
    // "She very happy", "they good": a pronoun or noun before an adjective.
    const bool is_subject = i > 0 && is_one_of(s.tag(i - 1), {"PRP", "NN", "NNS"});
    const bool is_predicate = is_one_of(word.tag, {"JJ", "RB"}) && is_subject &&
                              !is_one_of(s.tag(i + 1), {"NN", "NNS", "VBD", "VBZ", "VBP", "MD"});
    if (!is_predicate || (s.tag(i - 1) != "PRP" && word.tag == "RB")) return;
    const bool is_plural = s.tag(i - 1) == "NNS" || is_one_of(s.lower(i - 1), {"they", "we", "you"});
    to.push_back({s.inserted_before(i, s.lower(i - 1) == "i" ? "am"
                                       : is_plural           ? "are"
                                                             : "is"),
                  CorrectionKind::missing_verb, 0, false, "there is no verb between subject and adjective"});
}

// After "to": "enjoy to go", "interested in to go", "must to go"
void propose_without_to(const WrittenSentence& s, const CorrectionLanguage& language, size_t i, size_t to_token,
                        CorrectionProposals& to) {
    const CorrectionWords& words = language.words();
    const size_t before = to_token - 1;
    const bool is_gerund =
        listed_words("gerund_verbs").contains(s[before].lemma) || words.may_take_gerund.contains(s[before].lemma);
    const bool is_bare = s.tag(before) == "MD" || (before > 0 && words.bare_verbs.contains(s[before - 1].lemma));
    const auto propose_gerund = [&](double evidence, const std::string& why) {
        to.push_back({s.replaced(to_token, i + 1, verb_form_of(language, s[i], "VBG")), CorrectionKind::infinitive, evidence,
                      false, why});
    };
    if (s.tag(before) == "IN") propose_gerund(1, "a preposition asks for a verb in -ing");
    const bool is_after_verb = s.tag(before).starts_with("VB");
    if (is_after_verb || is_gerund)
        propose_gerund(is_gerund ? 1.5 : -0.5, "'" + s[before].text + "' may ask for a verb in -ing");
    if (is_bare || is_after_verb)
        to.push_back(
            {s.removed(to_token, i), CorrectionKind::infinitive, is_bare ? 1.0 : -1.0, false, "no 'to' is needed here"});
}

// "want go", "ask him go", "decided going"
void propose_with_to(const WrittenSentence& s, const CorrectionLanguage& language, size_t i, CorrectionProposals& to) {
    const auto asks = [&](size_t token) {
        return listed_words("infinitive_verbs").contains(s[token].lemma) ||
               language.words().may_take_infinitive.contains(s[token].lemma);
    };
    const EnglishToken& verb = s[i];
    // A verb or adjective right before, or one with an object between, that asks for "to".
    const bool is_asked = asks(i - 1) || (i > 1 && s.tag(i - 1) != "CC" && asks(i - 2) && s.tag(i - 2) != "MD");
    const bool follows = s.tag(i - 1).starts_with("VB") || s.is_tag(i - 1, {"JJ", "NN", "NNS", "PRP"});
    const bool may_follow = follows && s.is_dep(i, {"xcomp", "ccomp", "acl", "advcl"});
    const std::string why = "'" + s[i - 1].text + "' may ask for 'to'";
    if (verb.lower == verb.lemma && (is_asked || may_follow))
        to.push_back({s.inserted_before(i, "to"), CorrectionKind::infinitive, is_asked ? 1.0 : 0.0, false, why});
    if (verb.tag == "VBG" && is_asked)
        to.push_back({s.replaced(i, "to " + lemma_of(language, verb)), CorrectionKind::infinitive, 0, false, why});
}

void propose_infinitive(const WrittenSentence& s, const CorrectionLanguage& language, size_t i, CorrectionProposals& to) {
    const Governed by = governed(s, i);
    if (by.by == Governor::to && by.token > 0 && by.token + 1 == i)
        propose_without_to(s, language, i, by.token, to);
    else if (i > 0 && by.by == Governor::none)
        propose_with_to(s, language, i, to);
}

}  // namespace

void propose_verbs(const WrittenSentence& s, const CorrectionLanguage& language, CorrectionProposals& to) {
    for (size_t i = 0; i < s.size(); ++i) {
        const EnglishToken& word = s[i];
        if (!s.is_word(i) || is_contracted(word.text)) continue;
        propose_missing_verb(s, i, to);
        if (is_lexical_tag(word.tag) && word.lemma != "be") propose_infinitive(s, language, i, to);
        // "Because is important": a finite form of be without a subject before it.
        const bool is_subjectless = is_one_of(word.lower, {"is", "was"}) && i > 0 && !subject_of(s, i) &&
                                    is_one_of(s.tag(i - 1), {"IN", "CC", "VBP", "VB", ","});
        if (is_subjectless)
            to.push_back({s.inserted_before(i, "it"), CorrectionKind::pronoun, 0.5, false, "the verb has no subject"});
    }
}

}  // namespace craft
