// The models WordPiece (the longest token first, from the left) and WordLevel (a word is a token).
#include <algorithm>

#include "core/error.h"
#include "model/tokenizer/token_model.h"
#include "text/code_points.h"
#include "text/utf8.h"

namespace craft {

namespace {

class WordLevel final : public TokenModel {
public:
    explicit WordLevel(const Component& component)
        : where_(component.where()), unknown_spelling_(component.text("unk_token")) {
        read_vocabulary(component, vocabulary_);
        unknown_ = vocabulary_.id_of(unknown_spelling_);
    }
    void encode(std::string_view word, std::vector<int64_t>& ids) const override {
        const int64_t id = vocabulary_.id_of(word);
        if (id < 0 && unknown_ < 0)
            throw Error(where_ + ".unk_token", "a token of the vocabulary", "'" + unknown_spelling_ + "'");
        ids.push_back(id >= 0 ? id : unknown_);
    }

private:
    std::string where_, unknown_spelling_;
    int64_t unknown_ = -1;
};

class WordPiece final : public TokenModel {
public:
    explicit WordPiece(const Component& component)
        : where_(component.where()),
          unknown_spelling_(component.text("unk_token")),
          prefix_(component.text("continuing_subword_prefix")),
          max_characters_(static_cast<size_t>(component.number("max_input_chars_per_word"))) {
        read_vocabulary(component, vocabulary_);
        unknown_ = vocabulary_.id_of(unknown_spelling_);
    }

    void encode(std::string_view word, std::vector<int64_t>& ids) const override {
        const size_t before = ids.size();
        bool known = count_code_points(word) <= max_characters_;
        for (size_t at = 0; known && at < word.size();) {
            const size_t length = longest_token(word, at, ids);
            known = length > 0;
            at += length;
        }
        if (known) return;
        ids.resize(before);
        if (unknown_ < 0) throw Error(where_ + ".unk_token", "a token of the vocabulary", "'" + unknown_spelling_ + "'");
        ids.push_back(unknown_);
    }

private:
    // Appends the longest token that the word has at `at` and returns its length in bytes there; 0 if there is none.
    size_t longest_token(std::string_view word, size_t at, std::vector<int64_t>& ids) const {
        const std::string_view prefix = at > 0 ? std::string_view(prefix_) : std::string_view();
        if (vocabulary_.longest() < prefix.size()) return 0;
        size_t length = std::min(word.size() - at, vocabulary_.longest() - prefix.size());
        while (length > 0 && at + length < word.size() && (static_cast<unsigned char>(word[at + length]) & 0xC0) == 0x80)
            --length;
        std::string candidate;
        while (length > 0) {
            candidate.assign(prefix).append(word.substr(at, length));
            if (const int64_t id = vocabulary_.id_of(candidate); id >= 0) {
                ids.push_back(id);
                return length;
            }
            length -= code_point_before(word.substr(at, length), length).bytes;
        }
        return 0;
    }

    std::string where_, unknown_spelling_, prefix_;
    size_t max_characters_;
    int64_t unknown_ = -1;
};

}  // namespace

std::unique_ptr<TokenModel> make_word_level(const Component& component) {
    return std::make_unique<WordLevel>(component);
}

std::unique_ptr<TokenModel> make_word_piece(const Component& component) {
    return std::make_unique<WordPiece>(component);
}

}  // namespace craft
