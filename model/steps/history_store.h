// Histories that outlive a call: what a prompt begins with need not be computed again while it is kept.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace craft {

// Keys and values of a sequence's tokens, which do not change any more: what continues after them, once or several times,
// shares them. Each kind of Steps (model/steps/steps.h) has its own.
struct History {
    virtual ~History() = default;
    int64_t length = 0;  // tokens
    // What it takes of memory, by parts that histories share: where a part lies, and bytes.
    virtual std::vector<std::pair<const void*, int64_t>> parts() const = 0;
};

class HistoryStore {
public:
    // More than this many bytes are never kept: those that were not used for longest go first. 0: nothing is kept.
    void set_max_bytes(int64_t bytes);

    struct Found {
        std::shared_ptr<const History> history;  // null: none
        int64_t length = 0;                      // how many of its tokens are those that were asked for
    };
    // The one that begins with the most of the first `limit` tokens.
    Found longest(const std::vector<int64_t>& tokens, int64_t limit);
    // Keys and values of `tokens`. What is kept of a beginning of them is kept no longer by itself.
    void keep(std::vector<int64_t> tokens, std::shared_ptr<const History> history);

    int64_t bytes() const { return bytes_; }
    int64_t max_held_bytes() const { return max_held_bytes_; }  // at any time so far
    size_t count() const { return kept_.size(); }
    int64_t dropped() const { return dropped_; }  // for want of room

private:
    struct Kept {
        std::vector<int64_t> tokens;
        std::shared_ptr<const History> history;
    };
    struct Part {
        int64_t holders = 0, bytes = 0;
    };
    void hold(const History& history);
    void release(const History& history);
    std::list<Kept>::iterator remove(std::list<Kept>::iterator kept);

    int64_t max_bytes_ = 0, bytes_ = 0, max_held_bytes_ = 0, dropped_ = 0;
    std::list<Kept> kept_;                         // the last used first
    std::unordered_map<const void*, Part> parts_;  // of all of them
};

}  // namespace craft
