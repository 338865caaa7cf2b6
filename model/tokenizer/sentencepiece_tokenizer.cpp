#include "model/tokenizer/sentencepiece_tokenizer.h"

#include <algorithm>
#include <charconv>

#include "core/error.h"
#include "model/tokenizer/sentencepiece_file.h"

namespace craft {

namespace {

// sentencepiece writes a blank as U+2581, so that a text's own U+2581 would come back as a blank.
constexpr std::string_view kBlankMark = "\xe2\x96\x81";

}  // namespace

SentencepieceTokenizer::SentencepieceTokenizer(const std::string& model, const TokenizerConfig& config,
                                               const std::string& where) {
    check_sentencepiece_model(model, where);
    if (const auto status = processor_.LoadFromSerializedProto(model); !status.ok())
        throw Error(where, "a sentencepiece model", "a file that the library refuses: " + std::string(status.message()));
    size_ = processor_.GetPieceSize();
    unknown_text_ = decode_run({processor_.unk_id()}, true);
    add_tokens(config);
    read_ends(config);
    const auto keeps_marks = config.flags.find("blank_mark_as_bytes");
    if (keeps_marks != config.flags.end() && keeps_marks->second) find_blank_bytes(where);
}

void SentencepieceTokenizer::add_tokens(const TokenizerConfig& config) {
    const auto add = [&](AddedToken token, int64_t id, bool special) {
        token.special = special;
        token.normalized = false;  // nobody but the library normalises
        added_.add_at(token, id);
        size_ = std::max(size_, id + 1);
    };
    for (int id = 0; id < processor_.GetPieceSize(); ++id)
        if (processor_.IsControl(id) || processor_.IsUnknown(id)) add({.content = processor_.IdToPiece(id)}, id, true);
    for (const auto& [id, token] : config.added) {
        if (const int64_t known = id_of(token.content); known >= 0 && known != id)
            throw Error(config.where + ": added token '" + token.content + "'", "its id " + std::to_string(known),
                        std::to_string(id));
        add(token, id, token.special || has_name(config, token.content));
    }
    const int64_t first = processor_.GetPieceSize();
    for (int64_t i = 0; i < config.sentinels; ++i)
        if (added_.id_of(sentinel(i)) < 0) add({.content = sentinel(i)}, first + config.sentinels - 1 - i, true);
    std::vector<AddedToken> others = special_tokens(config);
    std::erase_if(others, [&](const AddedToken& token) { return added_.id_of(token.content) >= 0; });
    for (const AddedToken& token : others) {
        const int64_t known = id_of(token.content);
        add(token, known >= 0 ? known : size_, true);
    }
    added_.prepare();
}

void SentencepieceTokenizer::read_ends(const TokenizerConfig& config) {
    const auto id_named = [&](const std::string& name, int64_t otherwise) {
        const auto found = config.named.find(name);
        return found == config.named.end() ? otherwise : id_of(found->second.content);
    };
    const int64_t bos = id_named("bos_token", processor_.bos_id());
    end_ = id_named("eos_token", processor_.eos_id());
    if (config.add_bos.value_or(false) && bos >= 0) leading_ = {bos};
    if (config.add_eos.value_or(false) && end_ >= 0) trailing_ = {end_};
}

void SentencepieceTokenizer::find_blank_bytes(const std::string& where) {
    for (const std::string_view name : {"<0xE2>", "<0x96>", "<0x81>"}) {
        const int id = processor_.PieceToId(name);
        if (!processor_.IsByte(id))
            throw Error(where, "pieces of single bytes, which blank_mark_as_bytes needs", "a model without them");
        blank_bytes_.push_back(id);
    }
}

int64_t SentencepieceTokenizer::id_of(std::string_view piece) const {
    if (const int64_t id = added_.id_of(piece); id >= 0) return id;
    const int id = processor_.PieceToId(piece);
    return processor_.IsUnknown(id) ? -1 : id;
}

void SentencepieceTokenizer::encode_plain(std::string_view text, std::vector<int64_t>& ids) const {
    const auto append = [&](std::string_view part) {
        if (part.empty()) return;
        std::vector<int> pieces;
        if (const auto status = processor_.Encode(part, &pieces); !status.ok())
            throw Error("tokenizer", "an encodable text", std::string(status.message()));
        ids.insert(ids.end(), pieces.begin(), pieces.end());
    };
    for (size_t at = blank_bytes_.empty() ? text.npos : text.find(kBlankMark); at != text.npos; at = text.find(kBlankMark)) {
        append(text.substr(0, at));
        ids.insert(ids.end(), blank_bytes_.begin(), blank_bytes_.end());
        text.remove_prefix(at + kBlankMark.size());
    }
    append(text);
}

std::vector<int64_t> SentencepieceTokenizer::encode_around(std::string_view text,
                                                           const std::vector<ByteRange>& literal) const {
    std::vector<AddedSpan> spans;
    added_.find_raw(text, literal, spans);
    std::vector<int64_t> ids;
    for (const AddedSpan& span : spans) {
        if (span.token >= 0)
            ids.push_back(span.token);
        else
            encode_plain(text.substr(span.begin, span.end - span.begin), ids);
    }
    return ids;
}

// What the library makes of pieces in a row. Inside a text they come after an unknown one, whose text goes again: that is
// how the library knows that nothing is to be stripped.
std::string SentencepieceTokenizer::decode_run(std::vector<int> run, bool at_start) const {
    if (run.empty()) return "";
    if (!at_start) run.insert(run.begin(), processor_.unk_id());
    std::string text;
    if (const auto status = processor_.Decode(run, &text); !status.ok())
        throw Error("tokenizer", "decodable tokens", std::string(status.message()));
    return at_start ? text : text.substr(std::min(text.size(), unknown_text_.size()));
}

std::string SentencepieceTokenizer::decode(const std::vector<int64_t>& ids, bool keep_special) const {
    std::string text;
    std::vector<int> run;
    const auto flush = [&] {
        text += decode_run(std::move(run), text.empty());
        run.clear();
    };
    for (const int64_t id : ids) {
        if (id < 0 || id >= size_) throw Error("token id", "0 to " + std::to_string(size_ - 1), std::to_string(id));
        const std::string* spelling = added_.spelling(id);
        if (spelling == nullptr && id >= processor_.GetPieceSize())
            throw Error("token id", "a token of the vocabulary", std::to_string(id));
        const bool left_out = spelling != nullptr && added_.is_special(*spelling) && !keep_special;
        // The library leaves out control symbols itself; bytes on both sides of one are not of one character.
        const bool is_control = id < processor_.GetPieceSize() && processor_.IsControl(static_cast<int>(id));
        if (left_out && !is_control) continue;
        if (left_out || spelling == nullptr) {
            run.push_back(static_cast<int>(id));
            continue;
        }
        flush();
        text += *spelling;
    }
    flush();
    return text;
}

std::optional<std::string> SentencepieceTokenizer::bytes_of(int64_t id) const {
    if (const std::string* spelling = added_.spelling(id); spelling != nullptr) {
        if (added_.is_special(*spelling)) return std::nullopt;
        return *spelling;
    }
    if (id < 0 || id >= processor_.GetPieceSize()) return std::nullopt;
    const int piece = static_cast<int>(id);
    if (processor_.IsControl(piece) || processor_.IsUnknown(piece) || processor_.IsUnused(piece)) return std::nullopt;
    if (!processor_.IsByte(piece)) return decode_run({piece}, false);
    unsigned byte = 0;  // of "<0x0A>"
    const std::string& name = processor_.IdToPiece(piece);
    std::from_chars(name.data() + 3, name.data() + 5, byte, 16);
    return std::string(1, static_cast<char>(byte));
}

size_t SentencepieceTokenizer::unsettled_tokens(const std::vector<int64_t>& ids, bool keep_special) const {
    size_t count = 0;
    for (auto id = ids.rbegin(); id != ids.rend() && *id >= 0; ++id, ++count) {
        const std::string* spelling = added_.spelling(*id);
        const bool is_piece = *id < processor_.GetPieceSize();
        if (spelling != nullptr && !keep_special && added_.is_special(*spelling) &&
            !(is_piece && processor_.IsControl(static_cast<int>(*id))))
            continue;  // no text between bytes
        if (spelling != nullptr || !is_piece || !processor_.IsByte(static_cast<int>(*id))) break;
    }
    return count;
}

}  // namespace craft
