#include "tokenizer/special_tokens.h"

namespace craft {

std::vector<TextPart> SpecialTokens::split(std::string_view text, const std::vector<ByteRange>& literal) const {
    std::vector<TextPart> parts;
    size_t begin = 0;
    auto next = literal.begin();  // the first range that ends behind `at`
    for (size_t at = 0; at < text.size();) {
        while (next != literal.end() && next->end <= at) ++next;
        if (next != literal.end() && next->begin <= at) {
            at = next->end;
            continue;
        }
        const size_t room = (next == literal.end() ? text.size() : next->begin) - at;
        const std::pair<const std::string, int64_t>* longest = nullptr;
        for (const auto& entry : ids_)
            if (entry.first.size() <= room && text.compare(at, entry.first.size(), entry.first) == 0 &&
                (longest == nullptr || entry.first.size() > longest->first.size()))
                longest = &entry;
        if (longest == nullptr) {
            ++at;
            continue;
        }
        if (at > begin) parts.push_back({text.substr(begin, at - begin), -1});
        parts.push_back({text.substr(at, longest->first.size()), longest->second});
        at += longest->first.size();
        begin = at;
    }
    if (begin < text.size()) parts.push_back({text.substr(begin), -1});
    return parts;
}

int64_t SpecialTokens::id_of(std::string_view spelling) const {
    const auto found = ids_.find(spelling);
    return found == ids_.end() ? -1 : found->second;
}

const std::string* SpecialTokens::spelling(int64_t id) const {
    for (const auto& [text, token] : ids_)
        if (token == id) return &text;
    return nullptr;
}

}  // namespace craft
