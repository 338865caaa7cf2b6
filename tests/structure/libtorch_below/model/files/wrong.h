// An include that the check of the layers must find.
#pragma once

#include <ATen/core/Tensor.h>  // model/files knows nothing of LibTorch, whatever the folders beside it know
