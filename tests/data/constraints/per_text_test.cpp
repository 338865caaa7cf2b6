// Several instructions of a text, one after the other.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "data/constraints/generator.h"
#include "tests/data/constraints/toy_texts.h"
#include "tests/source.h"

namespace craft {
namespace {

TEST(PerText, AsManyInstructionsOfATextStandInARowAsAskedFor) {
    const Wordings wordings =
        Wordings::load(std::filesystem::path(test_source()) / "share" / "wordings" / "constraints.json");
    std::map<int64_t, int> alike;  // next to their like
    for (const int64_t per_text : {1, 4}) {
        std::vector<std::string> texts;
        GeneratorOptions options;
        options.count = 80;
        options.per_text = per_text;
        generate_instructions(toy_texts(40), toy_revision, wordings, options,
                              [&](Instruction&& made, const std::string&) { texts.push_back(std::move(made.text)); });
        ASSERT_EQ(texts.size(), 80u);
        for (size_t i = 1; i < texts.size(); ++i) alike[per_text] += texts[i] == texts[i - 1] ? 1 : 0;
    }
    // Of four in a row three follow their like, 60 in all; where a text does not give the shapes, another one is taken.
    EXPECT_GE(alike[4], 30);
    EXPECT_LE(alike[1], 8);
}

}  // namespace
}  // namespace craft
