#include "eval/editeval/normaliser.h"

#include "eval/editeval/fruit_marks.h"
#include "text/lists.h"
#include "text/treebank_detokenizer.h"
#include "text/utf8.h"
#include "text/words.h"

namespace craft {

namespace {

// transformers' clean_up_tokenization, in its order.
std::string cleaned_up(std::string text) {
    constexpr std::pair<std::string_view, std::string_view> kSteps[] = {
        {" .", "."},     {" ?", "?"},   {" !", "!"},   {" ,", ","},     {" ' ", "'"},
        {" n't", "n't"}, {" 'm", "'m"}, {" 's", "'s"}, {" 've", "'ve"}, {" 're", "'re"}};
    for (const auto& [from, to] : kSteps) {
        std::string next;
        size_t begin = 0;
        for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, begin)) {
            next.append(text, begin, at - begin);
            next += to;
            begin = at + from.size();
        }
        text = next.append(text, begin);
    }
    return text;
}

}  // namespace

EditNormaliser::EditNormaliser(Kind kind, const std::string& t5_file) : kind_(kind) {
    if (kind == Kind::t5) t5_ = open_sentencepiece(t5_file);
}

EditItem EditNormaliser::prepared(const EditDataset& dataset, EditItem item) const {
    if (kind_ == Kind::none || dataset.rule != EditTextRule::detokenised) return item;
    item.input = treebank_detokenize(item.input);
    for (std::string& reference : item.references) reference = treebank_detokenize(reference);
    return item;
}

// Of the two updating data sets: what is done to their texts after the marks.
std::string EditNormaliser::updated(EditTextRule rule, std::string text) const {
    if (rule == EditTextRule::fruit) text = without_wiki_markup(text);
    if (t5_) return trim(there_and_back(*t5_, text));
    // What T5's tokeniser does to white space: blanks meet where marks were taken out, and WAFER's texts have line breaks,
    // one of them at the end, where answers have none.
    return join(whitespace_words(text), " ");
}

std::string EditNormaliser::source(const EditDataset& dataset, const EditItem& item) const {
    const bool is_updating = dataset.rule == EditTextRule::fruit || dataset.rule == EditTextRule::wafer;
    return kind_ == Kind::none || !is_updating ? item.input : updated(dataset.rule, item.input);
}

std::string EditNormaliser::reference(const EditDataset& dataset, const EditItem& item, const std::string& text) const {
    if (kind_ == Kind::none) return text;
    switch (dataset.rule) {
        case EditTextRule::as_given:
        case EditTextRule::detokenised:
            return text;
        case EditTextRule::fruit:
            return updated(dataset.rule, without_citations(text, item.documents.size()));
        case EditTextRule::wafer:
            return updated(dataset.rule, text);
    }
    return text;
}

std::string EditNormaliser::prediction(const EditDataset& dataset, const EditItem& item, const std::string& text) const {
    const bool is_detokenised = kind_ != Kind::none && dataset.rule == EditTextRule::detokenised;
    return is_detokenised ? treebank_detokenize(text) : reference(dataset, item, text);
}

std::string there_and_back(const Tokenizer& t5, const std::string& text) {
    return cleaned_up(t5.decode(t5.encode(text, true), false));
}

}  // namespace craft
