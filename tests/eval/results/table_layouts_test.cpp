#include "eval/results/table_layouts.h"

#include <gtest/gtest.h>

#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

TableInput input(const std::string& written, const std::string& json) {
    return {table_source(written), Json::parse(json)};
}

std::string csv(TableLayout layout, const std::vector<TableInput>& inputs) {
    return print_table(make_table(layout, inputs), TableFormat::csv);
}

const std::string kCord =
    R"({"scoring":"strict","corpus":{"missing":0,"by_domain":{"c0":{"accuracy":null},"c1":{"accuracy":0.69},"c4":{"accuracy":0.47}}}})";

TEST(TableSources, NameTheSystemAndPerhapsADomain) {
    const TableSource plain = table_source("CRAFT-4o=runs/a=b.json");
    EXPECT_EQ(plain.system, "CRAFT-4o");
    EXPECT_EQ(plain.file, "runs/a=b.json");
    EXPECT_EQ(plain.domain, "");
    const TableSource with = table_source("w/o Plan:c2=r.json");
    EXPECT_EQ(with.system, "w/o Plan");
    EXPECT_EQ(with.domain, "c2");
    EXPECT_EQ(table_source("a:claude=r.json").system, "a:claude");
    for (const char* domain : {"c9", "c5", "C2", "c10"})
        EXPECT_EQ(message_of([&] { table_source(std::string("a:") + domain + "=r.json"); }),
                  std::string("result: expected a domain from c0 to c4 in NAME:c2=FILE, got 'a:") + domain + "=r.json'");
    EXPECT_EQ(table_source("CRAFT:style=r.json").domain, "style");
    EXPECT_EQ(table_source("a:b:semantic=r.json").system, "a:b");
    EXPECT_EQ(message_of([] { table_source("r.json"); }), "result: expected NAME=FILE or NAME:c2=FILE, got 'r.json'");
    EXPECT_THROW(table_source("=r.json"), Error);
    EXPECT_THROW(table_source(":c2=r.json"), Error);
    EXPECT_THROW(table_source("a="), Error);
}

// SOME is in percent; runs are averaged; what nobody gives is "-".
TEST(TableLayouts, Table3) {
    const std::string ppl = R"({"metric":"perplexity","corpus":{"perplexity":)";
    EXPECT_EQ(csv(TableLayout::t3,
                  {input("Direct=1", kCord),
                   input("Direct=2", R"({"scoring":"strict","corpus":{"by_domain":{"c1":{"accuracy":0.71}}}})"),
                   input("Direct=3", R"({"metric":"some","corpus":{"some":0.879}})"), input("CRAFT:c1=4", ppl + "30}}"),
                   input("CRAFT:c2=5", ppl + "32}}"), input("CRAFT:c3=6", ppl + "34}}"), input("CRAFT:c4=7", ppl + "36}}"),
                   input("CRAFT:c4=8", ppl + "38}}")}),
              "System,C1,C2,C3,C4,PPL,SOME,BARTScore\r\n"
              "Direct,70.00,-,-,47.00,-,87.90,-\r\n"
              "CRAFT,-,-,-,-,33.25,-,-\r\n");  // (30 + 32 + 34 + (36 + 38) / 2) / 4
    EXPECT_EQ(message_of([&] {
                  csv(TableLayout::t3, {input("A:c1=4", ppl + "30}}"), input("A:c2=5", ppl + "32}}")});
              }),
              "PPL of 'A': expected figures of all its domains, got c1, c2");
    EXPECT_EQ(message_of([&] { csv(TableLayout::t3, {input("A:c0=4", ppl + "30}}")}); }),
              "4: expected a figure of this layout, got none (figures of this layout are made by eval cord, eval metric "
              "perplexity, eval metric some, eval metric bartscore)");
}

