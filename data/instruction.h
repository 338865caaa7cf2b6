// Constraints and instructions (CRAFT §3, Tables 13-14; docs/constraints.md).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/json.h"
#include "tools/craft/tool_call.h"

namespace craft {

// The 19 instruction shapes in Table 14's order.
enum class Shape {
    keep_one,
    keep_two,
    keep_three,
    modify_one,
    modify_two,
    modify_three,
    words_more,
    words_less,
    words_range,
    sentences_more,
    sentences_less,
    sentences_exactly,
    length_more,
    length_less,
    keyword_keep,
    keyword_remove,
    frequency_exactly,
    frequency_at_least,
    frequency_less,
};
inline constexpr int kShapes = 19;

// The eight sub-types of Table 13; at most one constraint of each in an instruction.
enum class SubType {
    keep_sentence,
    modify_sentence,
    word_count,
    sentence_count,
    sentence_length,
    keyword_keep,
    keyword_remove,
    keyword_frequency
};
inline constexpr int kSubTypes = 8;

SubType sub_type(Shape shape);
std::string shape_name(Shape shape);  // "words_range", also the key in wording files and reports
std::string sub_type_name(SubType type);
Shape shape_from_name(const std::string& name);  // throws Error listing the known ones

struct Constraint {
    Shape shape = Shape::keep_one;
    std::vector<int64_t> ids;  // sentence ids from 1, ascending (keep, modify)
    int64_t n = 0, m = 0;      // counts: the gold bound (words_range: less than n and more than m; "at least N": N - 1)
    std::string keyword;

    std::vector<ToolCall> calls() const;  // the gold calls; two for words_range
};

struct Instruction {
    std::string id;
    int domain = 0;           // C0-C4: number of constraints
    std::string instruction;  // as rendered
    std::string text;
    std::vector<Constraint> constraints;      // empty where some calls of a file have none of the 19 shapes
    std::vector<std::vector<ToolCall>> gold;  // one list a constraint
    std::string wording;                      // "template" or "model": how it was rendered
    std::vector<std::string> phrases;         // what says each constraint, as it stands in `instruction`; may be empty

    std::vector<ToolCall> gold_calls() const;  // all of `gold`, without text_eval()
};

// The constraint that has these gold calls; absent if none of the 19 shapes has.
std::optional<Constraint> constraint_from_calls(const std::vector<ToolCall>& calls);

std::string domain_name(int domain);  // "c2"

// {"id","domain":"c2","instruction","text","constraints":[[call,...],...],"tools":[call,...],"wording","phrases":[...]};
// `tools` = all gold calls plus text_eval(), made again from `constraints` when read. Rows of CORD are read too: the domain
// is a number, a name or, absent, the number of constraints. Throws Error(where + ...) on a missing or wrong field.
Json to_json(const Instruction& instruction);
Instruction instruction_from_json(const Json& row, const std::string& where);

}  // namespace craft
