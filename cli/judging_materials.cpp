#include "cli/judging_materials.h"

namespace craft {

NamedMaterials judging_materials() {
    return {.materials = {}, .names = {{"alignment", nullptr}, {"parses", nullptr}}};
}

}  // namespace craft
