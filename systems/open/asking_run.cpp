#include "systems/open/asking_run.h"

#include <cctype>
#include <cstdlib>
#include <utility>

#include "core/error.h"
#include "core/log.h"
#include "systems/asking_for_more.h"
#include "systems/flowing_systems.h"

namespace craft {

namespace fs = std::filesystem;

fs::path default_answers_folder() {
    if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache != '\0')
        return fs::path(cache) / "craft-train" / "answers";
    const char* home = std::getenv("HOME");
    if (home == nullptr || *home == '\0')
        throw Error("the cache of answers", "HOME or XDG_CACHE_HOME in the environment", "neither", "give --answers DIR");
    return fs::path(home) / ".cache" / "craft-train" / "answers";
}

// A system as one role uses it: what it costs is counted for the role, and what no item can continue after ends the item.
class AskingRun::Role : public MeteredSystem {
public:
    using MeteredSystem::MeteredSystem;
    AskingForMore longer{*this};  // the same, for a hosted system
    std::vector<Reply> answer_into(const std::vector<Request>& requests, const SamplingOptions& sampling,
                                   const ReplySink& sink) override {
        std::vector<Reply> replies = MeteredSystem::answer_into(requests, sampling, sink);
        for (const Reply& reply : replies) {
            if (reply.failure == Failure::awaited) throw AwaitedAnswer();
            if (reply.failure == Failure::over_budget) throw Error(reply.error);
        }
        return replies;
    }
};

struct AskingRun::Opened {
    std::shared_ptr<System> inner, system;  // the system itself (none where it is asked by files); what surrounds it
    std::shared_ptr<BatchSystem> batch;
    std::shared_ptr<RecordedSystem> recorded;
};

namespace {

Json earlier_roles(const Json& earlier) {
    return earlier.is_object() && earlier.contains("roles") ? earlier["roles"] : Json::object();
}

// Adds the numbers of `more` to those of the same place.
void sum_into(Json& sum, const Json& more) {
    for (const auto& [key, value] : more.items()) {
        Json& place = sum[key];
        if (value.is_object())
            sum_into(place, value);
        else if (value.is_number() && place.is_number_float())
            place = place.get<double>() + value.get<double>();
        else if (value.is_number() && place.is_number())
            place = place.get<int64_t>() + value.get<int64_t>();
        else
            place = value;
    }
}

// A name that a folder can have.
std::string folder_name(const std::string& text) {
    std::string name;
    for (const char c : text) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '-';
    return name;
}

}  // namespace

BatchSystemOptions batch_options(const fs::path& folder, const std::shared_ptr<const UnsentSystem>& system,
                                 const std::string& role) {
    BatchSystemOptions batch;
    batch.folder = folder / folder_name(system->profile().name);
    batch.role = role;
    batch.body = [system](const Request& request, const SamplingOptions& sampling, bool learnt) {
        return system->body(request, sampling, learnt);
    };
    batch.read = [system](const BatchAnswer& answer, const RecordedRequest& asked) {
        return system->read(answer.status, answer.body, asked.request);
    };
    batch.max_retries = system->profile().retries.max_retries;
    return batch;
}

void warn_of_old_answers(const AnswerCache& cache) {
    const int64_t answers = cache.counts().of_old_form;
    if (answers > 0)
        log_warning("answers recorded by an older version do not name their server: they are ignored, but kept",
                    {{"answers", answers}, {"cache", cache.file().string()}});
}

RoleSystemOptions with_ranks(RoleSystemOptions options, Ranks* ranks) {
    options.ranks = ranks;
    return options;
}

AskingRun::AskingRun(RoleSystemOptions options, const FlowOptions& flow, const Placement& place, uint64_t seed,
                     const Json& earlier)
    : options_(std::move(options)),
      place_(place),
      seed_(seed),
      flow_(flow),
      ledger_(std::make_shared<UsageLedger>(earlier_roles(earlier), "the manifest's usage")) {}

AskingRun::~AskingRun() = default;

AnswerCache& AskingRun::cache() {
    if (!cache_)
        cache_ = std::make_shared<AnswerCache>(options_.answers.empty() ? default_answers_folder() : options_.answers);
    return *cache_;
}

