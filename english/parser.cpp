#include "english/parser.h"

#include <algorithm>

#include "core/error.h"
#include "english/moves.h"
#include "english/parse_state.h"

namespace craft {

DependencyParser::DependencyParser(const ThincModel& model, std::string_view moves, const std::string& where, size_t width)
    : model_([&] {
          for (const Move& move : read_moves(moves, ParseState::actions, where)) {
              const auto known = std::find(labels_.begin(), labels_.end(), move.label);
              moves_.push_back({move.action, static_cast<int>(known - labels_.begin())});
              if (known == labels_.end()) labels_.push_back(move.label);
          }
          // Without these two a text would have no end.
          for (const int needed : {ParseState::shift, ParseState::reduce})
              if (std::none_of(moves_.begin(), moves_.end(),
                               [&](const LabelledMove& move) { return move.action == needed; }))
                  throw Error(where, "moves that shift and that reduce", "none of one kind");
          return StateModel(model, width, ParseState::kPlaces, moves_.size());
      }()) {}

ParseTree DependencyParser::parse(const std::vector<float>& vectors, const std::vector<bool>& is_space) const {
    const auto words = static_cast<int>(is_space.size());
    StateScorer scorer(model_, vectors);
    ParseState state(words);
    while (!state.is_final()) {
        int places[ParseState::kPlaces];
        state.places(places);
        const std::vector<float>& scores = scorer.scores(places);
        bool valid[ParseState::actions];
        for (int action = 0; action < ParseState::actions; ++action)
            valid[action] = state.is_valid(static_cast<ParseState::Action>(action));
        size_t best = moves_.size();
        for (size_t i = 0; i < moves_.size(); ++i)
            if (valid[moves_[i].action] && (best == moves_.size() || scores[i] > scores[best])) best = i;
        // With a stack there is always a move that reduces it, without one a move that shifts.
        state.take(static_cast<ParseState::Action>(moves_[best].action), moves_[best].label);
    }
    ParseTree tree;
    for (int i = 0; i < words; ++i) tree.heads.push_back(i);
    tree.labels.assign(is_space.size(), "ROOT");
    for (const ParseState::Arc& arc : state.arcs()) {
        tree.heads[static_cast<size_t>(arc.child)] = arc.head;
        tree.labels[static_cast<size_t>(arc.child)] = labels_[static_cast<size_t>(arc.label)];
    }
    finish_tree(tree, is_space);
    return tree;
}

}  // namespace craft
