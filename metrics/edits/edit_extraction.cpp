#include "metrics/edits/edit_extraction.h"

#include "core/error.h"
#include "text/words.h"

namespace craft {

namespace {

AnnotatedTokens annotated(const std::vector<std::string>& texts, const EditLanguage& language) {
    if (!language.annotate) return plain_tokens(texts);
    AnnotatedTokens tokens = language.annotate(texts);
    if (tokens.size() != texts.size()) {
        throw Error("annotation", std::to_string(texts.size()) + " tokens", std::to_string(tokens.size()));
    }
    return tokens;
}

std::string joined(const std::vector<std::string>& texts, int64_t start, int64_t end) {
    std::string text;
    for (int64_t i = start; i < end; ++i) text.append(i == start ? "" : " ").append(texts[static_cast<size_t>(i)]);
    return text;
}

void add_edits(const AnnotatedTokens& source, const std::vector<std::string>& texts, const EditLanguage& language,
               M2Sentence& sentence, int64_t annotator) {
    const size_t before = sentence.edits.size();
    for (const TypedEdit& edit : edits_of(source, annotated(texts, language), language)) {
        sentence.edits.push_back(
            {edit.source_start, edit.source_end, edit.type, joined(texts, edit.target_start, edit.target_end)});
        sentence.edits.back().annotator = annotator;
        if (sentence.edits.back().correction.find("|||") != std::string::npos) {
            throw Error("hypothesis " + std::to_string(annotator + 1),
                        "words without |||, which divides the fields of M2 files", sentence.edits.back().correction);
        }
    }
    if (sentence.edits.size() > before) return;
    sentence.edits.push_back({-1, -1, "noop", "-NONE-"});
    sentence.edits.back().annotator = annotator;
}

}  // namespace

std::vector<TypedEdit> edits_of(const AnnotatedTokens& source, const AnnotatedTokens& target, const EditLanguage& language) {
    std::vector<TypedEdit> edits;
    for (const AlignedTokens& edit : merge_steps(align_tokens(source, target), source, target, language.merging)) {
        std::string type = edit.source_start == edit.source_end   ? "M:OTHER"
                           : edit.target_start == edit.target_end ? "U:OTHER"
                                                                  : "R:OTHER";
        if (language.annotate) type = edit_type(edit, source, target, language.known_word);
        edits.push_back({edit.source_start, edit.source_end, edit.target_start, edit.target_end, std::move(type)});
    }
    return edits;
}

ExtractedEdits extract_edits(const SentenceFile& source, const std::vector<SentenceFile>& hypotheses,
                             const EditLanguage& language) {
    for (const SentenceFile& hypothesis : hypotheses) {
        if (hypothesis.sentences.size() == source.sentences.size()) continue;
        throw Error(hypothesis.name, std::to_string(source.sentences.size()) + " lines, as in " + source.name,
                    std::to_string(hypothesis.sentences.size()));
    }
    ExtractedEdits extracted;
    for (size_t line = 0; line < source.sentences.size(); ++line) {
        const std::vector<std::string> texts = whitespace_words(source.sentences[line]);
        if (texts.empty()) {
            ++extracted.empty_sources;
            continue;
        }
        std::string where = source.name + ":" + std::to_string(line + 1);
        try {
            const AnnotatedTokens tokens = annotated(texts, language);
            M2Sentence sentence;
            sentence.source = joined(texts, 0, static_cast<int64_t>(texts.size()));
            for (size_t h = 0; h < hypotheses.size(); ++h) {
                where = hypotheses[h].name + ":" + std::to_string(line + 1);
                add_edits(tokens, whitespace_words(hypotheses[h].sentences[line]), language, sentence,
                          static_cast<int64_t>(h));
            }
            extracted.file.sentences.push_back(std::move(sentence));
        } catch (const Error& error) {
            throw Error(where + ": " + error.what());
        }
    }
    return extracted;
}

}  // namespace craft
