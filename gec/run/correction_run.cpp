#include "gec/run/correction_run.h"

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>

#include "core/error.h"
#include "core/log.h"
#include "eval/annotation/edit_language.h"
#include "gec/corrected_text.h"
#include "gec/correction_counts.h"
#include "gec/edit_m2.h"
#include "gec/learner_texts.h"
#include "metrics/edits/edit_extraction.h"
#include "metrics/edits/edit_results.h"
#include "metrics/registry.h"
#include "text/text_lines.h"

namespace craft {

namespace {

// What corrected texts are worth beside references: GLEU (Napoles et al. 2016) and ERRANT's scores of edits (Bryant et al.
// 2017), as `eval metric gleu`, `eval edits` and `eval errant` have them.
class GecScores {
public:
    // Sources are a line each. `english` is the folder of the model that tells types of edits (--english); without one they
    // are told by letters. Throws Error where a file of references cannot be read or has not a line for each source.
    GecScores(const std::vector<std::string>& references, std::vector<std::string> sources, const std::string& input,
              const std::string& english, int64_t threads);

    // {"references":n,"gleu":{"source","corrected","signature"},"edits":{"precision","recall","f0.5","tp","fp","fn",
    // "signature"},"by_type":{type:{"precision",...}}}; GLEU from 0 to 1. `texts` has one for each source, a line each.
    Json of(const std::vector<std::string>& texts) const;

private:
    double gleu(const std::vector<std::string>& texts, std::string& signature) const;
    SentenceFile source_;
    std::vector<SentenceFile> references_;
    EditLanguage language_;
    int64_t threads_;
};

GecScores::GecScores(const std::vector<std::string>& references, std::vector<std::string> sources, const std::string& input,
                     const std::string& english, int64_t threads)
    : source_{input, std::move(sources)},
      threads_(threads > 0 ? threads : std::max<int64_t>(1, std::thread::hardware_concurrency())) {
    for (const std::string& path : references) {
        references_.push_back(read_sentences(path));
        check_line_count(references_.back(), source_.sentences.size(), "as in " + input);
    }
    language_ = open_edit_language(english, "auto");
}

double GecScores::gleu(const std::vector<std::string>& texts, std::string& signature) const {
    const std::unique_ptr<Metric> metric = make_metric("gleu");
    for (size_t i = 0; i < texts.size(); ++i) {
        MetricItem item{std::to_string(i + 1), source_.sentences[i], texts[i], {}};
        for (const SentenceFile& reference : references_) item.references.push_back(reference.sentences[i]);
        metric->add(metric->measure(item));
    }
    metric->use_threads(threads_);
    signature = metric->signature();
    return metric->corpus().at("gleu");
}

Json GecScores::of(const std::vector<std::string>& texts) const {
    Json scores = {{"references", references_.size()}};
    std::string signature;
    scores["gleu"] = {{"source", gleu(source_.sentences, signature)}, {"corrected", gleu(texts, signature)}};
    scores["gleu"]["signature"] = signature;
    const M2File gold = extract_edits(source_, references_, language_, threads_).file;
    const M2File made = extract_edits(source_, {{"corrected texts", texts}}, language_, threads_).file;
    const Json errant = errant_result(made, gold, {}, 3);
    scores["edits"] = errant.at("corpus");
    scores["edits"]["signature"] = errant.at("signature");
    scores["by_type"] = errant.at("by_type");
    return scores;
}

// The output of all rows, in its format. A text of several lines has no line of its own.
std::string output_of(const CorrectedText& one, GecFormat format) {
    if (format == GecFormat::jsonl) return dump_line(to_json(one)) + "\n";
    if (one.source.find('\n') != std::string::npos)
        throw Error("text '" + one.id + "'", "one line, for --format text and m2", "several", "use --format jsonl");
    if (format == GecFormat::text) return one.text + "\n";
    M2File file;
    file.sentences.push_back(m2_of(one.source, one.text));
    return to_m2(file);
}

void check_lines(const std::vector<RevisedText>& texts, const CorrectionRunOptions& o) {
    if (o.format == GecFormat::jsonl && o.references.empty()) return;
    for (const RevisedText& text : texts)
        if (text.text.find('\n') != std::string::npos)
            throw Error(text.where, "a text of one line, for --format text and m2, and with references", "several",
                        "use --format jsonl, and no --reference");
}

std::optional<GecScores> open_scores(const CorrectionRunOptions& o, const std::vector<RevisedText>& texts, int64_t threads) {
    if (o.references.empty()) return std::nullopt;
    std::vector<std::string> sources;
    for (const RevisedText& text : texts) sources.push_back(text.text);
    return std::optional<GecScores>(std::in_place, o.references, std::move(sources), o.gec.input,
                                    o.gec.tools.grammar.english, threads);
}

}  // namespace

void correct_texts(const CorrectionRunOptions& options, const PlacementOptions& placing, uint64_t seed,
                   const RunIdentity& identity, bool overwrite) {
    const GecOptions& gec = options.gec;
    KeptOutput kept(gec.output, identity, overwrite);
    int64_t bad_lines = 0;
    JsonLinesOptions lines = gec.lines;
    lines.bad_lines = &bad_lines;
    const std::vector<RevisedText> texts = read_learner_texts(gec.input, lines);
    check_lines(texts, options);
    const std::optional<GecScores> scores = open_scores(options, texts, placing.threads);
    AskingRun asking(gec.asked, gec.flow, open_placement(placing), seed, kept.earlier_usage());
    const GecCorrector corrector(gec, placing, asking);
    const SentenceCorrector correct = [&](const std::string& sentence, uint64_t item, uint64_t sample) {
        return corrector.correct(sentence, item, sample);
    };
    const auto row = [&](size_t item) {
        return to_json(correct_text(texts[item].id, texts[item].text, item, options.whole, correct));
    };
    OutputFile file(gec.output);
    CorrectionCounts counts;
    UsableAnswers answers;
    std::vector<std::string> corrected;  // where there are references
    RowsOutput output{.told = "corrected"};
    output.write = [&](const Json& made) {
        const CorrectedText one = corrected_text_from_json(made, gec.output);
        counts.add(one);
        if (one.is_asked()) answers.add(one.problem());
        if (scores) corrected.push_back(one.text);
        file.write(output_of(one, options.format));
    };
    output.totals = [&] {
        if (scores) {
            Json told = scores->of(corrected);
            kept.manifest.note("scores", told);
            told.erase("by_type");
            log_info("scores against the references", told);
        }
        return counts.to_json();
    };
    output.note = [&](OutputManifest& manifest) {
        corrector.note(manifest);
        if (bad_lines > 0) manifest.note("dropped", {{"bad line", bad_lines}});
    };
    output.flush = [&] { file.flush(); };
    output.check = [&] { asking.require_answers(answers, rows_give_reasons(gec.output), kept.rows.earlier()); };
    output.close = [&] { file.close(); };
    write_rows(asked_rows("correcting", "texts", texts.size(), row), asking, kept, output);
}

}  // namespace craft
