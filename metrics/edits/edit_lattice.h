// All the ways in which the M2 scorer lets a source become a hypothesis (Dahlmeier and Ng 2012, section 3; nusnlp/m2scorer,
// commit cb874a7): a graph of cells (source tokens read, hypothesis tokens written) whose arcs are edits.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace craft {

struct LatticeVertex {
    int64_t source = 0, target = 0;  // tokens before it
    bool operator==(const LatticeVertex&) const = default;
    bool operator<(const LatticeVertex& other) const {
        return std::tie(source, target) < std::tie(other.source, other.target);
    }
};

// Replaces the source's tokens between its vertices by the target's.
struct LatticeArc {
    int32_t from = 0, to = 0;  // vertices
    int32_t steps = 1;         // elementary edits and unchanged tokens that it is made of
    int32_t unchanged = 0;     // unchanged tokens among them
    bool noop = false;         // nothing but unchanged tokens
};

struct EditLattice {
    std::vector<LatticeVertex> vertices;  // in their order, the first and the last cell included
    std::vector<LatticeArc> arcs;
    // The arcs in the order in which the scorer relaxes them. It lists some arcs several times: those of both lattices, and
    // those for which it found a shorter way. Their number and order decide between paths of one length, so they are kept.
    std::vector<int32_t> order;
};

struct LatticeLimits {
    int64_t max_unchanged_words = 2;  // unchanged tokens within an edit that is made of several
    int64_t max_arcs = 10'000'000;    // of one sentence: some 180 bytes each, with what finds and weighs them
    int64_t max_cells = 500'000'000;  // of the table of distances: a byte each
};

// Tokens are numbers, equal where the tokens are. The lattice is made of the shortest ways by two distances, in which a
// substitution costs one and two; arcs that follow each other are joined where the whole has at most `max_unchanged_words`.
// Throws Error(where) if a limit is passed; the reference would run for hours.
EditLattice edit_lattice(const std::vector<int32_t>& source, const std::vector<int32_t>& target, const LatticeLimits& limits,
                         const std::string& where);

}  // namespace craft
