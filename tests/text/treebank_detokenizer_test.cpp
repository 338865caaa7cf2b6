#include "text/treebank_detokenizer.h"

#include <gtest/gtest.h>

#include <string>

#include "core/json.h"
#include "tests/reference.h"

namespace craft {
namespace {

TEST(TreebankDetokenizer, PunctuationAndClitics) {
    EXPECT_EQ(treebank_detokenize("I ca n't go , he said ."), "I can't go, he said.");
    EXPECT_EQ(treebank_detokenize("the boys ' ball ; 50 % of $ 5 ?"), "the boys' ball; 50% of $5?");
    EXPECT_EQ(treebank_detokenize("( so ) , [ it ] : is -- fine !"), "(so), [it]: is--fine!");
    EXPECT_EQ(treebank_detokenize("wait ... no"), "wait...no");
    EXPECT_EQ(treebank_detokenize("No. 5 , 1,000 . )"), "No. 5, 1,000.)");
}

TEST(TreebankDetokenizer, Quotes) {
    EXPECT_EQ(treebank_detokenize("`` Go , '' he said ."), "\"Go,\" he said.");
    EXPECT_EQ(treebank_detokenize("He said `` go ''"), "He said \"go\"");
    EXPECT_EQ(treebank_detokenize("( `` a '' )"), "(\"a\")");
}

TEST(TreebankDetokenizer, Contractions) {
    EXPECT_EQ(treebank_detokenize("You can not gim me it"), "You cannot gimme it");
    EXPECT_EQ(treebank_detokenize("scan not , can note"), "scan not, can note");
    EXPECT_EQ(treebank_detokenize("so 't is ; 'T WAS"), "so'tis;'TWAS");  // the blank before goes with the match
    EXPECT_EQ(treebank_detokenize("I wan na"), "I wanna");                // a blank is put after the text first
}

TEST(TreebankDetokenizer, AnyBytes) {
    EXPECT_EQ(treebank_detokenize(""), "");
    EXPECT_EQ(treebank_detokenize(" \n "), "");
    EXPECT_EQ(treebank_detokenize("a\xFF , \xE2\x82 ."), "a\xFF, \xE2\x82.");
    EXPECT_EQ(treebank_detokenize(std::string("a\0 , b", 6)), std::string("a\0, b", 5));
    EXPECT_EQ(treebank_detokenize("one\n, two\r\n!"), "one, two\r!");  // one character of white space goes
}

TEST(TreebankDetokenizer, LinearTime) {
    std::string text;
    while (text.size() < (1U << 20)) text += "' . '' ( ` ";
    EXPECT_LT(treebank_detokenize(text).size(), text.size());
    EXPECT_EQ(treebank_detokenize("." + std::string(1 << 20, ' ') + "x"), "." + std::string(1 << 20, ' ') + "x");
}

TEST(TreebankDetokenizer, EqualsNltk) {
    CRAFT_REFERENCE_FILE(oracle, "oracles/editeval.jsonl");
    JsonLinesReader rows(oracle.string());
    int64_t lines = 0;
    while (const auto row = rows.next()) {
        if (row->at("metric") != "treebank_detokenize") continue;
        const auto text = row->at("inputs").at("text").get<std::string>();
        EXPECT_EQ(treebank_detokenize(text), row->at("expected").at("text").get<std::string>()) << row->at("id");
        ++lines;
    }
    EXPECT_EQ(lines, 155);
}

}  // namespace
}  // namespace craft
