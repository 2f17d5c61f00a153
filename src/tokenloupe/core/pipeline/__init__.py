"""The stages of a tokenizer.json: normalizers, pre-tokenizers, models, post-processors, decoders.

Each stage is a small object made from its JSON by the registry of its module (`NORMALIZERS`, `PRE_TOKENIZERS`, ..), and
says in its docstring what the reference (`tokenizers` 0.23) does. A text on its way through them is an `Aligned`:
characters that know which bytes of the input they come from.
"""
