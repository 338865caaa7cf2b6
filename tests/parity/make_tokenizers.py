"""Makes tokenizers of every kind with the `tokenizers` library and writes what it encodes and decodes with them.

    python make_tokenizers.py FOLDER [SEED | --stored]

FOLDER/<name>/tokenizer.json and FOLDER/<name>/expected.jsonl with rows {"text", "ids", "plain", "literal", "decoded",
"without_special"}: with the tokens that the tokenizer adds, without them, without special tokens in the text either (absent where that is
the same), and the texts that "ids" give with special tokens and without. The seed is CRAFT_PARITY_SEED if it is not given. --stored makes
tests/model/tokenizer/stored/tokenizers: the kinds and texts of a fixed seed that are small enough to be kept.
"""
import base64
import json
import os
import random
import sys
import unicodedata

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

LLAMA3 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")
QWEN2 = LLAMA3.replace("{1,3}", "")
O200K = (r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|"
         r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}|"
         r" ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+")
DEEPSEEK = r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"

NASTY = [
    "", " ", "  ", "\n", "\r\n", "\t", "a", "A", "  leading", "trailing  ", "a  b   c", "\n\n\nx\n \n", " \n \t\r\n  y",
    "I'm you're WE'LL they'd've it's 'S 'Ll 'tis don'T", "\u017f'\u017f x'\u017f", "12345678 1,234.5 3rd \u00bd\u0662\u0663\u2163",
    "caf\u00e9 cafe\u0301 \u1e9b\u0323 \u212b \ufb01 \u00c5ngstr\u00f6m \u0130stanbul \u1e9e \u03a3\u03c3\u03c2",
    "\u6f22\u5b57\u304b\u306a\u30ab\u30ca\ud55c\uad6d\uc5b4 \u1112\u1161\u11ab \uff21\uff22\uff11", "\u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627 \u200f\u202eabc\u202c",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466 \U0001f3f3\ufe0f\u200d\U0001f308 \U0001f1e9\U0001f1ea \U0001f44d\U0001f3fd \u2764\ufe0f",
    "\x00\x01\x07\x0b\x0c\x1b\x1c\x1f\x7f\x80\x85\x9f\xa0\xad", "\u200b\u200c\u200d\u2060\ufeff\ufffd\ue000\U0010ffff",
    "\u2000\u2001\u2009\u202f\u205f\u3000\u1680\u2028\u2029\u180e", "\u2581a\u2581\u2581b \u2581 c", "e\u0301\u0323\u0301 q\u0307\u0323 \u0344 \u0f73\u0f75 \u0958\u0929",
    "[CLS] [SEP] [MASK] [UNK] <s></s><unk> <mask> <|endoftext|><|im_start|>user", "a<s>b <s> c  <mask>  d", "<0x41><0x0A> ##a ## a",
    "x" * 101, "y" * 300, "ab" * 400, " " * 200 + "z", "7" * 130, "\u00e9" * 150, "!?" * 90, "\U0001f600" * 40, "do not . ? ! , ' n't 'm 's 've 're",
    "http://a.b/c?d=e&f=g#h user@example.org C++ x_y __init__ $5.00 100%", "def f(x):\n    return x*2\n\n\n\tif y:\r\n\t\tpass",
    "\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35 \u0928\u092e\u0938\u094d\u0924\u0947 \u1019\u103c\u1014\u103a\u1019\u102c \u10d2\u10d0\u10db\u10d0\u10e0 \u1c90\u1c91", "\u01c5\u01c8\u02b0\u00aa\u00ba\u2071\u2160",
    "NEWWORD newword Newword xnewword newwordx  newword  ", "\u6f22newword\u6f22 _newword_ newword.", "[ADD] [ADD]x x[ADD]",
]
ALPHABET = ("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 \n\r\t.,;:!?'\"()[]{}<>|/\\@#$%^&*-_=+~`"
            "\u00e9\u00df\u00fc\u0130\u0131\u017f\u01c5\u0301\u0323\u0307\u0344\u0345\u05d0\u0627\u064b\u0915\u094d\u0937\u0e01\u0e31\u1100\u1161\u11a8"
            "\u00a0\u2003\u2028\u3000\u200b\u200d\ufeff\u2581\u2019\u201c\u2026\u20ac\u00bd\u00b2\u0663\u2167\u4e2d\u6587\u3042\u30a2\u30fc\uac00\uff21\uff76\uff9e"
            "\U0001f600\U0001f3fd\U0001f1e9\U0001d400\U00020000\ufb01\u212b\u1e9b\u0f73\u00ad\u0085\u001c\u0000")
