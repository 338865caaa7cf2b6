#include "judge/fidelity/stripped_pairs.h"

#include <gtest/gtest.h>

#include "text/latex.h"

namespace craft {
namespace {

TEST(StrippedPairs, AreThoseThatCountWithoutTheirLatex) {
    const TextPairs texts =
        pair_texts({{"1", R"(We \emph{refine} \cite{a}.)"}, {"2", R"(\emph{one})"}, {"3", R"($x$ \ref{y})"}},
                   {{"1", R"(We \emph{improve} it 5\% \cite{a}.)"}, {"2", "one"}, {"3", R"($x$)"}});
    const auto preservation = evaluate_preservation(
        texts, [](const std::string& text) { return latex_keywords(text); }, 2);
    const StrippedPairs stripped = strip_pairs(texts, preservation);
    ASSERT_EQ(stripped.rows.size(), 2u);
    EXPECT_EQ(stripped.rows[0], Json::parse(R"({"id":"1","source":"We refine.","prediction":"We improve it 5%."})"));
    EXPECT_EQ(stripped.rows[1], Json::parse(R"({"id":"3","source":"","prediction":""})"));
    EXPECT_EQ(to_json(stripped), Json::parse(R"({"rows":2,"not_counted":1,"empty":1,
        "source":{"brace":2,"command":1,"mathematics":1,"reference":2},
        "prediction":{"brace":2,"command":1,"mathematics":1,"reference":1}})"));
    EXPECT_THROW(strip_pairs(pair_texts({{"1", "a"}}, {{"1", "a"}}), preservation), std::logic_error);
}

}  // namespace
}  // namespace craft
