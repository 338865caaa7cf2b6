// Rules on texts of several sentences: sentence by sentence, paragraphs as they were.
#include "simplify/rule_systems.h"

#include <gtest/gtest.h>

#include "tests/english/english_model.h"

namespace craft {
namespace {

Simplification simplified(const std::string& rule, const std::string& text) {
    static const auto english = std::make_shared<LazyEnglishPipeline>(test::installed_english_model());
    const WordSubstitute easier = [](const EnglishDocument& document, size_t at) {
        return document[at].lower == "edifice" ? std::optional<std::string>("building") : std::nullopt;
    };
    return make_rule_system(rule, {english, easier})->simplify({"1", text, 0});
}

TEST(RuleSystems, WholeTextsKeepTheirParagraphs) {
    CRAFT_NEEDS_ENGLISH_MODEL();
    const std::string first = "The committee wanted a bridge, but the villagers asked for a ferry. It rained.";
    const std::string second = "The letter was written by a clerk and shown to the judge.";
    for (const std::string between : {"\n", "\n\n", "\r\n", " \n\n\n\t"})
        EXPECT_EQ(simplified("split", "A Bridge for Ellmar" + between + first + between + second + "\n").text,
                  "A Bridge for Ellmar" + between +
                      "The committee wanted a bridge. But the villagers asked for a ferry. It rained." + between +
                      "The letter was written by a clerk. The letter was shown to the judge.\n");
    EXPECT_EQ(simplified("lexical", "The edifice\nfell.\n\nNo edifice stands.").text,
              "The building\nfell.\n\nNo building stands.");
    EXPECT_EQ(simplified("delete", "The council vehemently refused to pay.\n\nThe owner flatly declined to help.").text,
              "The council refused to pay.\n\nThe owner declined to help.");
    const std::string plain = " It rained.\n\n \nThey left.\n";
    for (const char* rule : {"copy", "delete", "lexical", "split"}) {
        EXPECT_EQ(simplified(rule, plain).text, plain) << rule;
        EXPECT_EQ(simplified(rule, plain).noted, (Leniency{{"unchanged", 1}})) << rule;
    }
    EXPECT_EQ(simplified("split", "").failure, "empty");
}

}  // namespace
}  // namespace craft
