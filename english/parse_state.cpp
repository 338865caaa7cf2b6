#include "english/parse_state.h"

namespace craft {

ParseState::ParseState(int words)
    : words_(words),
      heads_(static_cast<size_t>(words), -1),
      was_returned_(static_cast<size_t>(words)),
      starts_sentence_(static_cast<size_t>(words)) {
    if (words > 0) starts_sentence_[0] = true;
}

int ParseState::stack(size_t depth) const {
    return depth < stack_.size() ? stack_[stack_.size() - 1 - depth] : -1;
}

int ParseState::buffer(size_t ahead) const {
    if (ahead < returned_.size()) return returned_[returned_.size() - 1 - ahead];
    const int word = next_ + static_cast<int>(ahead - returned_.size());
    return word < words_ ? word : -1;
}

int ParseState::last_child(const Arcs& arcs, int head) {
    if (head < 0) return -1;
    const auto found = arcs.find(head);
    return found == arcs.end() || found->second.empty() ? -1 : found->second.back().child;
}

bool ParseState::is_valid(Action action) const {
    const size_t left = left_in_buffer();
    if (action == break_sentence) {
        if (left < 2) return false;
        const int second = buffer(1);
        return second == buffer(0) + 1 && !starts_sentence_[static_cast<size_t>(second)];
    }
    if (stack_.empty()) return action == shift;
    if (action == reduce) return true;
    const auto next = static_cast<size_t>(buffer(0));
    if (left == 0 || starts_sentence_[next]) return false;
    return action != shift || (left >= 2 && !was_returned_[next]);
}

void ParseState::push() {
    if (returned_.empty()) {
        stack_.push_back(next_++);
    } else {
        stack_.push_back(returned_.back());
        returned_.pop_back();
    }
}

// A word that has a head and gets another one is on top of the stack, right above its head, whose last arc is to it.
void ParseState::add_arc(int head, int child, int label) {
    int& known = heads_[static_cast<size_t>(child)];
    if (known >= 0) right_[known].pop_back();
    (head > child ? left_ : right_)[head].push_back({head, child, label});
    known = head;
}

void ParseState::take(Action action, int label) {
    const int next = buffer(0);
    switch (action) {
        case shift:
            push();
            break;
        case reduce:
            if (heads_[static_cast<size_t>(stack_.back())] < 0 && stack_.size() > 1) {
                was_returned_[static_cast<size_t>(stack_.back())] = true;
                returned_.push_back(stack_.back());
            }
            stack_.pop_back();
            break;
        case left_arc:
            add_arc(next, stack_.back(), label);
            was_returned_[static_cast<size_t>(next)] = false;  // the stack is smaller now, so that this has an end
            stack_.pop_back();
            break;
        case right_arc:
            add_arc(stack_.back(), next, label);
            push();
            break;
        case break_sentence:
            starts_sentence_[static_cast<size_t>(buffer(1))] = true;
            break;
        case actions:
            break;
    }
}

void ParseState::places(int* words) const {
    words[0] = buffer(0);
    words[1] = buffer(1);
    for (size_t i = 0; i < 3; ++i) words[2 + i] = stack(i);
    words[5] = last_child(left_, words[0]);
    words[6] = last_child(left_, words[2]);
    words[7] = last_child(right_, words[2]);
}

std::vector<ParseState::Arc> ParseState::arcs() const {
    std::vector<Arc> all;
    for (const Arcs* arcs : {&left_, &right_})
        for (const auto& [head, made] : *arcs) all.insert(all.end(), made.begin(), made.end());
    return all;
}

}  // namespace craft
