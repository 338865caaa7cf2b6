#include "metrics/gleu_draws.h"

#include "metrics/python_random.h"

namespace craft {

void GleuReferenceDraws::add(size_t references) {
    if (runs_.empty() || runs_.back().references != references) runs_.push_back({.items = 0, .references = references});
    ++runs_.back().items;
    ++items_;
}

int64_t GleuReferenceDraws::choices(int64_t most) const {
    int64_t choices = 1;
    for (const Run& run : runs_) {
        if (run.references == 1) continue;
        for (size_t i = 0; i < run.items; ++i) {
            if (choices > most / static_cast<int64_t>(run.references)) return most + 1;
            choices *= static_cast<int64_t>(run.references);
        }
    }
    return choices;
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

void GleuReferenceDraws::all(const std::function<void(std::span<const uint32_t>)>& on_draw) const {
    std::vector<uint32_t> references, chosen(items_);
    for (const Run& run : runs_) references.insert(references.end(), run.items, static_cast<uint32_t>(run.references));
    while (true) {
        on_draw(chosen);
        size_t digit = 0;
        while (digit < items_ && ++chosen[digit] == references[digit]) chosen[digit++] = 0;
        if (digit == items_) return;
    }
}

}  // namespace craft
