// An include that the check of the layers must find.
#pragma once

#include <torch/types.h>  // text knows nothing of LibTorch
