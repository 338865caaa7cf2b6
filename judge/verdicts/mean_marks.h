// Mean marks of systems, over all that judges said of their texts (CRAFT Table 5, left; App. E.5).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/json.h"
#include "judge/verdicts/judgement_rows.h"

namespace craft {

class MeanMarks {
public:
    // A text's mark is the mean over judges, orders and repeats.
    void add(const JudgedGroup& group);
    // {"systems":{NAME:{"corpus":{ASPECT: mean over
    // texts,...,"marked","unmarked"}}},"items":[{"id","marks":{NAME:{ASPECT:mean}}}]}: "unmarked" are texts of which no mark
    // could be read.
    Json to_json() const;

private:
    struct Sum {
        double sum = 0;
        int64_t count = 0;
        void add(double value) {
            sum += value;
            ++count;
        }
        double mean() const { return sum / static_cast<double>(count); }
    };
    struct SystemMarks {
        std::map<std::string, Sum> by_aspect;
        int64_t marked = 0, unmarked = 0;
    };
    std::map<std::string, SystemMarks> systems_;
    Json items_ = Json::array();
};

// Whether more or less of each mark is better, as results of `eval` say it: {ASPECT:{"better":"higher"}}.
Json what_marks_say();

}  // namespace craft
