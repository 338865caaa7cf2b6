#include "editeval/normaliser.h"

#include "editeval/fruit_marks.h"
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

std::string EditNormaliser::scored(const EditDataset& dataset, const EditItem& item, const std::string& text,
                                   bool is_source) const {
    if (kind_ == Kind::none || dataset.rule == EditTextRule::as_given) return text;
    if (dataset.rule == EditTextRule::detokenised) return text;
    std::string plain = text;
    if (dataset.rule == EditTextRule::fruit) {
        if (!is_source) plain = without_citations(plain, item.documents.size());
        plain = without_wiki_markup(plain);
    }
    if (t5_) return trim(there_and_back(*t5_, plain));
    // Where marks were taken out, two blanks meet.
    return dataset.rule == EditTextRule::fruit ? join(whitespace_words(plain), " ") : plain;
}

std::string there_and_back(const Tokenizer& t5, const std::string& text) {
    return cleaned_up(t5.decode(t5.encode(text, false), false));
}

}  // namespace craft
