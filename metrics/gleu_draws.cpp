#include "metrics/gleu_draws.h"

#include <algorithm>

#include "metrics/python_random.h"

namespace craft {

void GleuReferenceDraws::add(size_t references) {
    if (runs_.empty() || runs_.back().references != references) runs_.push_back({.items = 0, .references = references});
    ++runs_.back().items;
    ++items_;
}

bool GleuReferenceDraws::has_choice() const {
    return std::any_of(runs_.begin(), runs_.end(), [](const Run& run) { return run.references > 1; });
}

void GleuReferenceDraws::drawn(GleuDraws draws, int first, int end,
                               const std::function<void(std::span<const uint32_t>)>& on_draw) const {
    std::vector<uint32_t> chosen(items_);
    for (int j = first; j < end; ++j) {
        PythonRandom random(static_cast<uint32_t>(j) * 101U);
        size_t at = 0;
        for (const Run& run : runs_) {
            const std::span<uint32_t> here = std::span(chosen).subspan(at, run.items);
            if (draws == GleuDraws::python2)
                random.below_python2(static_cast<uint32_t>(run.references), here);
            else
                random.below_python3(static_cast<uint32_t>(run.references), here);
            at += run.items;
        }
        on_draw(chosen);
    }
}

}  // namespace craft
