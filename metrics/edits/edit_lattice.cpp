#include "metrics/edits/edit_lattice.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <utility>

#include "core/error.h"

namespace craft {

namespace {

using Tokens = std::vector<int32_t>;

// How a cell of the table of distances is reached at the lowest cost; several at once where they tie.
enum Step : uint8_t { kDiagonal = 1, kDelete = 2, kInsert = 4, kSeen = 8 };

// The cells around the diagonal that can lie on a shortest way: target - source tokens within [lowest, highest].
struct Band {
    int64_t lowest = 0, highest = 0;
    int64_t width() const { return highest - lowest + 1; }
};

class StepTable {
public:
    StepTable(const Tokens& source, const Tokens& target, int32_t substitution, const LatticeLimits& limits,
              const std::string& where)
        : source_(source), target_(target), substitution_(substitution) {
        const int64_t n = rows() - 1, m = columns() - 1;
        // A way through a cell costs at least the way to its diagonal and back: a band is wide enough once the distance is
        // not above what its border costs.
        for (int64_t slack = 16;; slack *= 2) {
            band_ = {std::max(std::min<int64_t>(0, m - n) - slack, -n), std::min(std::max<int64_t>(0, m - n) + slack, m)};
            if (rows() * band_.width() > limits.max_cells) {
                throw Error(
                    where,
                    "source and hypothesis that differ less (a table of " + std::to_string(limits.max_cells) + " cells)",
                    std::to_string(n) + " and " + std::to_string(m) + " tokens");
            }
            const int32_t distance = fill();
            if (distance <= std::abs(m - n) + 2 * slack || band_.width() == n + m + 1) return;
        }
    }

    int64_t rows() const { return static_cast<int64_t>(source_.size()) + 1; }
    int64_t columns() const { return static_cast<int64_t>(target_.size()) + 1; }
    uint8_t& at(int64_t i, int64_t j) { return steps_[static_cast<size_t>(i * band_.width() + j - i - band_.lowest)]; }

private:
    // The distance between all of both.
    int32_t fill() {
        constexpr int32_t kFar = std::numeric_limits<int32_t>::max() / 2;
        const auto width = static_cast<size_t>(band_.width());
        steps_.assign(static_cast<size_t>(rows()) * width, 0);
        // One cell more on both sides, always far; `above` is the row before, shifted by one against this one.
        std::vector<int32_t> above(width + 2, kFar), row(width + 2, kFar);
        for (int64_t i = 0; i < rows(); ++i) {
            std::fill(row.begin(), row.end(), kFar);
            const int64_t first = std::max<int64_t>(0, i + band_.lowest), last = std::min(columns() - 1, i + band_.highest);
            for (int64_t j = first; j <= last; ++j) {
                const auto d = static_cast<size_t>(j - i - band_.lowest);
                int32_t& cell = row[d + 1];
                uint8_t& steps = steps_[static_cast<size_t>(i) * width + d];
                if (i == 0) {
                    cell = static_cast<int32_t>(j);
                    if (j > 0) steps = kInsert;
                    continue;
                }
                if (j == 0) {
                    cell = static_cast<int32_t>(i);
                    steps = kDelete;
                    continue;
                }
                const bool same = source_[static_cast<size_t>(i - 1)] == target_[static_cast<size_t>(j - 1)];
                const int32_t diagonal = above[d + 1] + (same ? 0 : substitution_);
                const int32_t deletion = above[d + 2] + 1, insertion = row[d] + 1;
                cell = std::min({diagonal, deletion, insertion});
                steps = static_cast<uint8_t>((diagonal == cell ? kDiagonal : 0) | (deletion == cell ? kDelete : 0) |
                                             (insertion == cell ? kInsert : 0));
            }
            std::swap(above, row);
        }
        return above[static_cast<size_t>(columns() - rows() - band_.lowest) + 1];
    }

    const Tokens &source_, &target_;
    int32_t substitution_;
    Band band_;
    std::vector<uint8_t> steps_;
};

using Edge = std::pair<LatticeVertex, LatticeVertex>;

// Adds the cells and steps of all shortest ways of this table.
void add_shortest_ways(StepTable table, std::vector<LatticeVertex>& vertices, std::vector<Edge>& edges) {
    std::vector<LatticeVertex> open = {{table.rows() - 1, table.columns() - 1}};
    table.at(open[0].source, open[0].target) |= kSeen;
    while (!open.empty()) {
        const LatticeVertex cell = open.back();
        open.pop_back();
        vertices.push_back(cell);
        const uint8_t steps = table.at(cell.source, cell.target);
        const auto go = [&](LatticeVertex before) {
            edges.emplace_back(before, cell);
            uint8_t& seen = table.at(before.source, before.target);
            if ((seen & kSeen) == 0) open.push_back(before);
            seen |= kSeen;
        };
        if (steps & kDiagonal) go({cell.source - 1, cell.target - 1});
        if (steps & kDelete) go({cell.source - 1, cell.target});
        if (steps & kInsert) go({cell.source, cell.target - 1});
    }
}

// The arcs into a vertex, by where they come from.
struct Incoming {
    int32_t from = 0, arc = 0;
};

// Joins arcs that follow each other, vertex by vertex. At a vertex's turn all arcs into it are there, and out of it lead
// only the elementary ones, since longer ones are made at later vertices.
class ArcJoiner {
public:
    ArcJoiner(EditLattice& lattice, const LatticeLimits& limits, const std::string& where)
        : lattice_(lattice),
          limits_(limits),
          where_(where),
          into_(lattice.vertices.size()),
          out_of_(lattice.vertices.size()) {
        for (size_t a = 0; a < lattice.arcs.size(); ++a) {
            into_[static_cast<size_t>(lattice.arcs[a].to)].push_back({lattice.arcs[a].from, static_cast<int32_t>(a)});
            out_of_[static_cast<size_t>(lattice.arcs[a].from)].push_back(static_cast<int32_t>(a));
        }
    }

