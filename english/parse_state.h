// Where an arc-eager parser stands in a text: a stack, a buffer and the arcs so far.
// Reference: spaCy 3.8, StateC and ArcEager, which may take an arc back and put a word back to the buffer.
#pragma once

#include <cstddef>
#include <unordered_map>
#include <vector>

namespace craft {

class ParseState {
public:
    static constexpr int kPlaces = 8;  // words that the model sees of a state
    enum Action { shift, reduce, left_arc, right_arc, break_sentence, actions };
    struct Arc {
        int head = 0;
        int child = 0;
        int label = 0;
    };

    explicit ParseState(int words);

    bool is_final() const { return stack_.empty() && left_in_buffer() == 0; }
    bool is_valid(Action action) const;
    // Needs is_valid(action). `label` counts for arcs.
    void take(Action action, int label);
    // The next two words, the last three of the stack, and their outermost children so far; -1 where there is none.
    void places(int* words) const;
    // One for each word that has a head, in no order.
    std::vector<Arc> arcs() const;

private:
    using Arcs = std::unordered_map<int, std::vector<Arc>>;  // by head, in the order in which they were made

    int stack(size_t depth) const;
    int buffer(size_t ahead) const;
    size_t left_in_buffer() const { return static_cast<size_t>(words_ - next_) + returned_.size(); }
    static int last_child(const Arcs& arcs, int head);
    void push();
    void add_arc(int head, int child, int label);

    int words_ = 0;
    int next_ = 0;               // the first word that was never on the stack
    std::vector<int> stack_;     // the last is on top
    std::vector<int> returned_;  // words put back to the buffer, the next one last
    std::vector<int> heads_;     // -1: none
    std::vector<bool> was_returned_, starts_sentence_;
    Arcs left_, right_;
};

}  // namespace craft
