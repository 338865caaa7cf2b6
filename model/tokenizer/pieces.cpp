#include "model/tokenizer/pieces.h"

#include <algorithm>

#include "text/code_points.h"

namespace craft {

namespace {

// Joins neighbours in place; `spans` are in order.
void join_contiguous(std::vector<PatternSpan>& spans) {
    std::vector<PatternSpan> joined;
    bool previous = false;
    for (const PatternSpan& span : spans) {
        if (span.match == previous && !joined.empty())
            joined.back().end = span.end;
        else
            joined.push_back(span);
        previous = span.match;
    }
    spans.swap(joined);
}

void join_with_previous(std::vector<PatternSpan>& spans) {
    std::vector<PatternSpan> joined;
    bool previous = false;
    for (const PatternSpan& span : spans) {
        if (span.match && !previous && !joined.empty())
            joined.back().end = span.end;
        else
            joined.push_back(span);
        previous = span.match;
    }
    spans.swap(joined);
}

void join_with_next(std::vector<PatternSpan>& spans) {
    std::vector<PatternSpan> joined;
    bool previous = false;
    for (auto span = spans.rbegin(); span != spans.rend(); ++span) {
        if (span->match && !previous && !joined.empty())
            joined.back().begin = span->begin;
        else
            joined.push_back(*span);
        previous = span->match;
    }
    std::reverse(joined.begin(), joined.end());
    spans.swap(joined);
}

}  // namespace

MatchBehaviour match_behaviour(const Component& component, const std::string& field) {
    const std::string name = component.text(field);
    if (name == "Removed") return MatchBehaviour::removed;
    if (name == "Isolated") return MatchBehaviour::isolated;
    if (name == "MergedWithPrevious") return MatchBehaviour::merged_with_previous;
    if (name == "MergedWithNext") return MatchBehaviour::merged_with_next;
    if (name == "Contiguous") return MatchBehaviour::contiguous;
    component.fail(field, "Removed, Isolated, MergedWithPrevious, MergedWithNext or Contiguous", "'" + name + "'");
}

void append_parts(PieceList& list, const Piece& piece, MatchBehaviour behaviour) {
    if (behaviour == MatchBehaviour::contiguous) join_contiguous(list.spans);
    if (behaviour == MatchBehaviour::merged_with_previous) join_with_previous(list.spans);
    if (behaviour == MatchBehaviour::merged_with_next) join_with_next(list.spans);
    for (const PatternSpan& span : list.spans) {
        if (span.begin == span.end || (span.match && behaviour == MatchBehaviour::removed)) continue;
        list.next.push_back({piece.text.substr(span.begin, span.end - span.begin), piece.at_start && span.begin == 0});
    }
}

void character_spans(std::string_view text, bool (*matches)(char32_t), std::vector<PatternSpan>& spans) {
    size_t done = 0;
    for (size_t at = 0; at < text.size();) {
        const CodePoint c = code_point_at(text, at);
        const size_t end = at + c.bytes;
        if (matches(c.value)) {
            if (done < at) spans.push_back({done, at, false});
            spans.push_back({at, end, true});
            done = end;
        }
        at = end;
    }
    if (done < text.size()) spans.push_back({done, text.size(), false});
}

}  // namespace craft