std::shared_ptr<System> AskingRun::open_inner(const SystemSpec& spec, const std::string& role) {
    const auto found = opened_.find(spec.text());
    if (found != opened_.end()) return found->second.system;
    Opened opened;
    const bool is_hosted = spec.kind == SystemSpec::Kind::hosted;
    const bool is_recorded = options_.record == RoleSystemOptions::Record::all ||
                             (options_.record == RoleSystemOptions::Record::hosted && is_hosted);
    if (is_hosted && is_recorded && !std::exchange(warned_old_, true)) warn_of_old_answers(cache());
    if (is_hosted && !options_.batch.empty()) {
        const auto unsent = std::make_shared<UnsentSystem>(hosted_profile(spec, options_.profiles));
        BatchSystemOptions batch = batch_options(options_.batch, unsent, role);
        batch.on_recorded = [this](const AwaitedRequest& request, const Reply& reply) {
            ledger_->add(request.role, request.stage, {reply});
        };
        opened.batch = std::make_shared<BatchSystem>(unsent, cache(), std::move(batch));
        opened.system = opened.batch;
    } else {
        opened.inner = open_system(spec, {.dtype = place_.dtype,
                                          .device = place_.device,
                                          .chat = options_.chat,
                                          .local = {.seed = seed_},
                                          .profiles = options_.profiles,
                                          .processes = ranks().size(),
                                          .with_identity = is_recorded});
        opened.system = opened.inner;
        if (!is_hosted) opened.system = std::make_shared<ComputedSystem>(flow_, opened.inner);
    }
    return surrounded(spec.text(), std::move(opened), is_recorded, is_hosted || is_recorded);
}

std::shared_ptr<System> AskingRun::surrounded(const std::string& name, Opened opened, bool is_recorded, bool is_awaited) {
    if (is_recorded) {
        cache();
        opened.recorded = std::make_shared<RecordedSystem>(opened.system, cache_);
        opened.system = opened.recorded;
    }
    if (is_awaited) opened.system = std::make_shared<AwaitedSystem>(flow_, opened.system);
    return opened_.emplace(name, std::move(opened)).first->second.system;
}

AskingRun::Role& AskingRun::role_system(const std::string& name, const std::shared_ptr<System>& system,
                                        const std::string& role) {
    std::unique_ptr<Role>& named = roles_[role + " " + name];
    if (!named) named = std::make_unique<Role>(system, ledger_, role);
    return *named;
}

System& AskingRun::open(const SystemSpec& spec, const std::string& role) {
    Role& played = role_system(spec.text(), open_inner(spec, role), role);
    if (spec.kind == SystemSpec::Kind::hosted) return played.longer;
    return played;  // what computes here knows its window
}

System& AskingRun::open_hosted(const std::shared_ptr<System>& system, const std::string& role) {
    const std::string name = system->name();
    const auto found = opened_.find(name);
    const bool is_recorded = options_.record != RoleSystemOptions::Record::none;
    return role_system(name,
                       found != opened_.end() ? found->second.system
                                              : surrounded(name, {system, system, nullptr, nullptr}, is_recorded, true),
                       role);
}

void AskingRun::finish() {
    std::exception_ptr first;  // the others' answers and files are finished all the same
    for (auto& [name, opened] : opened_) {
        try {
            if (opened.recorded) opened.recorded->finish();
            if (!opened.batch) continue;
            for (const fs::path& file : opened.batch->finish())
                log_info("requests for a batch", {{"file", file.string()}, {"system", name}});
        } catch (const Error&) {
            if (!first) first = std::current_exception();
        }
    }
    if (first) std::rethrow_exception(first);
}

Json AskingRun::usage() const {
    Json usage = {{"roles", ledger_->to_json()}};
    for (const auto& [name, opened] : opened_) {
        if (opened.recorded) usage["recorded"][name] = opened.recorded->counts().to_json();
        if (const Json figures = opened.inner ? opened.inner->figures() : Json(); !figures.is_null())
            usage["systems"][name] = figures;
        if (opened.batch) usage["batches"][name] = opened.batch->counts().to_json();
    }
    sum_into(usage, of_others_);
    return usage;
}

void AskingRun::add(const Json& usage) {
    ledger_->add(earlier_roles(usage), "another rank's usage");
    Json counts = usage;
    counts.erase("roles");
    sum_into(of_others_, counts);
}

void AskingRun::report(bool all) const {
    for (const std::string& line : ledger_->lines()) log_info(line);
    if (all) return;
    int64_t awaited = 0;  // requests in the batch files of this run
    for (const auto& [name, opened] : opened_)
        if (opened.batch) awaited += opened.batch->written() + opened.batch->counts().open;
    log_info("waiting for batch results: copy them to the batch folder and rerun",
             {{"requests", awaited}, {"folder", options_.batch.string()}});
}

}  // namespace craft