    void join() {
        for (size_t k = 0; k < into_.size(); ++k) {
            std::vector<Extension> extensions;
            for (const int32_t next : out_of_[k]) extensions.push_back({next, 0, {}});
            for (const Incoming& arc : into_[k]) {
                for (Extension& extension : extensions) extend(arc, extension);
            }
            for (Extension& extension : extensions) {
                auto& old = into_[static_cast<size_t>(arc(extension.next).to)];
                extension.merged.insert(extension.merged.end(), old.begin() + static_cast<std::ptrdiff_t>(extension.passed),
                                        old.end());
                old = std::move(extension.merged);
            }
        }
    }

private:
    // By one elementary arc out of the vertex: the arcs into its end, old and new, as far as they are merged.
    struct Extension {
        int32_t next = 0;
        size_t passed = 0;
        std::vector<Incoming> merged;
    };

    LatticeArc& arc(int32_t index) { return lattice_.arcs[static_cast<size_t>(index)]; }

    void extend(const Incoming& first, Extension& extension) {
        const LatticeArc a = arc(first.arc), b = arc(extension.next);
        const LatticeArc whole = {a.from, b.to, a.steps + b.steps, a.unchanged + b.unchanged, a.noop && b.noop};
        auto& old = into_[static_cast<size_t>(b.to)];
        while (extension.passed < old.size() && old[extension.passed].from < a.from)
            extension.merged.push_back(old[extension.passed++]);
        const bool known = extension.passed < old.size() && old[extension.passed].from == a.from;
        if (whole.unchanged > limits_.max_unchanged_words) return;
        if (known) {
            LatticeArc& found = arc(old[extension.passed].arc);
            if (whole.steps >= found.steps) return;
            found = whole;
            list(old[extension.passed].arc);
        } else {
            lattice_.arcs.push_back(whole);
            extension.merged.push_back({a.from, static_cast<int32_t>(lattice_.arcs.size() - 1)});
            list(extension.merged.back().arc);
        }
    }

    void list(int32_t index) {
        if (static_cast<int64_t>(lattice_.order.size()) >= limits_.max_arcs) {
            throw Error(where_, "a lattice of at most " + std::to_string(limits_.max_arcs) + " edits",
                        "more: source and hypothesis have little in common");
        }
        lattice_.order.push_back(index);
    }

    EditLattice& lattice_;
    const LatticeLimits& limits_;
    const std::string& where_;
    std::vector<std::vector<Incoming>> into_;
    std::vector<std::vector<int32_t>> out_of_;
};

// The scorer takes joined arcs of unchanged tokens away while it walks over the list, and so passes by the arc after each.
void remove_joined_noops(EditLattice& lattice) {
    std::vector<int32_t> kept;
    kept.reserve(lattice.order.size());
    for (size_t i = 0; i < lattice.order.size(); ++i) {
        const LatticeArc& arc = lattice.arcs[static_cast<size_t>(lattice.order[i])];
        if (!arc.noop || arc.steps == 1) {
            kept.push_back(lattice.order[i]);
        } else if (i + 1 < lattice.order.size()) {
            kept.push_back(lattice.order[++i]);
        }
    }
    lattice.order = std::move(kept);
}

}  // namespace

EditLattice edit_lattice(const Tokens& source, const Tokens& target, const LatticeLimits& limits, const std::string& where) {
    EditLattice lattice;
    std::vector<Edge> edges;
    for (const int32_t substitution : {1, 2}) {
        add_shortest_ways(StepTable(source, target, substitution, limits, where), lattice.vertices, edges);
    }
    auto& vertices = lattice.vertices;
    std::sort(vertices.begin(), vertices.end());
    vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
    std::sort(edges.begin(), edges.end());
    const auto index = [&](const LatticeVertex& vertex) {
        return static_cast<int32_t>(std::lower_bound(vertices.begin(), vertices.end(), vertex) - vertices.begin());
    };
    for (size_t e = 0; e < edges.size(); ++e) {
        if (e == 0 || edges[e] != edges[e - 1]) {
            const auto& [from, to] = edges[e];
            const bool same = to.source > from.source && to.target > from.target &&
                              source[static_cast<size_t>(from.source)] == target[static_cast<size_t>(from.target)];
            lattice.arcs.push_back({index(from), index(to), 1, same ? 1 : 0, same});
        }
        lattice.order.push_back(static_cast<int32_t>(lattice.arcs.size() - 1));
    }
    ArcJoiner(lattice, limits, where).join();
    remove_joined_noops(lattice);
    return lattice;
}

}  // namespace craft
