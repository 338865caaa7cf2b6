#include "tools/grammar.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "tools/utf8_ranges.h"

namespace craft {

namespace {

using Kind = GrammarTerm::Kind;

// The automaton that the terms spell out (Thompson's construction): every use of a rule is a copy of it.
class Network {
public:
    explicit Network(const GrammarRules& rules) : rules_(rules) {
        start_ = add_state();
        end_ = build(rules.front().body, start_);
    }

    struct Edge {
        uint8_t first = 0, last = 0;
        int32_t to = 0;
    };
    int32_t start() const { return start_; }
    int32_t end() const { return end_; }
    const std::vector<std::vector<Edge>>& edges() const { return edges_; }

    // The states with those that they reach without a byte; ascending.
    std::vector<int32_t> closure(std::vector<int32_t> states) const {
        std::set<int32_t> reached(states.begin(), states.end());
        while (!states.empty()) {
            const int32_t state = states.back();
            states.pop_back();
            for (const int32_t to : silent_[static_cast<size_t>(state)])
                if (reached.insert(to).second) states.push_back(to);
        }
        return {reached.begin(), reached.end()};
    }

private:
    int32_t add_state() {
        edges_.emplace_back();
        silent_.emplace_back();
        return static_cast<int32_t>(edges_.size()) - 1;
    }
    void join(int32_t from, int32_t to) { silent_[static_cast<size_t>(from)].push_back(to); }
    int32_t add_bytes(int32_t from, uint8_t first, uint8_t last) {
        const int32_t to = add_state();
        edges_[static_cast<size_t>(from)].push_back({first, last, to});
        return to;
    }

    // Adds the term after `from`; returns the state after it.
    int32_t build(const GrammarTerm& term, int32_t from) {
        switch (term.kind) {
            case Kind::literal:
                for (const char c : term.text) from = add_bytes(from, static_cast<uint8_t>(c), static_cast<uint8_t>(c));
                return from;
            case Kind::characters:
                return build_characters(term.characters, from);
            case Kind::rule:
                return build(std::find_if(rules_.begin(), rules_.end(),
                                          [&](const GrammarRule& rule) { return rule.name == term.text; })
                                 ->body,
                             from);
            case Kind::sequence:
                for (const GrammarTerm& part : term.parts) from = build(part, from);
                return from;
            case Kind::choice:
                return build_choice(term, from);
            case Kind::repetition:
                return build_repetition(term, from);
        }
        return from;
    }

    int32_t build_choice(const GrammarTerm& term, int32_t from) {
        const int32_t behind = add_state();
        for (const GrammarTerm& part : term.parts) {
            const int32_t branch = add_state();
            join(from, branch);
            join(build(part, branch), behind);
        }
        return behind;
    }

    int32_t build_repetition(const GrammarTerm& term, int32_t from) {
        for (size_t i = 0; i < term.least; ++i) from = build(term.parts[0], from);
        if (!term.most) {
            const int32_t again = add_state();
            join(from, again);
            join(build(term.parts[0], again), again);
            return again;
        }
        const int32_t behind = add_state();
        for (size_t i = term.least; i < *term.most; ++i) {
            join(from, behind);
            const int32_t once_more = add_state();
            join(from, once_more);
            from = build(term.parts[0], once_more);
        }
        join(from, behind);
        return behind;
    }

    int32_t build_characters(const CharacterSet& characters, int32_t from) {
        const int32_t behind = add_state();
        for (const Utf8Ranges& ranges : utf8_ranges(characters)) {
            int32_t at = from;
            for (size_t i = 0; i + 1 < ranges.size(); ++i) at = add_bytes(at, ranges[i].first, ranges[i].last);
            edges_[static_cast<size_t>(at)].push_back({ranges.back().first, ranges.back().last, behind});
        }
        return behind;
    }

