// Calls that may hang for ever, made so that their caller does not.
#pragma once

#include <chrono>
#include <future>
#include <thread>
#include <utility>

namespace craft {

// A call of c10d, in a thread of its own: one that hangs, because a rank or the store is gone, can only be left behind and
// goes with the process. What it needs, it has of its own.
template <class Result>
class Aside {
public:
    template <class Call>
    explicit Aside(Call call) {
        std::packaged_task<Result()> task(std::move(call));
        result_ = task.get_future();
        thread_ = std::thread(std::move(task));
    }
    ~Aside() {
        if (!is_done(std::chrono::milliseconds(0))) thread_.detach();
    }
    Aside(const Aside&) = delete;
    Aside& operator=(const Aside&) = delete;

    bool is_done(std::chrono::milliseconds within) {
        if (!thread_.joinable()) return true;
        if (result_.wait_for(within) != std::future_status::ready) return false;
        thread_.join();
        return true;
    }
    Result result() { return result_.get(); }  // once, of one that is done

private:
    std::future<Result> result_;
    std::thread thread_;
};

}  // namespace craft
