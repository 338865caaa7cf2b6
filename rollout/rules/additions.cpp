// Openers, insertions, tails and mentions: a sentence grows.
#include <algorithm>

#include "core/ascii.h"
#include "core/rng.h"
#include "rollout/rules/edits.h"

namespace craft {

namespace {

bool is_question(const Sentence& s) {
    return s.text().find('?', s.body_end()) != std::string::npos;
}

bool is_auxiliary(std::string_view word) {
    for (const char* a : {"is", "are", "was", "were", "has", "have", "had", "will", "would", "can", "could", "may", "might",
                          "must", "should", "did"})
        if (word == a) return true;
    return false;
}

// Where a parenthesis may stand: after the auxiliary of the subject, or after a name that opens the sentence. 0: nowhere.
size_t insertion_point(const EditContext& context, const Sentence& s) {
    size_t i = 0;
    while (i + 1 < s.size() && s.capital(i) && s.tight(i)) ++i;  // the word after the opening capitals
    for (size_t k = 1; k < std::min<size_t>(s.size(), 7) && s.tight(k - 1); ++k)
        if (is_auxiliary(s.word(k))) return s.tight(k) && s.word(k + 1) != "not" ? s.end_of(k) : 0;
    if (i == 0 || i >= s.size() || s.capital(i)) return 0;
    const bool name =
        !context.rules.function_words.contains(s.word(i - 1)) && !s.word(0).starts_with("i'") && s.word(0) != "i";
    const auto verb = s.word(i);
    if (!verb.ends_with("ed") && (!verb.ends_with("s") || verb.ends_with("ss"))) return 0;
    return name && !context.rules.function_words.contains(s.word(i)) ? s.end_of(i - 1) : 0;
}

void open_with(const EditContext& context, const Sentence& s, const std::string& opener, EditGroup group, double cost,
               std::vector<Edit>& out) {
    bool lowered = false;
    const std::string rest = in_lower_case(s.text(), context.rules, context.lower_words, &lowered);
    const bool first_person = s.size() > 0 && (s.word(0) == "i" || s.word(0).starts_with("i'"));
    if (!lowered && !first_person) cost += 2;  // a name, perhaps: or a noun that should lose its capital
    out.push_back({group, cost, {opener + " " + rest}, 1});
}

void close_with(const Sentence& s, const std::string& tail, EditGroup group, double cost, std::vector<Edit>& out) {
    out.push_back({group, cost, {s.text().substr(0, s.body_end()) + tail + s.text().substr(s.body_end())}, 1});
}

// Offers some of a list, which ones depends on the sentence alone.
template <class Use>
void some_of(const std::vector<std::string>& list, const Sentence& s, size_t most, Use use) {
    if (list.empty()) return;
    const size_t start = stable_hash(s.text()) % list.size();
    for (size_t k = 0; k < std::min(most, list.size()); ++k) use(list[(start + k * 5) % list.size()]);
}

// Whether the sentence opens in a way that leaves no room for another opener.
bool has_opener(const Rules& rules, const Sentence& s) {
    const size_t comma = s.text().find(',');
    for (const char* conjunction : {"and", "but", "or", "so", "yet", "nor", "because", "then", "however", "also", "which"})
        if (s.size() > 0 && s.word(0) == conjunction) return true;
    for (const auto& opener : rules.that_openers)
        if (s.text().starts_with(opener)) return true;
    return s.size() < 2 || (comma != std::string::npos && comma < s.begin_of(std::min<size_t>(s.size() - 1, 5)));
}

}  // namespace

void list_additions(const EditContext& context, const Sentence& s, std::vector<Edit>& out) {
    if (s.size() < 2) return;
    const Rules& rules = context.rules;
    const bool opened = has_opener(rules, s);
    if (!opened) some_of(rules.openers, s, 5, [&](const std::string& o) { open_with(context, s, o, kGrow, 2, out); });
    if (!opened && !is_question(s) && (rules.pronouns.contains(s.word(0)) || rules.determiners.contains(s.word(0))))
        some_of(rules.that_openers, s, 2, [&](const std::string& o) { open_with(context, s, o, kGrow, 2.6, out); });
    if (const size_t at = insertion_point(context, s); at > 0)
        some_of(rules.insertions, s, 3, [&](const std::string& words) {
            out.push_back({kGrow, 2.2, {s.text().substr(0, at) + ", " + words + "," + s.text().substr(at)}, 1});
        });
    if (!is_question(s) && s.body_end() > 0 && s.text()[s.body_end() - 1] != ':')
        some_of(rules.tails, s, 4, [&](const std::string& t) {
            if (s.text().find(t) == std::string::npos) close_with(s, t, kGrow, 3, out);
        });
}

Mention find_mention(const std::string& keyword, const std::vector<std::string>& sentences, const Rules& rules) {
    Mention mention{keyword, keyword, false};
    const bool name =
        !keyword.empty() && ((keyword[0] >= 'A' && keyword[0] <= 'Z') || keyword.find(' ') != std::string::npos);
    const std::string lower = ascii_lower(keyword);
    for (const auto& text : sentences) {
        if (ascii_lower(text).find(lower) == std::string::npos) continue;
        const Sentence s(text);
        for (size_t i = 1; i < s.size(); ++i) {
            if (s.word(i) != lower || !s.tight(i - 1)) continue;
            size_t begin = i, end = i;
            while (begin > 0 && i - begin < 3 && s.tight(begin - 1) && !rules.determiners.contains(s.word(begin))) --begin;
            if (!rules.determiners.contains(s.word(begin)) || begin == i) continue;
            while (s.tight(end) && end - i < 2 && !rules.function_words.contains(s.word(end + 1))) ++end;
            if (s.tight(end) && !rules.function_words.contains(s.word(end + 1)))
                continue;  // where the phrase ends is not clear
            std::string phrase = text.substr(s.begin_of(begin), s.end_of(end) - s.begin_of(begin));
            if (begin == 0) phrase[0] = s.word(0)[0];
            return {keyword, phrase, true};
        }
        if (name && s.size() > 1) mention.phrase = true;
    }
    return mention;
}

void list_mentions(const EditContext& context, const Sentence& s, const Mention& mention, std::vector<Edit>& out) {
    if (s.size() < 2) return;
    const Rules& rules = context.rules;
    const auto use = [&](const MentionRule& rule, const std::string& text, double more) {
        std::string said = rule.text;
        said.replace(said.find("{}"), 2, text);
        if (rule.opener && !has_opener(rules, s))
            open_with(context, s, said, kMention, rule.cost + more, out);
        else if (!rule.opener && !is_question(s) && s.text().find(said) == std::string::npos)
            close_with(s, said, kMention, rule.cost + more, out);
    };
    if (mention.phrase)
        for (const auto& rule : rules.mention_phrase) use(rule, mention.text, 0);
    for (const auto& rule : rules.mention_word) use(rule, mention.keyword, mention.phrase ? 2 : 0);
    const std::string lower = ascii_lower(mention.keyword);
    for (const auto& opener : rules.openers)
        if (!has_opener(rules, s) && ascii_lower(opener).find(lower) != std::string::npos)
            open_with(context, s, opener, kMention, 2, out);
    for (const auto& tail : rules.tails)
        if (!is_question(s) && tail.find(lower) != std::string::npos && s.text().find(tail) == std::string::npos)
            close_with(s, tail, kMention, 3, out);
}

}  // namespace craft
