// Byte pair encoding: characters, then the neighbours of the lowest rank merge until none do.
#include <algorithm>
#include <array>

#include "core/error.h"
#include "core/utf8.h"
#include "model/tokenizer/merge_table.h"
#include "model/tokenizer/token_model.h"
#include "text/code_points.h"

namespace craft {

namespace {

struct Symbol {
    uint32_t token = 0;
    int32_t previous = -1, next = -1;
    bool gone = false;  // merged into the one before
};

// A merge that may happen at symbol `at`, unless its neighbours have changed by then.
struct Candidate {
    uint32_t rank = 0;
    int32_t at = 0;
    uint32_t token = 0;
    bool operator<(const Candidate& other) const {  // for a heap with the first to merge on top
        return rank != other.rank ? rank > other.rank : at > other.at;
    }
};

size_t merge_count(const Component& component) {
    return component.list("merges").size();
}

class BytePairModel final : public TokenModel {
public:
    explicit BytePairModel(const Component& component)
        : prefix_(component.optional_text("continuing_subword_prefix").value_or("")),
          suffix_(component.optional_text("end_of_word_suffix").value_or("")),
          unknown_(component.optional_text("unk_token")),
          fuse_unknown_(component.flag("fuse_unk", false)),
          byte_fallback_(component.flag("byte_fallback", false)),
          whole_words_(component.flag("ignore_merges", false)),
          merges_(merge_count(component)),
          where_(component.where()) {
        refuse_dropout(component);
        read_vocabulary(component, vocabulary_);
        read_merges(component);
        for (size_t c = 0; c < short_ids_.size(); ++c) {
            std::string spelling;
            append_utf8(spelling, static_cast<char32_t>(c));
            short_ids_[c] = prefix_.empty() && suffix_.empty() ? vocabulary_.id_of(spelling) : -1;
        }
        for (size_t byte = 0; byte < 256; ++byte)
            byte_ids_[byte] = vocabulary_.id_of(byte_token(static_cast<unsigned char>(byte)));
    }

    void encode(std::string_view word, std::vector<int64_t>& ids) const override {
        if (word.empty()) return;
        if (whole_words_) {
            if (const int64_t id = vocabulary_.id_of(word); id >= 0) {
                ids.push_back(id);
                return;
            }
        }
        thread_local std::vector<Symbol> symbols;
        symbols.clear();
        characters(word, symbols);
        for (size_t i = 0; i < symbols.size(); ++i) {
            symbols[i].previous = static_cast<int32_t>(i) - 1;
            symbols[i].next = i + 1 < symbols.size() ? static_cast<int32_t>(i) + 1 : -1;
        }
        merge(symbols);
        for (const Symbol& symbol : symbols)
            if (!symbol.gone) ids.push_back(symbol.token);
    }

private:
    static void refuse_dropout(const Component& component) {
        if (!component.has("dropout")) return;
        const TokenizerDocument& dropout = component.json()["dropout"];
        if (!dropout.is_number() || dropout.get<double>() != 0)
            component.fail("dropout", "0: the same text has the same tokens", dropout.dump());
    }

    void read_merges(const Component& component) {
        uint32_t rank = 0;
        for (const TokenizerDocument& entry : component.list("merges")) {
            std::string left, right;
            if (entry.is_string()) {
                const auto text = entry.get<std::string>();
                const size_t blank = text.find(' ');
                if (blank == text.npos || text.find(' ', blank + 1) != text.npos) fail_merge(rank, "'" + text + "'");
                left = text.substr(0, blank);
                right = text.substr(blank + 1);
            } else if (entry.is_array() && entry.size() == 2 && entry[0].is_string() && entry[1].is_string()) {
                left = entry[0].get<std::string>();
                right = entry[1].get<std::string>();
            } else {
                fail_merge(rank, entry.dump(-1, ' ', false, TokenizerDocument::error_handler_t::replace));
            }
            if (right.size() < prefix_.size()) fail_merge(rank, "'" + right + "' without the prefix '" + prefix_ + "'");
            const uint32_t first = token_of(left), second = token_of(right);
            merges_.add(first, second, {rank, token_of(left + right.substr(prefix_.size()))});
            ++rank;
        }
    }

    [[noreturn]] void fail_merge(uint32_t rank, const std::string& got) const {
        throw Error(where_ + ".merges[" + std::to_string(rank) + "]", "two tokens of the vocabulary", shortened(got, 200));
    }

    uint32_t token_of(const std::string& spelling) const {
        const int64_t id = vocabulary_.id_of(spelling);
        if (id < 0) throw Error(where_ + ".merges", "tokens of the vocabulary", "'" + shortened(spelling, 200) + "'");
        return static_cast<uint32_t>(id);
    }

