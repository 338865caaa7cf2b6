#include "judge/fidelity/latex_eval.h"

#include <gtest/gtest.h>

#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

const TextPairs kLatexTexts = {{{"a", "See \\ref{x} and $y$.", "See \\ref{x}. BAD"},
                                {"b", "See \\cite{x} and $y$.", "See \\cite{x} and $y$."},
                                {"c", "Only \\ref{x}.", "BAD"}},
                               1};

TEST(LatexEval, CountsErrorsWhereThereIsACompiler) {
    const TemporaryFolder folder;
    LatexOptions options;
    // An error in a paragraph that holds BAD.
    options.program = folder.file("compiler",
                                  "#!/bin/sh\nif grep -q BAD paragraph.tex; then echo '! Bad.' > paragraph.log; "
                                  "else : > paragraph.log; fi\n");
    std::filesystem::permissions(options.program, std::filesystem::perms::owner_all);
    const Json json = to_json(evaluate_latex(kLatexTexts, options));
    const Json& corpus = json.at("corpus");
    EXPECT_EQ(corpus.at("preserved"), 0.75) << "(1/2 + 1) / 2: the third has one keyword";
    EXPECT_EQ(corpus.at("errors"), 0.5);
    EXPECT_EQ(corpus.at("errors_of"), 2) << "of the paragraphs that count";
    EXPECT_EQ(corpus.at("compiled"), 3);
    EXPECT_EQ(to_json(evaluate_latex(kLatexTexts, options, 3)), json) << "threads change no digit";
    EXPECT_EQ(corpus.at("counted"), 2);
    EXPECT_EQ(json.at("items")[2].at("errors"), 1);
    EXPECT_EQ(json.at("items")[2].at("preserved"), 0.0);

    std::filesystem::remove(options.program);
    options.program = folder.file("compiler", "#!/bin/sh\nexit 1\n");
    std::filesystem::permissions(options.program, std::filesystem::perms::owner_all);
    EXPECT_EQ(to_json(evaluate_latex(kLatexTexts, options)).at("corpus").at("not_compiled").at("no log"), 3);
}

TEST(LatexEval, WithoutACompilerErrorsAreNull) {
    LatexOptions options;
    options.program = "/no/such/pdflatex";
    const LatexEvaluation evaluation = evaluate_latex(kLatexTexts, options);
    EXPECT_FALSE(evaluation.compiles);
    const Json json = to_json(evaluation);
    EXPECT_TRUE(json.at("corpus").at("errors").is_null());
    EXPECT_TRUE(json.at("items")[0].at("errors").is_null());
    EXPECT_EQ(json.at("items")[0].at("preserved"), 0.5);
}

}  // namespace
}  // namespace craft
