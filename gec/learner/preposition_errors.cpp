// Prepositions that are left out, put in, or another one than the verb, noun or adjective before them asks for.
#include <array>

#include "gec/learner/error_kinds.h"
#include "gec/learner/preposition_tables.h"

namespace craft {

namespace {

// Words of time and place that settle the preposition before them.
struct Settled {
    std::string_view preposition;
    bool (*noun)(const CorrectSentence&, size_t);
    std::array<std::string_view, 2> written;
};

bool is_part_of_year(const CorrectSentence& s, size_t i) {
    const bool is_season = s.is_lower(i, {"spring", "summer", "autumn", "winter"});
    const bool is_name = is_month(s[i].lower) && !s.is_lower(i, {"march", "may"});
    return (is_season || is_name) && !s.is_tag(i + 1, {"CD"}) && (s[i].text == s[i].lower) == is_season;
}
bool is_year(const CorrectSentence& s, size_t i) {
    return s[i].text.size() == 4 && (s[i].text.starts_with("1") || s[i].text.starts_with("20")) && s[i].tag == "CD" &&
           s[i].dep == "pobj" && s[i].entity == "DATE";
}
bool is_day(const CorrectSentence& s, size_t i) {
    return is_weekday(s[i].lower);
}
bool is_time_of_day(const CorrectSentence& s, size_t i) {
    return s.is_lower(i, {"morning", "afternoon", "evening"}) && !s.is_lower(i + 1, {"of"});
}
bool is_place(const CorrectSentence& s, size_t i) {
    return s[i].entity == "GPE" && s[i].dep == "pobj";
}
bool is_point_of_time(const CorrectSentence& s, size_t i) {
    return s.is_lower(i, {"night", "noon", "midnight", "dawn", "christmas"}) || s[i].entity == "TIME";
}
bool is_home(const CorrectSentence& s, size_t i) {
    return s.is_lower(i, {"home"}) && s[i].dep == "pobj";
}
constexpr Settled kSettled[] = {
    {"in", is_part_of_year, {"on", "at"}}, {"in", is_year, {"on", "at"}},  {"on", is_day, {"in", "at"}},
    {"in", is_time_of_day, {"on", "at"}},  {"in", is_place, {"on", "on"}}, {"at", is_point_of_time, {"in", "on"}},
    {"at", is_home, {"in", "on"}},
};

// Verbs whose object follows at once, and the preposition that learners put before it.
constexpr std::array<std::pair<std::string_view, std::string_view>, 19> kDirect = {{{"discuss", "about"},
                                                                                    {"enter", "into"},
                                                                                    {"enter", "to"},
                                                                                    {"reach", "to"},
                                                                                    {"marry", "with"},
                                                                                    {"mention", "about"},
                                                                                    {"contact", "with"},
                                                                                    {"answer", "to"},
                                                                                    {"visit", "to"},
                                                                                    {"attend", "to"},
                                                                                    {"approach", "to"},
                                                                                    {"describe", "about"},
                                                                                    {"join", "to"},
                                                                                    {"face", "with"},
                                                                                    {"tell", "to"},
                                                                                    {"follow", "to"},
                                                                                    {"need", "of"},
                                                                                    {"include", "of"},
                                                                                    {"resemble", "to"}}};

bool starts_a_noun_phrase(const CorrectSentence& s, size_t token) {
    return s.is_tag(token, {"DT", "PRP$", "NN", "NNS", "NNP", "PRP", "JJ", "CD"}) &&
           !s.is_lower(token, {"all", "both", "half"});
}

void governed(const CorrectSentence& s, size_t preposition, LearnerErrors& found) {
    const size_t head = s[preposition].head;
    // Nothing but an object may stand between: "prevent the rain from ...".
    if (head >= preposition || preposition > head + 6 || !starts_a_noun_phrase(s, preposition + 1) ||
        preposition + 2 >= s.size())
        return;
    for (const LearnerPreposition& one : LearnerPrepositions::shipped().behind) {
        if (one.preposition != s[preposition].lower || (one.word != s[head].lemma && one.word != s[head].lower)) continue;
        const bool is_next = preposition == head + 1;
        // "Wait a moment" is right.
        const bool is_wait_of_time =
            one.word == "wait" && (s[preposition + 2].entity == "TIME" || s[preposition + 2].entity == "DATE" ||
                                   s.is_lower(preposition + 2, {"moment", "while", "time"}));
        for (const std::string& written : one.written) {
            if (written != "-")
                found.push_back(s.instead_of(preposition, written).because_of(head).weighing(2));
            else if (is_next && !is_wait_of_time)
                found.push_back(s.without(preposition).because_of(head).weighing(2));
        }
    }
}

void settled(const CorrectSentence& s, size_t preposition, LearnerErrors& found) {
    for (size_t noun = preposition + 1; noun < s.size() && noun <= preposition + 2; ++noun) {
        // Where the parser takes "Monday" for an adverb, no preposition has it.
        const bool is_object = s[noun].dep == "pobj" && s[noun].head == preposition;
        if (!is_object && (s[noun].dep != "npadvmod" || s[noun].entity != "DATE")) continue;
        for (const Settled& one : kSettled) {
            if (one.preposition != s[preposition].lower || !one.noun(s, noun)) continue;
            for (const std::string_view written : one.written)
                found.push_back(s.instead_of(preposition, std::string(written)).because_of(noun));
            if (preposition > 0 && (one.noun == is_year || one.noun == is_part_of_year || one.noun == is_time_of_day) &&
                s.is_tag(preposition - 1, {"NN", "NNS", "VBD", "VBN", "VBZ", "RB"}))
                found.push_back(s.without(preposition).because_of(noun));
        }
    }
}

// "in average", "at the future"
void of_phrase(const CorrectSentence& s, size_t preposition, LearnerErrors& found) {
    for (const size_t noun : s.children(preposition)) {
        if (s[noun].dep != "pobj" && s[noun].dep != "amod" && s[noun].dep != "pcomp") continue;
        if (noun < preposition || noun > preposition + 3) continue;
        // "by the car" and "in the end" are right.
        if (s.is_lower(preposition, {"by"}) && noun != preposition + 1) continue;
        if (s.is_lower(noun, {"end", "beginning"}) && !s.is_lower(noun + 1, {"of"})) continue;
        for (const LearnerPreposition& one : LearnerPrepositions::shipped().before)
            if (one.preposition == s[preposition].lower && one.word == s[noun].lower)
                for (const std::string& written : one.written)
                    found.push_back(s.instead_of(preposition, written).because_of(noun));
    }
}

// "the price the house"
void of_noun(const CorrectSentence& s, size_t preposition, LearnerErrors& found) {
    const size_t head = s[preposition].head;
    if (s.is_lower(preposition, {"of"}) && head + 1 == preposition && s.is_tag(head, {"NN", "NNS"}) &&
        s.is_lower(preposition + 1, {"the", "a", "an", "my", "his", "her", "their", "our", "this", "these"}))
        found.push_back(s.without(preposition).because_of(head).weighing(.25));
}

// Who does it, after a passive: "written from a nun".
void agent(const CorrectSentence& s, size_t preposition, LearnerErrors& found) {
    const size_t head = s[preposition].head;
    if (s[preposition].dep != "agent" || preposition != head + 1 || !starts_a_noun_phrase(s, preposition + 1) ||
        !s.has_child(head, {"auxpass"}))
        return;
    for (const char* written : {"from", "of"}) found.push_back(s.instead_of(preposition, written).because_of(head));
}

// "He goes in the school": only where a verb of motion has a goal that is a name or has an article.
void goal(const CorrectSentence& s, size_t preposition, LearnerErrors& found) {
    const size_t head = s[preposition].head;
    if (!s.is_lower(preposition, {"to"}) || preposition != head + 1 || s[preposition].dep != "prep") return;
    if (!s.is_lemma(head, {"go", "come", "travel", "speak", "explain"})) return;
    if (s.is_tag(preposition + 1, {"DT", "PRP$", "NNP", "PRP"}) && !s.is_lower(preposition + 1, {"no", "another"})) {
        found.push_back(s.without(preposition).because_of(head));
        if (s.is_lemma(head, {"go", "come", "travel"})) found.push_back(s.instead_of(preposition, "at").because_of(head));
    }
}

void put_in_preposition(const CorrectSentence& s, size_t verb, LearnerErrors& found) {
    if (s[verb].pos == "VERB" && starts_a_noun_phrase(s, verb + 1)) {
        const auto object = s.child(verb, {"dobj"});
        for (const auto& one : kDirect)
            if (object && s[verb].lemma == one.first && *object > verb && s.phrase_begin(*object) == verb + 1)
                found.push_back(s.put_in_before(verb + 1, one.second).because_of(verb).weighing(2));
    }
    // "went to home", "in last week"
    if (s.is_lower(verb + 1, {"home", "there", "here", "abroad"}) &&
        s.is_lemma(verb, {"go", "come", "return", "drive", "walk"}) && s[verb + 1].dep == "advmod")
        found.push_back(s.put_in_before(verb + 1, "to").because_of(verb));
    if (verb > 0 && s.is_lower(verb, {"last", "next", "every", "this"}) && s[s[verb].head].dep == "npadvmod" &&
        s.is_lower(s[verb].head, {"week", "month", "year", "day", "morning", "summer", "winter", "spring", "autumn",
                                  "monday", "friday", "saturday", "sunday", "night", "evening", "time"}) &&
        s[verb].head == verb + 1 && s.is_tag(verb - 1, {"NN", "NNS", "VBD", "VBN", "RB", "PRP", "NNP"}))
        found.push_back(s.put_in_before(verb, s.is_lower(verb + 1, {"day", "night"}) ? "in" : "on").because_of(verb + 1));
    if (s.is_lower(verb, {"despite"})) found.push_back(s.put_in_before(verb + 1, "of"));
}

// "for two years" since when, "since 1990" for how long.
void duration(const CorrectSentence& s, size_t preposition, LearnerErrors& found) {
    const auto noun = s.child(preposition, {"pobj"});
    if (!noun || *noun < preposition) return;
    if (s.is_lower(preposition, {"for"}) && s.is_tag(*noun, {"NNS"}) && s[*noun].entity == "DATE" &&
        s.is_lower(*noun, {"years", "months", "weeks", "days", "decades", "hours"}))
        found.push_back(s.instead_of(preposition, "since").because_of(*noun).weighing(2));
    if (s.is_lower(preposition, {"since"}) && (is_year(s, *noun) || is_part_of_year(s, *noun) || is_day(s, *noun)))
        found.push_back(s.instead_of(preposition, "for").because_of(*noun).weighing(2));
}

}  // namespace

LearnerErrors preposition_errors(const CorrectSentence& sentence, const LearnerLanguage&) {
    LearnerErrors found;
    for (size_t i = 0; i + 1 < sentence.size(); ++i) {
        if (is_one_of(sentence[i].dep, {"prep", "agent", "pcomp"}) && sentence.is_whole_word(i) && i > 0) {
            governed(sentence, i, found);
            settled(sentence, i, found);
            of_phrase(sentence, i, found);
            of_noun(sentence, i, found);
            agent(sentence, i, found);
            goal(sentence, i, found);
            duration(sentence, i, found);
        }
        put_in_preposition(sentence, i, found);
    }
    return found;
}

}  // namespace craft
