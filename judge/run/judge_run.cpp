#include "judge/run/judge_run.h"

#include <algorithm>
#include <set>

#include "core/files.h"
#include "core/log.h"
#include "core/option_files.h"
#include "judge/run/choice_run.h"
#include "judge/verdicts/combined_verdict.h"
#include "judge/verdicts/judging_figures.h"
#include "judge/verdicts/judging_report.h"
#include "judge/verdicts/mean_marks.h"
#include "judge/verdicts/model_family.h"
#include "text/utf8.h"

namespace craft {

namespace {

std::vector<std::string> systems_of(const CandidateGroup& group) {
    std::vector<std::string> systems;
    for (const Candidate& candidate : group.candidates) systems.push_back(candidate.system);
    return systems;
}

// Between the two of a verdict, where the only judge gave numbers.
std::optional<double> gap_of(const JudgedGroup& judged, const ListwiseVerdict& verdict) {
    return judged.judgements.size() == 1 ? score_gap(judged.judgements[0], verdict) : std::nullopt;
}

// Lines of a report on stderr, or the figures where programs read them.
void tell(const std::string& report, const Json& figures, const std::string& what) {
    if (log_options().format == LogFormat::json) {
        log_info(what, figures);
        return;
    }
    for (size_t at = 0; at < report.size();) {
        const size_t end = std::min(report.find('\n', at), report.size());
        log_info(report.substr(at, end - at));
        at = end + 1;
    }
}

}  // namespace

JudgeRun::JudgeRun(const JudgeOptions& options, std::optional<Guideline> guideline, const RunIdentity& identity,
                   bool overwrite, const PlacementOptions& placing, Ranks& ranks)
    : options_(options),
      placing_(placing),
      guideline_(std::move(guideline)),
      prompts_(options.prompts),
      identity_(identity),
      kept_(options.output, identity_, overwrite, ranks),
      asking_(with_ranks(options.systems, &ranks), options.flow, open_placement(placing), identity.seed,
              kept_.earlier_usage()),
      sources_(options.sources, placing) {
    if (!options.system_prompt.empty()) system_prompt_ = trim(read_file(options.system_prompt));
    leaks_ = open_leak_check(options.pairs);
    if (leaks_) kept_.manifest.note("leak_check", leaks_->to_json());
    open_judges();
}

void JudgeRun::open_judges() {
    CandidateJudgeParts parts{.form = options_.form,
                              .aspect = options_.aspect,
                              .prompts = &prompts_,
                              .marks_all = !options_.marks.empty(),
                              .asking = options_.asking,
                              .open = [this](const SystemSpec& spec) -> System& { return asking_.open(spec, "judge"); },
                              .aspects = guideline_ ? guideline_->aspect_names() : std::vector<std::string>(),
                              .principles = [this] { return sources_.principles(); }};
    if (guideline_ && options_.has(CandidateJudgeSpec::Kind::system)) {
        const NamedMaterials materials = sources_.materials();
        const auto prompt = std::make_shared<ListwisePrompt>(*guideline_, prompts_, materials.materials);
        for (const std::string& what : prompt->lacking())
            log_warning("the guideline needs inputs that are not configured; judges see only the texts",
                        {{"guideline", options_.guideline}, {"lacking", what}});
        kept_.manifest.note("materials", {{"made_by", materials.names}, {"lacking", prompt->lacking()}});
        parts.listwise = prompt;
    }
    if (options_.has(CandidateJudgeSpec::Kind::scores)) {
        scores_.emplace(options_.scores, placing_);
        parts.scoring = scores_->scoring();
        parts.scores_name = scores_->name();
    }
    if (options_.has(CandidateJudgeSpec::Kind::rules))
        kept_.manifest.note("rules", rule_judge_record(options_.sources.rules));
    std::vector<const CandidateJudge*> members;
    for (const CandidateJudgeSpec& spec : options_.specs) {
        judges_.push_back(make_candidate_judge(spec, parts));
        members.push_back(judges_.back().get());
    }
    JudgingPlan plan = options_.plan;
    plan.seed = identity_.seed;
    panel_.emplace(std::move(members), plan);
    if (plan.repeats > 1 && plan.orders == CandidateOrders::fixed && options_.asking.sampling.temperature == 0)
        log_warning("--repeat repeats the same question: the order is fixed and the first answer greedy");
}

void JudgeRun::warn_of_families(const JudgeInput& input) {
    std::set<std::string> systems;
    for (const CandidateGroup& group : input.groups)
        for (const Candidate& candidate : group.candidates) systems.insert(candidate.system);
    Json shared = Json::array();
    for (const CandidateJudgeSpec& spec : options_.specs) {
        if (spec.kind != CandidateJudgeSpec::Kind::system) continue;
        std::string model = spec.text;
        if (spec.system.kind == SystemSpec::Kind::hosted)
            model = hosted_profile(spec.system, options_.systems.profiles).model;
        for (const std::string& system : systems) {
            auto family = shared_family(model, system);
            if (!family) family = shared_family(spec.text, system);
            if (!family) continue;
            shared.push_back({{"judge", spec.text}, {"system", system}, {"family", *family}});
            log_warning("judge and candidates are of one family, which judges may favour", shared.back());
        }
    }
    kept_.manifest.note("shared_families", shared);
}

void JudgeRun::measure(const JudgeInput& input) {
    if (!scores_) return;
    scores_->measure(input.groups);
    kept_.manifest.note("scores", scores_->to_json());  // with the name that a command gave itself
}

Json JudgeRun::origin(const JudgedGroup& judged) const {
    PairOrigin origin{.judge = {}, .aspect = options_.aspect, .judgements = judged.judgements};
    std::set<std::string> judges;
    for (const Judgement& judgement : judged.judgements)
        if (judges.insert(judgement.judge).second) origin.judge += (origin.judge.empty() ? "" : ",") + judgement.judge;
    if (guideline_) {
        origin.guideline_version = guideline_->version;
        origin.guideline_hash = guideline_->hash;
    }
    if (options_.plan.orders != CandidateOrders::fixed) origin.seed = identity_.seed;
    return pair_origin(origin);
}

Json JudgeRun::write_pairs(const JudgeInput& input, PairWriter& writer) {
    const auto prompt = [&](const CandidateGroup& group) -> PromptText {
        std::vector<Message> messages;
        if (!system_prompt_.empty()) messages.push_back({Role::system, system_prompt_});
        messages.push_back({Role::user, group.source});
        return Conversation(messages);
    };
    PreferencePairs pairs(options_.pairs, prompt, leaks_);
    for (size_t i = 0; i < judged_.size(); ++i) {
        const CombinedVerdict said = combined_verdict(judged_[i].judgements, options_.aspect);
        std::optional<ChosenCandidates> chosen;
        if (said.verdict)
            chosen = ChosenCandidates{.chosen = said.verdict->best,
                                      .rejected = said.verdict->worst,
                                      .gap = gap_of(judged_[i], *said.verdict),
                                      .origin = origin(judged_[i])};
        if (const auto pair = pairs.add(input.groups[i], chosen, said.reason)) writer.write(*pair);
    }
    return pairs.counts();
}

std::vector<Json> JudgeRun::judgement_rows() const {
    std::vector<Json> rows;
    for (const JudgedGroup& judged : judged_)
        for (Json& row : rows_of(judged)) rows.push_back(std::move(row));
    return rows;
}

// What the marks hang on, without which they are not comparable.
Json JudgeRun::marking_options() const {
    Json judges = Json::array();
    for (const CandidateJudgeSpec& spec : options_.specs) {
        const bool is_hosted = spec.system.kind == SystemSpec::Kind::hosted;
        judges.push_back(
            {{"judge", spec.text},
             {"model", is_hosted ? Json(hosted_profile(spec.system, options_.systems.profiles).model) : Json(nullptr)}});
    }
    const SamplingOptions& sampling = options_.asking.sampling;
    const CandidateOrders orders = options_.plan.orders;
    return {{"judges", std::move(judges)},
            {"form", options_.form == JudgeForm::joint ? "joint" : "pointwise"},
            {"orders", orders == CandidateOrders::fixed  ? "fixed"
                       : orders == CandidateOrders::both ? "both"
                                                         : "random"},
            {"repeats", options_.plan.repeats},
            {"attempts", options_.asking.attempts},
            {"temperature", sampling.temperature},
            {"max_new_tokens", sampling.limit()},
            {"prompts", prompts_.versions()}};
}

void JudgeRun::write_marks() const {
    if (options_.marks.empty()) return;
    MeanMarks marks;
    for (const JudgedGroup& judged : judged_) marks.add(judged);
    Json result = {
        {"kind", "marks"}, {"options", marking_options()}, {"figures", what_marks_say()}, {"seed", identity_.seed}};
    result.update(marks.to_json());
    OutputFile file(options_.marks);
    file.write(result.dump(2) + "\n");
    file.close();
}

void JudgeRun::compare() {
    if (options_.compare.empty()) return;
    const Json compared = compare_judgings(judged_, read_judgements(options_.compare[0]));
    kept_.manifest.note("compared", compared);
    tell("this run and " + options_.compare[0] + "\n" + comparison_report(compared), compared, "compared");
}

// A panel may do without one of its judges.
void JudgeRun::require_answers(const JudgingFigures& figures) const {
    std::string names;
    bool is_too_long = false;
    for (const auto& [name, judge] : figures.judges()) {
        names += (names.empty() ? "" : ", ") + name;
        is_too_long = is_too_long || judge.failed.contains(failure_name(Failure::prompt_too_long));
    }
    const UsableAnswers answers = figures.answers();
    std::string hint = answers_are_in(kept_.rows.keeps() ? options_.output : options_.judgements);
    if (answers.none_is_usable() && !kept_.rows.keeps() && !options_.judgements.empty())
        keep_failed_rows(options_.judgements, identity_, judgement_rows());
    if (kept_.rows.keeps()) hint += "; " + std::string(kRerunHint);
    answers.require_any(names, is_too_long ? "guideline, examples and candidates fill the model's context: shorten the "
                                             "guideline, or use a judge with a longer context"
                                           : hint);
}

void JudgeRun::run(const JudgeInput& input) {
    Json dropped = Json::object();
    if (input.bad_lines > 0) dropped["bad line"] = input.bad_lines;
    if (input.without_output > 0) dropped["no output"] = input.without_output;
    if (!dropped.empty()) kept_.manifest.note("dropped", dropped);
    if (!input.missing.empty()) kept_.manifest.note("missing", input.missing);
    if (guideline_)
        for (const CandidateGroup& group : input.groups) require_shown(*guideline_, group);
    warn_of_families(input);
    measure(input);
    const auto row = [&](size_t item) {
        const CandidateGroup& group = input.groups[item];
        const JudgedGroup judged = {group.id, systems_of(group), panel_->judge(group, item)};
        return Json{{"id", judged.id}, {"rows", rows_of(judged)}};
    };
    const std::string where = partial_path(options_.output).string();
    std::optional<PairWriter> writer;
    JudgingFigures figures;
    RowsOutput output{.told = "pairs"};
    output.write = [&](const Json& made) {
        for (const Json& one : made.at("rows")) add_row(judged_, one, where);
    };
    output.totals = [&] {
        for (const JudgedGroup& judged : judged_) figures.add(judged);
        const Json told = figures.to_json();
        kept_.manifest.note("judged", told);
        Json pairs = write_pairs(input, writer.emplace(options_.output));
        tell(judging_report(told), told, "judged");
        compare();
        return pairs;
    };
    output.note = [&](OutputManifest& manifest) { note(manifest); };
    output.flush = [] {};  // pairs are no rows: a run without any answer has none
    output.check = [&] { require_answers(figures); };
    output.close = [&] {
        write_judgements(options_.judgements, judgement_rows());
        write_marks();
        writer->close();
    };
    write_rows(asked_rows("judging", "groups", input.groups.size(), row), asking_, kept_, output);
}

void JudgeRun::note(OutputManifest& manifest) const {
    Json versions = {{"prompts", prompts_.versions()}};
    if (guideline_) versions["guideline"] = {{"version", guideline_->version}, {"hash", guideline_->hash}};
    manifest.note("versions", versions);
}

}  // namespace craft
