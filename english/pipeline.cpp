#include "english/pipeline.h"

#include <cstdlib>

#include "core/error.h"
#include "core/utf8.h"
#include "core/weights_folder.h"
#include "english/attribute_ruler.h"
#include "english/entities.h"
#include "english/lemmatizer.h"
#include "english/lexicon.h"
#include "english/package.h"
#include "english/parser.h"
#include "english/tagger.h"
#include "english/tok2vec.h"
#include "english/tokenizer.h"
#include "text/utf8.h"

namespace craft {

struct EnglishPipeline::Parts {
    EnglishTokenizer tokenizer;
    Lexicon lexicon;
    Tok2Vec vectors;  // of tagger and parser; entities have their own
    Tagger tagger;
    DependencyParser parser;
    AttributeRuler ruler;
    Lemmatizer lemmatizer;
    Tok2Vec entity_vectors;
    EntityRecogniser entities;

    EnglishDocument annotate(std::vector<EnglishWord> words, const EnglishParts& wanted) const;
};

namespace {

// Makes a part of a file of MessagePack; the part copies what it needs of it.
template <class Part>
Part part_of_file(const EnglishPackage& package, const std::string& file) {
    const std::string bytes = package.read(file);
    return Part(parse_msgpack(bytes, package.path(file)), package.path(file));
}

ThincModel read_model(const EnglishPackage& package, const std::string& component) {
    const std::string file = component + "/model";
    return ThincModel(package.read(file), package.path(file));
}

template <class Parser>
Parser read_parser(const EnglishPackage& package, const std::string& component, const ThincModel& model, size_t width) {
    package.check_greedy(component);
    const std::string file = component + "/moves";
    return Parser(model, package.read(file), package.path(file), width);
}

EnglishDocument make_document(std::vector<EnglishWord> words, const std::vector<Lexeme>& lexemes) {
    EnglishDocument document(words.size());
    size_t byte = 0, code_point = 0;
    for (size_t i = 0; i < words.size(); ++i) {
        EnglishToken& token = document[i];
        token.byte = byte;
        token.code_point = code_point;
        const size_t space = words[i].space_after ? 1 : 0;
        byte += words[i].text.size() + space;
        code_point += count_code_points(words[i].text) + space;
        token.text = std::move(words[i].text);
        token.space_after = words[i].space_after;
        token.is_space = lexemes[i].is_space;
        token.lower = lexemes[i].lower;
        token.norm = lexemes[i].norm;
    }
    return document;
}

}  // namespace

// In the order of spaCy's pipeline: rules read tags and arcs, lemmas what the rules left, entities where sentences start.
EnglishDocument EnglishPipeline::Parts::annotate(std::vector<EnglishWord> words, const EnglishParts& wanted) const {
    std::vector<Lexeme> lexemes;
    std::vector<bool> spaces, is_space;
    for (const EnglishWord& word : words) {
        lexemes.push_back(lexicon.lexeme(word.text, word.norm));
        spaces.push_back(word.space_after);
        is_space.push_back(lexemes.back().is_space);
    }
    EnglishDocument document = make_document(std::move(words), lexemes);
    const std::vector<float> shared = vectors.vectors(lexemes, spaces);
    std::vector<std::string> tags = tagger.tags(shared);
    ParseTree tree = parser.parse(shared, is_space);
    for (size_t i = 0; i < document.size(); ++i) {
        document[i].tag = std::move(tags[i]);
        document[i].dep = std::move(tree.labels[i]);
        document[i].head = static_cast<size_t>(tree.heads[i]);
        document[i].sentence_start = tree.sentence_starts[i];
    }
    ruler.apply(document);
    for (EnglishToken& token : document)
        if (token.lemma.empty()) token.lemma = lemmatizer.lemma(token);
    if (!wanted.entities) return document;
    const std::vector<float> own = entity_vectors.vectors(lexemes, spaces);
    for (const EntitySpan& span : entities.entities(own, is_space, tree.sentence_starts))
        for (size_t i = span.begin; i < span.end; ++i) {
            document[i].entity = span.label;
            document[i].entity_place = i == span.begin ? 'B' : 'I';
        }
    return document;
}

EnglishPipeline::EnglishPipeline(std::unique_ptr<const Parts> parts) : parts_(std::move(parts)) {}
EnglishPipeline::EnglishPipeline(EnglishPipeline&&) noexcept = default;
EnglishPipeline& EnglishPipeline::operator=(EnglishPipeline&&) noexcept = default;
EnglishPipeline::~EnglishPipeline() = default;

EnglishPipeline EnglishPipeline::load(const std::filesystem::path& folder) {
    const EnglishPackage package(folder);
    const Tok2Vec vectors(read_model(package, "tok2vec"));
    const ThincModel entity_model = read_model(package, "ner");
    const Tok2Vec entity_vectors(entity_model);
    return EnglishPipeline(std::unique_ptr<const Parts>(
        new Parts{part_of_file<EnglishTokenizer>(package, "tokenizer"), part_of_file<Lexicon>(package, "vocab/lookups.bin"),
                  vectors, Tagger(read_model(package, "tagger"), package.labels("tagger"), vectors.width()),
                  read_parser<DependencyParser>(package, "parser", read_model(package, "parser"), vectors.width()),
                  part_of_file<AttributeRuler>(package, "attribute_ruler/patterns"),
                  part_of_file<Lemmatizer>(package, "lemmatizer/lookups/lookups.bin"), entity_vectors,
                  read_parser<EntityRecogniser>(package, "ner", entity_model, entity_vectors.width())}));
}

EnglishDocument EnglishPipeline::annotate(std::string_view text, const EnglishParts& parts) const {
    if (const size_t at = invalid_utf8_at(text); at != std::string_view::npos)
        throw Error("English text", "UTF-8", "other bytes at byte " + std::to_string(at));
    return parts_->annotate(parts_->tokenizer.tokenize(text), parts);
}

EnglishDocument EnglishPipeline::annotate_words(const std::vector<std::string>& words, const EnglishParts& parts) const {
    std::vector<EnglishWord> given(words.size());
    for (size_t i = 0; i < words.size(); ++i) {
        const std::string where = "English text: word " + std::to_string(i + 1);
        if (words[i].empty()) throw Error(where, "a word", "an empty one");
        if (const size_t at = invalid_utf8_at(words[i]); at != std::string_view::npos)
            throw Error(where, "UTF-8", "other bytes at byte " + std::to_string(at));
        given[i].text = words[i];
        given[i].space_after = true;
    }
    return parts_->annotate(std::move(given), parts);
}

std::filesystem::path english_model_folder() {
    if (const char* given = std::getenv("CRAFT_ENGLISH_MODEL"); given != nullptr && *given != '\0') return given;
    return weights_place("en_core_web_sm", "config.cfg");
}

}  // namespace craft
