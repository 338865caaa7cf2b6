#include "judge/verdicts/easy_judge.h"

#include "core/error.h"
#include "core/id_index.h"
#include "core/rng.h"
#include "text/wording_table.h"

namespace craft {

namespace {

constexpr EasyKind kEasyKinds[] = {EasyKind::style, EasyKind::semantic};

const std::vector<std::string>& yes_and_no() {
    static const std::vector<std::string> words = {"yes", "no"};  // as the prompts ask for them
    return words;
}

std::optional<bool> is_met(const ChoiceAnswer& answer) {
    return answer.choice ? std::optional(*answer.choice == 0) : std::nullopt;
}

// Met constraints of those that were judged.
struct Share {
    int64_t met = 0, judged = 0, unjudged = 0;
    void add(const std::optional<bool>& verdict) {
        met += verdict.value_or(false) ? 1 : 0;
        ++(verdict ? judged : unjudged);
    }
    std::optional<double> value() const {
        return judged > 0 ? std::optional(static_cast<double>(met) / static_cast<double>(judged)) : std::nullopt;
    }
};

// The mean of items' shares, and the sums after them.
struct ShareMean {
    double sum = 0;
    int64_t items = 0;
    Share constraints;
    void add(const Share& share) {
        constraints.met += share.met;
        constraints.judged += share.judged;
        constraints.unjudged += share.unjudged;
        if (!share.value()) return;
        sum += *share.value();
        ++items;
    }
    std::optional<double> value() const {
        return items > 0 ? std::optional(sum / static_cast<double>(items)) : std::nullopt;
    }
    Json to_json() const {
        return {{"accuracy", value_or_null(value())},
                {"items", items},
                {"constraints", constraints.judged},
                {"met", constraints.met},
                {"unjudged", constraints.unjudged}};
    }
};

}  // namespace

EasyQuestions join_easy(std::vector<EasyItem> items, const std::vector<RevisedText>& outputs) {
    IdIndex ids;
    for (size_t i = 0; i < items.size(); ++i) ids.add(items[i].id, i, "items");
    EasyQuestions all;
    std::map<std::string, EasyQuestion> joined;
    for (const RevisedText& output : outputs) {
        EasyItem& item = items[ids.row_of(output.id, output.where)];
        all.empty_outputs += is_empty_text(output.text) ? 1 : 0;
        if (!joined.emplace(output.id, EasyQuestion{std::move(item), output.text}).second)
            throw Error(output.where, "each id once", "'" + output.id + "' again");
    }
    all.missing = static_cast<int64_t>(items.size() - joined.size());
    for (auto& [id, question] : joined) all.questions.push_back(std::move(question));
    return all;
}

EasyJudge::EasyJudge(System& system, const PromptFiles& prompts, ChoiceAsking asking)
    : system_(system), asking_(std::move(asking)) {
    for (const EasyKind kind : kEasyKinds)
        prompts_[kind] = prompts.text("easy." + easy_kind_name(kind) + ".txt", {"source", "revision", "constraint"});
}

std::vector<ChoiceAnswer> EasyJudge::judge(const EasyQuestion& question) const {
    std::vector<ChoiceAnswer> answers;
    for (const EasyConstraint& constraint : question.item.constraints) {
        const std::string prompt =
            fill_in(prompts_.at(constraint.kind),
                    {{"source", question.item.text}, {"revision", question.revision}, {"constraint", constraint.text}});
        answers.push_back(ask_choice(system_, prompt, stable_hash(question.item.id), answers.size(), yes_and_no(), asking_));
    }
    return answers;
}

Json to_json(const std::vector<ChoiceAnswer>& answers) {
    Json rows = Json::array();
    for (const ChoiceAnswer& answer : answers) rows.push_back(to_json(answer));
    return rows;
}

std::vector<ChoiceAnswer> choice_answers_from_json(const Json& rows) {
    std::vector<ChoiceAnswer> answers;
    for (const Json& row : rows) answers.push_back(choice_answer_from_json(row));
    return answers;
}

std::vector<Json> easy_rows(const EasyItem& item, const std::vector<ChoiceAnswer>& answers) {
    std::vector<Json> rows;
    for (size_t i = 0; i < answers.size(); ++i) {
        int64_t number = 0;
        for (const ChoiceAttempt& attempt : answers[i].attempts)
            rows.push_back({{"id", item.id},
                            {"constraint", i + 1},
                            {"kind", easy_kind_name(item.constraints.at(i).kind)},
                            {"attempt", ++number},
                            {"reply", attempt.reply},
                            {"met", attempt.read.choice ? Json(*attempt.read.choice == 0) : Json(nullptr)},
                            {"reason", attempt.read.problem.empty() ? Json(nullptr) : Json(attempt.read.problem)},
                            {"let_pass", leniency_kinds(attempt.read.let_pass)}});
    }
    return rows;
}

void EasyTotals::add(const EasyItem& item, const std::vector<ChoiceAnswer>& answers) {
    Verdicts& verdicts = items_[item.id];
    if (!verdicts.met.empty()) throw Error("item '" + item.id + "'", "one judgement", "another one");
    for (size_t i = 0; i < answers.size(); ++i) {
        verdicts.kinds.push_back(item.constraints.at(i).kind);
        verdicts.met.push_back(is_met(answers[i]));
        counts_.add(answers[i]);
    }
}

Json EasyTotals::to_json(int64_t missing, int64_t empty_outputs) const {
    ShareMean all;
    std::map<EasyKind, ShareMean> by_kind;
    Json items = Json::array();
    for (const auto& [id, verdicts] : items_) {
        Share of_all;
        std::map<EasyKind, Share> of_kind;
        Json met = Json::array();
        for (size_t i = 0; i < verdicts.met.size(); ++i) {
            of_all.add(verdicts.met[i]);
            of_kind[verdicts.kinds[i]].add(verdicts.met[i]);
            met.push_back(value_or_null(verdicts.met[i]));
        }
        all.add(of_all);
        Json item = {{"id", id}, {"accuracy", value_or_null(of_all.value())}};
        for (const auto& [kind, share] : of_kind) {
            by_kind[kind].add(share);
            item[easy_kind_name(kind)] = value_or_null(share.value());
        }
        item["met"] = std::move(met);
        items.push_back(std::move(item));
    }
    Json corpus = all.to_json();
    corpus["missing"] = missing;
    corpus["empty_outputs"] = empty_outputs;
    corpus["by_domain"] = Json::object();
    for (const auto& [kind, mean] : by_kind) corpus["by_domain"][easy_kind_name(kind)] = mean.to_json();
    corpus["answers"] = craft::to_json(counts_);
    return {{"corpus", std::move(corpus)}, {"items", std::move(items)}};
}

}  // namespace craft
