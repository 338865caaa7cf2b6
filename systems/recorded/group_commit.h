// Work of many threads in few transactions: all that waits while one is being committed goes into the next one.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <vector>

namespace craft {

struct Transaction {
    std::function<void()> begin, commit;
    std::function<void()> rollback;  // must not throw
};

class GroupCommit {
public:
    explicit GroupCommit(Transaction transaction) : transaction_(std::move(transaction)) {}
    // Runs `work` in a transaction, on this thread or another one that came first, and returns when that is committed. Works
    // run one at a time. If one of a transaction throws, or its begin or commit does, it is rolled back and every caller
    // with a part in it gets that exception: what concerns one alone, `work` must keep to itself.
    void run(const std::function<void()>& work);

private:
    struct Job {
        const std::function<void()>* work;
        std::condition_variable turn;
        std::exception_ptr failure;
        bool done = false;
    };
    std::exception_ptr commit(const std::vector<Job*>& jobs);

    Transaction transaction_;
    std::mutex mutex_;
    std::vector<Job*> waiting_;
    bool committing_ = false;
};

}  // namespace craft
