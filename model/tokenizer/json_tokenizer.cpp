#include "model/tokenizer/json_tokenizer.h"

#include <algorithm>
#include <set>

#include "core/error.h"
#include "core/log.h"
#include "core/utf8.h"
#include "model/tokenizer/byte_alphabet.h"
#include "model/tokenizer/unicode_classes.h"

namespace craft {

namespace {

Component part(const Component& root, const std::string& name) {
    return Component(root.object(name), root.where() + ": " + name);
}

// The ranges in a text whose invalid bytes were replaced.
std::vector<ByteRange> moved_ranges(std::string_view text, const std::vector<ByteRange>& ranges) {
    std::vector<ByteRange> moved;
    for (const ByteRange& range : ranges)
        moved.push_back({replace_invalid_utf8(text.substr(0, range.begin)).size(),
                         replace_invalid_utf8(text.substr(0, range.end)).size()});
    return moved;
}

}  // namespace

JsonTokenizer::JsonTokenizer(const TokenizerDocument& document, const TokenizerConfig& config, const std::string& where) {
    const Component root(document, where);
    if (const std::string version = root.optional_text("version").value_or("1.0"); version != "1.0")
        root.fail("version", "1.0", "'" + version + "'");
    model_ = make_token_model(part(root, "model"));
    if (root.has("normalizer")) normalizer_ = make_normalizer(part(root, "normalizer"));
    if (root.has("pre_tokenizer")) pre_tokenizer_ = make_pre_tokenizer(part(root, "pre_tokenizer"));
    if (root.has("decoder")) decoder_ = make_token_decoder(part(root, "decoder"));
    if (root.has("post_processor")) around_ = read_post_processor(part(root, "post_processor"));
    byte_alphabet_ = pre_tokenizer_ != nullptr && pre_tokenizer_->leave_byte_alphabet();
    add_tokens(root, config);
    read_ends(root, config);
}

void JsonTokenizer::add_tokens(const Component& root, const TokenizerConfig& config) {
    const auto add = [&](const AddedToken& token) { added_.add(token, model_->vocabulary(), normalizer_.get()); };
    std::set<int64_t> taken;  // ids that the file gives to tokens
    added_.open_list(model_->vocabulary());
    if (root.has("added_tokens"))
        for (const Component& entry : root.components("added_tokens")) {
            const AddedToken token = read_added_token(entry.json(), entry.where());
            add(token);
            if (entry.has("id")) taken.insert(entry.number("id"));
            if (const int64_t id = id_of(token.content); entry.has("id") && entry.number("id") != id)
                log_warning("an added token has not the id that the file gives it, as in the tokenizers library",
                            {{"token", token.content}, {"file", entry.number("id")}, {"id", id}});
        }
    added_.open_list(model_->vocabulary());
    for (auto [id, token] : config.added) {
        if (config.added_of_old && (taken.count(id) > 0 || added_.id_of(token.content) >= 0)) continue;
        token.special = token.special || has_name(config, token.content);  // as transformers: what is named is special
        add(token);
    }
    // Special tokens that are said elsewhere only are added tokens too.
    std::vector<AddedToken> others = special_tokens(config);
    std::erase_if(others, [&](const AddedToken& token) { return added_.id_of(token.content) >= 0; });
    for (const AddedToken& token : others) add(token);
    added_.prepare();
}

void JsonTokenizer::read_ends(const Component& root, const TokenizerConfig& config) {
    const auto id_named = [&](const std::string& name) -> int64_t {
        const auto found = config.named.find(name);
        return found == config.named.end() ? -1 : id_of(found->second.content);
    };
    end_ = id_named("eos_token");
    if (root.has("post_processor")) return;  // it goes before the switches
    if (const int64_t bos = id_named("bos_token"); config.add_bos.value_or(false) && bos >= 0) around_.leading = {bos};
    if (config.add_eos.value_or(false) && end_ >= 0) around_.trailing = {end_};
}

int64_t JsonTokenizer::vocabulary_size() const {
    return std::max(model_->vocabulary().id_limit(), added_.id_limit());
}

int64_t JsonTokenizer::id_of(std::string_view piece) const {
    const int64_t id = added_.id_of(piece);
    return id >= 0 ? id : model_->vocabulary().id_of(piece);
}

std::vector<int64_t> JsonTokenizer::encode_around(std::string_view text, const std::vector<ByteRange>& literal) const {
    if (invalid_utf8_at(text) != text.npos) return encode_around(replace_invalid_utf8(text), moved_ranges(text, literal));
    std::vector<AddedSpan> spans;
    added_.find_raw(text, literal, spans);
    WordCaches::Loan cache(caches_);
    std::vector<int64_t> ids;
    ids.reserve(text.size() / 4 + 4);
    for (const AddedSpan& span : spans) {
        if (span.token >= 0)
            ids.push_back(span.token);
        else
            encode_plain(text.substr(span.begin, span.end - span.begin), span.begin == 0, literal.empty(), *cache, ids);
    }
    return ids;
}

void JsonTokenizer::encode_plain(std::string_view text, bool at_start, bool with_special, WordCache& cache,
                                 std::vector<int64_t>& ids) const {
    NormalizedText normalized;
    if (normalizer_ != nullptr) {
        normalized = {std::string(text), at_start};
        normalizer_->apply(normalized);
        text = normalized.text;
        at_start = normalized.at_start;
    }
    std::vector<AddedSpan> spans;
    added_.find_normalized(text, with_special, spans);
    for (const AddedSpan& span : spans) {
        if (span.token >= 0)
            ids.push_back(span.token);
        else
            encode_words(text.substr(span.begin, span.end - span.begin), at_start && span.begin == 0, cache, ids);
    }
}

void JsonTokenizer::encode_words(std::string_view text, bool at_start, WordCache& cache, std::vector<int64_t>& ids) const {
    PieceList list;
    list.pieces.push_back({text, at_start});
    if (pre_tokenizer_ != nullptr) pre_tokenizer_->split(list);
    for (const Piece& piece : list.pieces) {
        cache.encode(piece.text, ids, [&](std::string_view word, std::vector<int64_t>& out) {
            model_->encode(byte_alphabet_ ? to_byte_alphabet(word) : std::string(word), out);
        });
    }
}

std::vector<std::string> JsonTokenizer::spellings(const std::vector<int64_t>& ids, bool keep_special) const {
    std::vector<std::string> tokens;
    tokens.reserve(ids.size());
    for (const int64_t id : ids) {
        if (id < 0) throw Error("token id", "0 or more", std::to_string(id));
        const std::string* spelling = added_.spelling(id);
        if (spelling == nullptr) spelling = model_->vocabulary().spelling(id);
        // Models have rows for more tokens than their tokenizers.
        if (spelling != nullptr && (keep_special || !added_.is_special(*spelling))) tokens.push_back(*spelling);
    }
    return tokens;
}

std::string JsonTokenizer::decode(const std::vector<int64_t>& ids, bool keep_special) const {
    std::vector<std::string> tokens = spellings(ids, keep_special);
    if (decoder_ != nullptr) decoder_->decode(tokens);
    std::string text;
    for (size_t i = 0; i < tokens.size(); ++i) {
        if (i > 0 && decoder_ == nullptr) text += ' ';
        text += tokens[i];
    }
    return text;
}

std::optional<std::string> JsonTokenizer::bytes_of(int64_t id) const {
    if (decoder_ == nullptr) return std::nullopt;  // blanks stand between tokens
    const std::string* spelling = added_.spelling(id);
    if (spelling == nullptr) spelling = model_->vocabulary().spelling(id);
    if (spelling == nullptr || added_.is_special(*spelling)) return std::nullopt;
    std::string bytes = *spelling;
    if (!decoder_->spell_inside(bytes)) return std::nullopt;
    return bytes;
}

size_t JsonTokenizer::unsettled_tokens(const std::vector<int64_t>& ids, bool keep_special) const {
    if (decoder_ == nullptr) return 0;
    // A decoder counts tokens that have a text; those without one stand between them.
    size_t open = decoder_->unsettled(spellings(ids, keep_special));
    size_t count = 0;
    while (open > 0 && count < ids.size()) {
        ++count;
        open -= spellings({ids[ids.size() - count]}, keep_special).size();
    }
    return count;
}

}  // namespace craft
