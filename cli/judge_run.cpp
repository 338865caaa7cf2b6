#include "cli/judge_run.h"

#include <algorithm>
#include <set>

#include "cli/judging.h"
#include "core/error.h"
#include "core/files.h"
#include "core/option_files.h"
#include "judge/verdicts/combined_verdict.h"
#include "judge/verdicts/judging_figures.h"
#include "judge/verdicts/judging_report.h"
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

JudgeRun::JudgeRun(const Command& command, const OptionTable& table, const CommonOptions& common,
                   const JudgeOptions& options, std::optional<Guideline> guideline)
    : options_(options),
      common_(common),
      guideline_(std::move(guideline)),
      prompts_(options.prompts),
      identity_(rows_identity(command, table, common, open_placement(common))),
      partial_(options.output, identity_, common.overwrite),
      manifest_(options.output, identity_, partial_.earlier() > 0),
      asking_(options.systems, options.flow, common, manifest_.earlier().value("usage", Json())),
      sources_(options.sources, common) {
    if (!options.system_prompt.empty()) system_prompt_ = trim(read_file(options.system_prompt));
    leaks_ = open_leak_check(options.pairs);
    if (leaks_) manifest_.note("leak_check", leaks_->to_json());
    open_judges();
}

void JudgeRun::open_judges() {
    CandidateJudgeParts parts{.form = options_.form,
                              .aspect = options_.aspect,
                              .prompts = &prompts_,
                              .asking = options_.asking,
                              .open = [this](const SystemSpec& spec) -> System& { return asking_.open(spec, "judge"); },
                              .aspects = guideline_ ? guideline_->aspect_names() : std::vector<std::string>(),
                              .principles = [this] { return sources_.principles(); }};
    if (guideline_ && options_.has(CandidateJudgeSpec::Kind::system)) {
        const NamedMaterials materials = sources_.materials();
        const auto prompt = std::make_shared<ListwisePrompt>(*guideline_, prompts_, materials.materials);
        for (const std::string& what : prompt->lacking())
            log_warning("aspects of the guideline go by what nobody makes here, and judges see the texts alone",
                        {{"guideline", options_.guideline}, {"lacking", what}});
        manifest_.note("materials", {{"made_by", materials.names}, {"lacking", prompt->lacking()}});
        parts.listwise = prompt;
    }
    if (options_.has(CandidateJudgeSpec::Kind::scores)) {
        scores_.emplace(options_.scores, common_);
        parts.scoring = scores_->scoring();
        parts.scores_name = scores_->name();
    }
    if (options_.has(CandidateJudgeSpec::Kind::rules)) manifest_.note("rules", rule_judge_record(options_.sources.rules));
    std::vector<const CandidateJudge*> members;
    for (const CandidateJudgeSpec& spec : options_.specs) {
        judges_.push_back(make_candidate_judge(spec, parts));
        members.push_back(judges_.back().get());
    }
    JudgingPlan plan = options_.plan;
    plan.seed = common_.seed;
    panel_.emplace(std::move(members), plan);
    if (plan.repeats > 1 && plan.orders == CandidateOrders::fixed && options_.asking.sampling.temperature == 0)
        log_warning("--repeat asks the same question again: the order is fixed and the first answer greedy");
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
    manifest_.note("shared_families", shared);
}

bool JudgeRun::ask(const JudgeInput& input) {
    if (scores_) {
        scores_->measure(input.groups);
        manifest_.note("scores", scores_->to_json());  // with the name that a command gave itself
    }
    const auto row = [&](size_t item) {
        const CandidateGroup& group = input.groups[item];
        const JudgedGroup judged = {group.id, systems_of(group), panel_->judge(group, item)};
        return Json{{"id", judged.id}, {"rows", rows_of(judged)}};
    };
    const std::string where = partial_path(options_.output).string();
    const auto take = [&](const Json& made) {
        for (const Json& one : made.at("rows")) add_row(judged_, one, where);
    };
    const auto kept = [&] { write_manifest(false); };
    return make_rows(asked_rows("judging", "groups", input.groups.size(), row), asking_, partial_, kept, take);
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
    if (options_.plan.orders != CandidateOrders::fixed) origin.seed = common_.seed;
    return pair_origin(origin);
}

Json JudgeRun::write_pairs(const JudgeInput& input, PairWriter& writer) {
    const auto prompt = [&](const CandidateGroup& group) -> PromptText {
        std::vector<Message> messages;
        if (!system_prompt_.empty()) messages.push_back({Role::system, system_prompt_});
        messages.push_back({Role::user, group.source});
        return Conversation(messages);
    };
    PreferencePairs pairs(options_.pairs.filters(), prompt, leaks_);
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

void JudgeRun::compare() {
    if (options_.compare.empty()) return;
    const Json compared = compare_judgings(judged_, read_judgements(options_.compare[0]));
    manifest_.note("compared", compared);
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
    std::string hint = answers_are_in(partial_.keeps() ? options_.output : options_.judgements);
    if (answers.none_is_usable() && !partial_.keeps() && !options_.judgements.empty())
        keep_failed_rows(options_.judgements, identity_, judgement_rows());
    if (partial_.keeps()) hint += "; " + std::string(kAsksAnew);
    answers.require_any(names, is_too_long
                                   ? "guideline, examples and candidates leave the model no room: shorten the guideline, or "
                                     "take a judge with a longer context"
                                   : hint);
}

void JudgeRun::run(const JudgeInput& input) {
    if (input.bad_lines > 0) manifest_.note("dropped", {{"bad line", input.bad_lines}});
    warn_of_families(input);
    if (!ask(input)) return;
    JudgingFigures figures;
    for (const JudgedGroup& judged : judged_) figures.add(judged);
    const Json told = figures.to_json();
    manifest_.note("judged", told);
    PairWriter writer(options_.output);
    const Json pairs = write_pairs(input, writer);
    manifest_.note("pairs", pairs);
    tell(judging_report(told), told, "judged");
    compare();
    log_info("pairs", pairs);
    write_manifest(false);
    partial_.check([&] { require_answers(figures); });
    write_judgements(options_.judgements, judgement_rows());
    writer.close();
    write_manifest(true);
    partial_.remove();
}

void JudgeRun::write_manifest(bool finished) {
    Json versions = {{"prompts", prompts_.versions()}};
    if (guideline_) versions["guideline"] = {{"version", guideline_->version}, {"hash", guideline_->hash}};
    manifest_.note("versions", versions);
    manifest_.note("usage", asking_.systems().usage());
    manifest_.write(finished);
}

}  // namespace craft
