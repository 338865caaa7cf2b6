#include "model/tokenizer/added_tokens.h"

#include <algorithm>

#include "core/error.h"
#include "model/tokenizer/unicode_classes.h"
#include "text/code_points.h"

namespace craft {

namespace {

size_t skip_blanks(std::string_view text, size_t at) {
    while (at < text.size()) {
        const CodePoint c = code_point_at(text, at);
        if (!is_white_space(c.value)) break;
        at += c.bytes;
    }
    return at;
}

size_t skip_blanks_back(std::string_view text, size_t end) {
    while (end > 0) {
        const CodePoint c = code_point_before(text, end);
        if (!is_white_space(c.value)) break;
        end -= c.bytes;
    }
    return end;
}

bool stands_alone(std::string_view text, size_t begin, size_t end) {
    return (begin == 0 || !is_word(code_point_before(text, begin).value)) &&
           (end == text.size() || !is_word(code_point_at(text, end).value));
}

}  // namespace

void AddedTokens::open_list(const Vocabulary& model) {
    next_ = std::max(static_cast<int64_t>(model.size()), id_limit());
}

void AddedTokens::add(const AddedToken& token, const Vocabulary& model, const Normalizer* normalizer) {
    if (token.content.empty()) return;
    int64_t id = id_of(token.content);
    if (id < 0) id = model.id_of(token.content);
    if (id < 0) id = next_++;
    add_at(token, id, normalizer);
}

void AddedTokens::add_at(const AddedToken& token, int64_t id, const Normalizer* normalizer) {
    if (token.content.empty()) return;
    if (id > kLargestTokenId)
        throw Error("added token '" + token.content + "'", "ids up to " + std::to_string(kLargestTokenId),
                    std::to_string(id));
    normalized_.erase(id);
    if (token.normalized && normalizer != nullptr) {
        NormalizedText form{token.content, true};
        normalizer->apply(form);
        if (form.text != token.content) normalized_[id] = form.text;
    }
    ids_[token.content] = id;
    if (token.special) special_.insert(token.content);
    tokens_[id] = token;
}

void AddedTokens::prepare() {
    std::vector<std::pair<std::string, int64_t>> raw, special, normalized;
    for (const auto& [id, token] : tokens_) {
        const auto form = normalized_.find(id);
        if (token.normalized)
            normalized.emplace_back(form == normalized_.end() ? token.content : form->second, id);
        else
            raw.emplace_back(token.content, id);
        if (token.normalized && token.special) special.emplace_back(token.content, id);
    }
    special.insert(special.end(), raw.begin(), raw.end());
    raw_ = ByteTrie(std::move(raw));
    raw_and_special_ = ByteTrie(std::move(special));
    normalized_trie_ = ByteTrie(std::move(normalized));
}

int64_t AddedTokens::id_of(std::string_view content) const {
    const auto found = ids_.find(content);
    return found == ids_.end() ? -1 : found->second;
}

const std::string* AddedTokens::spelling(int64_t id) const {
    if (const auto form = normalized_.find(id); form != normalized_.end()) return &form->second;
    const auto found = tokens_.find(id);
    return found == tokens_.end() ? nullptr : &found->second.content;
}

void AddedTokens::find(const ByteTrie& trie, std::string_view text, const std::function<bool(const AddedSpan&)>& allowed,
                       std::vector<AddedSpan>& spans) const {
    size_t done = 0;  // everything before it stands in `spans`
    for (size_t at = 0; at < text.size();) {
        if (!trie.starts_one(static_cast<unsigned char>(text[at]))) {
            ++at;
            continue;
        }
        AddedSpan span{at, at, -1};
        trie.prefixes(text.substr(at), [&](size_t length, int64_t id) { span = {at, at + length, id}; });
        if (span.token < 0) {
            ++at;
            continue;
        }
        at = span.end;
        const AddedToken& token = tokens_.at(span.token);
        if (!allowed(span) || (token.single_word && !stands_alone(text, span.begin, span.end))) continue;
        if (token.lstrip) span.begin = std::max(skip_blanks_back(text, span.begin), done);
        if (token.rstrip) span.end = skip_blanks(text, span.end);
        if (span.begin >= span.end) continue;  // the token before it has swallowed it
        if (done < span.begin) spans.push_back({done, span.begin, -1});
        spans.push_back(span);
        done = span.end;
    }
    if (done < text.size()) spans.push_back({done, text.size(), -1});
}

void AddedTokens::find_raw(std::string_view text, const std::vector<ByteRange>& literal,
                           std::vector<AddedSpan>& spans) const {
    const bool all_literal = literal.size() == 1 && literal[0].begin == 0 && literal[0].end >= text.size();
    auto next = literal.begin();  // the first range that ends after what is looked at
    const auto allowed = [&](const AddedSpan& span) {
        if (!tokens_.at(span.token).special) return true;
        while (next != literal.end() && next->end <= span.begin) ++next;
        return next == literal.end() || next->begin >= span.end;
    };
    find(literal.empty() || all_literal ? raw_ : raw_and_special_, text, allowed, spans);
}

void AddedTokens::find_normalized(std::string_view text, bool with_special, std::vector<AddedSpan>& spans) const {
    find(
        normalized_trie_, text, [&](const AddedSpan& span) { return with_special || !tokens_.at(span.token).special; },
        spans);
}

}  // namespace craft
