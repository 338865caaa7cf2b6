#include "align/instruction_run.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "align/asked_in_flow.h"
#include "align/easy_constraints.h"
#include "align/instruction_making.h"
#include "core/error.h"
#include "core/files.h"
#include "core/log.h"
#include "data/constraints/sealed_sets.h"
#include "data/constraints/source_texts.h"
#include "data/constraints/values.h"
#include "rollout/rules/free_revision.h"

namespace craft {

namespace {

Json shares(const std::map<std::string, int64_t>& some, const std::map<std::string, int64_t>& all) {
    Json out = Json::object();
    for (const auto& [name, count] : all) {
        if (!asks_for_change(shape_from_name(name))) continue;
        const auto found = some.find(name);
        out[name] = found == some.end() ? 0.0 : static_cast<double>(found->second) / static_cast<double>(count);
    }
    return out;
}

Json report_json(const InstructionMakingReport& report, int64_t made, SentenceRule sentences) {
    const GeneratorReport& generated = report.generated;
    Json out = {{"instructions", made},
                {"sentences", sentence_rule_name(sentences)},
                {"constraints", generated.constraints},
                {"shapes", generated.shapes},
                {"redrawn", generated.redrawn},
                {"dropped", generated.dropped},
                {"violated_by_unrevised_text", generated.violated_share()},
                {"violated_by_shape", shares(generated.violated, generated.shapes)},
                {"seconds", generated.seconds},
                {"instructions_per_second", generated.seconds > 0 ? static_cast<double>(made) / generated.seconds : 0}};
    if (report.revisions) out["free_revisions"] = to_json(*report.revisions);
    if (report.rewriting) out["rewriting"] = to_json(*report.rewriting);
    return out;
}

// The instructions and their proofs, as files.
class InstructionOutputs {
public:
    explicit InstructionOutputs(const InstructionRunOptions& o) : writer_(o.output) {
        if (!o.proof.empty()) proof_.emplace(o.proof);
    }
    void write(const Json& instruction, const std::string& revision) {
        writer_.write(instruction);
        if (proof_ && !revision.empty()) proof_->write({{"id", instruction.at("id")}, {"text", revision}});
        ++written_;
    }
    void close() {
        writer_.close();
        if (proof_) proof_->close();
    }
    int64_t written() const { return written_; }

private:
    JsonLinesWriter writer_;
    std::optional<JsonLinesWriter> proof_;
    int64_t written_ = 0;
};

// The models of a run that asks some, opened once.
class InstructionModels {
public:
    InstructionModels(const InstructionRunOptions& o, const PlacementOptions& placing, uint64_t seed)
        : prompts_(o.prompts), asking_(o.systems, o.flow, open_placement(placing), seed) {
        if (o.reviser.kind != SystemSpec::Kind::rules) {
            ModelReviserOptions reviser = o.model_reviser;
            reviser.sentences = o.generator.sentences;
            reviser.sampling.stage = "free revisions";
            reviser_.emplace(asking_.open(o.reviser, "reviser"), prompts_, reviser);
        }
        if (o.rewriter.kind != SystemSpec::Kind::rules) {
            RewriterOptions rewriting = o.rewriting;
            rewriting.sentences = o.generator.sentences;
            rewriter_.emplace(asking_.open(o.rewriter, "rewriter"), prompts_, rewriting);
        }
        if (o.easy.kind != SystemSpec::Kind::rules)
            writer_.emplace(asking_.open(o.easy, "easy constraints"), prompts_, o.easy_sampling);
    }
    InstructionAuthors authors() {
        return {reviser_ ? &*reviser_ : nullptr, rewriter_ ? &*rewriter_ : nullptr, &asking_.flow()};
    }
    const EasyConstraintWriter& easy_writer() const { return *writer_; }
    AskingRun& asking() { return asking_; }
    const Json& prompt_versions() const { return prompts_.versions(); }

private:
    PromptFiles prompts_;
    AskingRun asking_;
    std::optional<ModelReviser> reviser_;
    std::optional<InstructionRewriter> rewriter_;
    std::optional<EasyConstraintWriter> writer_;
};

InstructionMakingReport make_checked(const InstructionRunOptions& o, const GeneratorOptions& generator,
                                     const std::vector<SourceText>& texts, const InstructionAuthors& authors,
                                     InstructionOutputs& outputs) {
    const Rules rules = Rules::load(share_folder() / "rules");
    const FreeReviser revise = [&](const std::string& text, Rng& rng) {
        return free_revision(rules, text, rng, generator.sentences);
    };
    const auto emit = [&](Instruction&& instruction, const std::string& revision) {
        outputs.write(to_json(instruction), revision);
    };
    for (const SealedSet* set : sealed_sets())
        if (o.sealed == set->name)
            return {make_sealed_set(*set, set->instructions, generator.sentences, revise, emit), {}, {}};
    const Wordings wordings = Wordings::load(share_folder() / "wordings" / "constraints.json");
    return make_instructions(texts, revise, wordings, generator, authors, emit);
}

// A constraint that is to be written.
struct EasyTask {
    const SourceText* text;
    EasyKind kind;
    int64_t number, pass;  // of the row; how often the text came before
};

// Style and content in turn; a text that comes again gets the other kind.
std::vector<EasyTask> easy_tasks(const std::vector<SourceText>& texts, int64_t count) {
    std::vector<EasyTask> tasks;
    const auto size = static_cast<int64_t>(texts.size());
    for (int64_t i = 0; i < count; ++i)
        tasks.push_back({&texts[static_cast<size_t>(i % size)],
                         (i % size + i / size) % 2 == 0 ? EasyKind::style : EasyKind::semantic, i, i / size});
    return tasks;
}

RewritingReport make_easy(const std::vector<SourceText>& texts, int64_t count, InstructionModels& models,
                          InstructionOutputs& outputs) {
    const std::vector<EasyTask> tasks = easy_tasks(texts, count);
    const EasyConstraintWriter& writer = models.easy_writer();
    const auto written = asked_in_flow<EasyTask, RewrittenInstruction>(
        models.asking().flow(), {"writing", "constraints"}, tasks,
        [&](const EasyTask& task) { return writer.write(task.kind, task.text->text, static_cast<uint64_t>(task.pass)); });
    RewritingReport report;
    for (size_t i = 0; i < tasks.size(); ++i) {
        report.add(written[i]);
        if (!written[i].refused.empty()) continue;
        const EasyTask& task = tasks[i];
        const std::string kind = easy_kind_name(task.kind);
        outputs.write({{"id", kind + "-" + std::to_string(task.number) + "-" + task.text->id},
                       {"instruction", writer.instruction(written[i].text)},
                       {"text", task.text->text},
                       {"constraints", Json::array({{{"kind", kind}, {"text", written[i].text}}})}},
                      "");
    }
    return report;
}

// The report's file, and a line of the log.
void tell(const InstructionRunOptions& o, Json summary, InstructionModels* models) {
    if (models != nullptr) {
        summary["usage"] = models->asking().usage();
        summary["prompts"] = models->prompt_versions();
    }
    if (!o.report.empty()) write_json_file(o.report, summary);
    for (const char* name : {"violated_by_shape", "usage", "prompts"}) summary.erase(name);  // too long for a line
    log_info("made instructions", summary);
}

// Whether all answers are there.
bool asked(InstructionModels* models, const std::function<void()>& work) {
    if (models == nullptr) {
        work();
        return true;
    }
    return models->asking().ask(
        [&] {
            work();
            return true;
        },
        [] {});
}

}  // namespace

bool InstructionRunOptions::asks() const {
    return reviser.kind != SystemSpec::Kind::rules || rewriter.kind != SystemSpec::Kind::rules ||
           easy.kind != SystemSpec::Kind::rules;
}

void write_instructions(const InstructionRunOptions& o, const PlacementOptions& placing, uint64_t seed) {
    GeneratorOptions generator = o.generator;
    generator.seed = seed;
    std::vector<SourceText> texts;
    if (!o.sealed) texts = read_source_texts(o.texts, o.revisions, o.lines);
    std::optional<InstructionModels> models;
    if (o.asks()) models.emplace(o, placing, seed);
    InstructionModels* const opened = models ? &*models : nullptr;
    InstructionOutputs outputs(o);
    const char* const reasons = "the rows keep their wording; docs/rewriting.md says what the reasons mean";
    if (o.easy.kind != SystemSpec::Kind::rules) {
        RewritingReport easy;
        if (!asked(opened, [&] { easy = make_easy(texts, generator.count, *opened, outputs); })) return;
        easy.answers().require_any("constraints by --easy", "docs/constraints.md says what the reasons mean");
        outputs.close();
        tell(o, {{"instructions", outputs.written()}, {"easy", to_json(easy)}}, opened);
        return;
    }
    InstructionMakingReport report;
    const InstructionAuthors authors = models ? models->authors() : InstructionAuthors();
    if (!asked(opened, [&] { report = make_checked(o, generator, texts, authors, outputs); })) return;
    if (outputs.written() == 0)
        throw Error(o.texts, "texts that constraints can be read from",
                    "none of " + std::to_string(texts.size()) + dropped_note(report.generated.dropped),
                    "texts need a few sentences each");
    outputs.close();
    if (!report.generated.dropped.empty())
        log_warning("fewer instructions than requested",
                    {{"made", outputs.written()}, {"dropped", report.generated.dropped}});
    tell(o, report_json(report, outputs.written(), generator.sentences), opened);
    if (report.rewriting) report.rewriting->answers().require_any("answers of --rewriter", reasons);
}

}  // namespace craft
