"""Makes files of torch.save(): for the tests, and seeds of the fuzz targets.

    python make_pickles.py FOLDER      FOLDER/NAME.bin with FOLDER/NAME.safetensors beside it, and FOLDER/hostile.bin, foreign.bin,
                                       bare.bin, which are to be refused

tests/model/weights/pickles holds them, made by PyTorch 2.11.0.
"""
import os
import sys
from collections import OrderedDict

import torch
from safetensors.torch import save_file


class Hostile:
    def __reduce__(self):
        return os.system, ("echo this must never run",)


def main(folder):
    os.makedirs(folder, exist_ok=True)
    torch.manual_seed(3)
    base = torch.randn(4, 6)
    every = {"f32": torch.randn(3, 5), "f16": torch.randn(7).half(), "bf16": torch.randn(2, 2, 2).bfloat16(), "f64": torch.randn(2).double(),
             "i64": torch.arange(5), "i32": torch.arange(4, dtype=torch.int32), "i16": torch.arange(3, dtype=torch.int16),
             "i8": torch.arange(-2, 2, dtype=torch.int8), "u8": torch.arange(3, dtype=torch.uint8), "bool": torch.tensor([True, False]),
             "scalar": torch.tensor(2.5), "empty": torch.zeros(0, 3)}
    views = OrderedDict(whole=base, transposed=base.t(), part=base[1:3, 2:5], again=base)
    module = torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.LayerNorm(2)).state_dict()  # with _metadata
    parameters = {"weight": torch.nn.Parameter(torch.randn(2, 3))}
    for name, tensors in {"every": every, "views": views, "module": module, "parameters": parameters}.items():
        torch.save(tensors, os.path.join(folder, name + ".bin"))
        save_file({k: v.detach().clone().contiguous() for k, v in tensors.items()}, os.path.join(folder, name + ".safetensors"))
    torch.save({"weight": Hostile()}, os.path.join(folder, "hostile.bin"))
    torch.save({"weight": torch.ones(2), "epoch": 3}, os.path.join(folder, "foreign.bin"))
    torch.save({"weight": torch.ones(2)}, os.path.join(folder, "bare.bin"), _use_new_zipfile_serialization=False)


if __name__ == "__main__":
    main(sys.argv[1])
