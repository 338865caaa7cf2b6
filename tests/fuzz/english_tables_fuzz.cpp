// libFuzzer target: the other files of a spaCy package, and lists of words; the first byte says which. They are refused with
// an error, or what is made of them can be used on a text. Run as `english_tables_fuzz -max_total_time=60`.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "core/error.h"
#include "english/attribute_ruler.h"
#include "english/lemmatizer.h"
#include "english/lexicon.h"
#include "english/listed_words.h"
#include "english/moves.h"
#include "english/package.h"
#include "english/tokenizer.h"

namespace {

void use(char kind, const std::string& bytes) {
    const std::string text = "He can't (see) \xC3\xA9.";
    if (kind == 'c') {
        craft::parse_package_config(bytes, "fuzz");
        return;
    }
    if (kind == 'w') {
        for (const std::string& word : craft::parse_word_lines(bytes, "fuzz"))
            if (word.empty() || word.find('\n') != std::string::npos) std::abort();
        return;
    }
    if (kind == 'm') {
        for (const craft::Move& move : craft::read_moves(bytes, 6, "fuzz"))
            if (move.action < 0 || move.action > 5) std::abort();
        return;
    }
    const craft::MsgpackValue file = craft::parse_msgpack(bytes, "fuzz");
    craft::EnglishToken token;
    token.text = "walking";
    token.pos = "VERB";
    craft::EnglishDocument document(3, token);
    switch (kind) {
        case 't': {
            std::string joined;
            for (const craft::EnglishWord& word : craft::EnglishTokenizer(file, "fuzz").tokenize(text))
                joined += word.text + (word.space_after ? " " : "");
            if (joined != text) std::abort();
            break;
        }
        case 'n':
            craft::Lexicon(file, "fuzz").lexeme("Word");
            break;
        case 'l':
            craft::Lemmatizer(file, "fuzz").lemma(token);
            break;
        case 'r':
            craft::AttributeRuler(file, "fuzz").apply(document);
            break;
        default:
            break;
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size == 0) return 0;
    try {
        use(static_cast<char>(data[0]), std::string(reinterpret_cast<const char*>(data) + 1, size - 1));
    } catch (const craft::Error&) {}
    return 0;
}
