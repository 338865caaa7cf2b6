// How fast a hosted system asks: `bench_chat_server --latency-ms 20`, then `bench_hosted http://127.0.0.1:PORT/v1 2000 64`
// (concurrency 0: adapted). With 20 ms each and 64 at once, 2,000 requests take 0.625 s at best. A fourth argument names a
// folder in which the answers are recorded.
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <exception>

#include "systems/hosted/hosted_system.h"
#include "systems/recorded/recorded_system.h"

namespace {

double cpu_seconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

void measure(const char* url, int64_t count, int64_t concurrency, const char* answers) {
    craft::HostedProfile profile;
    profile.name = "bench";
    profile.model = "test-model";
    profile.endpoints = {{.base_url = url}};
    profile.concurrency = concurrency;
    std::vector<craft::Request> requests(static_cast<size_t>(count));
    for (size_t i = 0; i < requests.size(); ++i) {
        const std::string content = "Question " + std::to_string(i) + std::string(1000, '.');
        requests[i].conversation.messages = craft::Json::array({{{"role", "user"}, {"content", content}}});
        requests[i].item = i;
    }
    const auto hosted = std::make_shared<craft::HostedSystem>(profile);
    std::shared_ptr<craft::System> system = hosted;
    if (answers != nullptr)
        system = std::make_shared<craft::RecordedSystem>(hosted, std::make_shared<craft::AnswerCache>(answers));
    const double begin = craft::steady_seconds(), cpu = cpu_seconds();
    int64_t answered = 0, told = 0;
    for (const craft::Reply& reply : system->answer_into(requests, {}, [&](const auto&, const auto&) { ++told; }))
        answered += reply.is_finished() ? 1 : 0;
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const craft::HostedReport report = hosted->report();
    std::printf("%lld of %lld answered in %.3f s (%.3f s of CPU), at most %lld at once, told %lld times, %.1f MB\n",
                static_cast<long long>(answered), static_cast<long long>(count), craft::steady_seconds() - begin,
                cpu_seconds() - cpu, static_cast<long long>(report.max_concurrent), static_cast<long long>(told),
                static_cast<double>(usage.ru_maxrss) / 1024);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fputs("usage: bench_hosted BASE_URL [REQUESTS] [CONCURRENCY] [FOLDER]\n", stderr);
        return 2;
    }
    try {
        measure(argv[1], argc > 2 ? std::atoll(argv[2]) : 2000, argc > 3 ? std::atoll(argv[3]) : 64,
                argc > 4 ? argv[4] : nullptr);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
