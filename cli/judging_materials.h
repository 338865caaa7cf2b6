// What judges see beside the texts: word alignments and parses, where somebody makes them here.
#pragma once

#include "core/json.h"
#include "verdicts/listwise_prompt.h"

namespace craft {

struct NamedMaterials {
    JudgingMaterials materials;
    Json names = Json::object();  // {"alignment","parses"}: who makes them, null: nobody; for manifests
};

NamedMaterials judging_materials();

}  // namespace craft
