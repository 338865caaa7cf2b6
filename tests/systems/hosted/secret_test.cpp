#include "systems/hosted/secret.h"

#include <gmock/gmock.h>

#include <cstdlib>

#include "core/error.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

template <class F>
std::string error_of(F work) {
    try {
        work();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(Secret, ComesFromTheEnvironmentOrAFileWithoutBlanksAround) {
    ::setenv("CRAFT_TEST_KEY", " sk-123 ", 1);
    const TemporaryFolder folder;
    EXPECT_EQ(Secret::from_environment("CRAFT_TEST_KEY").reveal(), "sk-123");
    EXPECT_EQ(Secret::from_file(folder.file("key", "sk-456\n")).reveal(), "sk-456");
    EXPECT_FALSE(Secret());
    EXPECT_EQ(Secret().reveal(), "");
}

TEST(Secret, ErrorsNameThePlaceAndNeverTheKey) {
    ::unsetenv("CRAFT_TEST_NONE");
    EXPECT_EQ(error_of([] { Secret::from_environment("CRAFT_TEST_NONE"); }),
              "environment variable CRAFT_TEST_NONE: expected a key, got no such variable (export CRAFT_TEST_NONE=...)");
    ::setenv("CRAFT_TEST_KEY", "sk-\r\nX-Evil: 1", 1);
    const std::string error = error_of([] { Secret::from_environment("CRAFT_TEST_KEY"); });
    EXPECT_THAT(error, testing::HasSubstr("printable ASCII"));
    EXPECT_THAT(error, testing::Not(testing::HasSubstr("sk-")));
    ::setenv("CRAFT_TEST_KEY", " \n", 1);
    EXPECT_THAT(error_of([] { Secret::from_environment("CRAFT_TEST_KEY"); }), testing::HasSubstr("an empty one"));
    EXPECT_THAT(error_of([] { Secret::from_file("/nowhere/key"); }), testing::HasSubstr("/nowhere/key"));
}

TEST(Secret, NoCoreDumpWhileOneIsHeld) {
    ::setenv("CRAFT_TEST_KEY", "sk-123", 1);
    const bool before = core_dumps_are_off();
    {
        const Secret one = Secret::from_environment("CRAFT_TEST_KEY");
        {
            const Secret copy = one;
            EXPECT_TRUE(core_dumps_are_off());
        }
        EXPECT_TRUE(core_dumps_are_off());
    }
    EXPECT_EQ(core_dumps_are_off(), before);
}

TEST(Secret, IsTakenOutOfWhatServersQuote) {
    ::setenv("CRAFT_TEST_KEY", "sk-123", 1);
    const Secret key = Secret::from_environment("CRAFT_TEST_KEY");
    EXPECT_EQ(key.redacted("wrong key sk-123, sk-123!"), "wrong key (key), (key)!");
    EXPECT_EQ(Secret().redacted("text"), "text");
    ::setenv("CRAFT_TEST_KEY", "key", 1);
    EXPECT_EQ(Secret::from_environment("CRAFT_TEST_KEY").redacted("a key"), "a (key)") << "what stands for it holds it";
}

TEST(Secret, IsTakenOutAlsoWhereJsonEscapesIt) {
    ::setenv("CRAFT_TEST_KEY", "sk/1+\"\\\\z", 1);
    const Secret key = Secret::from_environment("CRAFT_TEST_KEY");
    for (const char* quote : {R"(sk/1+"\\z)", R"(sk\/1+\"\\\\z)", R"(sk\/1\u002b\"\\\\z)", R"(\u0073k/1+\u0022\\\\z)",
                              R"(sk\\/1\\u002B\\\"\\\\\\\\z)"})
        EXPECT_EQ(key.redacted("wrong " + std::string(quote) + "!"), "wrong (key)!") << quote;
    for (const char* other : {R"(s\k/1+"\\z)", R"(sk/1\u002c"\\z)", R"(sk/1+"z)", R"(sk/1+"\\)", "sk/1", "\\u00", ""})
        EXPECT_EQ(key.redacted(other), other);
    const std::string backslashes(4 << 20, '\\');
    EXPECT_EQ(key.redacted(backslashes), backslashes) << "soon: a server may send as many as it likes";
}

TEST(Secret, InTextsAWordThatIsAKeyStays) {
    ::setenv("CRAFT_TEST_KEY", "EMPTY", 1);
    const Secret word = Secret::from_environment("CRAFT_TEST_KEY");
    EXPECT_EQ(word.redacted_words("an EMPTY box"), "an EMPTY box");
    EXPECT_EQ(word.redacted("an EMPTY box"), "an (key) box");
    ::setenv("CRAFT_TEST_KEY", "sk-12345", 1);
    EXPECT_EQ(Secret::from_environment("CRAFT_TEST_KEY").redacted_words("sk-12345"), "(key)");
}

}  // namespace
}  // namespace craft