    const GrammarRules& rules_;
    std::vector<std::vector<Edge>> edges_;
    std::vector<std::vector<int32_t>> silent_;
    int32_t start_ = 0, end_ = 0;
};

// The first byte of each kind of bytes that no edge tells apart.
std::vector<uint8_t> kinds_of_bytes(const Network& network) {
    std::set<int> begins = {0};
    for (const auto& edges : network.edges())
        for (const Network::Edge& edge : edges) {
            begins.insert(edge.first);
            if (edge.last < 255) begins.insert(edge.last + 1);
        }
    return {begins.begin(), begins.end()};
}

struct Table {
    size_t kinds = 0;
    std::vector<int32_t> next;
    std::vector<uint8_t> may_end;
};

// The subset construction; state 0 is the start.
Table determinised(const Network& network, const std::vector<uint8_t>& kinds) {
    Table table;
    table.kinds = kinds.size();
    std::map<std::vector<int32_t>, int32_t> numbers;
    std::vector<const std::vector<int32_t>*> subsets;
    const auto number_of = [&](std::vector<int32_t> subset) {
        const auto [place, is_new] = numbers.emplace(std::move(subset), static_cast<int32_t>(numbers.size()));
        if (is_new) subsets.push_back(&place->first);
        return place->second;
    };
    number_of(network.closure({network.start()}));
    for (size_t state = 0; state < subsets.size(); ++state) {
        const std::vector<int32_t>& subset = *subsets[state];
        table.may_end.push_back(std::binary_search(subset.begin(), subset.end(), network.end()) ? 1 : 0);
        for (const uint8_t byte : kinds) {
            std::vector<int32_t> targets;
            for (const int32_t from : subset)
                for (const Network::Edge& edge : network.edges()[static_cast<size_t>(from)])
                    if (edge.first <= byte && byte <= edge.last) targets.push_back(edge.to);
            table.next.push_back(targets.empty() ? -1 : number_of(network.closure(std::move(targets))));
        }
    }
    return table;
}

// States that the same texts may follow become one (Moore's refinement): what is kept by state is then shared.
Table minimised(const Table& table) {
    const size_t states = table.may_end.size();
    std::vector<int32_t> group(table.may_end.begin(), table.may_end.end());
    size_t groups = 0;
    while (true) {
        std::map<std::vector<int32_t>, int32_t> seen;
        std::vector<int32_t> finer(states);
        for (size_t state = 0; state < states; ++state) {
            std::vector<int32_t> signature = {group[state]};
            for (size_t kind = 0; kind < table.kinds; ++kind) {
                const int32_t to = table.next[state * table.kinds + kind];
                signature.push_back(to < 0 ? -1 : group[static_cast<size_t>(to)]);
            }
            finer[state] = seen.emplace(std::move(signature), static_cast<int32_t>(seen.size())).first->second;
        }
        group = std::move(finer);
        if (seen.size() == groups) break;
        groups = seen.size();
    }
    Table smaller;
    smaller.kinds = table.kinds;
    smaller.may_end.resize(groups);
    smaller.next.resize(groups * table.kinds);
    for (size_t state = 0; state < states; ++state) {
        const auto place = static_cast<size_t>(group[state]);
        smaller.may_end[place] = table.may_end[state];
        for (size_t kind = 0; kind < table.kinds; ++kind) {
            const int32_t to = table.next[state * table.kinds + kind];
            smaller.next[place * table.kinds + kind] = to < 0 ? -1 : group[static_cast<size_t>(to)];
        }
    }
    return smaller;
}

}  // namespace

// Every state leads to a sentence, since no term is without one: a dead text is known at the byte that killed it.
Grammar::Grammar(GrammarRules rules) : rules_(std::move(rules)) {
    check_grammar_rules(rules_);
    const Network network(rules_);
    const std::vector<uint8_t> kinds = kinds_of_bytes(network);
    for (size_t kind = 0; kind < kinds.size(); ++kind)
        std::fill(kind_of_.begin() + kinds[kind], kind_of_.end(), static_cast<uint8_t>(kind));
    Table table = minimised(determinised(network, kinds));
    kinds_ = table.kinds;
    next_ = std::move(table.next);
    may_end_ = std::move(table.may_end);
    start_ = 0;  // the first state that is looked at opens the first group
}

}  // namespace craft
