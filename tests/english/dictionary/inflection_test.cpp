#include "english/dictionary/inflection.h"

#include <gmock/gmock.h>

#include "tests/core/temporary_folder.h"
#include "tests/english/dictionary/gzip_bytes.h"
#include "tests/english/dictionary/installed.h"

namespace craft {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kTable =
    "Aaron,noun,Aarons/Aaron\n"
    "buy,verb,bought,,buying,buys\n"
    "burn,verb,burned/burnt,burnt,burning,burns\n"
    "find,verb,found,found,finding,finds\r\n"
    "point,noun,points\n"
    "leaf,noun,leaves\n"
    "\n"
    "good,adj,better,best\n"
    "careful,adj,,\n"
    "cord,noun,cord\n"
    "be,noun,bees\n";

TEST(Inflections, AreTheTables) {
    const Inflections inflections = Inflections::parse(kTable, "table");
    EXPECT_THAT(inflections.forms("buy", "VBD"), ElementsAre("bought"));
    EXPECT_THAT(inflections.forms("buy", "VBN"), ElementsAre("bought")) << "an empty participle is the past";
    EXPECT_THAT(inflections.forms("burn", "VBN"), ElementsAre("burned", "burnt"));
    EXPECT_THAT(inflections.forms("burn", "VBD"), ElementsAre("burned", "burnt"));
    EXPECT_THAT(inflections.forms("buy", "VBG"), ElementsAre("buying"));
    EXPECT_THAT(inflections.forms("find", "VBZ"), ElementsAre("finds")) << "a line that ends in CR LF";
    EXPECT_THAT(inflections.forms("leaf", "NNS"), ElementsAre("leaves"));
    EXPECT_THAT(inflections.forms("good", "JJR"), ElementsAre("better"));
    EXPECT_THAT(inflections.forms("good", "JJS"), ElementsAre("best"));
    EXPECT_THAT(inflections.forms("careful", "JJR"), ElementsAre("more careful"));
    EXPECT_THAT(inflections.forms("careful", "JJS"), ElementsAre("most careful"));
    EXPECT_THAT(inflections.forms("Aaron", "NNS"), ElementsAre("Aarons", "Aaron"));
    EXPECT_THAT(inflections.forms("Buy", "VBD"), ElementsAre("bought")) << "small letters where the table has no capitals";
    for (const char* base : {"VB", "VBP"}) EXPECT_THAT(inflections.forms("buy", base), ElementsAre("buy"));
    EXPECT_THAT(inflections.forms("unheard", "JJ"), ElementsAre("unheard"));
}

TEST(Inflections, OfWhatTheTableLacks) {
    const Inflections inflections = Inflections::parse(kTable, "table");
    EXPECT_THAT(inflections.forms("blog", "VBD"), ElementsAre("blogged"));
    EXPECT_THAT(inflections.forms("leaf", "VBD"), ElementsAre("leafed")) << "the table has the noun alone";
    EXPECT_THAT(inflections.forms("rebuy", "VBD"), ElementsAre("rebought"));
    EXPECT_THAT(inflections.forms("rebake", "VBD"), ElementsAre("rebaked"));
    EXPECT_THAT(inflections.forms("impulse-buy", "VBG"), ElementsAre("impulse-buying"));
    EXPECT_THAT(inflections.forms("clover-leaf", "NNS"), ElementsAre("clover-leaves"));
    EXPECT_THAT(inflections.forms("over-careful", "JJR"), ElementsAre("more over-careful"));
    EXPECT_THAT(inflections.forms("tail-", "NNS"), ElementsAre("tail-s"));
}

TEST(Inflections, OfPhrases) {
    const Inflections inflections = Inflections::parse(kTable, "table");
    EXPECT_THAT(inflections.forms("find out", "VBD"), ElementsAre("found out"));
    EXPECT_THAT(inflections.forms("burn down to ashes", "VBD"), ElementsAre("burned down to ashes", "burnt down to ashes"));
    EXPECT_THAT(inflections.forms("turning point", "NNS"), ElementsAre("turning points"));
    EXPECT_THAT(inflections.forms("point of view", "NNS"), ElementsAre("points of view"));
    EXPECT_THAT(inflections.forms("low point in life", "NNS"), ElementsAre("low points in life"));
    EXPECT_THAT(inflections.forms("find out", "VB"), ElementsAre("find out"));
    EXPECT_THAT(inflections.forms(" find ", "VBD"), ElementsAre("found"));
    EXPECT_THAT(inflections.forms("", "VBD"), IsEmpty());
    EXPECT_THAT(inflections.forms("  ", "VB"), IsEmpty());
}

TEST(Inflections, ParticiplesAreParticiples) {
    const Inflections inflections = Inflections::parse(
        "strew,verb,strewed,strewn,strewing,strews\nstay,verb,stayed/staid,staid,staying,stays/staves\n"
        "dive,verb,dived/dove,dived,diving,dives\nbend,verb,bent/bended,bent,bending,bends\n"
        "get,verb,got,got/gotten,getting,gets\ntake,verb,took,taken,taking,takes\n",
        "table");
    EXPECT_THAT(inflections.forms("strew", "VBN"), ElementsAre("strewn"));
    EXPECT_THAT(inflections.forms("stay", "VBN"), ElementsAre("stayed", "staid")) << "the past's order";
    EXPECT_THAT(inflections.forms("dive", "VBN"), ElementsAre("dived")) << "\"dove\" is none";
    EXPECT_THAT(inflections.forms("bend", "VBN"), ElementsAre("bent", "bended"));
    EXPECT_THAT(inflections.forms("get", "VBN"), ElementsAre("got", "gotten"));
    EXPECT_THAT(inflections.forms("take to be", "VBN"), ElementsAre("taken to be"));
    EXPECT_THAT(inflections.forms("take to be", "VBD"), ElementsAre("took to be"));
    EXPECT_THAT(inflections.forms("overtake", "VBN"), ElementsAre("overtaken"));
}

TEST(Inflections, WrongLinesAreMended) {
    const Inflections inflections =
        Inflections::parse("torpedo,verb,torpedoes,torpedoed,torpedoing,torpedo\ntorpedo,noun,torpedoes\n", "table");
    EXPECT_THAT(inflections.forms("torpedo", "VBD"), ElementsAre("torpedoed"));
    EXPECT_THAT(inflections.forms("torpedo", "VBN"), ElementsAre("torpedoed"));
    EXPECT_THAT(inflections.forms("torpedo", "VBZ"), ElementsAre("torpedoes"));
    EXPECT_FALSE(inflections.knows("wake", WordKind::verb)) << "nothing is added";
}

TEST(Inflections, KnowWhatTheTableHas) {
    const Inflections inflections = Inflections::parse(kTable, "table");
    EXPECT_TRUE(inflections.knows("buy", WordKind::verb));
    EXPECT_FALSE(inflections.knows("buy", WordKind::noun));
    EXPECT_FALSE(inflections.knows("leaf", WordKind::verb));
    EXPECT_TRUE(inflections.knows("find out", WordKind::verb));
    EXPECT_FALSE(inflections.knows("leaf through", WordKind::verb));
    EXPECT_TRUE(inflections.knows("turning point", WordKind::noun));
    EXPECT_TRUE(inflections.knows("Buy", WordKind::verb));
    EXPECT_TRUE(inflections.knows("be able", WordKind::verb));
    EXPECT_FALSE(inflections.knows("be", WordKind::adjective));
    EXPECT_FALSE(inflections.knows(" ", WordKind::noun));
}

TEST(Inflections, OfPerson) {
    const Inflections inflections = Inflections::parse("person,noun,persons/person\n", "table");
    EXPECT_THAT(inflections.forms("person", "NNS"), ElementsAre("people", "persons"));
    EXPECT_THAT(inflections.forms("person", "NN"), ElementsAre("person"));
}

TEST(Inflections, OfBe) {
    const Inflections inflections = Inflections::parse(kTable, "table");
    EXPECT_THAT(inflections.forms("be", "VBD"), ElementsAre("was", "were"));
    EXPECT_THAT(inflections.forms("be", "VBP"), ElementsAre("are", "am"));
    EXPECT_THAT(inflections.forms("be", "VBZ"), ElementsAre("is"));
    EXPECT_THAT(inflections.forms("be", "VBN"), ElementsAre("been"));
    EXPECT_THAT(inflections.forms("be", "VBG"), ElementsAre("being"));
    EXPECT_THAT(inflections.forms("be", "VB"), ElementsAre("be"));
    EXPECT_THAT(inflections.forms("be able", "VBP"), ElementsAre("are able", "am able"));
    EXPECT_THAT(inflections.forms("be", "NNS"), ElementsAre("bees")) << "the noun is another word";
}

TEST(Inflections, KnowWhichTagsTheyHave) {
    EXPECT_EQ(kind_of_tag("VBD"), WordKind::verb);
    EXPECT_EQ(kind_of_tag("NN"), WordKind::noun);
    EXPECT_EQ(kind_of_tag("JJS"), WordKind::adjective);
    EXPECT_EQ(kind_of_tag("RB"), WordKind::adverb);
    for (const char* other : {"NNP", "MD", "", "vbd"}) EXPECT_EQ(kind_of_tag(other), std::nullopt) << other;
    const Inflections inflections = Inflections::parse(kTable, "table");
    EXPECT_THAT(message_of([&] { inflections.forms("can", "MD"); }), HasSubstr("tag of a form: expected one of NN NNS VB"));
}

TEST(Inflections, RefuseWhatIsNoTable) {
    const auto refusal = [](const char* table) { return message_of([&] { Inflections::parse(table, "infl.csv"); }); };
    EXPECT_THAT(
        refusal("buy,verb,bought,,buying,buys\nword\n"),
        HasSubstr("infl.csv:2: expected LEMMA,KIND and the kind's forms (noun 1, verb 4, adj 2, adv 2), got 'word'"));
    EXPECT_THAT(refusal("buy,verb,bought,buying,buys"), HasSubstr("infl.csv:1")) << "a column is missing";
    EXPECT_THAT(refusal("buy,modal,bought"), HasSubstr("infl.csv:1"));
    EXPECT_THAT(refusal(",noun,s"), HasSubstr("infl.csv:1"));
    EXPECT_THAT(refusal("\n\n"), HasSubstr("infl.csv: expected a table of forms, got an empty one"));
    EXPECT_THAT(refusal("b\xFFy,noun,s"), HasSubstr("infl.csv: expected UTF-8"));
}

TEST(Inflections, AreReadFromAPackedFile) {
    const TemporaryFolder folder;
    const auto inflections = Inflections::load(folder.file("infl.csv.gz", test::gzipped(kTable)));
    EXPECT_THAT(inflections.forms("buy", "VBD"), ElementsAre("bought"));
}

TEST(Inflections, OfLemminflect) {
    const auto place = EnglishDictionaryPlaces::installed().inflections;
    CRAFT_NEEDS(place);
    const Inflections inflections = Inflections::load(place);
    const std::vector<std::vector<std::string>> cases = {{"utilise", "VBD", "utilised"},
                                                         {"use", "VBD", "used"},
                                                         {"begin", "VBN", "begun"},
                                                         {"purchase", "VBG", "purchasing"},
                                                         {"child", "NNS", "children"},
                                                         {"analysis", "NNS", "analyses"},
                                                         {"good", "JJR", "better"},
                                                         {"soon", "RBR", "sooner"},
                                                         {"be", "VBD", "was"},
                                                         {"try", "VBZ", "tries"},
                                                         {"beautiful", "JJS", "most beautiful"},
                                                         {"strew", "VBN", "strewn"},
                                                         {"stay", "VBN", "stayed"},
                                                         {"wake", "VBN", "woken"},
                                                         {"weave", "VBD", "wove"},
                                                         {"show", "VBN", "shown"},
                                                         {"blend", "VBN", "blended"},
                                                         {"bear", "VBN", "borne"},
                                                         {"torpedo", "VBD", "torpedoed"},
                                                         {"take to be", "VBN", "taken to be"},
                                                         {"be given", "VBN", "been given"},
                                                         {"ad-lib", "VBD", "ad-libbed"}};
    for (const auto& c : cases) EXPECT_EQ(inflections.forms(c[0], c[1]).front(), c[2]) << c[0] << " " << c[1];
}

}  // namespace
}  // namespace craft
