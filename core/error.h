// Errors that the whole program speaks: where, expected, got, hint. Only `main` turns them into exit codes.
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace craft {

// The work failed (exit code 1). what() is one line: "where: expected ..., got ... (hint)".
class Error : public std::runtime_error {
public:
    // Empty parts are left out of the line. `where` is a file, file:line, tensor, key or option.
    Error(const std::string& where, const std::string& expected, const std::string& got = "", const std::string& hint = "");
    // A plain one-line message, for failures that have no expectation (e.g. an I/O error).
    explicit Error(const std::string& line) : std::runtime_error(line) {}
};

// Wrong usage or configuration (exit code 2): every problem at once, one line each.
class UsageError : public Error {
public:
    explicit UsageError(std::vector<std::string> problems);
    explicit UsageError(const std::string& problem) : UsageError(std::vector<std::string>{problem}) {}
    const std::vector<std::string>& problems() const { return problems_; }

private:
    std::vector<std::string> problems_;
};

// What is wrong with a field of an options struct. Whoever bound the field tells the user by which option it came.
struct FieldProblem {
    std::string field;    // "lr"; of a struct within: "loss.beta"
    std::string problem;  // "expected a number above 0, got -1"
    std::string line() const { return field + ": " + problem; }
};

// The user stopped the run (exit code 128 + signal); thrown by loops after they saved their state.
class Stopped : public std::runtime_error {
public:
    explicit Stopped(int signal) : std::runtime_error("stopped by signal " + std::to_string(signal)), signal_(signal) {}
    int signal() const { return signal_; }

private:
    int signal_;
};

// The known name nearest to `name` by edit distance, for "did you mean" hints; empty if none is near.
std::string nearest_name(const std::string& name, const std::vector<std::string>& known);

// "; did you mean 'simpo'?", the end of a problem with a name that is not known; "" where none is near.
std::string did_you_mean(const std::string& name, const std::vector<std::string>& known);

// "expected one of a, b, c, got 'x'; did you mean 'a'?", of a value that is none of them.
std::string expected_one_of(const std::vector<std::string>& known, const std::string& got);

// "unknown loss 'x'; known: a, b, c; did you mean 'a'?" as one Error, for every registry.
[[noreturn]] void throw_unknown(const std::string& kind, const std::string& name, const std::vector<std::string>& known);

// ` (dropped: 3 "too short", 2 "no value")`, or nothing: what an error got, after "none".
std::string dropped_note(const std::map<std::string, int64_t>& dropped);

}  // namespace craft
