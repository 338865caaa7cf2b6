#include "tests/systems/hosted/server/sentence_edits.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace craft::chat_server {

namespace {

// Blanks around them, so that none is a part of another word.
constexpr std::array<std::pair<const char*, const char*>, 14> kShorter = {{{" in order to ", " to "},
                                                                           {" due to the fact that ", " because "},
                                                                           {" at this point in time ", " now "},
                                                                           {" a large number of ", " many "},
                                                                           {" a lot of ", " much "},
                                                                           {" all of the ", " all "},
                                                                           {" very ", " "},
                                                                           {" really ", " "},
                                                                           {" quite ", " "},
                                                                           {" just ", " "},
                                                                           {" simply ", " "},
                                                                           {" actually ", " "},
                                                                           {" hardly any", " little "},
                                                                           {" and then ", " and "}}};
constexpr const char* kOpening = "In short, ";
constexpr size_t kLeastLeft = 20;  // bytes of a sentence that loses its end

bool is_mark(char c) {
    return c == '.' || c == '!' || c == '?';
}

std::string lowered(std::string text) {
    const bool is_name =
        text.size() < 2 || (std::islower(static_cast<unsigned char>(text[1])) == 0 && !text.starts_with("A "));
    if (!is_name) text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
    return text;
}

std::string raised(std::string text) {
    if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    return text;
}

std::string without_mark(std::string sentence) {
    while (!sentence.empty() && is_mark(sentence.back())) sentence.pop_back();
    return sentence;
}

std::string in_fewer_words(std::string sentence) {
    for (const auto& [long_one, short_one] : kShorter)
        for (size_t at = sentence.find(long_one); at != std::string::npos; at = sentence.find(long_one, at))
            sentence.replace(at, std::string(long_one).size(), short_one);
    return sentence;
}

std::string without_end(const std::string& sentence) {
    const size_t comma = sentence.rfind(", ");
    if (comma == std::string::npos || comma < kLeastLeft) return sentence;
    return sentence.substr(0, comma) + (is_mark(sentence.back()) ? sentence.substr(sentence.size() - 1) : "");
}

std::string opened(const std::string& sentence) {
    return sentence.starts_with(kOpening) ? raised(sentence.substr(std::string(kOpening).size()))
                                          : kOpening + lowered(sentence);
}

bool says(const std::string& plan, const char* words) {
    return plan.find(words) != std::string::npos;
}

// "replace 'river'": river.
std::string quoted(const std::string& plan) {
    const size_t begin = plan.find('\'');
    const size_t end = plan.rfind('\'');
    return begin == std::string::npos || end <= begin ? "" : plan.substr(begin + 1, end - begin - 1);
}

std::string in_two(const std::string& sentence) {
    for (const char* const between : {"; ", ", and ", ", but ", ", so ", ", "}) {
        const size_t at = sentence.find(between);
        if (at == std::string::npos) continue;
        return sentence.substr(0, at) + ". " + raised(sentence.substr(at + std::string(between).size()));
    }
    return tightened(sentence);
}

bool is_letter(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

std::string with_other_word(std::string sentence, const std::string& word) {
    size_t at = sentence.find(word);
    while (at != std::string::npos && ((at > 0 && is_letter(sentence[at - 1])) ||
                                       (at + word.size() < sentence.size() && is_letter(sentence[at + word.size()]))))
        at = sentence.find(word, at + 1);
    return word.empty() || at == std::string::npos ? tightened(sentence) : sentence.replace(at, word.size(), "such a thing");
}

std::string one_carried_out(const PlannedSentence& planned, uint64_t manner) {
    const auto& [sentence, plan] = planned;
    if (planned.is_kept()) return sentence;
    if (says(plan, "leave it out")) return "";
    if (says(plan, "split")) return in_two(sentence);
    if (says(plan, "longer")) return without_mark(sentence) + ", as far as anybody there can tell.";
    if (says(plan, "replace")) return with_other_word(sentence, quoted(plan));
    if (says(plan, "bring up")) return without_mark(sentence) + ", and " + quoted(plan) + " once more.";
    return tightened(sentence, manner);
}

void add_sentence(std::string& text, const std::string& sentence) {
    if (!sentence.empty()) text += (text.empty() ? "" : " ") + sentence;
}

}  // namespace

std::string tightened(const std::string& sentence, uint64_t manner) {
    if (manner == 2) return opened(sentence);
    const std::string shorter = in_fewer_words(sentence), cut = without_end(sentence);
    const std::string& first = manner == 1 ? cut : shorter;
    const std::string& second = manner == 1 ? shorter : cut;
    if (first != sentence) return first;
    return second != sentence ? second : opened(sentence);
}

bool PlannedSentence::is_kept() const {
    return plan.starts_with("keep") || plan.starts_with("Keep");
}

std::vector<PlannedSentence> planned_sentences(const std::string& lines) {
    const std::string head = "Sentence: \"", between = "\"; Improvement Plan: \"";
    std::vector<PlannedSentence> found;
    for (size_t begin = 0; begin < lines.size();) {
        const size_t end = std::min(lines.find('\n', begin), lines.size());
        const std::string line = lines.substr(begin, end - begin);
        begin = end + 1;
        const size_t middle = line.find(between);
        if (!line.starts_with(head) || middle == std::string::npos || !line.ends_with('"')) continue;
        const size_t plan = middle + between.size();
        found.push_back({line.substr(head.size(), middle - head.size()), line.substr(plan, line.size() - 1 - plan)});
    }
    return found;
}

std::string carried_out(const std::vector<PlannedSentence>& planned, uint64_t manner) {
    std::string text;
    bool joins = false;  // the sentence before is to be joined with the one that comes
    for (const PlannedSentence& one : planned) {
        joins = joins || says(one.plan, "sentence before");
        const std::string sentence = says(one.plan, "join") ? one.sentence : one_carried_out(one, manner);
        if (joins && !text.empty() && !sentence.empty())
            text = without_mark(text) + ", and " + lowered(sentence);
        else
            add_sentence(text, sentence);
        joins = says(one.plan, "next sentence");
    }
    return text;
}

std::string carried_out_wrongly(const std::vector<PlannedSentence>& planned) {
    std::string text;
    for (const PlannedSentence& one : planned) add_sentence(text, one.is_kept() ? tightened(one.sentence) : one.sentence);
    return text;
}

}  // namespace craft::chat_server
