// The pre-tokenizer ByteLevel: GPT-2's words, then GPT-2's alphabet.
#include "model/tokenizer/byte_alphabet.h"
#include "model/tokenizer/pre_tokenizers.h"

namespace craft {

namespace {

constexpr const char* kWords = R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

class ByteLevel final : public PreTokenizer {
public:
    explicit ByteLevel(const Component& component)
        : words_(Pattern::regular(kWords, component.where())),
          blank_first_(component.flag("add_prefix_space")),
          split_(component.flag("use_regex", true)) {}

    bool leave_byte_alphabet() override {
        map_ = false;
        return true;
    }

    void split(PieceList& list) const override {
        split_pieces(list, [&](Piece piece) {
            if (blank_first_ && !piece.text.starts_with(' ')) {
                list.rewritten.push_back(" " + std::string(piece.text));
                piece.text = list.rewritten.back();
            }
            if (!split_) {
                list.next.push_back(piece);
                return;
            }
            list.spans.clear();
            words_.spans(piece.text, list.spans);
            append_parts(list, piece, MatchBehaviour::isolated);
        });
        if (!map_) return;
        for (Piece& piece : list.pieces) {
            list.rewritten.push_back(to_byte_alphabet(piece.text));
            piece.text = list.rewritten.back();
        }
    }

private:
    Pattern words_;
    bool blank_first_, split_;
    bool map_ = true;
};

}  // namespace

std::unique_ptr<PreTokenizer> make_byte_level(const Component& component) {
    return std::make_unique<ByteLevel>(component);
}

}  // namespace craft
