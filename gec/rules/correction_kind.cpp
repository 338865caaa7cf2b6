#include "gec/rules/correction_kind.h"

#include <algorithm>
#include <array>

#include "core/error.h"

namespace craft {

namespace {

constexpr std::array kKindNames = {"agreement",
                                   "verb_form",
                                   "tense",
                                   "missing_verb",
                                   "infinitive",
                                   "noun_number",
                                   "determiner",
                                   "article_missing",
                                   "article_redundant",
                                   "article_choice",
                                   "preposition_missing",
                                   "preposition_redundant",
                                   "preposition_choice",
                                   "spelling",
                                   "word_choice",
                                   "phrase",
                                   "doubled",
                                   "joined",
                                   "word_class",
                                   "pronoun",
                                   "capital",
                                   "comma_missing",
                                   "comma_redundant",
                                   "final_stop",
                                   "apostrophe",
                                   "order",
                                   "observed"};
static_assert(kKindNames.size() == static_cast<size_t>(CorrectionKind::observed) + 1);

}  // namespace

const std::vector<CorrectionKind>& correction_kinds() {
    static const std::vector<CorrectionKind> all = [] {
        std::vector<CorrectionKind> kinds;
        for (size_t i = 0; i < kKindNames.size(); ++i) kinds.push_back(static_cast<CorrectionKind>(i));
        return kinds;
    }();
    return all;
}

const char* correction_kind_name(CorrectionKind kind) {
    return kKindNames.at(static_cast<size_t>(kind));
}

CorrectionKind correction_kind(std::string_view name) {
    const auto* const at = std::find(kKindNames.begin(), kKindNames.end(), name);
    if (at == kKindNames.end())
        throw_unknown("kind of correction", std::string(name), {kKindNames.begin(), kKindNames.end()});
    return static_cast<CorrectionKind>(at - kKindNames.begin());
}

}  // namespace craft
