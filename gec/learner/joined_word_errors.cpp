// Two words written as one, and one as two.
#include <array>

#include "gec/learner/error_kinds.h"

namespace craft {

namespace {

using WordPair = std::pair<std::string_view, std::string_view>;

constexpr std::array<WordPair, 29> kSplit = {
    {{"everyone", "every one"},     {"everything", "every thing"}, {"something", "some thing"}, {"without", "with out"},
     {"another", "an other"},       {"himself", "him self"},       {"herself", "her self"},     {"itself", "it self"},
     {"themselves", "them selves"}, {"weekend", "week end"},       {"sometimes", "some times"}, {"afternoon", "after noon"},
     {"homework", "home work"},     {"anybody", "any body"},       {"somebody", "some body"},   {"nobody", "no body"},
     {"nothing", "no thing"},       {"anything", "any thing"},     {"today", "to day"},         {"tomorrow", "to morrow"},
     {"someone", "some one"},       {"bedroom", "bed room"},       {"outside", "out side"},     {"inside", "in side"},
     {"already", "all ready"},      {"everywhere", "every where"}, {"somewhere", "some where"}, {"together", "to gether"},
     {"however", "how ever"}}};

constexpr std::array<WordPair, 22> kJoined = {
    {{"a lot", "alot"},         {"in front", "infront"}, {"as well", "aswell"},         {"each other", "eachother"},
     {"in fact", "infact"},     {"at least", "atleast"}, {"even though", "eventhough"}, {"no one", "noone"},
     {"of course", "ofcourse"}, {"a few", "afew"},       {"in order", "inorder"},       {"up to", "upto"},
     {"in case", "incase"},     {"at all", "atall"},     {"so that", "sothat"},         {"a bit", "abit"},
     {"all the", "allthe"},     {"even if", "evenif"},   {"for example", "forexample"}, {"next to", "nextto"},
     {"such as", "suchas"},     {"have to", "haveto"}}};

}  // namespace

LearnerErrors joined_word_errors(const CorrectSentence& sentence, const LearnerLanguage&) {
    LearnerErrors found;
    for (size_t i = 0; i < sentence.size(); ++i) {
        for (const auto& one : kSplit)
            if (sentence[i].lower == one.first && sentence.is_whole_word(i))
                found.push_back(sentence.instead_of(i, std::string(one.second)));
        if (i + 1 < sentence.size() && sentence.is_whole_word(i) && sentence.is_whole_word(i + 1))
            for (const auto& one : kJoined)
                if (sentence[i].lower + " " + sentence[i + 1].lower == one.first)
                    found.push_back(sentence.instead_of(i, i + 1, std::string(one.second)));
        // "twenty one"
        if (i + 2 < sentence.size() && sentence.is_lower(i + 1, {"-"}) && sentence[i].lower.ends_with("ty") &&
            sentence[i].pos == "NUM")
            found.push_back(sentence.instead_of(i + 1, " "));
    }
    return found;
}

}  // namespace craft
