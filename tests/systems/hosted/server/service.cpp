#include "tests/systems/hosted/server/service.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <utility>

#include "core/file_hash.h"
#include "tests/systems/hosted/server/completion.h"

namespace craft::chat_server {

namespace {

const char* const kNoFault = "none";
constexpr int64_t kMaxChoices = 128;

double now() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

int64_t bound_of_faults(const ChatServerOptions& options) {
    if (options.max_faults) return *options.max_faults;
    const double sum = std::accumulate(options.faults.begin(), options.faults.end(), 0.0,
                                       [](double so_far, const FaultShare& fault) { return so_far + fault.share; });
    return sum <= .5 + 1e-9 && !options.choose ? 2 : -1;
}

Reply bad_request(const std::string& message, const Json& param = nullptr) {
    return refuse("400 Bad Request", message, "invalid_request_error", nullptr, param);
}

// What is wrong with a body's form, or "".
std::string form_problem(const Json& body) {
    if (!body.is_object()) return "We could not parse the JSON body of your request.";
    if (!has_value(body, "messages") || !body.at("messages").is_array() || body.at("messages").empty())
        return "Missing required parameter: 'messages'.";
    if (!has_value(body, "model")) return "you must provide a model parameter";
    if (has_value(body, "n") && !(body.at("n").is_number_integer() && body.at("n") >= 1 && body.at("n") <= kMaxChoices))
        return "Invalid value for 'n': expected 1 to 128.";
    return "";
}

}  // namespace

std::string body_hash(std::string_view body) {
    return hash_text(body);
}

int64_t ChatServerCounts::of(std::optional<Fault> fault) const {
    const auto found = faults.find(fault ? fault_name(*fault) : kNoFault);
    return found == faults.end() ? 0 : found->second;
}

Service::Service(const ChatServerOptions& options) : options_(options), max_faults_(bound_of_faults(options)) {
    if (!options.log.empty()) log_.emplace(options.log);
}

Taken Service::begin(ReceivedRequest request) {
    Taken taken;
    taken.at = now();
    taken.target = request.target;
    const std::string path = request.path();
    taken.is_chat = request.method == "POST" && path.ends_with("/chat/completions");
    if (taken.is_chat) taken.body = body_hash(request.body);
    {
        const std::lock_guard lock(mutex_);
        ++counts_.requests;
        if (path.starts_with("/redirected/")) ++counts_.redirected;
        counts_.max_in_flight = std::max(counts_.max_in_flight, ++counts_.in_flight);
        if (taken.is_chat) taken.asked = counts_.asked[taken.body]++;
    }
    taken.reply = route(request, taken);
    if (!request.keep_alive && taken.reply.ending == Reply::Ending::keep) taken.reply.ending = Reply::Ending::close;
    const std::lock_guard lock(mutex_);
    ++counts_.faults[taken.fault ? fault_name(*taken.fault) : kNoFault];
    if (options_.keep_requests) requests_.push_back(std::move(request));
    return taken;
}

Reply Service::route(const ReceivedRequest& request, Taken& taken) {
    if (request.is_to_proxy() && !options_.proxy_authorization.empty() &&
        request.header("proxy-authorization") != options_.proxy_authorization)
        return http_reply("407 Proxy Authentication Required", "text/plain", "who are you?\n",
                          "Proxy-Authenticate: Basic realm=\"tests\"\r\n");
    if (!options_.api_key.empty() && request.header("authorization") != "Bearer " + options_.api_key)
        return refuse("401 Unauthorized", "Incorrect API key provided.", "invalid_request_error", "invalid_api_key");
    if (taken.is_chat) return answer_chat(request, taken);
    if (request.method == "GET" && request.path().ends_with("/models")) return models_reply(options_);
    return refuse("404 Not Found", "Invalid URL (" + request.method + " " + request.path() + ")", "invalid_request_error");
}

Reply Service::answer_chat(const ReceivedRequest& request, Taken& taken) {
    const Json body = Json::parse(request.body, nullptr, false);
    if (const std::string problem = form_problem(body); !problem.empty()) return bad_request(problem);
    taken.fault = choose_fault(request, body, taken);
    taken.is_good = chat_server::is_good(taken.fault);
    return chat_reply(options_, request, body, taken.fault);
}

std::optional<Fault> Service::choose_fault(const ReceivedRequest& request, const Json& body, Taken& taken) {
    if (request.path().starts_with("/redirected/")) return std::nullopt;
    {
        const std::lock_guard lock(mutex_);
        if (options_.limit_in_flight > 0 && counts_.in_flight > options_.limit_in_flight) return Fault::http_429;
    }
    int64_t& faulty = faulty_[taken.body];
    if (max_faults_ >= 0 && faulty >= max_faults_) return std::nullopt;
    const auto fault = options_.choose ? options_.choose(body, taken.asked)
                                       : draw_fault(options_.faults, options_.seed, request.body, taken.asked);
    if (!fault || !concerns(*fault, body)) return std::nullopt;
    ++faulty;
    return fault;
}

void Service::end(const Taken& taken, bool written) {
    const bool is_answered = taken.is_good && written;
    {
        const std::lock_guard lock(mutex_);
        --counts_.in_flight;
        if (is_answered) {
            ++counts_.good;
            ++counts_.answered[taken.body];
        }
    }
    if (log_) write_log(taken, is_answered);
}

void Service::write_log(const Taken& taken, bool is_answered) {
    const Json row = {{"at", taken.at},
                      {"target", taken.target},
                      {"body", taken.is_chat ? Json(taken.body) : Json()},
                      {"asked", taken.asked},
                      {"fault", taken.fault ? Json(fault_name(*taken.fault)) : Json()},
                      {"good", is_answered},
                      {"seconds", now() - taken.at}};
    log_->write(dump_line(row) + "\n");
    log_->flush();  // whoever kills the client, or this process, reads it next
}

void Service::add_connection() {
    const std::lock_guard lock(mutex_);
    ++counts_.connections;
}

ChatServerCounts Service::counts() const {
    const std::lock_guard lock(mutex_);
    return counts_;
}

std::vector<ReceivedRequest> Service::requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
}

}  // namespace craft::chat_server
