#include "data/text_column.h"

namespace craft {

void TextColumnBuilder::add(std::string_view text) {
    bytes_.insert(bytes_.end(), text.begin(), text.end());
    offsets_.push_back(bytes_.size());
}

void TextColumnBuilder::write(Hdf5Image& image, const std::string& path, unsigned compression) const {
    image.add_column<uint8_t>(path + "/bytes", bytes_, compression);
    image.add_column<uint64_t>(path + "/offsets", offsets_, compression);
}

TextColumn::TextColumn(const Hdf5File& file, const std::string& path, uint64_t count)
    : bytes_(file.column<uint8_t>(path + "/bytes")), offsets_(open_column<uint64_t>(file, path + "/offsets", count + 1)) {}

std::string TextColumn::read(uint64_t index, TextBudget& budget) {
    const auto range = offsets_.read(index, 2);
    const uint64_t begin = range[0], end = range[1];
    if (begin > end || end > bytes_.size())
        throw Error(offsets_.name(), "ascending offsets within " + std::to_string(bytes_.size()) + " bytes",
                    std::to_string(begin) + " and " + std::to_string(end));
    if (end - begin > budget.left)
        throw Error(offsets_.name(), budget.of + " with texts of at most " + std::to_string(budget.most) + " bytes", "more");
    budget.left -= end - begin;
    const auto text = bytes_.read(begin, end - begin);
    return {text.begin(), text.end()};
}

}  // namespace craft