TEST(TableLayouts, OneColumnHasOneScorer) {
    EXPECT_EQ(
        message_of([] {
            csv(TableLayout::t7,
                {input("A=a.json", kCord),
                 input("B=b.json", R"({"scoring":"published","corpus":{"by_domain":{"c1":{"accuracy":1}}}})")});
        }),
        "column C1: expected figures of one scorer, got {\"scoring\":\"strict\"} in a.json, {\"scoring\":\"published\"} in "
        "b.json");
    EXPECT_EQ(message_of([] { csv(TableLayout::t4, {input("A=a", R"({"metric":"some","corpus":{"some":88}})")}); }),
              "a: 'some': expected a share from 0 to 1, got 88.0");
}

TEST(TableLayouts, TheOthers) {
    EXPECT_EQ(csv(TableLayout::t4, {input("A=a", R"({"metric":"bartscore","corpus":{"bartscore":-1.756}})")}),
              "System,PPL,SOME,BARTScore\r\nA,-,-,-1.76\r\n");
    EXPECT_EQ(csv(TableLayout::t5, {input("A=a", R"({"corpus":{"fluency":4.93,"coherence":4.82,"grammaticality":0.02}})")}),
              "System,F,C,G,F # Cases,C # Cases,G # Cases\r\nA,4.93,4.82,0.02,-,-,-\r\n");
    EXPECT_EQ(csv(TableLayout::t7, {input("A=a", kCord)}), "System,C1,C2,C3,C4\r\nA,69.00,-,-,47.00\r\n");
    EXPECT_EQ(csv(TableLayout::t8, {input("A=a", R"({"corpus":{"errors":0.24}})"),
                                    input("A=b", R"({"metric":"perplexity","corpus":{"perplexity":48.72}})")}),
              "System,AvgCE,PPL,SOME,BARTScore\r\nA,0.24,48.72,-,-\r\n");
    EXPECT_EQ(csv(TableLayout::t10, {input("A=a", R"({"corpus":{"ne_er":0.314,"entailed":0.134}})")}),
              "System,NE_ER,Entail\r\nA,31.40,13.40\r\n");
    EXPECT_EQ(csv(TableLayout::f8, {input("I-1=a", R"({"reading":"strict","corpus":{"by_domain":{"c0":{"f1":1}}}})")}),
              "System,C0,C1,C2,C3,C4\r\nI-1,100.00,-,-,-,-\r\n");
}

// The cases of `eval pairwise` beside scores, whole unless they are a mean of runs that is not.
// A figure of all domains together is none of each.
TEST(TableLayouts, ColumnsOfADomainTakeNoFigureWithoutOne) {
    const std::string accuracy = R"({"corpus":{"accuracy":0.5}})", f1 = R"({"corpus":{"f1":0.5}})";
    for (const TableLayout layout : {TableLayout::t7, TableLayout::f8})
        EXPECT_EQ(message_of([&] { csv(layout, {input("A=a", layout == TableLayout::t7 ? accuracy : f1)}); }),
                  "a: expected a figure of this layout, got none (NAME:c2=FILE says of which domain it is)");
    EXPECT_NE(message_of([&] { csv(TableLayout::t3, {input("A=a", accuracy)}); }).find("NAME:c2=FILE"), std::string::npos);
    EXPECT_EQ(csv(TableLayout::t7, {input("A:c2=a", accuracy)}), "System,C1,C2,C3,C4\r\nA,-,50.00,-,-\r\n");
    EXPECT_EQ(csv(TableLayout::f8, {input("A:c0=a", f1)}), "System,C0,C1,C2,C3,C4\r\nA,50.00,-,-,-,-\r\n");
}

// As of a machine without pdflatex.
TEST(TableLayouts, NullIsAFigureThatIsNotThere) {
    const std::string none = R"({"corpus":{"preserved":0.5,"errors":null}})";
    EXPECT_EQ(csv(TableLayout::t8, {input("A=a", none), input("B=b", R"({"corpus":{"errors":0.25}})")}),
              "System,AvgCE,PPL,SOME,BARTScore\r\nA,-,-,-,-\r\nB,0.25,-,-,-\r\n");
    EXPECT_EQ(csv(TableLayout::t10, {input("A=a", R"({"corpus":{"ne_er":null,"entailed":null}})")}),
              "System,NE_ER,Entail\r\nA,-,-\r\n");
    EXPECT_THROW(csv(TableLayout::t8, {input("A=a", R"({"corpus":{"preserved":0.5}})")}), Error);
}

