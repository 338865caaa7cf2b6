#include "data/sentence_pair.h"

#include <algorithm>

#include "core/error.h"
#include "core/id_index.h"
#include "core/rows.h"
#include "metrics/edits/m2_file.h"
#include "text/text_lines.h"
#include "text/utf8.h"

namespace craft {

namespace {

// Takes pairs one after the other.
class PairTaker {
public:
    explicit PairTaker(int64_t* empty) : empty_(empty) {}
    void take(SentencePair pair, const std::string& where) {
        if (trim_view(pair.source).empty() || trim_view(pair.target).empty()) {
            if (empty_ == nullptr) throw Error(where, "a source and a target", "an empty one");
            ++*empty_;
            return;
        }
        ids_.add(pair.id, pairs_.size(), where);
        pairs_.push_back(std::move(pair));
    }
    std::vector<SentencePair> pairs(const std::string& name) && {
        if (pairs_.empty()) throw Error(name, "pairs of sentences", "none");
        return std::move(pairs_);
    }

private:
    int64_t* empty_;
    IdIndex ids_;
    std::vector<SentencePair> pairs_;
};

std::vector<std::string> types_of(const Json& row, const std::string& where) {
    std::vector<std::string> types;
    if (!has_value(row, "types")) return types;
    const Json& list = row.at("types");
    if (!list.is_array()) throw Error(where + ": field 'types'", "a list of texts", list.type_name());
    for (const Json& one : list) {
        if (!one.is_string())
            throw Error(where + ": field 'types'", "a list of texts", std::string("one with a ") + one.type_name());
        types.push_back(one.get<std::string>());
    }
    return types;
}

std::string joined_by_blanks(const std::vector<std::string>& tokens) {
    std::string text;
    for (const std::string& token : tokens)
        if (!token.empty()) text += (text.empty() ? "" : " ") + token;
    return text;
}

// Edits that do not fit the sentence, or lie over another one, would make a target that nobody wrote.
SentencePair pair_of_sentence(const M2Sentence& sentence, size_t number, const std::string& where) {
    std::vector<std::string> tokens = sentence.tokens();
    SentencePair pair{std::to_string(number), joined_by_blanks(tokens), "", {}};
    std::vector<const M2Edit*> edits;
    for (const M2Edit& edit : sentence.edits)
        if (edit.annotator == 0 && !edit.noop()) edits.push_back(&edit);
    std::stable_sort(edits.begin(), edits.end(), [](const M2Edit* a, const M2Edit* b) { return a->start < b->start; });
    std::string target;
    int64_t at = 0;
    const auto keep_up_to = [&](int64_t end) {
        for (; at < end; ++at) target += tokens[static_cast<size_t>(at)] + " ";
    };
    for (const M2Edit* edit : edits) {
        if (edit->start < at || edit->end > static_cast<int64_t>(tokens.size()))
            throw Error(where, "edits within the sentence, one beside the other",
                        "one from " + std::to_string(edit->start) + " to " + std::to_string(edit->end));
        keep_up_to(edit->start);
        const std::vector<std::string> alternatives = edit->alternatives();
        if (!alternatives.empty() && !alternatives.front().empty()) target += alternatives.front() + " ";
        at = edit->end;
        pair.error_types.emplace_back(edit->type);
    }
    keep_up_to(static_cast<int64_t>(tokens.size()));
    pair.target = trim(target);
    return pair;
}

void take_m2(const std::string& bytes, const std::string& name, const JsonLinesOptions& options, PairTaker& taker) {
    const M2File file = parse_m2(bytes, name);
    for_each_line(options, [&, number = size_t{0}]() mutable {
        if (number == file.sentences.size()) return false;
        const M2Sentence& sentence = file.sentences[number++];
        const std::string where = name + ":" + std::to_string(sentence.line);
        taker.take(pair_of_sentence(sentence, number, where), where);
        return true;
    });
}

void take_columns(const std::string& bytes, const std::string& name, const JsonLinesOptions& options, PairTaker& taker) {
    TextLines lines(bytes, name);
    for_each_line(options, [&, line = TextLine()]() mutable {
        if (!lines.next(line)) return false;
        if (trim_view(line.text).empty()) return true;
        const std::string where = name + ":" + std::to_string(line.number);
        const size_t tab = line.text.find('\t');
        if (tab == std::string_view::npos || line.text.find('\t', tab + 1) != std::string_view::npos)
            throw Error(where, "two columns with a tab between them", tab == std::string_view::npos ? "one" : "more");
        taker.take({std::to_string(line.number), trim(line.text.substr(0, tab)), trim(line.text.substr(tab + 1)), {}},
                   where);
        return true;
    });
}

}  // namespace

std::vector<SentencePair> parse_sentence_pairs(const std::string& bytes, const std::string& name, int64_t* empty,
                                               const JsonLinesOptions& options) {
    PairTaker taker(empty);
    if (name.ends_with(".m2"))
        take_m2(bytes, name, options, taker);
    else
        take_columns(bytes, name, options, taker);
    return std::move(taker).pairs(name);
}

std::vector<SentencePair> read_sentence_pairs(const std::string& file, int64_t* empty, const JsonLinesOptions& options) {
    if (file.ends_with(".m2") || file.ends_with(".tsv")) return parse_sentence_pairs(read_text(file), file, empty, options);
    PairTaker taker(empty);
    for_each_row(file, options, [&](const Json& row, const std::string& where) {
        taker.take({id_text(row, where), string_field(row, "source", where), string_field(row, "target", where),
                    types_of(row, where)},
                   where);
    });
    return std::move(taker).pairs(file);
}

Json to_json(const SentencePair& pair) {
    Json row = {{"id", pair.id}, {"source", pair.source}, {"target", pair.target}};
    if (!pair.error_types.empty()) row["types"] = pair.error_types;
    return row;
}

}  // namespace craft
