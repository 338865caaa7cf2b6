"""Makes tokenizer folders as they are published, and writes what transformers or sentencepiece encode and decode with them.

    python make_tokenizer_folders.py FOLDER [SEED | --stored]

FOLDER/<name>/ holds vocab.txt, or vocab.json with merges.txt, or tokenizer.json, each with tokenizer_config.json,
special_tokens_map.json and added_tokens.json of many kinds (transformers' AutoTokenizer is the reference), or tokenizer.model
(the sentencepiece library is). FOLDER/<name>/expected.jsonl has rows as make_tokenizers.py writes them; keys may be absent. The first row
says "end", the id of the end token or null, where the reference knows one. The seed is CRAFT_PARITY_SEED if it is not given.
--stored makes tests/model/tokenizer/stored/folders: one folder of each kind, of a fixed seed.
"""
import io
import json
import os
import random
import sys

import sentencepiece
from tokenizers import AddedToken, Tokenizer, models, normalizers, pre_tokenizers, processors
from transformers import AutoTokenizer
from transformers.utils import logging

from make_tokenizers import STORED_SEED, byte_level, corpus, decoded, few, texts, trained

logging.set_verbosity_error()


def write(folder, files):
    os.makedirs(folder, exist_ok=True)
    for name, content in files.items():
        mode = "wb" if isinstance(content, bytes) else "w"
        with open(os.path.join(folder, name), mode, **({} if mode == "wb" else {"encoding": "utf-8"})) as file:
            file.write(content if isinstance(content, (bytes, str)) else json.dumps(content))