TEST(TableLayouts, DomainsWithoutAColumnAreNoted) {
    const Table table = make_table(
        TableLayout::t7,
        {input("A=a", R"({"corpus":{"by_domain":{"c0":{"accuracy":1},"c1":{"accuracy":0.5},"c5":{"accuracy":1}}}})")});
    EXPECT_EQ(table.notes[0], "A: domains without a column are skipped: c5 (a)");
}

TEST(TableLayouts, Table5HasScoresAndCases) {
    const std::string pairs =
        R"({"kind":"pairwise","corpus":{"missing":0,"criteria":{"fluency":{"wins":67},"coherence":{"wins":)";
    const std::string scores = R"({"corpus":{"fluency":4.87,"grammaticality":0.06}})";
    EXPECT_EQ(csv(TableLayout::t5, {input("A=p", pairs + "72}}}}"), input("A=s", scores), input("B=t", scores)}),
              "System,F,C,G,F # Cases,C # Cases,G # Cases\r\nA,4.87,-,0.06,67,72,-\r\nB,4.87,-,0.06,-,-,-\r\n");
    EXPECT_EQ(csv(TableLayout::t5, {input("A=p", pairs + "72}}}}"), input("A=q", pairs + "73}}}}")}),
              "System,F,C,G,F # Cases,C # Cases,G # Cases\r\nA,-,-,-,67,72.50,-\r\n");
    EXPECT_EQ(message_of([&] { csv(TableLayout::t5, {input("A=p", pairs + "\"x\"}}}}")}); }),
              "p: corpus.criteria.coherence: field 'wins': expected a number, got \"x\"");
}

TEST(TableLayouts, Table9HasEachKindOfEasyConstraints) {
    const std::string easy =
        R"({"kind":"easy","corpus":{"accuracy":0.97,"by_domain":{"style":{"accuracy":0.982},"semantic":{"accuracy":0.979}}}})";
    const std::string ppl = R"({"metric":"perplexity","corpus":{"perplexity":)";
    EXPECT_EQ(csv(TableLayout::t9,
                  {input("A=a", easy), input("A:style=b", ppl + "43.1}}"), input("A:semantic=c", ppl + "40.2}}")}),
              "System,Style Acc.,Style PPL,Style SOME,Style BARTScore,Semantic Acc.,Semantic PPL,Semantic SOME,Semantic "
              "BARTScore\r\nA,98.20,43.10,-,-,97.90,40.20,-,-\r\n");
    EXPECT_EQ(message_of([&] { csv(TableLayout::t9, {input("A=b", ppl + "43.1}}")}); }),
              "b: expected a figure of this layout, got none (NAME:style=FILE or NAME:semantic=FILE says of which "
              "constraints it is)");
}

TEST(TableLayouts, AllScoresOfAJudge) {
    const Table table = make_table(TableLayout::e5, {input("A=a", R"({"corpus":{"semantics":4.5,"overcorrection":0.4}})")});
    EXPECT_EQ(print_table(table, TableFormat::csv),
              "System,Fluency,Coherence,Consistency,Semantics,Grammaticality,Over-correction\r\nA,-,-,-,4.50,-,0.40\r\n");
    EXPECT_FALSE(table.columns[4].higher_is_better);
    EXPECT_FALSE(table.columns[5].higher_is_better);
    EXPECT_EQ(table.notes[0], "4 of 6 cells have no figure in these files");
    ASSERT_EQ(table.notes.size(), 5u) << "a command for each of the four";
    EXPECT_EQ(table.notes[1],
              "craft-train judge --form joint --aspect coherence --judge JUDGE --marks MARKS --items ITEMS --outputs "
              "NAME=OUTPUTS makes Coherence of A");
}

