#include "model/tokenizer/sentencepiece_file.h"

#include <cmath>
#include <cstring>
#include <unordered_set>
#include <vector>

#include "core/error.h"
#include "core/utf8.h"
#include "model/tokenizer/protobuf_fields.h"
#include "model/tokenizer/vocabulary.h"

namespace craft {

namespace {

// Numbers of sentencepiece_model.proto.
enum ModelField : uint32_t { kPieces = 1, kTrainer = 2, kNormalizer = 3, kDenormalizer = 5 };
enum PieceField : uint32_t { kSpelling = 1, kScore = 2, kType = 3 };
enum PieceType : uint64_t { kUnknownPiece = 2, kLastType = 6 };
constexpr uint32_t kModelType = 3;  // of the trainer's: 1 unigram, 2 bpe, 3 words, 4 characters
constexpr uint32_t kCharsmap = 2;   // of the normalizer's

class ModelCheck {
public:
    explicit ModelCheck(const std::string& where) : where_(where) {}

    void run(std::string_view bytes) {
        for_each_field(bytes, where_, [&](const ProtobufField& field) {
            if (field.number == kPieces) check_piece(message(field, "pieces"));
            if (field.number == kTrainer) check_trainer(message(field, "trainer_spec"));
            if (field.number == kNormalizer || field.number == kDenormalizer)
                check_normalizer(message(field, "normalizer_spec"));
        });
        if (seen_.empty()) throw Error(where_, "a sentencepiece model", "one without pieces");
        if (unknown_ != 1) throw Error(where_, "one unknown piece", std::to_string(unknown_));
    }

private:
    std::string_view message(const ProtobufField& field, const std::string& name) const {
        if (field.type != ProtobufField::Type::bytes) throw Error(where_ + ": " + name, "a message", "a number");
        return field.bytes;
    }

    void check_piece(std::string_view bytes) {
        const std::string where = where_ + ": piece " + std::to_string(seen_.size());
        std::string spelling;
        float score = 0;
        uint64_t type = 1;
        for_each_field(bytes, where, [&](const ProtobufField& field) {
            if (field.number == kSpelling) spelling = message(field, "piece");
            if (field.number == kScore) score = field.as_float(where + ": score");
            if (field.number == kType) type = field.as_number(where + ": type");
        });
        if (spelling.empty() || spelling.find('\0') != std::string::npos || invalid_utf8_at(spelling) != std::string::npos)
            throw Error(where, "a spelling in UTF-8", "an empty one or other bytes");
        if (!std::isfinite(score)) throw Error(where, "a finite score", std::to_string(score));
        if (type < 1 || type > kLastType) throw Error(where, "a type from 1 to 6", std::to_string(type));
        if (!seen_.insert(spelling).second) throw Error(where, "each piece once", "'" + shortened(spelling, 60) + "' again");
        if (seen_.size() > static_cast<size_t>(kLargestTokenId))
            throw Error(where_, "at most " + std::to_string(kLargestTokenId) + " pieces", "more");
        if (type == kUnknownPiece) ++unknown_;
    }

    void check_trainer(std::string_view bytes) const {
        for_each_field(bytes, where_ + ": trainer_spec", [&](const ProtobufField& field) {
            if (field.number != kModelType) return;
            const uint64_t type = field.as_number(where_ + ": model_type");
            if (type < 1 || type > 4) throw Error(where_ + ": model_type", "1 to 4", std::to_string(type));
        });
    }

    void check_normalizer(std::string_view bytes) const {
        for_each_field(bytes, where_ + ": normalizer_spec", [&](const ProtobufField& field) {
            if (field.number == kCharsmap && !message(field, "precompiled_charsmap").empty()) check_charsmap(field.bytes);
        });
    }

    // Four bytes of length, Darts' double array of that length, the texts that its values point into, each ended by a zero.
    void check_charsmap(std::string_view map) const {
        const std::string where = where_ + ": precompiled_charsmap";
        uint32_t length = 0;
        if (map.size() > sizeof length) std::memcpy(&length, map.data(), sizeof length);
        if (length == 0 || length % sizeof(uint32_t) != 0 || length >= map.size() - sizeof length || map.back() != '\0')
            throw Error(where, "a table and the texts that it points to", std::to_string(map.size()) + " bytes");
        std::vector<uint32_t> units(length / sizeof(uint32_t));
        std::memcpy(units.data(), map.data() + sizeof length, length);
        check_units(units, map.size() - sizeof length - length, where);
    }

    // Every unit that a text can lead to, and every child that the library would look at, is in the array.
    static void check_units(const std::vector<uint32_t>& units, size_t texts, const std::string& where) {
        const auto offset = [](uint32_t unit) { return static_cast<size_t>(unit >> 10) << ((unit & (1u << 9)) >> 6); };
        const auto inside = [&](size_t at, size_t size) {
            if (at >= size) throw Error(where, "an array that stays within itself", "one that leads out of it");
        };
        std::vector<bool> seen(units.size(), false);
        std::vector<size_t> open = {offset(units[0])};
        while (!open.empty()) {
            const size_t base = open.back();
            open.pop_back();
            inside(base | 0xFF, units.size());  // its children stand in one block of 256
            for (size_t byte = 0; byte < 256; ++byte) {
                const size_t at = base ^ byte;
                const uint32_t unit = units[at];
                if ((unit & (1u << 31 | 0xFF)) != byte || seen[at]) continue;
                seen[at] = true;
                const size_t next = at ^ offset(unit);
                inside(next, units.size());
                if ((unit >> 8 & 1) != 0) inside(units[next] & ~(1u << 31), texts);
                open.push_back(next);
            }
        }
    }

    std::string where_;
    std::unordered_set<std::string> seen_;
    int64_t unknown_ = 0;
};

}  // namespace

void check_sentencepiece_model(std::string_view bytes, const std::string& where) {
    ModelCheck(where).run(bytes);
}

}  // namespace craft
