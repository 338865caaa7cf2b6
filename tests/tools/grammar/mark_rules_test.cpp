#include "tools/grammar/mark_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/grammar/grammar_setup.h"

namespace craft {
namespace {

struct RuleCase {
    const char* sentence;
    const char* mark;  // what is said of it; "": nothing
};

void expect_marks(void (*rule)(RuleMarks&), const std::vector<RuleCase>& cases) {
    for (const RuleCase& one : cases) {
        std::string said;
        for (const std::string& mark : test::InstalledGrammar::get().marks(rule, one.sentence))
            said += (said.empty() ? "" : "; ") + mark;
        EXPECT_EQ(said, one.mark) << one.sentence;
    }
}

TEST(MarkRules, KeepTheCaseOfAWord) {
    EXPECT_EQ(in_case_of("these", "This"), "These");
    EXPECT_EQ(in_case_of("these", "this"), "these");
    EXPECT_EQ(in_case_of("his", ""), "his");
}

TEST(MarkRules, SeeRepeatedWords) {
    CRAFT_NEEDS_GRAMMAR();
    expect_marks(mark_repeated_words, {{"The the dog barked.", "redundant the"},
                                       {"He had had a cold, and I know that that hurt.", ""},
                                       {"What it is is a mistake.", ""},
                                       {"Two cats \xF0\x9F\x98\x80\xF0\x9F\x98\x80 and a dog.", ""},
                                       {"She lost the her keys.", "redundant the"},
                                       {"She took an A-level, and is an A student.", ""},
                                       {"The A train is a A-list train.", ""},
                                       {"They sell an a-frame house.", ""},
                                       {"There is an a in the word.", ""},
                                       {"It took a THE ranking.", ""},
                                       {"She is a an engineer.", "redundant a"},
                                       {"He drew the an A.", "redundant the"},
                                       {"My room is more smaller than yours.", "redundant more"},
                                       {"My room is more small than yours.", "substituted more small: smaller"},
                                       {"It is more expensive.", ""},
                                       {"Although it rained, but we went out.", "redundant but"},
                                       {"Although it rained, we went out.", ""},
                                       {"We were late because of there was traffic.", "redundant of"},
                                       {"We were late because of the traffic.", ""},
                                       {"He returned back home.", "redundant back"},
                                       {"I met her in yesterday.", "redundant in"},
                                       {"It was in yesterday's paper.", ""}});
}

TEST(MarkRules, SeeConfusedWords) {
    CRAFT_NEEDS_GRAMMAR();
    expect_marks(mark_confused_words, {{"The cat was lying in it's basket.", "substituted it's: its"},
                                       {"Its a good idea to leave early.", "substituted Its: It's"},
                                       {"The dog wagged its tail because it's happy.", ""},
                                       {"Is their a chemist near here?", "substituted their: there"},
                                       {"You can have it if your going out.", "substituted your: you're"},
                                       {"Your the best friend I have.", "substituted Your: You're"},
                                       {"The variable a is a number.", ""},
                                       {"The man who's car was stolen called us.", "substituted who's: whose"},
                                       {"There are to many cars.", "substituted to: too"},
                                       {"She is taller then her brother.", "substituted then: than"},
                                       {"She waited a hour for an useful answer.", "substituted a: an; substituted an: a"},
                                       {"It was an honest mistake in a university, an FBI agent said.", ""},
                                       {"It was an utopia for a unidentified man.", "substituted an: a; substituted a: an"},
                                       {"An UK firm sold a MRI scan.", "substituted An: A; substituted a: an"},
                                       {"It is a 8-bit chip in an one-off box.", "substituted a: an; substituted an: a"},
                                       {"He waited a \"hour\" in an hospital.", "substituted a: an; substituted an: a"},
                                       {"It is an historic SQL book with a herb.", ""},
                                       {"I have lived here since twenty years.", "substituted since: for"},
                                       {"I have lived here since 2005.", ""},
                                       {"You should of told me.", "substituted of: have"},
                                       {"He drives very careful, even at night.", "substituted careful: carefully"}});
}

TEST(MarkRules, SeeVerbsThatDoNotAgree) {
    CRAFT_NEEDS_GRAMMAR();
    expect_marks(mark_agreement, {{"He go to school every day.", "substituted go: goes"},
                                  {"She swam a 100-metre race.", ""},
                                  {"The children was playing in the garden.", "substituted was: were"},
                                  {"The results of the test was good.", "substituted was: were"},
                                  {"Students who works part time learn a lot.", "substituted works: work"},
                                  {"There is several reasons why I disagree.", "substituted is: are"},
                                  {"My mother and my father lives in Rome.", "substituted lives: live"},
                                  {"Everyone have the same chance.", "substituted have: has"},
                                  {"If I were you, I would go.", ""},
                                  {"The team are playing well, and a number of people were there.", ""},
                                  {"Two years is a long time.", ""},
                                  {"They suggested that he go home.", ""},
                                  {"I am sure that you and I are right.", ""}});
}

TEST(MarkRules, SeeFormsOfVerbs) {
    CRAFT_NEEDS_GRAMMAR();
    expect_marks(mark_verb_forms, {{"You must wearing a helmet.", "substituted wearing: wear"},
                                   {"She can to swim.", "redundant to"},
                                   {"Did you saw the film?", "substituted saw: see"},
                                   {"She used to told us stories.", "substituted told: tell"},
                                   {"I look forward to hear from you.", "substituted hear: hearing"},
                                   {"I will not be able to attending the meeting.", "substituted attending: attend"},
                                   {"Thanks for invite me to your wedding.", "substituted invite: inviting"},
                                   {"I enjoy to cook.", "substituted to cook: cooking"},
                                   {"He decided leave his job.", "missing before leave: to"},
                                   {"He asked me help him with his homework.", "missing before help: to"},
                                   {"My father made me to apologise.", "redundant to"},
                                   {"She has been able to see it, and we have to go to bed.", ""},
                                   {"I look forward to meeting you, because he let me know that he can come.", ""}});
}

TEST(MarkRules, SeeParticiples) {
    CRAFT_NEEDS_GRAMMAR();
    expect_marks(mark_participles, {{"The price has rose since last year.", "substituted rose: risen"},
                                    {"They have went home.", "substituted went: gone"},
                                    {"The train was delay because of the snow.", "substituted delay: delayed"},
                                    {"The prize has been award to a nurse.", "substituted award: awarded"},
                                    {"He throwed the ball away.", "substituted throwed: threw"},
                                    {"She opened the window and looks out.", "substituted looks: looked"},
                                    {"She has been able to see it, and the ball was thrown away.", ""}});
}

TEST(MarkRules, SeeWhatIsSaidTwice) {
    CRAFT_NEEDS_GRAMMAR();
    expect_marks(mark_said_twice, {{"My brother he works in a bank.", "redundant he"},
                                   {"The old glue it has to be scraped off.", "redundant it"},
                                   {"He says that prices they rise every year.", "redundant they"},
                                   {"It is depends on the weather.", "redundant is"},
                                   {"We will can go there tomorrow.", "redundant can"},
                                   {"The book she wrote is good, and the day he came was a Monday.", ""},
                                   {"It is trees that they need.", ""}});
}

TEST(MarkRules, SeeClausesWithoutAVerb) {
    CRAFT_NEEDS_GRAMMAR();
    expect_marks(mark_clauses_without_verb, {{"The bats not call at night.", "missing before not: did"},
                                             {"Your report 112 pages long.", "missing before 112: is"},
                                             {"They very happy about it.", "missing before very: are"},
                                             {"Your report is not long, and my nephew types very fast.", ""}});
}

TEST(MarkRules, SeeHowClausesAreJoined) {
    CRAFT_NEEDS_GRAMMAR();
    expect_marks(mark_joined_clauses,
                 {{"Goran says that doesn't matter which stretch you do.", "missing before does: it"},
                  {"Three cranes have stood there for years were sold.", "missing before have: that"},
                  {"The house was very old, nobody wanted to buy it.", "missing before nobody: and"},
                  {"When it rains, we stay at home, and by half past four it was over, and steam was rising.", ""},
                  {"The house, he said, was old.", ""}});
}

TEST(MarkRules, SeeMissingVerbsAndTenses) {
    CRAFT_NEEDS_GRAMMAR();
    expect_marks(mark_missing_verbs, {{"She reading a book about France.", "missing before reading: is"},
                                      {"It is popular because is cheap.", "missing before is: it"},
                                      {"There a supermarket at the end of the street.", "missing before a: is"},
                                      {"I saw him reading a book.", ""}});
    expect_marks(mark_tenses, {{"I go to the cinema yesterday.", "substituted go: went"},
                               {"We were in Greece when we hear the news.", "substituted hear: heard"},
                               {"I will phone you as soon as I will arrive.", "substituted will arrive: arrive"},
                               {"I go there when I have time.", ""}});
}

TEST(MarkRules, SeeNumbersOfNouns) {
    CRAFT_NEEDS_GRAMMAR();
    expect_marks(mark_noun_numbers, {{"Many student prefer the library.", "substituted student: students"},
                                     {"Add two spoon of oil.", "substituted spoon: spoons"},
                                     {"It is one of the best way to learn.", "substituted way: ways"},
                                     {"This problems could be solved.", "substituted problems: problem"},
                                     {"He gave me some useful advices.", "substituted advices: advice"},
                                     {"There were too much cars.", "substituted much: many"},
                                     {"The train leaves at seven o'clock on a five-day journey of 20 per cent.", ""}});
}

TEST(MarkRules, SeeArticles) {
    CRAFT_NEEDS_GRAMMAR();
    expect_marks(mark_missing_articles, {{"I bought car yesterday.", "missing before car: a"},
                                         {"Mix the flour in large bowl.", "missing before large: the"},
                                         {"She has lot of experience.", "missing before lot: a"},
                                         {"It was most beautiful place I had seen.", "missing before most: the"},
                                         {"We went home by car and stayed in bed at school.", ""},
                                         {"My car, his father's car and every car were there.", ""}});
}

TEST(MarkRules, SeeRedundantArticles) {
    CRAFT_NEEDS_GRAMMAR();
    expect_marks(mark_redundant_articles, {{"He gave me an advice.", "redundant an"},
                                           {"We saw a several boats.", "redundant a"},
                                           {"They bought a smaller boats.", "substituted a smaller boats: a smaller boat"},
                                           {"She was born in the September.", "redundant the"},
                                           {"They have lived there since the 2004.", "redundant the"},
                                           {"They come from the Norway.", "redundant the"},
                                           {"In the September of that year we saw the May sun over the Hague.", ""}});
}

TEST(MarkRules, SeeGapsBetweenNounPhrases) {
    CRAFT_NEEDS_GRAMMAR();
    expect_marks(mark_preposition_gaps, {{"We went out in spite the rain.", "missing before the: of"},
                                         {"According the minister, it is safe.", "missing before the: to"},
                                         {"There are a number possible explanations.", "missing before possible: of"},
                                         {"Captain Juell lost his leg 1807.", "missing before 1807: in"},
                                         {"I gave the man a book the day we met.", ""}});
}

TEST(MarkRules, SeePrepositions) {
    CRAFT_NEEDS_GRAMMAR();
    expect_marks(mark_prepositions, {{"It depends of the weather.", "substituted of: on"},
                                     {"Are you interested on learning the piano?", "substituted on: in"},
                                     {"We discussed about the problem.", "redundant about"},
                                     {"She listens music every day.", "missing before music: to"},
                                     {"I prefer tea than coffee.", "substituted than: to"},
                                     {"The teacher explained us the rule.", "missing before us: to"},
                                     {"We met in Monday.", "substituted in: on"},
                                     {"It depends on you, of course; she is good at chess.", ""}});
}

}  // namespace
}  // namespace craft
