#include "cli/experiment_estimate.h"

#include "core/error.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

fs::path whole_path(const fs::path& path) {
    return fs::absolute(path).lexically_normal();
}

class ExperimentEstimate {
public:
    ExperimentEstimate(const WorkRates& rates, const CommonOptions& common) : rates_(rates), common_(common) {}

    void add(const ExperimentStage& stage) {
        Inquiry inquiry = stage.said;
        inquiry.size_of = [&](const fs::path& file) { return size_of(file); };
        try {
            inquiry.ask(*stage.command, stage.configurations);
        } catch (const UsageError&) {
            throw;
        } catch (const Error& error) {  // a file whose size cannot be told
            return leave_out(stage, error.what());
        }
        for (const auto& [file, size] : inquiry.makes)
            if (!file.empty()) sizes_[whole_path(file)] = size;  // an output that is not asked for
        if (!inquiry.work) {
            if (!stage.said.systems.empty()) leave_out(stage, stage.command->name + " makes no estimate");
            return;
        }
        add_work(stage, *inquiry.work, inquiry.profiles);
    }
    Json told() {
        if (!not_estimated_.empty())
            for (const char* known : {"operations", "usd", "hours"}) total_[known] = nullptr;
        return {{"stages", stages_}, {"not_estimated", not_estimated_}, {"total", total_}};
    }

private:
    DataSize size_of(const fs::path& file) const {
        const auto made = sizes_.find(whole_path(file));
        return made == sizes_.end() ? measured_size(file.string()) : made->second;
    }
    void leave_out(const ExperimentStage& stage, const std::string& why) { not_estimated_[stage.name] = why; }
    void add_work(const ExperimentStage& stage, const WorkEstimate& work, const Json& profiles) {
        if (work.asked.empty() && work.trained.empty()) return;
        std::optional<Placement> place;
        if (rates_.operations <= 0 && !work.trained.empty()) place = open_placement(common_);
        Json costs = {{"command", stage.command->name}};
        costs.update(to_json(work, profiles, rates_, place));
        for (const AskedWork& asked : work.asked) {
            add_count("requests", asked.requests);
            add_count("prompt_tokens", asked.prompt_tokens);
            add_count("new_tokens", asked.new_tokens);
        }
        for (const TrainedWork& training : work.trained) add_count("trained_tokens", training.tokens());
        for (const char* known : {"operations", "usd", "hours"})
            total_[known] = total_[known].is_null() || costs[known].is_null()
                                ? Json()
                                : Json(total_[known].get<double>() + costs[known].get<double>());
        stages_[stage.name] = std::move(costs);
    }
    void add_count(const char* what, double count) { total_[what] = total_[what].get<int64_t>() + std::llround(count); }

    const WorkRates& rates_;
    const CommonOptions& common_;
    std::map<fs::path, DataSize> sizes_;  // of what stages will have written
    Json stages_ = Json::object(), not_estimated_ = Json::object();
    Json total_ = {{"requests", 0},   {"prompt_tokens", 0}, {"new_tokens", 0}, {"trained_tokens", 0},
                   {"operations", 0}, {"usd", 0},           {"hours", 0}};
};

}  // namespace

Json estimate_experiment(const std::vector<ExperimentStage>& stages, const WorkRates& rates, const CommonOptions& common) {
    ExperimentEstimate estimate(rates, common);
    for (const ExperimentStage& stage : stages) estimate.add(stage);
    return estimate.told();
}

}  // namespace craft