WORDS = ["the", "river", " and", " newword ", "[MASK]", "<s>", "</s>", "<|im_end|>", "don't", "  ", "\n\n", "2024", "\u00e9t\u00e9", "\u6f22\u5b57", "##ing", "\u2581the",
         "\U0001f468\u200d\U0001f469\u200d\U0001f467", "e\u0301", "'ll", "I'M", "[ADD]"]


STORED = ("gpt2", "llama3", "qwen2", "llama2", "unigram_bytes", "bert_uncased", "bert_cased", "bert_accents", "word_level_split")
STORED_SEED = 20  # of the texts; the trainers break ties differently each time, so that vocabularies and rows belong together


def corpus(rng):
    who = ["The gardener", "A careful editor", "Our neighbour", "Nobody", "\u00c9ric", "\u6f22\u5b57\u306e\u4eba", "\u041c\u043e\u0441\u043a\u0432\u0430"]
    does = ["rewrites", "waters", "doesn't remember", "crosses", "measures", "\u00fcberquert"]
    what = ["every sentence", "the quiet river", "twelve short words", "1234 paragraphs", "a plan; it's done!", "\u5c71\u3068\u5ddd", "na\u00efve caf\u00e9s"]
    return [f"{rng.choice(who)} {rng.choice(does)} {rng.choice(what)} on day {rng.randrange(400)}.\n{rng.choice(what)}" for _ in range(400)]


def texts(rng):
    out = list(NASTY)
    for _ in range(160):
        parts = []
        for _ in range(rng.randrange(1, 30)):
            kind = rng.random()
            if kind < 0.55:
                parts.append(rng.choice(ALPHABET))
            elif kind < 0.85:
                parts.append(rng.choice(WORDS))
            elif kind < 0.93:
                parts.append(rng.choice(ALPHABET) * rng.randrange(1, 9))
            else:
                code = rng.choice([rng.randrange(0x20, 0x3000), rng.randrange(0x20, 0xD800), rng.randrange(0xE000, 0x2FA20)])
                # Characters newer than ICU's and PCRE2's tables have other properties here and there.
                parts.append(chr(code) if unicodedata.category(chr(code)) != "Cn" else "x")
        out.append("".join(parts))
    return out


def trained(kind, texts, normalizer=None, pre=None, size=600, special=("<unk>", "<s>", "</s>", "<pad>", "<mask>"), model=None, **more):
    model = model or {"bpe": models.BPE(unk_token="<unk>"), "unigram": models.Unigram(), "wordpiece": models.WordPiece(unk_token=special[0]),
                      "wordlevel": models.WordLevel(unk_token="<unk>")}[kind]
    tokenizer = Tokenizer(model)
    if normalizer:
        tokenizer.normalizer = normalizer
    if pre:
        tokenizer.pre_tokenizer = pre
    trainer = {"bpe": trainers.BpeTrainer, "unigram": trainers.UnigramTrainer, "wordpiece": trainers.WordPieceTrainer,
               "wordlevel": trainers.WordLevelTrainer}[kind]
    if kind == "unigram":
        more.setdefault("unk_token", "<unk>")
    tokenizer.train_from_iterator(texts, trainer(vocab_size=size, special_tokens=list(special), show_progress=False, **more))
    return tokenizer


def changed(tokenizer, change):
    description = json.loads(tokenizer.to_str())
    change(description)
    return Tokenizer.from_str(json.dumps(description))


def byte_level(rng_texts, pattern=None, normalizer=None, prefix=False, ignore_merges=False, specials=("<|endoftext|>", "<|im_start|>", "<|im_end|>"), size=900):
    pre = pre_tokenizers.ByteLevel(add_prefix_space=prefix)
    if pattern:
        pre = pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(pattern), "isolated"), pre_tokenizers.ByteLevel(add_prefix_space=prefix, use_regex=False)])
    tokenizer = trained("bpe", rng_texts, normalizer, pre, size, specials, models.BPE(ignore_merges=ignore_merges),
                        initial_alphabet=pre_tokenizers.ByteLevel.alphabet())
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=False)
    return tokenizer


def with_bytes(description):
    model = description["model"]
    model["byte_fallback"] = True
    if model["type"] == "Unigram":
        model["vocab"] += [[f"<0x{b:02X}>", -9.0] for b in range(256)]
    else:
        for b in range(256):
            model["vocab"].setdefault(f"<0x{b:02X}>", len(model["vocab"]))


def charsmap():
    """A table of replacements in sentencepiece's form, from its own library: nmt_nfkc_cf."""
    import io

    import sentencepiece
    from sentencepiece import sentencepiece_model_pb2 as pb

    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(sentence_iterator=iter(["a b c d e f g"] * 20), model_writer=model, vocab_size=16, model_type="unigram",
                                             normalization_rule_name="nmt_nfkc_cf", hard_vocab_limit=False, minloglevel=2)
    proto = pb.ModelProto()
    proto.ParseFromString(model.getvalue())
    return base64.b64encode(proto.normalizer_spec.precompiled_charsmap).decode()


