// The systems of a command's roles: what options they take, and opening them.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cli/common.h"
#include "cli/placement.h"
#include "core/flow.h"
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
    std::filesystem::path batch;     // hosted systems are asked by files in this folder; empty: at once
};

// `roles`: keys of the options that say who plays. Without `with_chat` the chat templates of local ones are their models'
// own.
void bind_role_systems(OptionTable& table, RoleSystemOptions& options, const std::vector<const char*>& roles,
                       bool with_chat = true);
// The limit of new tokens, which is final where it is given; `of` is whose: "of a response".
Option& bind_new_tokens(OptionTable& table, const std::string& key, std::optional<int64_t>& most, const std::string& of);
// Reads the option `key`, whose value is `text`; or adds what is wrong with it and returns false.
bool parse_role(OptionTable& table, const char* key, const std::string& text, SystemSpec& spec);
// Adds what is wrong with the systems of these specifications: a profile that is not there or not right. Their models become
// part of what makes two runs the same.
void check_role_systems(OptionTable& table, const RoleSystemOptions& options, const std::vector<SystemSpec>& specs);
// Adds a problem where this role's answers are to be constrained (--constrain-calls) and its server takes no grammar.
void check_constrained(OptionTable& table, const RoleSystemOptions& options, const SystemSpec& spec, bool constrain_calls);
// $XDG_CACHE_HOME/craft-train/answers, else ~/.cache/craft-train/answers. Throws Error where neither is set.
std::filesystem::path default_answers_folder();

// How a hosted system is asked by files: in a folder of its own within `folder`, so that several systems may share one.
BatchSystemOptions batch_options(const std::filesystem::path& folder, const std::shared_ptr<const UnsentSystem>& system,
                                 const std::string& role);

// Says how many hosted answers a cache holds that no run finds, since they do not say whom they were asked of; once a run.
void warn_of_old_answers(const AnswerCache& cache);

// The systems that a command's roles are played by, each opened once, whatever roles it plays, for the items of a flow; with
// the cache of answers and the ledger of what they cost.
class RoleSystems {
public:
    // The flow must outlive the systems. `earlier`: usage() of the same run before it was stopped; null: none.
    RoleSystems(RoleSystemOptions options, const CommonOptions& common, const Placement& place, Flow& flow,
                const Json& earlier = nullptr);
    ~RoleSystems();
    // Throws Error and UsageError as open_system() and AnswerCache do. What it opens throws, beside what systems throw,
    // AwaitedAnswer, and Error when the budget of a profile is spent.
    System& open(const SystemSpec& spec, const std::string& role);
    // The same for a hosted system that no specification names (a web search), which is never asked by files. Its name() is
    // what it is counted under.
    System& open_hosted(const std::shared_ptr<System>& system, const std::string& role);

    // To be called when nothing more will be asked: keeps what could not be kept, and finishes batch files, whose names it
    // logs. Throws Error.
    void finish();
    int64_t awaited() const;  // requests in the batch files of this run
    // For manifests: {"roles": {role: {stage: sums}}, "recorded": {system: counts}, "systems": {system: figures},
    // "batches"}.
    Json usage() const;
    void log() const;                                                 // one line a role
    std::string unanswered() const { return ledger_->unanswered(); }  // as UsageLedger::unanswered()

private:
    class Role;
    struct Opened;
    std::shared_ptr<System> open_inner(const SystemSpec& spec, const std::string& role);
    // Puts around what was opened what all have: the cache where their answers are kept, and the flow.
    std::shared_ptr<System> surrounded(const std::string& name, Opened opened, bool is_recorded, bool is_awaited);
    Role& role_system(const std::string& name, const std::shared_ptr<System>& system, const std::string& role);
    AnswerCache& cache();

    RoleSystemOptions options_;
    const CommonOptions& common_;
    const Placement& place_;
    Flow& flow_;
    std::shared_ptr<UsageLedger> ledger_;
    std::shared_ptr<AnswerCache> cache_;
    bool said_old_ = false;                               // warn_of_old_answers()
    std::map<std::string, Opened> opened_;                // by specification
    std::map<std::string, std::unique_ptr<Role>> roles_;  // by role and specification
};

}  // namespace craft
