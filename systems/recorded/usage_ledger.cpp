#include "systems/recorded/usage_ledger.h"

#include <array>
#include <cstdio>
#include <set>

namespace craft {

namespace {

using Count = std::pair<const char*, int64_t UsageSums::*>;
constexpr std::array<Count, 8> kCounts = {{{"requests", &UsageSums::requests},
                                           {"hits", &UsageSums::hits},
                                           {"prompt_tokens", &UsageSums::prompt_tokens},
                                           {"cached_tokens", &UsageSums::cached_tokens},
                                           {"new_tokens", &UsageSums::new_tokens},
                                           {"unpriced", &UsageSums::unpriced},
                                           {"retries", &UsageSums::retries},
                                           {"cut", &UsageSums::cut}}};

void add_usd(std::optional<double>& sum, const std::optional<double>& more) {
    if (more) sum = sum.value_or(0) + *more;
}

const Json& object_at(const Json& value, const std::string& where) {
    if (!value.is_object()) throw Error(where, "an object", value.dump());
    return value;
}

const Json& field_at(const Json& object, const char* name, const std::string& where) {
    if (!object.contains(name)) throw Error(where, std::string("the field '") + name + "'", "none");
    return object[name];
}

int64_t count_at(const Json& value, const std::string& where) {
    if (!value.is_number_integer() || value < 0) throw Error(where, "a count", value.dump());
    return value.get<int64_t>();
}

double number_at(const Json& value, const std::string& where) {
    if (!value.is_number()) throw Error(where, "a number", value.dump());
    return value.get<double>();
}

std::string rounded(const char* format, double value) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), format, value);
    return text.data();
}

std::string price(const UsageSums& sums) {
    if (!sums.usd) return sums.unpriced > 0 ? ", price not known" : "";
    std::string text = ", USD " + rounded("%.4f", *sums.usd);
    if (sums.unpriced > 0) text += " and " + std::to_string(sums.unpriced) + " answers without a price";
    return text;
}

std::string times(const UsageSums& sums) {
    const auto half = sums.latencies.quantile(.5), most = sums.latencies.quantile(.95);
    if (!half) return "";
    return ", " + rounded("%.3g", *half) + " s per answer (95 %: " + rounded("%.3g", *most) + " s)";
}

std::string line_of(const std::string& role, const UsageSums& sums) {
    std::string line = role + ": " + std::to_string(sums.requests) + " requests (" + std::to_string(sums.hits) +
                       " recorded), " + std::to_string(sums.prompt_tokens) + " prompt tokens (" +
                       std::to_string(sums.cached_tokens) + " cached), " + std::to_string(sums.new_tokens) + " new tokens" +
                       price(sums) + times(sums);
    if (sums.retries > 0) line += ", " + std::to_string(sums.retries) + " retries";
    if (sums.cut > 0) line += ", " + std::to_string(sums.cut) + " cut at the limit";
    std::string failed;
    for (const auto& [name, count] : sums.failures)
        failed += (failed.empty() ? "" : ", ") + std::to_string(count) + " " + name;
    return failed.empty() ? line : line + ", failed: " + failed;
}

}  // namespace

void UsageSums::add(const Reply& reply) {
    ++requests;
    if (reply.recorded) {
        // A failure is one whoever asked: of a request that is in a batch file, or equals one that failed.
        if (reply.status == Reply::Status::failed)
            ++failures[failure_name(reply.failure)];
        else
            ++hits;
        return;
    }
    const Usage& usage = reply.usage;
    prompt_tokens += usage.prompt_tokens;
    cached_tokens += usage.cached_tokens;
    new_tokens += usage.new_tokens;
    seconds += usage.seconds;
    retries += usage.retries;
    add_usd(usd, usage.usd);
    const bool failed = reply.status == Reply::Status::failed;
    // A request that failed without a token cost nothing, so that no price is missing.
    if (!usage.usd && (!failed || usage.prompt_tokens + usage.new_tokens > 0)) ++unpriced;
    if (failed) {
        ++failures[failure_name(reply.failure)];
        return;
    }
    if (usage.seconds > 0) latencies.add(usage.seconds);
    if (reply.status == Reply::Status::cut) ++cut;
}

