#include "model/tokenizer/token_model.h"

#include "core/error.h"
#include "core/utf8.h"

namespace craft {

void read_vocabulary(const Component& component, Vocabulary& vocabulary) {
    const std::string where = component.where() + ".vocab";
    for (const auto& [spelling, id] : component.object("vocab").items()) {
        if (!id.is_number_unsigned() || id.get<uint64_t>() > static_cast<uint64_t>(kLargestTokenId))
            throw Error(where + ": token '" + shortened(spelling, 60) + "'",
                        "an id from 0 to " + std::to_string(kLargestTokenId), shortened(id.dump(), 60));
        vocabulary.add(spelling, id.get<int64_t>(), where);
    }
}

std::string byte_token(unsigned char byte) {
    static const char* digits = "0123456789ABCDEF";
    return std::string("<0x") + digits[byte >> 4] + digits[byte & 15] + ">";
}

std::unique_ptr<TokenModel> make_token_model(const Component& component) {
    std::string type;
    if (component.has("type"))
        type = component.type();
    else if (component.has("merges"))
        type = "BPE";
    else if (component.has("continuing_subword_prefix"))
        type = "WordPiece";
    else
        type = component.has("unk_token") ? "WordLevel" : "Unigram";
    if (type == "BPE") return make_bpe(component);
    if (type == "Unigram") return make_unigram(component);
    if (type == "WordLevel") return make_word_level(component);
    if (type == "WordPiece") return make_word_piece(component);
    component.fail_unknown("tokenizer model", {"BPE", "Unigram", "WordLevel", "WordPiece"});
}

}  // namespace craft
