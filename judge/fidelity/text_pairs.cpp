#include "judge/fidelity/text_pairs.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "core/error.h"
#include "core/id_index.h"

namespace craft {

TextPairs pair_texts(std::vector<RevisedText> originals, std::vector<RevisedText> revisions) {
    IdIndex index;
    for (size_t i = 0; i < originals.size(); ++i) index.add(originals[i].id, i, originals[i].where);
    std::vector<RevisedText*> revision_of(originals.size(), nullptr);
    for (RevisedText& revision : revisions) {
        RevisedText*& slot = revision_of[index.row_of(revision.id, revision.where)];
        if (slot != nullptr) throw Error(revision.where, "one output per item", "'" + revision.id + "' again");
        slot = &revision;
    }
    TextPairs found;
    for (size_t i = 0; i < originals.size(); ++i) {
        if (revision_of[i] == nullptr)
            ++found.missing;
        else
            found.pairs.push_back(
                {std::move(originals[i].id), std::move(originals[i].text), std::move(revision_of[i]->text)});
    }
    return found;
}

TextPairs pairs_of(const std::vector<RevisedText>& originals, const TextPairs& all) {
    std::set<std::string> ids;
    for (const RevisedText& one : originals) ids.insert(one.id);
    TextPairs some;
    std::copy_if(all.pairs.begin(), all.pairs.end(), std::back_inserter(some.pairs),
                 [&](const TextPair& pair) { return ids.contains(pair.id); });
    some.missing = static_cast<int64_t>(ids.size() - some.pairs.size());
    return some;
}

int64_t empty_revisions(const TextPairs& texts) {
    return std::count_if(texts.pairs.begin(), texts.pairs.end(),
                         [](const TextPair& pair) { return is_empty_text(pair.revision); });
}

}  // namespace craft
