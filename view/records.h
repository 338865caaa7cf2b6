// Records of all kinds as pages: what stands in files and runs of this program, and rows of others in their forms.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/json.h"
#include "view/page.h"

namespace craft {

enum class RecordKind {
    trajectory,
    pair,
    group,
    tree,
    judgement,
    answer,
    revision,
    samples,
    candidates,
    instruction,
    conversation,
    completion,
    row
};
std::string record_kind_name(RecordKind kind);  // "trajectory"
std::vector<std::string> record_kind_names();
std::optional<RecordKind> record_kind_from_name(const std::string& name);

// By the keys that it has; a row of no other kind is a `row`.
RecordKind record_kind(const Json& row);
// What a record has of its kind's fields is shown; a field that is missing or of another type is left out of the page, and
// fields of the row that its kind does not know follow at its end as they stand. Never throws on what a row holds.
DisplayPage record_page(const Json& row, RecordKind kind);

}  // namespace craft
