#include "data/constraints/shape_plan.h"

#include <algorithm>
#include <numeric>

namespace craft {

namespace {

constexpr int64_t kPatience = 4, kShortRest = 16, kMaxDoublings = 10;

}  // namespace

const std::array<std::vector<Shape>, kSubTypes>& shapes_of_sub_types() {
    static const auto table = [] {
        std::array<std::vector<Shape>, kSubTypes> shapes;
        for (int i = 0; i < kShapes; ++i)
            shapes[static_cast<size_t>(sub_type(static_cast<Shape>(i)))].push_back(static_cast<Shape>(i));
        return shapes;
    }();
    return table;
}

ShapePlan::ShapePlan(const std::array<double, kSubTypes>& mix, uint64_t seed, const std::string& stage) : rng_(seed, stage) {
    const double total = std::accumulate(mix.begin(), mix.end(), 0.0);
    for (size_t i = 0; i < kSubTypes; ++i) share_[i] = mix[i] / total;
}

std::vector<Shape> ShapePlan::next(int constraints, const std::set<Shape>& refused) {
    std::vector<Shape> shapes;
    std::array<bool, kSubTypes> used{};
    for (size_t i = 0; i < kSubTypes; ++i) {
        const auto& all = shapes_of_sub_types()[i];
        used[i] = share_[i] <= 0 || std::all_of(all.begin(), all.end(), [&](Shape s) { return refused.contains(s); });
    }
    if (std::count(used.begin(), used.end(), false) < constraints) return shapes;
    for (int i = 0; i < constraints; ++i) {
        const size_t type = most_owed(used);
        used[type] = true;
        shapes.push_back(next_shape(type, refused));
    }
    rng_.shuffle(shapes);
    return shapes;
}

void ShapePlan::put_back(const std::vector<Shape>& shapes) {
    for (const Shape shape : shapes) {
        const auto type = static_cast<size_t>(sub_type(shape));
        auto& deck = decks_[type];
        --drawn_;
        --made_[type];
        if (deck.empty()) {
            deck = {shape};
            refill(deck, type);
        } else {
            deck.insert(deck.begin(), shape);
        }
    }
}

// The sub-type furthest behind its share; chance decides among those within one of each other.
size_t ShapePlan::most_owed(const std::array<bool, kSubTypes>& used) {
    ++drawn_;
    size_t best = kSubTypes;
    double best_debt = 0;
    for (size_t i = 0; i < kSubTypes; ++i) {
        if (used[i]) continue;
        const double debt = share_[i] * static_cast<double>(drawn_) - static_cast<double>(made_[i]) + 0.9 * rng_.uniform();
        if (best == kSubTypes || debt > best_debt) {
            best = i;
            best_debt = debt;
        }
    }
    ++made_[best];
    return best;
}

Shape ShapePlan::next_shape(size_t type, const std::set<Shape>& refused) {
    auto& deck = decks_[type];
    const auto is_refused = [&](Shape shape) { return refused.contains(shape); };
    if (std::all_of(deck.begin(), deck.end(), is_refused)) refill(deck, type);
    const auto next = std::find_if_not(deck.rbegin(), deck.rend(), is_refused);
    const Shape shape = *next;
    deck.erase(std::next(next).base());
    return shape;
}

// The shapes that are not in the deck, before those that are.
void ShapePlan::refill(std::vector<Shape>& deck, size_t type) {
    std::vector<Shape> others;
    for (const Shape shape : shapes_of_sub_types()[type])
        if (std::find(deck.begin(), deck.end(), shape) == deck.end()) others.push_back(shape);
    rng_.shuffle(others);
    deck.insert(deck.end(), others.begin(), others.end());
}

std::set<Shape> RestingShapes::at(int64_t item) const {
    std::set<Shape> resting;
    for (size_t i = 0; i < kShapes; ++i)
        if (item < until_[i]) resting.insert(static_cast<Shape>(i));
    return resting;
}

void RestingShapes::given(const std::vector<Shape>& shapes) {
    for (const Shape shape : shapes) refused_[static_cast<size_t>(shape)] = 0;
}

bool RestingShapes::refused(Shape shape, int64_t item) {
    const auto i = static_cast<size_t>(shape);
    const int64_t rests = ++refused_[i] - kPatience;
    if (rests < 0) return false;
    until_[i] = item + 1 + (kShortRest << std::min(rests, kMaxDoublings));
    return true;
}

}  // namespace craft