def write_rows(folder, rows):
    with open(os.path.join(folder, "expected.jsonl"), "w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(row, separators=(",", ":")) + "\n")


def token(content, **more):
    return {"content": content, "lstrip": False, "rstrip": False, "single_word": False, "normalized": False, "special": True, **more}


def named(content, **more):
    fields = token(content, **more)
    del fields["special"]
    return {"__type": "AddedToken", **fields}


def transformers_rows(folder, some):
    tokenizer = AutoTokenizer.from_pretrained(folder)
    backend = tokenizer._tokenizer
    rows = []
    for text in some:
        row = {"text": text, "ids": backend.encode(text).ids, "plain": backend.encode(text, add_special_tokens=False).ids}
        assert row["ids"] == tokenizer(text)["input_ids"]
        backend.encode_special_tokens = True
        literal = backend.encode(text, add_special_tokens=False).ids
        if literal != row["plain"]:
            row["literal"] = literal
        backend.encode_special_tokens = False
        row["decoded"] = decoded(backend, row["ids"], False)
        row["without_special"] = decoded(backend, row["ids"], True)
        rows.append(row)
    rows[0]["end"] = tokenizer.eos_token_id
    return rows


# What stands beside the vocabulary, by class: each is files to write.
def configurations(rng, kind, size):
    own = {"bert": ["[MASK]", "[PAD]"], "roberta": ["<mask>", "<s>"], "gpt2": ["<|endoftext|>", "<|im_start|>"], "qwen2": ["<|endoftext|>", "<|im_end|>"]}[kind]
    name = {"bert": "BertTokenizer", "roberta": rng.choice(["RobertaTokenizer", "BartTokenizer"]), "gpt2": "GPT2Tokenizer", "qwen2": "Qwen2Tokenizer"}[kind]
    base = {"tokenizer_class": name + rng.choice(["", "Fast"])} if rng.random() < 0.8 or kind == "qwen2" else {}
    for flag in {"bert": ["do_lower_case", "tokenize_chinese_chars", "strip_accents"]}.get(kind, ["add_prefix_space"]):
        if rng.random() < 0.5:
            base[flag] = rng.choice([True, False])
    if kind in ("gpt2", "qwen2") and rng.random() < 0.6:
        base["add_bos_token"] = rng.choice([True, False])
        base["bos_token"] = own[1]
    mask = own[0] if kind in ("bert", "roberta") else "<mask>"
    files = {}
    if not base.get("tokenizer_class"):
        files["config.json"] = {"model_type": kind if kind != "roberta" else rng.choice(["roberta", "bart"])}
    new = [token("<new>", lstrip=rng.random() < 0.5, rstrip=rng.random() < 0.5), token("newword", special=False, single_word=True, normalized=rng.random() < 0.5),
           token("[ADD]", special=rng.random() < 0.5, rstrip=rng.random() < 0.5)]
    way = rng.randrange(4)
    if way == 0:  # as save_pretrained writes them
        base["added_tokens_decoder"] = {str(size + i): t for i, t in enumerate(new)}
        base["additional_special_tokens"] = ["<new>"]
        if rng.random() < 0.5:
            files["special_tokens_map.json"] = {"eos_token": "[ADD]"}  # does not count then
    elif way == 1:  # as folders of old have them
        files["added_tokens.json"] = {"<new>": size, "newword": size + 1}
        files["special_tokens_map.json"] = {"mask_token": token(mask, lstrip=kind != "qwen2"), "additional_special_tokens": ["<new>"]}
        del files["special_tokens_map.json"]["mask_token"]["special"]
    elif way == 2:
        base["mask_token"] = named(mask, lstrip=kind != "qwen2")
        base["extra_special_tokens"] = ["<new>", own[0]]
        base["image_token"] = "[ADD]"
    if base:
        files["tokenizer_config.json"] = base
    return files


def word_lists(rng, folder, some, kinds, variants):
    sample = corpus(rng)
    for kind in kinds:
        for number in range(variants):
            if kind == "bert":
                trained_on = trained("wordpiece", sample, normalizers.BertNormalizer(lowercase=rng.random() < 0.5), pre_tokenizers.BertPreTokenizer(), rng.randrange(300, 600),
                                     ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"))
            else:
                specials = ("<s>", "<pad>", "</s>", "<unk>", "<mask>") if kind == "roberta" else ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
                trained_on = byte_level(sample, specials=specials)
            at = os.path.join(folder, f"{kind}-{number}")
            write(at, configurations(rng, kind, trained_on.get_vocab_size()))
            trained_on.model.save(at)
            write_rows(at, transformers_rows(at, some))


def described(rng, folder, some):
    sample = corpus(rng)
    around = processors.TemplateProcessing(single="<s> $A </s>", pair="<s> $A $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)])
    for number in range(8):
        made = byte_level(sample, specials=("<s>", "<pad>", "</s>", "<|endoftext|>"), prefix=rng.random() < 0.5)
        made.post_processor = rng.choice([around, processors.ByteLevel(trim_offsets=False)])
        made.add_tokens([AddedToken("[ADD]", lstrip=rng.random() < 0.5, normalized=False)])
        description = json.loads(made.to_str())
        if number % 2:  # ids with holes
            vocabulary = description["model"]["vocab"]
            last = max(vocabulary, key=vocabulary.get)
            vocabulary[last] += rng.randrange(2, 30)
            description["added_tokens"].append({"id": vocabulary[last], **token(last, special=False)})
            description["added_tokens"].append({"id": vocabulary[last] + 1, **token("<hole>")})
        config = {"tokenizer_class": rng.choice(["PreTrainedTokenizerFast", "LlamaTokenizerFast", "GPT2Tokenizer" if not number % 2 else "LlamaTokenizer"]),
                  "add_bos_token": rng.choice([True, False]), "add_eos_token": rng.choice([True, False])}
        if config["tokenizer_class"] == "GPT2Tokenizer":
            config["add_prefix_space"] = description["pre_tokenizer"]["add_prefix_space"]  # the class asks here, not there
        if rng.random() < 0.6:
            config.update(bos_token="<s>", eos_token=rng.choice(["</s>", "<|endoftext|>", None]))
        files = {"tokenizer.json": description, "tokenizer_config.json": config}
        if rng.random() < 0.5:
            files["added_tokens.json"] = {"<old>": len(description["model"]["vocab"]) + 1, "newword": len(description["model"]["vocab"]) + 2}
        if rng.random() < 0.5:
            files["special_tokens_map.json"] = {"pad_token": "<pad>", "mask_token": named("<mask>", lstrip=True)}
        at = os.path.join(folder, f"described-{number}")
        write(at, files)
        write_rows(at, transformers_rows(at, some))


def piece_model(sample, **options):
    out = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(sentence_iterator=iter(sample), model_writer=out, minloglevel=2, **options)
    return out.getvalue()


def is_a_tie(library, text):
    """Whether two ways of cutting the text up are as good: releases of the library choose differently then."""
    scores = [sum(library.get_score(i) for i in ids) for ids in library.nbest_encode(text, nbest_size=2, out_type=int)]
    return len(scores) > 1 and abs(scores[0] - scores[1]) < 1e-3


def piece_rows(rng, library, added, lists, some, unigram):
    """The library on every part between added tokens, which the `tokenizers` library finds."""
    finder = Tokenizer(models.WordLevel({"?": 0}, unk_token="?"))
    finder.add_tokens([AddedToken(**{k: v for k, v in one.items()}) for one in added.values()])
    ids_of = {finder.token_to_id(one["content"]): number for number, one in added.items()}
    rows = []
    for text in some:
        if unigram and text and is_a_tie(library, text):
            continue

        def encode(literal):
            finder.encode_special_tokens = literal
            ids, done = [], 0
            found = finder.encode(text)
            for piece, (begin, end) in zip(found.ids, found.offsets):
                if piece in ids_of:
                    ids += (library.encode(text[done:begin]) if done < begin else []) + [ids_of[piece]]
                    done = end
            return ids + (library.encode(text[done:]) if done < len(text) else [])
        rows.append({"text": text, "plain": encode(False), "literal": encode(True)})
    control = [i for i in range(len(library)) if library.is_control(i)]
    plain = [i for i in range(len(library)) if not library.is_control(i) and not library.is_unknown(i)]
    for _ in range(lists):  # lists of ids, control symbols among them
        ids = [rng.choice(control if rng.random() < 0.2 else plain) for _ in range(rng.randrange(1, 20))]
        rows.append({"ids": ids, "without_special": library.decode(ids)})
    for text in some:
        ids = [library.bos_id()] + library.encode(text) + [library.eos_id()]
        if library.unk_id() not in ids:
            rows.append({"ids": ids, "without_special": library.decode(ids)})
    return rows


def pieces(rng, folder, some, rules, variants, lists):
    sample = [line for text in corpus(rng) for line in text.split("\n")]
    for number in range(variants):
        options = {"model_type": ["bpe", "unigram"][number % 2], "vocab_size": 420, "byte_fallback": number % 3 != 2, "hard_vocab_limit": False,
                   "normalization_rule_name": rng.choice(rules), "add_dummy_prefix": rng.random() < 0.6,
                   "remove_extra_whitespaces": rng.random() < 0.4, "split_digits": rng.random() < 0.5, "allow_whitespace_only_pieces": rng.random() < 0.5,
                   "treat_whitespace_as_suffix": rng.random() < 0.15, "control_symbols": ["<|im_start|>", "<|im_end|>"], "user_defined_symbols": ["<sep>", "newword"]}
        model = piece_model(sample, **options)
        library = sentencepiece.SentencePieceProcessor(model_proto=model)
        size = len(library)
        added = {i: token(library.id_to_piece(i)) for i in range(size) if library.is_control(i) or library.is_unknown(i)}
        files, config = {"tokenizer.model": model}, {}
        if number % 4 == 1:  # Phi-3's way
            new = {size: token("<|end|>", rstrip=True), size + 1: token("<|user|>", rstrip=True, lstrip=rng.random() < 0.5),
                   size + 2: token("[ADD]", special=False, single_word=rng.random() < 0.5, lstrip=True)}
            added.update(new)
            config = {"added_tokens_decoder": {str(i): t for i, t in added.items()}, "eos_token": "<|end|>"}
        elif number % 4 == 2:
            added.update({size: token("[MASK]"), size + 1: token("[ADD]", special=False)})
            files["added_tokens.json"] = {"[MASK]": size, "[ADD]": size + 1}
            files["special_tokens_map.json"] = {"eos_token": "[MASK]"}
        config["add_bos_token"] = False
        files["tokenizer_config.json"] = config
        at = os.path.join(folder, f"pieces-{number}")
        write(at, files)
        rows = piece_rows(rng, library, added, lists, some + ["<|end|> a <|user|>\n b[ADD] x[ADD]y <sep><|im_end|>  <|end|>"], options["model_type"] == "unigram")
        rows[0]["end"] = size if number % 4 in (1, 2) else library.eos_id()
        write_rows(at, rows)


def main():
    folder = sys.argv[1]
    if "--stored" in sys.argv:
        rng = random.Random(STORED_SEED)
        some = few(rng)[::2]
        word_lists(rng, folder, some, ("bert", "roberta"), 1)
        pieces(rng, folder, some, ["identity"], 3, 20)  # the other rules' tables are 300 kB
        return
    rng = random.Random(int(sys.argv[2] if len(sys.argv) > 2 else os.environ.get("CRAFT_PARITY_SEED", "1")))
    some = texts(rng)
    word_lists(rng, folder, some, ("bert", "roberta", "gpt2", "qwen2"), 6)
    described(rng, folder, some)
    pieces(rng, folder, some, ["identity", "nmt_nfkc", "nfkc", "nmt_nfkc_cf"], 12, 150)


if __name__ == "__main__":
    main()
