#include "judge/verdicts/mean_marks.h"

#include "judge/verdicts/mark_scales.h"

namespace craft {

void MeanMarks::add(const JudgedGroup& group) {
    Json marks = Json::object();
    for (size_t candidate = 0; candidate < group.systems.size(); ++candidate) {
        std::map<std::string, Sum> of_text;
        for (const Judgement& judgement : group.judgements)
            for (const auto& [aspect, figures] : judgement.marks)
                if (candidate < figures.size() && figures[candidate]) of_text[aspect].add(*figures[candidate]);
        const std::string& name = group.systems[candidate];
        SystemMarks& system = systems_[name];
        ++(of_text.empty() ? system.unmarked : system.marked);
        for (const auto& [aspect, sum] : of_text) {
            system.by_aspect[aspect].add(sum.mean());
            marks[name][aspect] = sum.mean();
        }
    }
    items_.push_back({{"id", group.id}, {"marks", std::move(marks)}});
}

Json MeanMarks::to_json() const {
    Json systems = Json::object();
    for (const auto& [name, system] : systems_) {
        Json corpus = {{"marked", system.marked}, {"unmarked", system.unmarked}};
        for (const auto& [aspect, sum] : system.by_aspect) corpus[aspect] = sum.mean();
        systems[name] = {{"corpus", std::move(corpus)}};
    }
    return {{"systems", std::move(systems)}, {"items", items_}};
}

Json what_marks_say() {
    Json said = Json::object();
    for (const MarkScale& scale : mark_scales()) said[scale.name] = {{"better", scale.counts_faults ? "lower" : "higher"}};
    return said;
}

}  // namespace craft
