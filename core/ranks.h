// The processes (ranks) that share the work of one command, each of which was started with the same command line.
#pragma once

#include <string>
#include <vector>

namespace craft {

// One alone, unless a derived class says otherwise (train/parallel/process_group.h). Every rank makes the same calls in the
// same order, but for check(). All of them throw Error once another rank has failed or is lost, and Stopped where one was
// stopped by a signal.
class Ranks {
public:
    virtual ~Ranks() = default;
    static Ranks& alone();

    virtual int rank() const { return 0; }
    virtual int size() const { return 1; }
    bool is_first() const { return rank() == 0; }  // rank 0: the one that writes files and speaks
    // Whether the `number`th piece of work is this rank's: pieces are dealt in turn.
    bool is_own(size_t number) const { return number % static_cast<size_t>(size()) == static_cast<size_t>(rank()); }

    // The text of each rank, in their order, in all of them: waits until every rank has come here.
    virtual std::vector<std::string> exchange(const std::string& text) { return {text}; }
    // Waits until every rank has come here.
    void meet() { exchange(""); }
    // To be called now and then in long work that no other rank waits for yet.
    virtual void check() {}
};

// Where this rank writes the output of a command: rank 0 to its file, the others to /dev/null.
std::string own_output(const std::string& output, const Ranks& ranks);

}  // namespace craft