// A system's quality is over all five domains, or its file says none.
TEST(TableLayouts, Table1) {
    const std::string by_domain =
        R"({"metric":"perplexity","corpus":{"perplexity":9,"by_domain":{"c0":{"perplexity":10},"c1":{"perplexity":20},)"
        R"("c2":{"perplexity":30},"c3":{"perplexity":40},"c4":{"perplexity":50}}}})";
    EXPECT_EQ(csv(TableLayout::t1, {input("w/o Plan=a", by_domain),
                                    input("w/ Plan=b", R"({"metric":"perplexity","corpus":{"perplexity":25}})")}),
              "System,PPL,SOME,BARTScore\r\nw/o Plan,30.00,-,-\r\nw/ Plan,25.00,-,-\r\n");
}

TEST(TableLayouts, Table2SaysWhatIsGained) {
    const auto accuracy = [](double c1, double c2) {
        return Json({{"scoring", "strict"},
                     {"corpus", {{"by_domain", {{"c1", {{"accuracy", c1}}}, {"c2", {{"accuracy", c2}}}}}}}})
            .dump();
    };
    const TableInput without = input("w/o Plan=a", accuracy(.68, .61)), with = input("w/ Plan=b", accuracy(.71, .6));
    EXPECT_EQ(csv(TableLayout::t2, {without, with}),
              "System,C1,C2,C3,C4\r\nw/o Plan,68.00,61.00,-,-\r\nw/ Plan,71.00,60.00,-,-\r\nGain,+3.00,-1.00,-,-\r\n");
    const Table three = make_table(TableLayout::t2, {without, with, input("Human=c", accuracy(.8, .8))});
    ASSERT_EQ(three.rows.size(), 5u);
    EXPECT_EQ(three.rows[4].name, "Gain of Human");
    const std::string latex = print_table(three, TableFormat::latex);
    EXPECT_NE(latex.find("Gain of Human & $+12.00$ & $+19.00$ & - & - \\\\"), std::string::npos) << latex;
    EXPECT_NE(latex.find("Human & \\textbf{80.00}"), std::string::npos) << "gains take no rank";
    EXPECT_EQ(three.notes[0], "6 of 12 cells have no figure in these files") << "nor do they count among the cells";
}

// A file of several systems gives each what its name says.
TEST(TableLayouts, MarksAreOfSeveralSystems) {
    const std::string marks =
        R"({"kind":"marks","options":{"form":"joint"},"systems":{"A":{"corpus":{"fluency":4.5,"marked":9}},)"
        R"("B":{"corpus":{"fluency":4,"marked":9}}}})";
    EXPECT_EQ(csv(TableLayout::t5, {input("B=m", marks), input("A=m", marks)}),
              "System,F,C,G,F # Cases,C # Cases,G # Cases\r\nB,4.00,-,-,-,-,-\r\nA,4.50,-,-,-,-,-\r\n");
    EXPECT_EQ(message_of([&] { csv(TableLayout::t5, {input("C=m", marks)}); }), "m: expected the system 'C', got A, B");
}

TEST(TableLayouts, WhatIsMissingIsNoted) {
    const Table table =
        make_table(TableLayout::t7, {input("A=a.json", R"({"corpus":{"missing":34,"by_domain":{"c2":{"accuracy":0.5}}}})")});
    ASSERT_EQ(table.notes.size(), 3u);
    EXPECT_EQ(table.notes[1], "3 of 4 cells have no figure in these files");
    EXPECT_EQ(table.notes[2], "craft-train eval cord --items ITEMS --outputs OUTPUTS makes C1 of A, C3 of A, C4 of A");
    EXPECT_EQ(table.notes[0], "A: 34 items without an output are skipped (a.json)");
    EXPECT_THROW(make_table(TableLayout::t7, {input("A=a", "[]")}), Error);
    EXPECT_THROW(make_table(TableLayout::t7, {input("A=a", R"({"corpus":{"by_domain":{"c1":{"accuracy":"x"}}}})")}), Error);
}

}  // namespace
}  // namespace craft
