// craft-train as several processes of one machine, as a launcher starts them.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "core/json.h"

namespace craft::test {

using Variables = std::map<std::string, std::string>;

inline bool can_listen(int port) {
    const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_ANY);
    address.sin_port = htons(static_cast<uint16_t>(port));
    const bool can = ::bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    ::close(fd);
    return can;
}

// Below the ports that the system hands out by itself; tests that run at the same time have other process ids.
inline int free_port() {
    static int next = 0;
    while (true) {
        const int port = 10000 + (static_cast<int>(::getpid()) * 31 + next++) % 20000;
        if (can_listen(port)) return port;
    }
}

// Variables with an empty value are taken out of the environment.
inline pid_t start_process(const std::vector<std::string>& arguments, const Variables& variables, const std::string& log) {
    const pid_t child = ::fork();
    if (child != 0) return child;
    for (const char* name :
         {"RANK", "WORLD_SIZE", "LOCAL_RANK", "MASTER_ADDR", "MASTER_PORT", "SLURM_PROCID", "SLURM_NTASKS"})
        ::unsetenv(name);
    for (const auto& [name, value] : variables) ::setenv(name.c_str(), value.c_str(), 1);
    static_cast<void>(!std::freopen("/dev/null", "r", stdin));
    static_cast<void>(!std::freopen((log + ".out").c_str(), "w", stdout));
    static_cast<void>(!std::freopen(log.c_str(), "w", stderr));
    const char* program = std::getenv("CRAFT_PROGRAM");
    std::vector<char*> argv = {const_cast<char*>("craft-train")};
    for (const auto& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    ::execv(program == nullptr ? "CRAFT_PROGRAM is not set" : program, argv.data());
    ::_exit(127);
}

class RankProcesses {
public:
    RankProcesses(int size, const std::vector<std::string>& arguments, const std::filesystem::path& logs,
                  const Variables& more = {}) {
        const std::string port = std::to_string(free_port());
        for (int rank = 0; rank < size; ++rank) {
            Variables variables;
            if (size > 1)
                variables = {{"RANK", std::to_string(rank)},
                             {"WORLD_SIZE", std::to_string(size)},
                             {"LOCAL_RANK", std::to_string(rank)},
                             {"MASTER_ADDR", "127.0.0.1"},
                             {"MASTER_PORT", port}};
            for (const auto& [name, value] : more) variables[name] = value;
            logs_.push_back((logs / ("log-" + std::to_string(rank))).string());
            children_.push_back(start_process(arguments, variables, logs_.back()));
            codes_.push_back(-1);
        }
    }
    ~RankProcesses() {
        for (size_t rank = 0; rank < children_.size(); ++rank)
            if (codes_[rank] == -1) {
                ::kill(children_[rank], SIGKILL);
                ::waitpid(children_[rank], nullptr, 0);
            }
    }
    RankProcesses(const RankProcesses&) = delete;
    RankProcesses& operator=(const RankProcesses&) = delete;

    void signal(int rank, int number) { ::kill(children_[static_cast<size_t>(rank)], number); }
    // Their exit codes (128 + N for one that signal N killed); -1 of those that still run after `seconds`.
    std::vector<int> wait(double seconds = 120) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
        for (size_t rank = 0; rank < children_.size(); ++rank)
            while (codes_[rank] == -1) {
                int status = 0;
                if (::waitpid(children_[rank], &status, WNOHANG) == children_[rank])
                    codes_[rank] = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
                else if (std::chrono::steady_clock::now() > end)
                    break;
                else
                    ::usleep(2000);
            }
        return codes_;
    }
    int wait_for(int rank, double seconds) {
        for (const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
             wait(0)[static_cast<size_t>(rank)] == -1 && std::chrono::steady_clock::now() < end;)
            ::usleep(2000);
        return codes_[static_cast<size_t>(rank)];
    }
    // What the rank wrote to stderr.
    std::string log(int rank) const { return contents(logs_[static_cast<size_t>(rank)]); }
    std::string output(int rank) const { return contents(logs_[static_cast<size_t>(rank)] + ".out"); }
    std::vector<std::string> errors(int rank) const {
        std::vector<std::string> found;
        std::istringstream lines(log(rank));
        for (std::string line; std::getline(lines, line);)
            if (line.rfind("error: ", 0) == 0) found.push_back(line.substr(7));
        return found;
    }
    std::string all_logs() const {
        std::string all;
        for (size_t rank = 0; rank < logs_.size(); ++rank)
            all += "--- rank " + std::to_string(rank) + "\n" + log(static_cast<int>(rank));
        return all;
    }

private:
    static std::string contents(const std::string& path) {
        std::ifstream in(path, std::ios::binary);
        std::ostringstream bytes;
        bytes << in.rdbuf();
        return bytes.str();
    }
    std::vector<pid_t> children_;
    std::vector<std::string> logs_;
    std::vector<int> codes_;
};

inline std::vector<Json> rows_in(const std::filesystem::path& path) {
    std::vector<Json> rows;
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);) rows.push_back(Json::parse(line));
    return rows;
}

// The curve in `file` is that in `expected`, once a step, within 1e-6.
inline void expect_same_rows(const std::filesystem::path& file, const std::filesystem::path& expected) {
    const auto rows = rows_in(file), wanted = rows_in(expected);
    ASSERT_EQ(rows.size(), wanted.size()) << file;
    ASSERT_FALSE(wanted.empty()) << expected;
    for (size_t i = 0; i < rows.size(); ++i)
        for (const auto& [key, value] : wanted[i].items()) {
            if (key == "seconds" || key == "tokens_per_second" || key == "mfu" || key == "peak_memory_bytes") continue;
            ASSERT_TRUE(rows[i].contains(key)) << key;
            // Where the margins of a few pairs hardly differ it is made of rounding; the unit tests add its sums up.
            if (key == "reward_correlation") continue;
            // Log-probabilities in float32 of a sum that comes in another order differ by some 1e-7; loss is what the
            // contract bounds, the others follow it or are differences of close numbers.
            const double tolerance = key == "loss" ? 1e-6 : 1e-4;
            EXPECT_NEAR(rows[i][key].get<double>(), value.get<double>(),
                        tolerance * std::max(std::abs(value.get<double>()), key == "margin" ? 1.0 : 0.0))
                << file << ", step " << rows[i]["step"] << ", " << key;
        }
}

// Waits until a file has this many whole lines; false after a minute.
inline bool wait_for_lines(const std::filesystem::path& path, size_t count) {
    for (int i = 0; i < 60000; ++i) {
        std::ifstream in(path);
        size_t lines = 0;
        for (std::string line; std::getline(in, line) && !in.eof();) ++lines;
        if (lines >= count) return true;
        ::usleep(1000);
    }
    return false;
}

}  // namespace craft::test
