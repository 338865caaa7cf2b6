#include "gec/rules/correction_language.h"

#include <gmock/gmock.h>

#include "tests/gec/rules/rules_language.h"

namespace craft {
namespace {

TEST(CorrectionLanguage, KnowsBothSpellingsAndWhatWasMeant) {
    CRAFT_NEEDS_RULES_LANGUAGE();
    const CorrectionLanguage& language = *test::rules_language();
    EXPECT_TRUE(language.knows("colour"));
    EXPECT_TRUE(language.knows("color"));
    EXPECT_FALSE(language.knows("beleive"));
    EXPECT_EQ(language.spellings("beleive", 3).at(0), "believe");
    EXPECT_EQ(language.spellings("beleive", 1).size(), 1U);
    EXPECT_EQ(language.forms().form("go", "VBD"), "went");
    EXPECT_LT(language.rarity("house"), language.rarity("homestead"));
}

}  // namespace
}  // namespace craft
