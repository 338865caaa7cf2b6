#include "judge/verdicts/pairwise_judge.h"

#include <algorithm>

#include "core/error.h"
#include "core/rng.h"
#include "text/wording_table.h"

namespace craft {

namespace {

const std::vector<std::string>& candidate_names() {
    static const std::vector<std::string> names = {"A", "B"};  // as the prompts call them
    return names;
}

PairVerdict verdict_of(bool chose_a) {
    return chose_a ? PairVerdict::win : PairVerdict::loss;
}

}  // namespace

const std::vector<std::string>& pairwise_criteria() {
    static const std::vector<std::string> criteria = {"fluency", "grammaticality", "coherence"};
    return criteria;
}

std::optional<bool> PairQuestion::chose_first() const {
    return answer.choice ? std::optional(*answer.choice == 0) : std::nullopt;
}

std::optional<bool> PairQuestion::chose_a() const {
    return answer.choice ? std::optional((*answer.choice == 0) == a_first) : std::nullopt;
}

PairwiseJudge::PairwiseJudge(System& system, const PromptFiles& prompts, const std::string& criterion,
                             PairwiseOptions options)
    : system_(system), options_(std::move(options)), criterion_(criterion) {
    const auto& known = pairwise_criteria();
    if (std::find(known.begin(), known.end(), criterion) == known.end())
        throw_unknown("criterion of pairwise comparison", criterion, known);
    prompt_ = prompts.text("pairwise." + criterion + ".txt", {"source", "a", "b"});
}

PairJudgement PairwiseJudge::judge(const PairwiseItem& item) const {
    PairJudgement judgement;
    if (item.a == item.b) {
        judgement.verdict = PairVerdict::tie;
        return judgement;
    }
    std::vector<bool> orders = {true, false};
    if (options_.orders == PairOrders::random)
        orders = {Rng(options_.seed, "pairwise." + criterion_, item.id).below(2) == 0};
    else if (options_.orders == PairOrders::fixed)
        orders = {true};
    for (const bool a_first : orders) {
        const std::string prompt =
            fill_in(prompt_, {{"source", item.source}, {"a", a_first ? item.a : item.b}, {"b", a_first ? item.b : item.a}});
        judgement.questions.push_back({a_first, ask_choice(system_, prompt, stable_hash(item.id + "\n" + criterion_),
                                                           a_first ? 0 : 1, candidate_names(), options_.asking)});
    }
    for (const PairQuestion& question : judgement.questions) {
        const auto chose_a = question.chose_a();
        if (!chose_a) {
            judgement.verdict.reset();
            break;
        }
        const PairVerdict now = verdict_of(*chose_a);
        judgement.verdict = !judgement.verdict || *judgement.verdict == now ? now : PairVerdict::tie;
    }
    return judgement;
}

Json to_json(const PairJudgement& judgement) {
    Json questions = Json::array();
    for (const PairQuestion& question : judgement.questions)
        questions.push_back({{"a_first", question.a_first}, {"answer", to_json(question.answer)}});
    return {{"verdict", judgement.verdict ? Json(static_cast<int>(*judgement.verdict)) : Json()},
            {"questions", std::move(questions)}};
}

PairJudgement pair_judgement_from_json(const Json& row) {
    PairJudgement judgement;
    if (!row.at("verdict").is_null()) judgement.verdict = static_cast<PairVerdict>(row["verdict"].get<int>());
    for (const Json& question : row.at("questions"))
        judgement.questions.push_back({question.at("a_first").get<bool>(), choice_answer_from_json(question.at("answer"))});
    return judgement;
}

std::vector<Json> judgement_rows(const std::string& id, const std::string& criterion, const PairJudgement& judgement) {
    std::vector<Json> rows;
    for (const PairQuestion& question : judgement.questions) {
        int64_t number = 0;
        for (const ChoiceAttempt& attempt : question.answer.attempts) {
            Json verdict = nullptr;
            if (attempt.read.choice) verdict = (*attempt.read.choice == 0) == question.a_first ? "a" : "b";
            rows.push_back({{"id", id},
                            {"criterion", criterion},
                            {"order", question.a_first ? "ab" : "ba"},
                            {"attempt", ++number},
                            {"reply", attempt.reply},
                            {"verdict", verdict},
                            {"reason", attempt.read.problem.empty() ? Json(nullptr) : Json(attempt.read.problem)},
                            {"let_pass", leniency_kinds(attempt.read.let_pass)}});
        }
    }
    return rows;
}

}  // namespace craft
