#include "text/latex_text.h"

#include <gtest/gtest.h>

namespace craft {
namespace {

std::string words(const std::string& text) {
    return latex_text(text).text;
}

using Dropped = std::map<std::string, int64_t>;

TEST(LatexTexts, CommandsGoAndTheirWordsStay) {
    EXPECT_EQ(words(R"(We \emph{refine} it, \textbf{very \textit{well}}.)"), "We refine it, very well.");
    EXPECT_EQ(words(R"(\section*{Two} \noindent Words.)"), "Two Words.");
    EXPECT_EQ(words(R"({\em Old} style)"), "Old style");
    EXPECT_EQ(words(R"(\textcolor{red}{word} \href{http://x.y}{here})"), "word here");
    EXPECT_EQ(words(R"(\vspace{2cm}A\setlength{\x}{3pt}B)"), "AB");
    EXPECT_EQ(words(R"(\begin{itemize}\item[1.] one \item two\end{itemize})"), "one two");
    EXPECT_EQ(words(R"(x\footnote{A note.} y)"), "xA note. y");
    EXPECT_EQ(latex_text(R"(\emph{x} \vspace{2cm} \begin{quote}y\end{quote})").dropped,
              (Dropped{{"argument", 1}, {"brace", 2}, {"command", 1}, {"environment", 2}}));
}

TEST(LatexTexts, ReferencesAndMathematicsGoWithTheirPlace) {
    EXPECT_EQ(words(R"(As \citet[see][p. 3]{lee} show, this holds (\ref{sec:a}).)"), "As show, this holds.");
    EXPECT_EQ(words(R"(Known~\cite{a,b}, see Section~\ref{x}.)"), "Known, see Section.");
    EXPECT_EQ(words(R"(Let $x \in A$ be, $$y$$ and \(z\) or \[w\].)"), "Let be, and or.");
    EXPECT_EQ(words("So\n\\begin{align*}\na &= b \\\\\nc\n\\end{align*}\nholds."), "So holds.");
    EXPECT_EQ(words(R"(\begin{tabular}{ll}a & b\end{tabular})"), "");
    EXPECT_EQ(latex_text(R"($a$ \cite{b} \ref{c})").dropped, (Dropped{{"mathematics", 1}, {"reference", 2}}));
}

TEST(LatexTexts, CharactersAreWritten) {
    EXPECT_EQ(words(R"(5\% of \$7 \& \#1 \{x\} a\_b)"), "5% of $7 & #1 {x} a_b");
    EXPECT_EQ(words(R"(Stra\ss e, \o re, Erd\H{o}s, na\"{\i}ve, caf\'e, \c{c}a)"), "Straße, øre, Erdos, naive, cafe, ca");
    EXPECT_EQ(words("``Yes'' -- he said --- a\\,b\\\\c~d\\ e"), "\"Yes\" – he said — a b c d e");
    EXPECT_EQ(words(R"(hy\-phen, and so on\ldots)"), "hyphen, and so on...");
    EXPECT_EQ(words("\\é"), "é");
}

TEST(LatexTexts, CommentsGoToTheEndOfTheLine) {
    EXPECT_EQ(words("one % two\nthree"), "one three");
    EXPECT_EQ(words("dis% joined\n  like"), "dislike");
    EXPECT_EQ(words("one % two\n\nthree"), "one\n\nthree");
    EXPECT_EQ(words("one %"), "one");
}

TEST(LatexTexts, ParagraphsStay) {
    EXPECT_EQ(words(" one\ntwo\r\n\r\n  three \n \n\n four "), "one two\n\nthree\n\nfour");
    EXPECT_EQ(words(""), "");
    EXPECT_EQ(words("one\n\n(\\ref{a}) two\n\n(\\ref{b})"), "one\n\ntwo");
    EXPECT_EQ(words("plain words , as they are ( ) ."), "plain words , as they are ( ) .");
    EXPECT_TRUE(latex_text("plain (words).").dropped.empty());
}

TEST(LatexTexts, WhatHasNoPartnerGoesAlone) {
    EXPECT_EQ(words("It cost $5.\n\nThen $x$ it"), "It cost 5.\n\nThen it");
    EXPECT_EQ(words(R"(\cite{never closed)"), "never closed");
    EXPECT_EQ(words(R"(\begin{align} a and b)"), "a and b");
    EXPECT_EQ(words(R"(a \( b and \[c\] d)"), "a b and d");
    EXPECT_EQ(words("}a{ \\"), "a");
    EXPECT_EQ(words(std::string("a\0\\", 3)), std::string("a\0", 2));
}

TEST(LatexTexts, LongOnesTakeLinearTime) {
    for (const std::string piece :
         {"\\cite{", "\\begin{align}", "$", "$$ ", "\\( ", "{", "\\x[", "%\n", "$a$ ", "(\\ref{a}) ", "\\begin{x", " "}) {
        std::string text;
        while (text.size() < (1 << 16)) text += piece;
        EXPECT_LE(latex_text(text).text.size(), text.size());
    }
}

}  // namespace
}  // namespace craft