    // The word's characters as symbols, byte tokens or the unknown token for those that are not in the vocabulary.
    void characters(std::string_view word, std::vector<Symbol>& symbols) const {
        bool after_unknown = false;
        for (size_t at = 0; at < word.size();) {
            const CodePoint c = code_point_at(word, at);
            const size_t bytes = c.bytes;
            if (c.value < short_ids_.size() && short_ids_[c.value] >= 0) {
                symbols.push_back({static_cast<uint32_t>(short_ids_[c.value])});
                after_unknown = false;
                at += bytes;
                continue;
            }
            const std::string_view bare = word.substr(at, bytes);
            const bool first = at == 0, last = at + bytes == word.size();
            at += bytes;
            std::string affixed;
            std::string_view spelling = bare;
            if ((!first && !prefix_.empty()) || (last && !suffix_.empty())) {
                affixed = (first ? "" : prefix_) + std::string(bare) + (last ? suffix_ : "");
                spelling = affixed;
            }
            if (const int64_t id = vocabulary_.id_of(spelling); id >= 0) {
                symbols.push_back({static_cast<uint32_t>(id)});
                after_unknown = false;
            } else if (byte_fallback_ && add_bytes(spelling, symbols)) {
                // The order of the library: an unknown token waits after byte tokens that follow it.
                if (after_unknown)
                    std::rotate(symbols.end() - static_cast<ptrdiff_t>(spelling.size()) - 1,
                                symbols.end() - static_cast<ptrdiff_t>(spelling.size()), symbols.end());
            } else if (unknown_) {
                if (!after_unknown || !fuse_unknown_) symbols.push_back({unknown_token()});
                after_unknown = true;
            }
        }
    }

    bool add_bytes(std::string_view spelling, std::vector<Symbol>& symbols) const {
        for (const char c : spelling)
            if (byte_ids_[static_cast<unsigned char>(c)] < 0) return false;
        for (const char c : spelling) symbols.push_back({static_cast<uint32_t>(byte_ids_[static_cast<unsigned char>(c)])});
        return true;
    }

    uint32_t unknown_token() const {
        const int64_t id = vocabulary_.id_of(*unknown_);
        if (id < 0) throw Error(where_ + ".unk_token", "a token of the vocabulary", "'" + *unknown_ + "'");
        return static_cast<uint32_t>(id);
    }

    // A heap of candidates over a linked list: n log n in the word's length.
    void merge(std::vector<Symbol>& symbols) const {
        thread_local std::vector<Candidate> heap;
        heap.clear();
        const auto consider = [&](int32_t left, int32_t right) {
            const Merge* found =
                merges_.find(symbols[static_cast<size_t>(left)].token, symbols[static_cast<size_t>(right)].token);
            if (found != nullptr) heap.push_back({found->rank, left, found->token});
            return found != nullptr;
        };
        for (size_t i = 0; i + 1 < symbols.size(); ++i) consider(static_cast<int32_t>(i), static_cast<int32_t>(i) + 1);
        std::make_heap(heap.begin(), heap.end());
        while (!heap.empty()) {
            std::pop_heap(heap.begin(), heap.end());
            const Candidate top = heap.back();
            heap.pop_back();
            Symbol& left = symbols[static_cast<size_t>(top.at)];
            if (left.gone || left.next < 0) continue;
            Symbol& right = symbols[static_cast<size_t>(left.next)];
            const Merge* now = merges_.find(left.token, right.token);
            if (now == nullptr || now->token != top.token) continue;  // the neighbours have changed
            left.token = top.token;
            left.next = right.next;
            right.gone = true;
            if (left.next >= 0) symbols[static_cast<size_t>(left.next)].previous = top.at;
            if (left.previous >= 0 && consider(left.previous, top.at)) std::push_heap(heap.begin(), heap.end());
            if (left.next >= 0 && consider(top.at, left.next)) std::push_heap(heap.begin(), heap.end());
        }
    }

    std::string prefix_, suffix_;
    std::optional<std::string> unknown_;
    bool fuse_unknown_, byte_fallback_, whole_words_;
    MergeTable merges_;
    std::array<int64_t, 256> byte_ids_ = {};
    std::array<int64_t, 0x144> short_ids_ = {};  // by code point, GPT-2's alphabet and ASCII among them; -1: look further
    std::string where_;
};

}  // namespace

std::unique_ptr<TokenModel> make_bpe(const Component& component) {
    return std::make_unique<BytePairModel>(component);
}

}  // namespace craft
