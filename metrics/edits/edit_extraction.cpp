#include "metrics/edits/edit_extraction.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <optional>
#include <thread>

#include "core/error.h"
#include "core/signals.h"
#include "text/utf8.h"
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

// Throws Error for what a reader of the file would take for another correction: "||" divides alternatives, "-NONE-" deletes,
// and a "|" at the end goes with the mark after it.
void check_correction(std::string_view correction, int64_t annotator) {
    const bool kept =
        correction.find("||") == std::string_view::npos && !correction.ends_with('|') && correction != "-NONE-";
    if (kept) return;
    throw Error("hypothesis " + std::to_string(annotator + 1) + ": correction",
                "words without ||, | at the end or -NONE- alone, which mean something else in M2 files",
                "\"" + shortened(correction, 60) + "\"");
}

void add_edits(const AnnotatedTokens& source, const std::vector<std::string>& texts, const EditLanguage& language,
               M2Sentence& sentence, int64_t annotator) {
    for (const TypedEdit& edit : edits_of(source, annotated(texts, language), language)) {
        sentence.edits.push_back(
            {edit.source_start, edit.source_end, edit.type, joined(texts, edit.target_start, edit.target_end)});
        sentence.edits.back().annotator = annotator;
        check_correction(sentence.edits.back().correction, annotator);
    }
}

// What becomes of a line of the source: a sentence of the M2 file, or why there is none.
struct ExtractedLine {
    std::optional<M2Sentence> sentence = {};  // absent: the line has no token
    std::exception_ptr failure = nullptr;
};

// The edits of one line. `where` follows what is looked at, for messages.
std::optional<M2Sentence> extract_line(const SentenceFile& source, const std::vector<SentenceFile>& hypotheses, size_t line,
                                       const EditLanguage& language, std::string& where) {
    const std::vector<std::string> texts = whitespace_words(source.sentences[line]);
    if (texts.empty()) return std::nullopt;
    const std::string number = ":" + std::to_string(line + 1);
    M2Sentence sentence;
    sentence.source = joined(texts, 0, static_cast<int64_t>(texts.size()));
    std::optional<AnnotatedTokens> tokens;  // once something was changed: to annotate is most of the work
    for (size_t h = 0; h < hypotheses.size(); ++h) {
        const std::vector<std::string> target = whitespace_words(hypotheses[h].sentences[line]);
        const size_t before = sentence.edits.size();
        if (target != texts) {
            where = source.name + number;
            if (!tokens) tokens = annotated(texts, language);
            where = hypotheses[h].name + number;
            add_edits(*tokens, target, language, sentence, static_cast<int64_t>(h));
        }
        if (sentence.edits.size() > before) continue;
        sentence.edits.push_back({-1, -1, "noop", "-NONE-"});
        sentence.edits.back().annotator = static_cast<int64_t>(h);
    }
    return sentence;
}

ExtractedLine extract_or_fail(const SentenceFile& source, const std::vector<SentenceFile>& hypotheses, size_t line,
                              const EditLanguage& language) {
    std::string where;
    try {
        return {extract_line(source, hypotheses, line, language, where)};
    } catch (const Error& error) {
        return {{}, std::make_exception_ptr(Error(where + ": " + error.what()))};
    } catch (...) {
        return {{}, std::current_exception()};
    }
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
                             const EditLanguage& language, int64_t threads) {
    if (source.sentences.empty()) throw Error(source.name, "at least one sentence", "none");
    for (const SentenceFile& hypothesis : hypotheses)
        check_line_count(hypothesis, source.sentences.size(), "as in " + source.name);
    std::vector<ExtractedLine> lines(source.sentences.size());
    std::atomic<size_t> next{0};
    std::atomic<bool> failed{false};
    const auto work = [&] {
        // Lines are taken in their order and each taken one is done, so that the first that fails is always found.
        while (!failed && stop_signal() == 0) {
            const size_t line = next++;
            if (line >= lines.size()) return;
            lines[line] = extract_or_fail(source, hypotheses, line, language);
            if (lines[line].failure) failed = true;
        }
    };
    std::vector<std::thread> others;
    for (int64_t i = 1; i < std::min<int64_t>(threads, static_cast<int64_t>(lines.size())); ++i) others.emplace_back(work);
    work();
    for (std::thread& thread : others) thread.join();
    throw_if_stopped();
    ExtractedEdits extracted;
    for (ExtractedLine& line : lines) {
        if (line.failure) std::rethrow_exception(line.failure);
        if (line.sentence)
            extracted.file.sentences.push_back(std::move(*line.sentence));
        else
            ++extracted.empty_sources;
    }
    if (extracted.file.sentences.empty()) throw Error(source.name, "at least one sentence", "empty lines alone");
    return extracted;
}

}  // namespace craft
