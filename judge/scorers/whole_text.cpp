#include "judge/scorers/whole_text.h"

#include <algorithm>

namespace craft {

namespace {

void append(std::vector<int64_t>& to, const std::vector<int64_t>& more) {
    to.insert(to.end(), more.begin(), more.end());
}

}  // namespace

WholeText read_whole(const Tokenizer& tokenizer, const std::string& text, int64_t max_tokens) {
    const std::vector<int64_t> leading = tokenizer.leading_tokens(), trailing = tokenizer.trailing_tokens();
    std::vector<int64_t> own = tokenizer.encode(text, /*allow_special=*/true);
    const int64_t room = max_tokens - static_cast<int64_t>(leading.size() + trailing.size());
    WholeText made;
    made.empty = own.empty();
    made.cut = static_cast<int64_t>(own.size()) > room;
    own.resize(std::min(own.size(), static_cast<size_t>(std::max<int64_t>(room, 0))));
    made.ids = leading;
    append(made.ids, own);
    append(made.ids, trailing);
    return made;
}

WholeText read_pair(const Tokenizer& tokenizer, const std::string& first, const std::string& second, int64_t max_tokens) {
    const std::vector<int64_t> leading = tokenizer.leading_tokens(), trailing = tokenizer.trailing_tokens();
    std::vector<int64_t> a = tokenizer.encode(first, /*allow_special=*/true);
    std::vector<int64_t> b = tokenizer.encode(second, /*allow_special=*/true);
    WholeText made;
    made.empty = a.empty() && b.empty();
    const auto room =
        static_cast<size_t>(std::max<int64_t>(max_tokens - static_cast<int64_t>(leading.size() + 2 * trailing.size()), 0));
    made.cut = a.size() + b.size() > room;
    const size_t half = room / 2;
    if (made.cut && a.size() <= half) {
        b.resize(room - a.size());
    } else if (made.cut && b.size() <= half) {
        a.resize(room - b.size());
    } else if (made.cut) {
        a.resize(room - half);
        b.resize(half);
    }
    made.ids = leading;
    append(made.ids, a);
    append(made.ids, trailing);
    made.types.assign(made.ids.size(), 0);
    append(made.ids, b);
    append(made.ids, trailing);
    made.types.resize(made.ids.size(), 1);
    return made;
}

std::vector<MeasuredPair> measured_pairs(const std::string& first, const std::string& second, SentenceRule rule) {
    const std::vector<std::string> a = split_sentences(first, rule), b = split_sentences(second, rule);
    if (a.empty() || a.size() != b.size()) return {{first, second}};
    std::vector<MeasuredPair> pairs;
    for (size_t i = 0; i < a.size(); ++i) pairs.push_back({a[i], b[i]});
    return pairs;
}

}  // namespace craft
