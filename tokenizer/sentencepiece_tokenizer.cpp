#include "tokenizer/sentencepiece_tokenizer.h"

#include "core/error.h"
#include "core/files.h"
#include "core/log.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

// sentencepiece writes a blank as U+2581, so that a text's own U+2581 would come back as a blank.
constexpr std::string_view kBlankMark = "\xe2\x96\x81";

// A token in tokenizer_config.json is a string or an object with "content".
std::string token_text(const Json& value) {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_object() && value.contains("content") && value["content"].is_string())
        return value["content"].get<std::string>();
    return "";
}

}  // namespace

SentencepieceTokenizer::SentencepieceTokenizer(const fs::path& folder) {
    const fs::path file = folder / "tokenizer.model";
    const std::string bytes = read_file(file);
    // An empty file is a valid protobuf message, and the library aborts on some models without pieces.
    if (bytes.empty()) throw Error(file.string(), "a sentencepiece model", "an empty file");
    if (const auto status = processor_.LoadFromSerializedProto(bytes); !status.ok())
        throw Error(file.string(), "a sentencepiece model",
                    "a file that the library refuses: " + std::string(status.message()));
    size_ = processor_.GetPieceSize();
    collect_special();
    end_ = processor_.eos_id();
    if (processor_.bos_id() >= 0) leading_ = {processor_.bos_id()};  // Llama's default, unless the configuration says else
    if (fs::exists(folder / "tokenizer_config.json")) read_config(folder / "tokenizer_config.json");
    if (decode(encode("  a  b ", false), true) != "  a  b ") return;
    for (const std::string_view name : {"<0xE2>", "<0x96>", "<0x81>"}) {
        const int id = processor_.PieceToId(name);
        if (!processor_.IsByte(id)) {
            blank_bytes_.clear();
            return;
        }
        blank_bytes_.push_back(id);
    }
}

void SentencepieceTokenizer::collect_special() {
    for (int id = 0; id < processor_.GetPieceSize(); ++id) {
        if (!processor_.IsControl(id) && !processor_.IsUnknown(id)) continue;
        special_.add(processor_.IdToPiece(id), id);
        special_ids_.insert(id);
    }
}

void SentencepieceTokenizer::read_added_tokens(const Json& added, const std::string& where) {
    if (!added.is_object()) throw Error(where, "an object of added tokens", added.type_name());
    for (const auto& [key, token] : added.items()) {
        const std::string spelling = token_text(token);
        if (key.empty() || key.size() > 9 || key.find_first_not_of("0123456789") != std::string::npos || spelling.empty())
            throw Error(where, "token ids with their content", "'" + key + "'");
        for (const std::string flag : {"lstrip", "rstrip", "single_word"})
            if (token.value(flag, false))
                throw Error(where + " '" + spelling + "'", flag + " false", "true", "not supported");
        const int64_t id = std::stoll(key);
        size_ = std::max(size_, id + 1);
        const bool special = token.value("special", false);
        if (special_ids_.count(id) > 0 || processor_.PieceToId(spelling) == id) {
            if (special) special_.add(spelling, id), special_ids_.insert(id);
            continue;
        }
        (special ? special_ : always_).add(spelling, id);
        if (special) special_ids_.insert(id);
    }
}

void SentencepieceTokenizer::read_config(const fs::path& file) {
    const Json config = read_json_file(file);
    if (!config.is_object()) throw Error(file.string(), "a JSON object", config.type_name());
    if (config.contains("added_tokens_decoder"))
        read_added_tokens(config["added_tokens_decoder"], file.string() + ": added_tokens_decoder");
    const auto id_in = [&](const std::string& key) -> int64_t {
        const std::string text = config.contains(key) ? token_text(config[key]) : "";
        if (text.empty()) return -1;
        const int64_t id = id_of(text);
        if (id < 0) throw Error(file.string() + ": " + key, "a token of the vocabulary", "'" + text + "'");
        return id;
    };
    if (const int64_t bos = id_in("bos_token"); bos >= 0) leading_ = {bos};
    if (config.contains("add_bos_token") && config["add_bos_token"] == false) leading_.clear();
    if (const int64_t eos = id_in("eos_token"); eos >= 0) end_ = eos;
    if (config.contains("add_eos_token") && config["add_eos_token"] == true && end_ >= 0) trailing_ = {end_};
}

int64_t SentencepieceTokenizer::id_of(std::string_view piece) const {
    if (const int64_t id = special_.id_of(piece); id >= 0) return id;
    if (const int64_t id = always_.id_of(piece); id >= 0) return id;
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
    std::vector<int64_t> ids;
    for (const TextPart& part : special_.split(text, literal)) {
        if (part.special >= 0) ids.push_back(part.special);
        if (part.special >= 0) continue;
        for (const TextPart& inner : always_.split(part.text)) {
            if (inner.special >= 0)
                ids.push_back(inner.special);
            else
                encode_plain(inner.text, ids);
        }
    }
    return ids;
}

std::string SentencepieceTokenizer::decode(const std::vector<int64_t>& ids, bool keep_special) const {
    std::string text;
    std::vector<int> run;
    const auto flush = [&] {
        std::string part;
        if (const auto status = processor_.Decode(run, &part); !status.ok())
            throw Error("tokenizer", "decodable tokens", std::string(status.message()));
        text += part;
        run.clear();
    };
    for (const int64_t id : ids) {
        if (id < 0 || id >= size_) throw Error("token id", "0 to " + std::to_string(size_ - 1), std::to_string(id));
        const std::string* spelling = special_ids_.count(id) > 0 ? special_.spelling(id) : always_.spelling(id);
        if (spelling == nullptr && id < processor_.GetPieceSize()) {
            run.push_back(static_cast<int>(id));
            continue;
        }
        flush();
        if (spelling == nullptr) throw Error("token id", "a token of the vocabulary", std::to_string(id));
        if (keep_special || special_ids_.count(id) == 0) text += *spelling;
    }
    flush();
    return text;
}

size_t SentencepieceTokenizer::unsettled_tokens(const std::vector<int64_t>& ids, bool) const {
    size_t count = 0;
    for (auto id = ids.rbegin(); id != ids.rend() && *id >= 0 && *id < processor_.GetPieceSize(); ++id) {
        if (!processor_.IsByte(static_cast<int>(*id))) break;
        ++count;
    }
    return count;
}

}  // namespace craft
