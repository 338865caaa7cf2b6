// What commands have in common that ask systems: the systems of their roles, with records and budgets, and the flow of
// items.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "model/kernels/placement.h"
#include "systems/asked_rows.h"
#include "systems/hosted/unsent_system.h"
#include "systems/open/open_system.h"
#include "systems/recorded/batch_system.h"
#include "systems/recorded/metered_system.h"
#include "systems/recorded/recorded_system.h"

namespace craft {

struct RoleSystemOptions {
    ChatOptions chat;                // of local ones
    Json profiles = Json::object();  // of hosted ones
    enum class Record { hosted, all, none };
    Record record = Record::hosted;  // whose answers are kept
    std::filesystem::path answers;   // the folder of the cache; empty: the user's own (default_answers_folder())
    std::filesystem::path batch;     // hosted systems are asked by files in this folder; empty: at once, and by one rank
    Ranks* ranks = nullptr;          // that share the items, and a profile's budget and limits; null: this one alone
};

// The same options for a command whose items these ranks share.
RoleSystemOptions with_ranks(RoleSystemOptions options, Ranks* ranks);

// $XDG_CACHE_HOME/craft-train/answers, else ~/.cache/craft-train/answers. Throws Error where neither is set.
std::filesystem::path default_answers_folder();

// How a hosted system is asked by files: in a folder of its own within `folder`, so that several systems may share one.
BatchSystemOptions batch_options(const std::filesystem::path& folder, const std::shared_ptr<const UnsentSystem>& system,
                                 const std::string& role);

// Says how many hosted answers a cache holds that no run finds, since they do not say whom they were asked of; once a run.
void warn_of_old_answers(const AnswerCache& cache);

// The systems that a command's roles are played by, each opened once, whatever roles it plays, for the items of its flow;
// with the cache of answers and the ledger of what they cost.
class AskingRun : public Asking {
public:
    // `earlier`: usage() of the same run before it was stopped; null: none.
    AskingRun(RoleSystemOptions options, const FlowOptions& flow, const Placement& place, uint64_t seed,
              const Json& earlier = nullptr);
    ~AskingRun() override;
    // Throws Error and UsageError as open_system() and AnswerCache do. What it opens throws, beside what systems throw,
    // AwaitedAnswer, and Error when the budget of a profile is spent.
    System& open(const SystemSpec& spec, const std::string& role);
    // The same for a hosted system that no specification names (a web search), which is never asked by files. Its name() is
    // what it is counted under.
    System& open_hosted(const std::shared_ptr<System>& system, const std::string& role);

    Flow& flow() override { return flow_; }
    // Also finishes batch files, whose names it logs.
    void finish() override;
    // {"roles": {role: {stage: sums}}, "recorded": {system: counts}, "systems": {system: figures}, "batches"}.
    Json usage() const override;
    void add(const Json& usage) override;
    Ranks& ranks() const override { return options_.ranks == nullptr ? Ranks::alone() : *options_.ranks; }
    std::string unanswered() const override { return ledger_->unanswered(); }
    void report(bool all) const override;

private:
    class Role;
    struct Opened;
    std::shared_ptr<System> open_inner(const SystemSpec& spec, const std::string& role);
    // Puts around what was opened what all have: the cache where their answers are kept, and the flow.
    std::shared_ptr<System> surrounded(const std::string& name, Opened opened, bool is_recorded, bool is_awaited);
    Role& role_system(const std::string& name, const std::shared_ptr<System>& system, const std::string& role);
    AnswerCache& cache();

    RoleSystemOptions options_;
    Placement place_;
    uint64_t seed_;
    Flow flow_;
    std::shared_ptr<UsageLedger> ledger_;
    Json of_others_ = Json::object();  // what systems counted themselves in other ranks, summed
    std::shared_ptr<AnswerCache> cache_;
    bool warned_old_ = false;                             // warn_of_old_answers()
    std::map<std::string, Opened> opened_;                // by specification
    std::map<std::string, std::unique_ptr<Role>> roles_;  // by role and specification
};

}  // namespace craft
