// The pipeline beside spaCy itself on reference texts, with the Python that CRAFT_PARITY_PYTHON names.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "core/files.h"
#include "english/pipeline.h"
#include "tests/core/temporary_folder.h"
#include "tests/english/comparison.h"
#include "tests/english/english_model.h"
#include "tests/parity/run_python.h"
#include "tests/reference.h"
#include "tests/source.h"

namespace craft {
namespace {

// The first `count` lines of a file.
std::string first_lines(const std::filesystem::path& path, int count) {
    std::ifstream file(path);
    std::string out, line;
    for (int i = 0; i < count && std::getline(file, line); ++i) out += line + "\n";
    return out;
}

TEST(EnglishPipelineParity, IsSpacysOnAThousandSentences) {
    CRAFT_NEEDS_PARITY_PYTHON();
    CRAFT_NEEDS_ENGLISH_MODEL();
    CRAFT_REFERENCE_FILE(sources, "data/jfleg/dev.src");
    CRAFT_REFERENCE_FILE(references, "data/jfleg/dev.ref2");
    CRAFT_REFERENCE_FILE(originals, "data/simplification/asset.valid.orig");
    CRAFT_REFERENCE_FILE(simplified, "data/simplification/tune.truecase.detok.simp.0");
    const std::string python = "'" + std::string(test::parity_python()) + "' -c 'import spacy' 2>/dev/null";
    if (std::system(python.c_str()) != 0) GTEST_SKIP() << "CRAFT_PARITY_PYTHON has no spaCy: run scripts/setup.sh --parity";
    const TemporaryFolder folder;
    const std::string texts = first_lines(sources, 400) + first_lines(references, 200) + first_lines(originals, 250) +
                              first_lines(simplified, 150);
    write_file_atomic(folder.path() / "texts.txt", texts);
    const std::string stored = test_source("/tests/english/stored/texts.json");
    const std::string output = (folder.path() / "expected.jsonl").string();
    ASSERT_TRUE(
        test::run_parity_script("make_english.py", test::installed_english_model(),
                                "'" + output + "' '" + (folder.path() / "texts.txt").string() + "' '" + stored + "'"));
    const EnglishPipeline pipeline = EnglishPipeline::load(test::installed_english_model());
    const test::EnglishComparison result = test::compare_english_file(pipeline, output);
    EXPECT_GE(result.texts, 2000);
    EXPECT_EQ(result.other_tokens, 0);
    for (size_t field = 0; field < test::kEnglishFields.size(); ++field)
        EXPECT_EQ(result.different[field], 0) << test::kEnglishFields[field] << ", of " << result.tokens << " tokens";
    for (const std::string& difference : result.first) ADD_FAILURE() << difference;
}

}  // namespace
}  // namespace craft