void UsageSums::add(const UsageSums& others) {
    for (const auto& [name, count] : kCounts) this->*count += others.*count;
    add_usd(usd, others.usd);
    seconds += others.seconds;
    latencies.add(others.latencies);
    for (const auto& [name, count] : others.failures) failures[name] += count;
}

Json UsageSums::to_json() const {
    Json value;
    for (const auto& [name, count] : kCounts) value[name] = this->*count;
    value["usd"] = value_or_null(usd);
    value["seconds"] = seconds;
    value["latency"] = latencies.to_json();
    value["failures"] = failures;
    return value;
}

UsageSums UsageSums::from_json(const Json& value, const std::string& where) {
    object_at(value, where);
    UsageSums sums;
    for (const auto& [name, count] : kCounts) sums.*count = count_at(field_at(value, name, where), where + ": " + name);
    if (const Json& usd = field_at(value, "usd", where); !usd.is_null()) sums.usd = number_at(usd, where + ": usd");
    sums.seconds = number_at(field_at(value, "seconds", where), where + ": seconds");
    sums.latencies = Latencies::from_json(field_at(value, "latency", where), where + ": latency");
    for (const auto& [name, count] : object_at(field_at(value, "failures", where), where + ": failures").items())
        sums.failures[name] = count_at(count, where + ": failures: " + name);
    return sums;
}

UsageLedger::UsageLedger(const Json& earlier, const std::string& where) {
    add(earlier, where);
}

void UsageLedger::add(const Json& others, const std::string& where) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& [role, stages] : object_at(others, where).items())
        for (const auto& [stage, sums] : object_at(stages, where + ": " + role).items())
            roles_[role][stage].add(UsageSums::from_json(sums, where + ": " + role + ": " + stage));
}

void UsageLedger::add(const std::string& role, const std::string& stage, const std::vector<Reply>& replies) {
    const std::lock_guard<std::mutex> lock(mutex_);
    UsageSums& sums = roles_[role][stage];
    for (const Reply& reply : replies) sums.add(reply);
}

Json UsageLedger::to_json() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    Json value = Json::object();
    for (const auto& [role, stages] : roles_)
        for (const auto& [stage, sums] : stages) value[role][stage] = sums.to_json();
    return value;
}

UsageSums UsageLedger::sums(const std::string& role) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    UsageSums all;
    if (const auto found = roles_.find(role); found != roles_.end())
        for (const auto& [stage, sums] : found->second) all.add(sums);
    return all;
}

std::string UsageLedger::unanswered() const {
    static const std::set<std::string> kNoModel = {
        failure_name(Failure::rate_limited), failure_name(Failure::server_error), failure_name(Failure::refused_request),
        failure_name(Failure::redirected),   failure_name(Failure::timed_out),    failure_name(Failure::dropped),
        failure_name(Failure::not_json)};
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& [role, stages] : roles_) {
        UsageSums all;
        for (const auto& [stage, sums] : stages) all.add(sums);
        int64_t failed = 0;
        std::string line = role + ":";
        for (const auto& [kind, count] : all.failures) {
            if (!kNoModel.contains(kind)) continue;
            failed += count;
            line += (line.ends_with(":") ? " " : ", ") + kind + " " + std::to_string(count);
        }
        if (failed > 0 && failed == all.requests) return line;
    }
    return "";
}

std::vector<std::string> UsageLedger::lines() const {
    std::vector<std::string> roles, lines;
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        for (const auto& [role, stages] : roles_) roles.push_back(role);
    }
    for (const std::string& role : roles) lines.push_back(line_of(role, sums(role)));
    return lines;
}

}  // namespace craft
