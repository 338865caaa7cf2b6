#include "eval/cord_eval.h"

#include <algorithm>

#include "core/id_index.h"
#include "core/rows.h"
#include "core/signals.h"
#include "data/constraints/adherence.h"
#include "eval/eval_items.h"

namespace craft {

namespace {

// A running mean; absent until something is added.
void add_to(CordMean& mean, double value) {
    const auto before = static_cast<double>(mean.items);
    ++mean.items;
    mean.accuracy = (mean.accuracy.value_or(0) * before + value) / static_cast<double>(mean.items);
}

void add_to(CordFigures& figures, const Adherence& adherence) {
    add_to(figures.mean, *adherence.s_c);
    figures.met += std::count(adherence.met.begin(), adherence.met.end(), true);
    figures.constraints += static_cast<int64_t>(adherence.met.size());
}

Json mean_json(const CordMean& mean, const char* unit) {
    return {{"accuracy", value_or_null(mean.accuracy)}, {unit, mean.items}};
}

Json figures_json(const CordFigures& figures) {
    Json object = mean_json(figures.mean, "items");
    object["micro"] = value_or_null(figures.micro());
    object["met"] = figures.met;
    object["constraints"] = figures.constraints;
    return object;
}

Json scoring_json(const CordScoring& scoring) {
    Json object = figures_json(scoring.overall);
    object["by_domain"] = Json::object();
    for (const auto& [name, figures] : scoring.by_domain) object["by_domain"][name] = figures_json(figures);
    return object;
}

std::string scoring_name(Scoring scoring) {
    return scoring == Scoring::strict ? "strict" : "published";
}

// The item under the evaluation's scoring; the figures of the corpus under each.
CordItem scored(const Instruction& instruction, const std::string& text, CordEvaluation& evaluation) {
    const MeasuredText original(instruction.text, evaluation.sentences), revision(text, evaluation.sentences);
    CordItem item;
    for (auto& [scoring, figures] : evaluation.scorings) {
        const Adherence adherence = constraint_adherence(instruction, original, revision, scoring);
        if (adherence.s_c) {
            add_to(figures.overall, adherence);
            add_to(figures.by_domain[domain_name(instruction.domain)], adherence);
        }
        if (scoring == evaluation.scoring)
            item = {instruction.id, instruction.domain,        adherence.s_c,
                    adherence.met,  adherence.touched_besides, adherence.only_kept()};
    }
    return item;
}

}  // namespace

std::optional<double> CordFigures::micro() const {
    return constraints == 0 ? std::nullopt : std::optional(static_cast<double>(met) / static_cast<double>(constraints));
}

std::vector<Instruction> read_instructions(const std::string& path, const JsonLinesOptions& options) {
    std::vector<Instruction> instructions;
    IdIndex ids;
    for_each_row(path, options, [&](const Json& row, const std::string& where) {
        Instruction instruction = instruction_from_json(row, where);
        ids.add(instruction.id, instructions.size(), where);
        instructions.push_back(std::move(instruction));
    });
    return instructions;
}

CordEvaluation evaluate_cord(const std::vector<Instruction>& instructions, const std::vector<RevisedText>& outputs,
                             Scoring scoring, SentenceRule sentences) {
    if (scoring == Scoring::published && sentences != SentenceRule::paper)
        throw Error("published scoring", "the paper's sentences, which it was made with", sentence_rule_name(sentences));
    IdIndex index;
    for (size_t i = 0; i < instructions.size(); ++i) index.add(instructions[i].id, i, "items");
    std::vector<const RevisedText*> output_of(instructions.size(), nullptr);
    int64_t empty_outputs = 0, failed_outputs = 0;
    for (const RevisedText& output : outputs) {
        const RevisedText*& slot = output_of[index.row_of(output.id, output.where)];
        if (slot != nullptr) throw Error(output.where, "one output per item", "'" + output.id + "' again");
        slot = &output;
        empty_outputs += is_empty_text(output.text) ? 1 : 0;
        failed_outputs += output.has_failed ? 1 : 0;
    }

    CordEvaluation evaluation;
    evaluation.scoring = scoring;
    evaluation.sentences = sentences;
    evaluation.empty_outputs = empty_outputs;
    evaluation.failed_outputs = failed_outputs;
    evaluation.scorings[Scoring::strict];
    if (sentences == SentenceRule::paper) evaluation.scorings[Scoring::published];
    CordMean touched, kept;
    for (size_t i = 0; i < instructions.size(); ++i) {
        throw_if_stopped();
        if (output_of[i] == nullptr) {
            ++evaluation.missing;
            continue;
        }
        CordItem item = scored(instructions[i], output_of[i]->text, evaluation);
        if (item.touched_besides) add_to(touched, static_cast<double>(*item.touched_besides));
        if (item.only_kept) add_to(kept, *item.only_kept ? 1 : 0);
        for (size_t c = 0; c < item.met.size(); ++c) {
            add_to(evaluation.by_shape[shape_of(instructions[i].gold[c])], item.met[c] ? 1 : 0);
        }
        evaluation.items.push_back(std::move(item));
    }
    evaluation.touched_besides = touched.accuracy;
    evaluation.only_kept = kept.accuracy;
    return evaluation;
}

Json evaluate_cord_rounds(const std::vector<Instruction>& instructions, const std::vector<RevisedText>& outputs,
                          Scoring scoring, SentenceRule sentences) {
    Json by_round = Json::object();
    std::vector<RevisedText> after = outputs;
    for (size_t round = 1; round <= most_rounds(outputs); ++round) {
        for (size_t i = 0; i < outputs.size(); ++i) after[i].text = text_after(outputs[i], round);
        by_round[std::to_string(round)] = scoring_json(evaluate_cord(instructions, after, scoring, sentences).figures());
    }
    return by_round;
}

Json to_json(const CordEvaluation& evaluation) {
    Json corpus = scoring_json(evaluation.figures());
    corpus["missing"] = evaluation.missing;
    corpus["empty_outputs"] = evaluation.empty_outputs;
    corpus["failed_outputs"] = evaluation.failed_outputs;
    corpus["touched_besides"] = value_or_null(evaluation.touched_besides);
    corpus["only_kept"] = value_or_null(evaluation.only_kept);
    corpus["by_shape"] = Json::object();
    for (const auto& [name, mean] : evaluation.by_shape) corpus["by_shape"][name] = mean_json(mean, "constraints");
    corpus["scorings"] = Json::object();
    for (const auto& [scoring, figures] : evaluation.scorings)
        corpus["scorings"][scoring_name(scoring)] = scoring_json(figures);
    Json items = Json::array();
    for (const CordItem& item : evaluation.items) {
        items.push_back({{"id", item.id},
                         {"domain", domain_name(item.domain)},
                         {"accuracy", value_or_null(item.accuracy)},
                         {"met", item.met},
                         {"touched_besides", value_or_null(item.touched_besides)},
                         {"only_kept", value_or_null(item.only_kept)}});
    }
    return {{"scoring", scoring_name(evaluation.scoring)},
            {"sentences", sentence_rule_name(evaluation.sentences)},
            {"missing", evaluation.missing},
            {"empty_outputs", evaluation.empty_outputs},
            {"failed_outputs", evaluation.failed_outputs},
            {"corpus", std::move(corpus)},
            {"items", std::move(items)}};
}

}  // namespace craft
