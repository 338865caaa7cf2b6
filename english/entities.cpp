#include "english/entities.h"

#include <algorithm>

#include "core/error.h"
#include "english/moves.h"

namespace craft {

EntityRecogniser::EntityRecogniser(const ThincModel& model, std::string_view moves, const std::string& where, size_t width)
    : model_([&] {
          constexpr size_t kPlaces = 3;
          for (const Move& move : read_moves(moves, actions, where))
              moves_.push_back({static_cast<Action>(move.action), move.label});
          // spaCy has no move that means a missing annotation, and none outside that has a label.
          std::erase_if(moves_, [](const LabelledAction& move) {
              return move.action == missing || (move.action == outside && !move.label.empty());
          });
          const auto has = [this](Action action, const std::string& label) {
              return std::any_of(moves_.begin(), moves_.end(),
                                 [&](const LabelledAction& move) { return move.action == action && move.label == label; });
          };
          for (const LabelledAction& move : moves_)  // or an entity would have no end
              if (move.action == begin && !has(last, move.label))
                  throw Error(where, "a move that ends each entity that begins", "none for '" + move.label + "'");
          if (!has(outside, "")) throw Error(where, "a move for words outside", "none");
          return StateModel(model, width, kPlaces, moves_.size());
      }()) {}

std::vector<EntitySpan> EntityRecogniser::entities(const std::vector<float>& vectors, const std::vector<bool>& is_space,
                                                   const std::vector<bool>& sentence_starts) const {
    StateScorer scorer(model_, vectors);
    std::vector<EntitySpan> found;
    bool open = false;
    for (size_t word = 0; word < is_space.size(); ++word) {
        const bool is_last = word + 1 == is_space.size();
        const bool continues = !is_last && !sentence_starts[word + 1];
        const auto is_valid = [&](const LabelledAction& move) {
            if (move.action == begin || move.action == inside)
                if (!continues) return false;
            if (move.action == inside || move.action == last) return open && found.back().label == move.label;
            if (move.action == begin || move.action == unit) return !open && !is_space[word] && !move.label.empty();
            return move.action == outside && !open;
        };
        const int here = static_cast<int>(word);
        const int places[] = {here, open ? static_cast<int>(found.back().begin) : -1, open ? here - 1 : -1};
        const std::vector<float>& scores = scorer.scores(places);
        size_t best = moves_.size();
        for (size_t i = 0; i < moves_.size(); ++i)
            if (is_valid(moves_[i]) && (best == moves_.size() || scores[i] > scores[best])) best = i;
        const LabelledAction& move = moves_[best];
        if (move.action == begin || move.action == unit) found.push_back({word, word + 1, move.label});
        if (move.action == last) found.back().end = word + 1;
        open = move.action == begin || move.action == inside;
    }
    return found;
}

}  // namespace craft
