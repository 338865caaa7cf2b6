#include "model/chat/assistant_turns.h"

#include <algorithm>

namespace craft {

namespace {

constexpr const char* kBlanks = " \t\r\n";

// The longest turn of a message; without one what is between its first and its last byte; else nothing.
ByteRange turn_of(const jinja::Rendered& rendered, int message) {
    ByteRange turn;
    for (const jinja::Turn& each : rendered.turns)
        if (each.message == message && each.end - each.begin > turn.end - turn.begin) turn = {each.begin, each.end};
    if (turn.end > 0) return turn;
    for (const jinja::Mark& mark : rendered.text.marks)
        if (mark.source == message) turn = {turn.end == 0 ? mark.begin : turn.begin, mark.end};
    return turn;
}

// The first byte in the turn that is not the template's; the turn's end if all are.
size_t first_marked(const jinja::Rendered& rendered, const ByteRange& turn) {
    for (const jinja::Mark& mark : rendered.text.marks)
        if (mark.end > turn.begin) return std::clamp(mark.begin, turn.begin, turn.end);
    return turn.end;
}

size_t begin_of(const jinja::Rendered& rendered, const ByteRange& turn, const std::string& opening) {
    const std::string& text = rendered.text.bytes;
    const size_t limit = first_marked(rendered, turn);
    size_t shared = 0;
    while (shared < opening.size() && turn.begin + shared < limit && text[turn.begin + shared] == opening[shared]) ++shared;
    if (shared < opening.size())  // back to the end of a token's spelling or of a line
        while (shared > 0 && std::string_view(">] \n").find(opening[shared - 1]) == std::string_view::npos) --shared;
    if (shared > 0 || opening.empty()) return turn.begin + shared;
    const size_t found = text.find(opening, turn.begin);  // after a BOS token
    if (found != std::string::npos && found + opening.size() <= limit) return found + opening.size();
    return limit < turn.end ? limit : turn.begin;
}

size_t end_of(const jinja::Rendered& rendered, const ByteRange& turn, int message, size_t begin,
              const std::string& closing) {
    const std::string& text = rendered.text.bytes;
    size_t last = begin;
    for (const jinja::Mark& mark : rendered.text.marks)
        if (mark.source == message && mark.begin >= turn.begin && mark.end <= turn.end) last = std::max(last, mark.end);
    const size_t found = closing.empty() ? std::string::npos : text.find(closing, last);
    if (found != std::string::npos && found + closing.size() <= turn.end) return found + closing.size();
    const size_t kept = std::string_view(text).substr(0, turn.end).find_last_not_of(kBlanks);
    return std::max(last, kept == std::string::npos ? 0 : kept + 1);
}

// Whether a byte stands in a turn that is left out of the loss.
bool is_left_out(const jinja::Rendered& rendered, const std::vector<TurnKind>& kinds, size_t byte) {
    for (size_t i = 0; i < kinds.size(); ++i) {
        const ByteRange turn = kinds[i] == TurnKind::left_out ? turn_of(rendered, static_cast<int>(i)) : ByteRange{};
        if (byte >= turn.begin && byte < turn.end) return true;
    }
    return false;
}

}  // namespace

std::vector<ByteRange> assistant_ranges(const jinja::Rendered& rendered, const std::vector<TurnKind>& kinds,
                                        const TurnFrame& frame) {
    std::vector<ByteRange> ranges;
    for (const auto& [begin, end] : rendered.generated)
        if (!is_left_out(rendered, kinds, begin)) ranges.push_back({begin, end});
    for (size_t i = 0; i < kinds.size() && rendered.generated.empty(); ++i) {
        const ByteRange turn = kinds[i] == TurnKind::counted ? turn_of(rendered, static_cast<int>(i)) : ByteRange{};
        if (turn.end == turn.begin) continue;
        const size_t begin = begin_of(rendered, turn, frame.opening);
        ranges.push_back({begin, end_of(rendered, turn, static_cast<int>(i), begin, frame.closing)});
    }
    std::sort(ranges.begin(), ranges.end(), [](const ByteRange& a, const ByteRange& b) { return a.begin < b.begin; });
    std::vector<ByteRange> apart;
    for (const ByteRange& range : ranges) {
        const size_t begin = apart.empty() ? range.begin : std::max(range.begin, apart.back().end);
        if (begin < range.end) apart.push_back({begin, range.end});
    }
    return apart;
}

std::string opening_of(const jinja::Rendered& with_prompt, const jinja::Rendered& without) {
    const std::string& text = with_prompt.text.bytes;
    size_t begin = 0;
    for (const jinja::Turn& turn : with_prompt.turns) begin = std::max(begin, turn.end);
    if (begin > 0) return text.substr(begin);
    return text.starts_with(without.text.bytes) ? text.substr(without.text.size()) : "";
}

std::string closing_of(const jinja::Rendered& answered, int assistant, const std::vector<std::string>& spellings) {
    const ByteRange turn = turn_of(answered, assistant);
    size_t last = turn.begin;
    for (const jinja::Mark& mark : answered.text.marks)
        if (mark.source == assistant) last = std::max(last, mark.end);
    if (last == turn.begin) return "";  // the template prints nothing of what is said
    std::string_view rest = std::string_view(answered.text.bytes).substr(last, turn.end - std::min(last, turn.end));
    rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size()));
    std::string_view longest;
    for (const std::string& spelling : spellings)
        if (rest.starts_with(spelling) && spelling.size() > longest.size()) longest = spelling;
    if (!longest.empty()) return std::string(longest);
    const size_t bracket = rest.starts_with('<') ? rest.find('>') : rest.starts_with('[') ? rest.find(']') : rest.npos;
    if (bracket != rest.npos) return std::string(rest.substr(0, bracket + 1));
    return std::string(rest.substr(0, rest.find_first_of(kBlanks)));
}

}  // namespace craft
