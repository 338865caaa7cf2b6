// Articles and other determiners: the commonest error of those whose language has none.
#include "english/indefinite_article.h"
#include "gec/learner/error_kinds.h"

namespace craft {

namespace {

// Nouns that "the" may go before or not, or that have no article as a title or a time.
bool goes_without_the(const CorrectSentence& sentence, size_t noun) {
    return sentence.is_lemma(noun,
                             {"president", "king",   "queen", "director", "manager", "chairman",   "captain", "leader",
                              "head",      "author", "owner", "founder",  "winner",  "day",        "week",    "month",
                              "year",      "time",   "way",   "fact",     "kind",    "sort",       "weekend", "moment",
                              "mother",    "father", "mum",   "dad",      "kingdom", "government", "opinion", "reason"}) ||
           is_one_of(sentence[noun].dep, {"appos", "conj", "npadvmod", "oprd", "nmod", "compound", "poss"});
}

// Whether the noun of an article is wrong without it.
bool needs_article(const CorrectSentence& sentence, const LearnerLanguage& language, size_t article, size_t noun) {
    const size_t before = noun == article + 1 ? article - 1 : noun - 1;  // of the noun, where the article is left out
    return sentence[noun].tag == "NN" && !language.may_stand_bare(sentence, noun, before) &&
           !goes_without_the(sentence, noun);
}

// "the best", "the same": nothing but "the" goes before these.
bool asks_for_the(const CorrectSentence& sentence, size_t token) {
    return sentence.is_lower(token, {"same", "only", "first", "last", "second", "third", "best", "worst", "latter"}) ||
           (sentence.is_tag(token, {"JJS"}) && !sentence.is_lower(token, {"most", "least"}));
}

bool is_fixed_phrase(const CorrectSentence& sentence, size_t article) {
    return sentence.is_lower(article + 1, {"few", "little", "lot", "number", "bit", "couple", "hundred", "thousand",
                                           "million", "dozen", "half", "third", "quarter"}) ||
           (sentence.is_lower(article, {"a", "an"}) && article > 0 &&
            sentence.is_lower(article - 1, {"such", "what", "many", "quite", "half", "rather"}));
}

void leave_out_article(const CorrectSentence& sentence, const LearnerLanguage& language, size_t article,
                       LearnerErrors& found) {
    const size_t noun = sentence[article].head;
    if (is_fixed_phrase(sentence, article) || noun <= article || article + 1 >= sentence.size()) return;
    // "from the door to the window": such pairs do without.
    bool is_pair = article > 0 && sentence.is_lower(article - 1, {"from", "by", "between"});
    for (size_t i = article; i-- > 0 && i + 6 > article;)
        if (sentence.is_lower(i, {"from"}) && sentence.is_lower(article - 1, {"to"})) is_pair = true;
    // What is set off by a comma may be an apposition.
    if (article > 0 && sentence.is_lower(article - 1, {","}) && !sentence[noun].dep.starts_with("nsubj")) return;
    const bool wrong = (needs_article(sentence, language, article, noun) && !is_pair) ||
                       (sentence.is_lower(article, {"the"}) && asks_for_the(sentence, article + 1) && noun > article + 1 &&
                        !sentence.is_lower(article + 1, {"first", "last", "second", "third"}));
    if (wrong) found.push_back(sentence.without(article).because_of(noun).weighing(3));
}

void swap_article(const CorrectSentence& sentence, size_t article, LearnerErrors& found) {
    const EnglishToken& next = sentence[article + 1];
    const bool is_plain = !next.text.empty() && next.text == next.lower && next.lower[0] >= 'a' && next.lower[0] <= 'z' &&
                          next.text.size() > 2;
    if (sentence.is_lower(article, {"a", "an"})) {
        const std::string other = sentence[article].lower == "an" ? "a" : "an";
        if (is_plain && !may_stand_before(other, next.text))
            found.push_back(sentence.instead_of(article, other).weighing(2));
        return;
    }
    if (sentence.is_lower(article, {"the"}) && asks_for_the(sentence, article + 1) && sentence[article].head > article + 1 &&
        !sentence.is_lower(article + 1, {"only", "first", "last", "second", "third"}))
        found.push_back(
            sentence.instead_of(article, std::string(indefinite_article(next.text))).because_of(sentence[article].head));
}

// "this" before several, "these" before one.
void other_demonstrative(const CorrectSentence& sentence, size_t word, LearnerErrors& found) {
    const size_t noun = sentence[word].head;
    if (noun <= word || noun > word + 3 || sentence[word].dep != "det") return;
    const bool several = sentence[noun].tag == "NNS", one = sentence[noun].tag == "NN";
    if (several && sentence[noun].lower.ends_with("s")) {
        if (sentence.is_lower(word, {"these"})) found.push_back(sentence.instead_of(word, "this").because_of(noun));
        if (sentence.is_lower(word, {"those"})) found.push_back(sentence.instead_of(word, "that").because_of(noun));
    } else if (one) {
        if (sentence.is_lower(word, {"this"}))
            found.push_back(sentence.instead_of(word, "these").because_of(noun).weighing(.4));
        if (sentence.is_lower(word, {"that"}))
            found.push_back(sentence.instead_of(word, "those").because_of(noun).weighing(.3));
    }
}

void wrong_quantity(const CorrectSentence& sentence, size_t word, LearnerErrors& found) {
    const size_t noun = sentence[word].head;
    if (noun != word + 1 || sentence[word].dep != "amod") return;
    if (sentence.is_lower(word, {"many"}) && sentence.is_tag(noun, {"NNS"}))
        found.push_back(sentence.instead_of(word, "much").because_of(noun));
    if (sentence.is_lower(word, {"much"}) && sentence.is_tag(noun, {"NN"}))
        found.push_back(sentence.instead_of(word, "many").because_of(noun));
}

bool has_determiner(const CorrectSentence& sentence, size_t noun) {
    return sentence.has_child(noun, {"det", "poss", "nummod", "predet", "quantmod", "neg"});
}

// "the France", "in the January", "the Maria"
void put_in_before_name(const CorrectSentence& sentence, size_t noun, LearnerErrors& found) {
    const EnglishToken& token = sentence[noun];
    if (sentence.phrase_begin(noun) != noun || sentence.has_child(noun, {"conj", "cc", "appos", "prep", "relcl", "acl"}))
        return;
    const auto add = [&](double weight) {
        found.push_back(sentence.put_in_before(noun, "the").because_of(noun).weighing(weight));
    };
    const bool is_country =
        sentence.is_lower(noun, {"france",  "germany",  "italy",   "spain",    "canada", "japan",  "china",  "india",
                                 "england", "scotland", "ireland", "portugal", "norway", "sweden", "poland", "london",
                                 "paris",   "berlin",   "rome",    "vienna",   "lisbon", "europe", "africa"});
    const bool is_time =
        (is_month(token.lower) && !sentence.is_lower(noun, {"may"})) ||
        (token.text.size() == 4 && (token.text.starts_with("19") || token.text.starts_with("20")) && token.tag == "CD");
    if (noun > 0 && sentence.is_lower(noun - 1, {"in", "since", "until", "from"}) && (is_country || is_time) &&
        !sentence.is_tag(noun + 1, {"CD", "NN", "NNP", "NNS"}))
        add(1);
    if (token.entity == "PERSON" && token.tag == "NNP" && token.dep == "nsubj" && token.entity_place == 'B') add(.7);
}

// "an information", "a dogs"
void put_in_indefinite(const CorrectSentence& sentence, const LearnerLanguage& language, size_t noun, LearnerErrors& found) {
    const EnglishToken& token = sentence[noun];
    if (is_one_of(token.dep, {"compound", "conj"})) return;
    const size_t begin = sentence.phrase_begin(noun);
    const auto add = [&](double weight) {
        found.push_back(
            sentence.put_in_before(begin, indefinite_article(sentence[begin].text)).because_of(noun).weighing(weight));
    };
    if (is_uncountable(token.lower) && token.lower != "knowledge" && token.tag == "NN") add(2);
    if (token.tag == "NNS" && token.lower.ends_with("s") && noun <= begin + 1 &&
        language.forms().form(token.lemma, "NNS") == token.lower && begin > 0 &&
        sentence[begin].text == sentence[begin].lower && !sentence.has_child(noun, {"cc"}) &&
        !sentence.is_lower(begin, {"few", "many", "more", "most", "other", "such"}))
        add(.5);
}

}  // namespace

LearnerErrors article_errors(const CorrectSentence& sentence, const LearnerLanguage& language) {
    LearnerErrors found;
    for (size_t i = 0; i + 1 < sentence.size(); ++i) {
        if (sentence[i].dep == "det" && sentence.is_lower(i, {"a", "an", "the"}) && sentence.is_whole_word(i)) {
            leave_out_article(sentence, language, i, found);
            swap_article(sentence, i, found);
        }
        other_demonstrative(sentence, i, found);
        wrong_quantity(sentence, i, found);
        if (!sentence.is_tag(i, {"NN", "NNS", "NNP", "CD"}) || has_determiner(sentence, i)) continue;
        put_in_before_name(sentence, i, found);
        put_in_indefinite(sentence, language, i, found);
        // "the my house"
        if (sentence[i].tag == "PRP$" && i > 0 && sentence[i].text == sentence[i].lower)
            found.push_back(sentence.put_in_before(i, "the").weighing(.3));
    }
    return found;
}

}  // namespace craft