def make(rng):
    sample = corpus(rng)
    made = {}
    made["gpt2"] = byte_level(sample)
    made["roberta"] = byte_level(sample, prefix=True, specials=("<s>", "<pad>", "</s>", "<unk>", "<mask>"))
    made["roberta"].post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), True, True)
    made["roberta"].add_special_tokens([AddedToken("<mask>", lstrip=True, special=True)])
    made["llama3"] = byte_level(sample, LLAMA3, ignore_merges=True, specials=("<|begin_of_text|>", "<|im_start|>", "<|im_end|>"))
    made["llama3"].post_processor = processors.Sequence([processors.ByteLevel(trim_offsets=False), processors.TemplateProcessing(
        single="<|begin_of_text|> $A", pair="<|begin_of_text|> $A <|begin_of_text|>:1 $B:1", special_tokens=[("<|begin_of_text|>", 0)])])
    made["qwen2"] = byte_level(sample, QWEN2, normalizers.NFC())
    made["qwen2"].add_tokens([AddedToken("[ADD]", rstrip=True), AddedToken("newword", lstrip=True, single_word=True)])
    made["o200k"] = byte_level(sample, O200K)
    made["deepseek"] = byte_level(sample, DEEPSEEK)
    made["deepseek"].pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Split(Regex(r"\p{N}{1,3}"), "isolated"), pre_tokenizers.Split(Regex("[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+"), "isolated"),
        pre_tokenizers.Split(Regex(DEEPSEEK), "isolated"), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    made["byte_normalizer"] = byte_level(sample)
    made["byte_normalizer"].normalizer = normalizers.Sequence([normalizers.NFD(), normalizers.ByteLevel()])
    made["byte_normalizer"].pre_tokenizer = pre_tokenizers.Split(Regex(r"\u0120?\w+"), "merged_with_previous")
    made["digits"] = byte_level(sample)
    made["digits"].pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Digits(True), pre_tokenizers.ByteLevel(add_prefix_space=True), pre_tokenizers.Punctuation("contiguous")])

    def bert(lower, strip=None):
        tokenizer = trained("wordpiece", sample, normalizers.BertNormalizer(lowercase=lower, strip_accents=strip), pre_tokenizers.BertPreTokenizer(), 500,
                            ("[UNK]", "[CLS]", "[SEP]", "[PAD]", "[MASK]"))
        tokenizer.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 1), ("[SEP]", 2)])
        tokenizer.decoder = decoders.WordPiece()
        return tokenizer

    made["bert_uncased"] = bert(True)
    made["bert_cased"] = bert(False)
    made["bert_cased"].post_processor = processors.BertProcessing(("[SEP]", 2), ("[CLS]", 1))
    made["bert_accents"] = bert(True, False)
    made["bert_accents"].add_tokens([AddedToken("newword", single_word=True), AddedToken("[ADD]", lstrip=True, rstrip=True), "\u00e9t\u00e9"])

    # Llama 2 and its kin: sentencepiece's BPE.
    llama2 = changed(trained("bpe", [t.replace(" ", "\u2581") for t in sample], model=models.BPE(unk_token="<unk>", fuse_unk=True)), with_bytes)
    llama2.normalizer = normalizers.Sequence([normalizers.Prepend("\u2581"), normalizers.Replace(" ", "\u2581")])
    llama2.decoder = decoders.Sequence([decoders.Replace("\u2581", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)])
    llama2.post_processor = processors.TemplateProcessing(single="<s> $A", pair="<s> $A <s>:1 $B:1", special_tokens=[("<s>", 1)])
    made["llama2"] = llama2
    for scheme in ("first", "always", "never"):
        for split in (True, False):
            other = Tokenizer.from_str(llama2.to_str())
            other.normalizer = None
            other.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme=scheme, split=split)
            other.decoder = decoders.Sequence([decoders.ByteFallback(), decoders.Metaspace(prepend_scheme=scheme)])
            other.add_tokens([AddedToken("newword", normalized=True), AddedToken("[ADD]", rstrip=True)])
            made[f"metaspace_{scheme}_{'split' if split else 'whole'}"] = other
    made["gemma"] = Tokenizer.from_str(llama2.to_str())
    made["gemma"].normalizer = normalizers.Replace(" ", "\u2581")
    made["gemma"].pre_tokenizer = pre_tokenizers.Split(" ", "merged_with_previous")
    made["gemma"].decoder = decoders.Sequence([decoders.Replace("\u2581", " "), decoders.ByteFallback(), decoders.Fuse()])
    made["gemma"].add_tokens(["\n\n", "\n\n\n", "\u2581\u2581", "\u2581\u2581\u2581\u2581"])

    unigram = trained("unigram", sample, normalizers.Sequence([normalizers.Nmt(), normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")]), pre_tokenizers.Metaspace())
    unigram.decoder = decoders.Metaspace()
    made["unigram"] = unigram
    made["unigram_bytes"] = changed(unigram, with_bytes)
    made["unigram_bytes"].decoder = decoders.Sequence([decoders.ByteFallback(), decoders.Metaspace(), decoders.Fuse(), decoders.Strip("e", 0, 1)])

    def precompiled(description):
        description["normalizer"] = {"type": "Sequence", "normalizers": [
            {"type": "Precompiled", "precompiled_charsmap": charsmap()}, {"type": "Strip", "strip_left": False, "strip_right": True},
            {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": "\u2581"}]}
        description["pre_tokenizer"] = {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "first", "split": True}

    made["xlm_roberta"] = changed(unigram, precompiled)
    made["xlm_roberta"].post_processor = processors.TemplateProcessing(single="<s> $A </s>", pair="<s> $A </s> $B </s>", special_tokens=[("<s>", 1), ("</s>", 2)])

    words = trained("wordlevel", sample, normalizers.Sequence([normalizers.Strip(), normalizers.Lowercase(), normalizers.NFKD(), normalizers.StripAccents()]),
                    pre_tokenizers.Whitespace())
    made["word_level"] = words
    made["word_level_split"] = Tokenizer.from_str(words.to_str())
    made["word_level_split"].pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Digits(), pre_tokenizers.CharDelimiterSplit("-"),
                                                                      pre_tokenizers.Split("e", "merged_with_next"), pre_tokenizers.Split(Regex(r"[aeiou]+"), "contiguous", True),
                                                                      pre_tokenizers.FixedLength(7)])
    made["word_level_split"].decoder = decoders.CTC(pad_token="<pad>", word_delimiter_token="|")
    made["word_level_classes"] = Tokenizer.from_str(words.to_str())
    made["word_level_classes"].normalizer = normalizers.NFD()
    made["word_level_classes"].pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(r"\b"), "isolated"), pre_tokenizers.Split(Regex("[[:punct:]]|[[:cntrl:]]"), "isolated"),
                                                                        pre_tokenizers.Split(Regex("[[:alpha:]]+|[[:digit:]]"), "merged_with_next")])
    affixes = trained("bpe", sample, normalizers.Lowercase(), pre_tokenizers.WhitespaceSplit(), continuing_subword_prefix="##", end_of_word_suffix="</w>",
                      model=models.BPE(unk_token="<unk>", continuing_subword_prefix="##", end_of_word_suffix="</w>"))
    affixes.decoder = decoders.BPEDecoder()
    made["affixes"] = affixes
    made["no_unknown"] = trained("bpe", sample, None, pre_tokenizers.Punctuation("removed"), model=models.BPE())
    made["old_files"] = changed(made["gpt2"], lambda d: d["model"].update(merges=[" ".join(m) for m in d["model"]["merges"]], dropout=None))
    return made


def decoded(tokenizer, ids, skip):
    try:
        return tokenizer.decode(ids, skip_special_tokens=skip)
    except BaseException as error:  # some decoders panic on an empty list and on short tokens
        if "Panic" not in type(error).__name__:
            raise
        return None


def few(rng):
    """Of texts() what is kept: all that are written by hand and not long, and some others."""
    return [text for text in NASTY if len(text) <= 120] + texts(rng)[len(NASTY):len(NASTY) + 8]


def rows_of(tokenizer, some):
    rows = []
    for text in some:
        row = {"text": text, "ids": tokenizer.encode(text).ids, "plain": tokenizer.encode(text, add_special_tokens=False).ids}
        tokenizer.encode_special_tokens = True
        literal = tokenizer.encode(text, add_special_tokens=False).ids
        if literal != row["plain"]:
            row["literal"] = literal
        tokenizer.encode_special_tokens = False
        row["decoded"] = decoded(tokenizer, row["ids"], False)
        row["without_special"] = decoded(tokenizer, row["ids"], True)
        rows.append(row)
    return rows


def main():
    folder = sys.argv[1]
    stored = "--stored" in sys.argv
    rng = random.Random(STORED_SEED if stored else int(sys.argv[2] if len(sys.argv) > 2 else os.environ.get("CRAFT_PARITY_SEED", "1")))
    for name, tokenizer in make(rng).items():
        if stored and name not in STORED:
            continue
        os.makedirs(os.path.join(folder, name), exist_ok=True)
        tokenizer.save(os.path.join(folder, name, "tokenizer.json"), pretty=not stored)
        with open(os.path.join(folder, name, "expected.jsonl"), "w", encoding="utf-8") as file:
            for row in rows_of(tokenizer, few(rng) if stored else texts(rng)):
                file.write(json.dumps(row, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
