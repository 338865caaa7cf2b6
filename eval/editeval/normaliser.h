// What makes texts comparable before they are scored, by data set (EditEval's evaluator, commit 013cd20).
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "eval/editeval/datasets.h"
#include "eval/editeval/records.h"
#include "model/tokenizer/tokenizer.h"

namespace craft {

class EditNormaliser {
public:
    enum class Kind {
        none,      // texts as they are
        treebank,  // data sets whose texts are tokens are detokenised as NLTK does it; FRUIT without marks and wiki markup;
                   // FRUIT's and WAFER's white space becomes single blanks
        t5         // the same, and FRUIT's and WAFER's texts as T5's tokeniser gives them back
    };
    // Throws Error as open_sentencepiece() does; `t5_file` is read for Kind::t5 only.
    explicit EditNormaliser(Kind kind = Kind::treebank, const std::string& t5_file = "");

    // What a model is shown and what it is scored against: of detokenised data sets both, of the others the text as it is.
    EditItem prepared(const EditDataset& dataset, EditItem item) const;
    // What metrics see of a prepared item, and of what was predicted for it.
    std::string source(const EditDataset& dataset, const EditItem& item) const;
    std::string reference(const EditDataset& dataset, const EditItem& item, const std::string& text) const;
    std::string prediction(const EditDataset& dataset, const EditItem& item, const std::string& text) const;

private:
    std::string updated(EditTextRule rule, std::string text) const;
    Kind kind_;
    std::shared_ptr<const Tokenizer> t5_;
};

// What T5's tokeniser makes of a text, there and back: unknown characters and special tokens that a text spells go, blanks
// come together, and blanks before punctuation and contractions go as transformers' clean-up takes them.
std::string there_and_back(const Tokenizer& t5, const std::string& text);

}  // namespace craft
