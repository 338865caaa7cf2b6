// What commands have in common that ask systems item by item: the systems with their records and budgets, the flow of items,
// and how it ends.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "cli/system_options.h"
#include "core/flow.h"
#include "systems/usable_answers.h"

namespace craft {

// Of a run that failed, behind where its rows are.
inline constexpr const char* kAsksAnew = "the same command asks anew for what is not recorded";
// The hint of a run that had no answer that can be used, and whose rows are in `output`'s OUTPUT.partial.
std::string rows_say_why(const std::string& output);

class AskingRun {
public:
    // `earlier`: the usage() of the same run before it was stopped; null: none. Throws UsageError as open_placement() does.
    AskingRun(const RoleSystemOptions& systems, const FlowOptions& flow, const CommonOptions& common,
              const Json& earlier = nullptr);

    const Placement& place() const { return place_; }
    Flow& flow() { return flow_; }
    RoleSystems& systems() { return systems_; }
    // As RoleSystems::open().
    System& open(const SystemSpec& spec, const std::string& role) { return systems_.open(spec, role); }

    // Works on items as Flow::run() does. An item's result is absent where an answer to it stands in a batch file. Whatever
    // ends it, the systems keep what they were answered; what `stopped` does is done where it ends by an exception, which
    // then goes on. Returns whether every item has a result.
    template <class In, class Out>
    bool run(const std::function<std::optional<In>()>& next, const std::function<Out(In&)>& work,
             const std::function<void(In&, std::optional<Out>&)>& done, const std::function<void()>& stopped) {
        bool all = true;
        try {
            flow_.run<In, std::optional<Out>>(
                next,
                [&](In& one) -> std::optional<Out> {
                    try {
                        return work(one);
                    } catch (const AwaitedAnswer&) {
                        return std::nullopt;
                    }
                },
                [&](In& one, std::optional<Out>& result) {
                    all = all && result;
                    done(one, result);
                });
            systems_.finish();
        } catch (...) {
            stopped();
            throw;
        }
        return all;
    }
    // Throws Error if no item had an answer that can be used, or a role asked and no request of it reached a model;
    // `earlier` rows of another process, whose requests nobody knows here, excuse that. To be called before the output is
    // replaced.
    void require_answers(const UsableAnswers& answers, const std::string& hint, int64_t earlier = 0) const;
    // Logs what was asked, by role; and, unless `all` have a result, which answers the command waits for.
    void report(bool all) const;

private:
    std::filesystem::path batch_;
    Placement place_;
    Flow flow_;
    RoleSystems systems_;
};

}  // namespace craft
