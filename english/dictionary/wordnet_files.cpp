#include "english/dictionary/wordnet_files.h"

#include <algorithm>

#include "core/error.h"

namespace craft {

namespace {

std::string_view lemma_of_line(std::string_view line) {
    return line.substr(0, line.find(' '));
}

bool lemma_before(std::string_view a, std::string_view b) {
    return lemma_of_line(a) < lemma_of_line(b);
}

template <class OnLine>
void for_each_line(std::string_view text, const OnLine& on_line) {
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        on_line(text.substr(at, end - at));
        at = end + 1;
    }
}

}  // namespace

WordnetKind::WordnetKind(std::string index, std::string data, std::string index_name, std::string data_name)
    : index_(std::move(index)),
      data_(std::move(data)),
      index_name_(std::move(index_name)),
      data_name_(std::move(data_name)) {
    for_each_line(index_, [&](std::string_view line) {
        if (!line.empty() && line[0] != ' ') lines_.push_back(line);  // the licence's lines begin with blanks
    });
    if (!std::is_sorted(lines_.begin(), lines_.end(), lemma_before))
        std::stable_sort(lines_.begin(), lines_.end(), lemma_before);
    if (lines_.empty()) throw Error(index_name_, "an index of WordNet's", "no lemma");
}

std::optional<IndexLine> WordnetKind::find(std::string_view lemma) const {
    const auto found = std::lower_bound(lines_.begin(), lines_.end(), lemma, lemma_before);
    if (lemma.find(' ') != std::string_view::npos || found == lines_.end() || lemma_of_line(*found) != lemma)
        return std::nullopt;
    return parse_index_line(*found, index_name_ + ": byte " + std::to_string(found->data() - index_.data()));
}

Synset WordnetKind::synset(int64_t offset) const {
    const std::string where = data_name_ + ": byte " + std::to_string(offset);
    const auto at = static_cast<size_t>(offset);
    if (at >= data_.size() || (at > 0 && data_[at - 1] != '\n'))
        throw Error(where, "a meaning", "none", "the files are not of one WordNet");
    const size_t end = std::min(data_.find('\n', at), data_.size());
    Synset synset = parse_synset_line(std::string_view(data_).substr(at, end - at), where);
    if (synset.offset != offset)
        throw Error(where, "a meaning of that place", "one of " + std::to_string(synset.offset),
                    "the files are not of one WordNet");
    return synset;
}

SenseCounts::SenseCounts(std::string_view list, const std::string& name) {
    size_t number = 0;
    for_each_line(list, [&](std::string_view line) {
        ++number;
        if (line.empty()) return;
        const SenseCountLine entry = parse_sense_count(line, name + ":" + std::to_string(number));
        const int type = entry.type == 5 ? 3 : entry.type;
        std::vector<int64_t>& uses = counts_[std::to_string(type).append(entry.lemma)];
        const auto sense = static_cast<size_t>(entry.number);
        if (uses.size() < sense) uses.resize(sense);
        uses[sense - 1] = entry.uses;
    });
}

int64_t SenseCounts::uses(std::string_view lemma, int type, size_t number) const {
    const auto found = counts_.find(std::to_string(type).append(lemma));
    return found == counts_.end() || number == 0 || number > found->second.size() ? 0 : found->second[number - 1];
}

}  // namespace craft
