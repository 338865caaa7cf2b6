#include "data/constraints/source_texts.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <unordered_map>

#include "core/log.h"
#include "core/rng.h"
#include "text/utf8.h"
#include "text/words.h"

namespace craft {

namespace {

using ById = std::unordered_map<std::string, size_t>;

// `known`, if given: the ids that there may be.
std::vector<SourceText> read_texts(const std::string& path, const JsonLinesOptions& lines, ById& by_id,
                                   const ById* known = nullptr) {
    std::vector<SourceText> texts;
    JsonLinesReader reader(path, lines);
    while (const auto row = reader.next()) {
        try {
            SourceText text{id_text(*row, reader.where()), string_field(*row, "text", reader.where()), ""};
            if (trim(text.text).empty()) throw Error("the text is empty");
            if (known != nullptr && !known->contains(text.id)) throw Error("no text has the id '" + text.id + "'");
            if (!by_id.emplace(text.id, texts.size()).second) throw Error("the id '" + text.id + "' occurs twice");
            texts.push_back(std::move(text));
        } catch (const Error& error) {
            reader.reject(error.what());
        }
    }
    if (texts.empty()) throw Error(path, "at least one text", "none");
    return texts;
}

}  // namespace

std::vector<SourceText> read_source_texts(const std::string& texts, const std::string& revisions,
                                          const JsonLinesOptions& lines) {
    ById by_id;
    std::vector<SourceText> out = read_texts(texts, lines, by_id);
    if (revisions.empty()) return out;
    ById revised;
    for (auto& revision : read_texts(revisions, lines, revised, &by_id))
        out[by_id.at(revision.id)].revision = std::move(revision.text);
    // A text whose own line or whose revision's line was skipped is left out with it.
    std::erase_if(out, [&](const SourceText& text) {
        if (!text.revision.empty()) return false;
        if (!lines.skip_bad) throw Error(revisions, "a revision of every text", "none of '" + text.id + "'");
        log_warning("texts without a revision are skipped", {{"id", text.id}, {"revisions", revisions}});
        return true;
    });
    return out;
}

std::vector<SourceText> with_passages(std::vector<SourceText> texts, double share, uint64_t seed, int64_t max_words) {
    Rng rng(seed, "passages");
    std::vector<SourceText> out, shorts;
    for (SourceText& text : texts) {
        const bool is_short = text.revision.empty() && static_cast<int64_t>(whitespace_words(text.text).size()) <= max_words;
        (is_short ? shorts : out).push_back(std::move(text));
    }
    rng.shuffle(shorts);
    size_t left = static_cast<size_t>(std::lround(share * static_cast<double>(shorts.size())));
    while (left >= 2) {
        const size_t joined = std::min(left, static_cast<size_t>(rng.between(2, 8)));
        SourceText passage = std::move(shorts.back());
        shorts.pop_back();
        passage.id = "passage-" + passage.id;
        for (size_t i = 1; i < joined; ++i) {
            passage.text += " " + shorts.back().text;
            shorts.pop_back();
        }
        out.push_back(std::move(passage));
        left -= joined;
    }
    std::move(shorts.begin(), shorts.end(), std::back_inserter(out));
    return out;
}

}  // namespace craft
