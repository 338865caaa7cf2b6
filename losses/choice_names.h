// Names of what single losses choose from, the same in options, requests and files; those of the losses themselves are
// loss_names() (losses.h).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "losses/losses.h"

namespace craft {

const std::vector<std::pair<std::string, CpoForm>>& cpo_form_names();
const std::vector<std::pair<std::string, NllNormalisation>>& nll_normalisation_names();
std::string cpo_form_name(CpoForm form);
std::string nll_normalisation_name(NllNormalisation normalisation);

}  // namespace craft
