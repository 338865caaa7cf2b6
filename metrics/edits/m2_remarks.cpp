#include "metrics/edits/m2_remarks.h"

#include <algorithm>
#include <set>

namespace craft {

namespace {

void add(M2Remark& remark, const M2Sentence& sentence, int64_t annotator) {
    if (remark.count++ > 0) return;
    remark.line = sentence.line;
    remark.annotator = annotator;
}

}  // namespace

bool is_repeated(const M2Sentence& sentence, size_t edit) {
    const M2Edit& one = sentence.edits[edit];
    if (one.noop()) return false;
    return std::any_of(sentence.edits.begin(), sentence.edits.begin() + static_cast<std::ptrdiff_t>(edit),
                       [&](const M2Edit& before) {
                           return before.annotator == one.annotator && before.start == one.start && before.end == one.end &&
                                  !before.noop() && before.alternatives() == one.alternatives();
                       });
}

M2Remark repeated_edits(const M2File& file) {
    M2Remark found;
    for (const M2Sentence& sentence : file.sentences)
        for (size_t edit = 0; edit < sentence.edits.size(); ++edit)
            if (is_repeated(sentence, edit)) add(found, sentence, sentence.edits[edit].annotator);
    return found;
}

M2Remark missing_annotators(const M2File& file) {
    std::set<int64_t> all;
    for (const M2Sentence& sentence : file.sentences)
        for (const M2Edit& edit : sentence.edits) all.insert(edit.annotator);
    M2Remark found;
    for (const M2Sentence& sentence : file.sentences) {
        if (sentence.edits.empty()) continue;
        for (const int64_t annotator : all)
            if (std::none_of(sentence.edits.begin(), sentence.edits.end(),
                             [&](const M2Edit& edit) { return edit.annotator == annotator; }))
                add(found, sentence, annotator);
    }
    return found;
}

}  // namespace craft
