"""The same as benchmarks/tokenizer.cpp with the `tokenizers` library, in one thread.

    TOKENIZERS_PARALLELISM=false python tokenizer.py FOLDER FILE [REPEATS]
    python tokenizer.py --make FOLDER FILE   a byte-level BPE of 32,000 tokens (Llama-3's pattern), trained on the file
"""
import sys
import time

from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

LLAMA3 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")


def make(folder, file):
    tokenizer = Tokenizer(models.BPE(ignore_merges=True))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(LLAMA3), "isolated"), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.train([file], trainers.BpeTrainer(vocab_size=32000, special_tokens=["<|end|>"], initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False))
    tokenizer.save(folder + "/tokenizer.json")


def main():
    if sys.argv[1] == "--make":
        return make(sys.argv[2], sys.argv[3])
    start = time.process_time()
    tokenizer = Tokenizer.from_file(sys.argv[1] + "/tokenizer.json")
    print(f"load {time.process_time() - start:.3f} s")
    with open(sys.argv[2], encoding="utf-8", newline="") as file:
        lines = file.readlines()
    size = sum(len(line.encode()) for line in lines) / 1e6
    for _ in range(int(sys.argv[3]) if len(sys.argv) > 3 else 3):
        start = time.process_time()
        ids = [tokenizer.encode(line, add_special_tokens=False).ids for line in lines]
        middle = time.process_time()
        for row in ids:
            tokenizer.decode(row, skip_special_tokens=False)
        print(f"encode {size / (middle - start):.1f} MB/s, decode {size / (time.process_time() - middle):.1f} MB/s, {sum(map(len, ids))} tokens")
    return None


main()
