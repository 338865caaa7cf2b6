// What of LaTeX must survive a revision.
#include "text/latex.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace craft {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Latex, CommandsByNameReferencesWithTheirArguments) {
    EXPECT_THAT(latex_keywords(R"(We follow \citet[see][p. 3]{lee2020} and \emph{refine} it (\ref{sec:a}); \emph{again}.)"),
                ElementsAre(R"(\citet[see][p. 3]{lee2020})", R"(\emph)", R"(\ref{sec:a})"));
    EXPECT_THAT(latex_keywords(R"(\begin{itemize*} \item one \end{itemize*}\label{it})"),
                ElementsAre(R"(\begin{itemize*})", R"(\item)", R"(\end{itemize*})", R"(\label{it})"));
    EXPECT_THAT(latex_keywords(R"(\section*{Two} \cite{a,{b}})"), ElementsAre(R"(\section*)", R"(\cite{a,{b}})"));
}

TEST(Latex, MathematicsWithItsMarks) {
    EXPECT_THAT(latex_keywords(R"(Let $x \le 5$ and $$y$$, \(a_1\) or \[b\]; $x \le 5$ again.)"),
                ElementsAre(R"($x \le 5$)", "$$y$$", R"(\(a_1\))", R"(\[b\])"));
}

TEST(Latex, MoneyIsNoMathematics) {
    EXPECT_THAT(latex_keywords(R"(It cost \$5, then \$7.)"), ElementsAre(R"(\$)"));
    EXPECT_THAT(latex_keywords("It cost $5.\n\nThen it cost $7."), IsEmpty());
    EXPECT_THAT(latex_keywords("$$ and nothing"), IsEmpty());
    EXPECT_THAT(latex_keywords("$5\n\n$x$"), ElementsAre("$x$"));
}

TEST(Latex, WhatIsLeftOpenIsItsNameAlone) {
    EXPECT_THAT(latex_keywords(R"(\cite{never closed)"), ElementsAre(R"(\cite)"));
    EXPECT_THAT(latex_keywords(R"(\ref[x)"), ElementsAre(R"(\ref)"));
    EXPECT_THAT(latex_keywords("ends in \\"), ElementsAre("\\"));
    EXPECT_THAT(latex_keywords(""), IsEmpty());
    EXPECT_THAT(latex_keywords("Plain text."), IsEmpty());
}

TEST(Latex, TakesLinearTime) {
    std::string dollars(200000, '$'), opens;
    for (int i = 0; i < 50000; ++i) opens += "$a ";
    std::string cites;
    for (int i = 0; i < 50000; ++i) cites += "\\cite{";
    EXPECT_EQ(latex_keywords(cites).size(), 1U);
    EXPECT_LE(latex_keywords(dollars).size(), 2U);
    EXPECT_LE(latex_keywords(opens + "\n\n").size(), 3U);
}

}  // namespace
}  // namespace craft
