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
}

}  // namespace
}  // namespace craft
