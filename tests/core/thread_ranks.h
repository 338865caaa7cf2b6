// Ranks that are threads of the test.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/error.h"
#include "core/ranks.h"

namespace craft::test {

class ThreadRanks {
public:
    // Runs `work` as each of so many ranks. Once one throws, what the others wait for throws Error("rank lost"). Returns
    // what each threw, "" of one that came to its end.
    static std::vector<std::string> run(int size, const std::function<void(Ranks&)>& work) {
        Shared shared;
        shared.texts.resize(static_cast<size_t>(size));
        std::vector<std::string> thrown(static_cast<size_t>(size));
        std::vector<std::thread> threads;
        for (int rank = 0; rank < size; ++rank)
            threads.emplace_back([&, rank] {
                One one(shared, rank);
                try {
                    work(one);
                } catch (const std::exception& error) {
                    thrown[static_cast<size_t>(rank)] = error.what();
                    shared.end();
                }
            });
        for (std::thread& thread : threads) thread.join();
        return thrown;
    }

private:
    struct Shared {
        std::vector<std::string> texts;
        std::mutex mutex;
        std::condition_variable all_came;
        size_t came = 0;
        int64_t times = 0;
        std::vector<std::string> said = {};  // of the last time
        bool ended = false;
        void end() {
            const std::lock_guard lock(mutex);
            ended = true;
            all_came.notify_all();
        }
    };
    class One : public Ranks {
    public:
        One(Shared& shared, int rank) : shared_(shared), rank_(rank) {}
        int rank() const override { return rank_; }
        int size() const override { return static_cast<int>(shared_.texts.size()); }
        std::vector<std::string> exchange(const std::string& text) override {
            std::unique_lock lock(shared_.mutex);
            shared_.texts[static_cast<size_t>(rank_)] = text;
            const int64_t time = shared_.times;
            if (++shared_.came == shared_.texts.size()) {
                shared_.said = shared_.texts;
                shared_.came = 0;
                ++shared_.times;
                shared_.all_came.notify_all();
            }
            shared_.all_came.wait(lock, [&] { return shared_.times > time || shared_.ended; });
            if (shared_.times == time) throw Error("rank lost");
            return shared_.said;
        }
        void check() override {
            const std::lock_guard lock(shared_.mutex);
            if (shared_.ended) throw Error("rank lost");
        }

    private:
        Shared& shared_;
        int rank_;
    };
};

}  // namespace craft::test
