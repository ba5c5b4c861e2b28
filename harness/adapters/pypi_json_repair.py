"""Adapter for the PyPI package `json_repair`: it mends JSON text and knows no schema.

Usage: python3 pypi_json_repair.py [FOLDER that holds the package]
"""

import importlib
import importlib.metadata
import json
import math
import sys

sys.path[:0] = sys.argv[1:2]
json_repair = importlib.import_module("json_repair")

HELLO = {
    "protocol": 1,
    "engine": "json_repair",
    "version": importlib.metadata.version("json_repair"),
    "operations": ["repair_text"],
    "features": [],
    "numbers": "exact",
    # What its description names; all else it may refuse.
    "undoes": [
        "comment",
        "markdown-fence",
        "missing-closers",
        "raw-controls",
        "single-quotes",
        "surrounding-prose",
        "trailing-comma",
        "unquoted-keys",
    ],
}


def strict(constant):
    raise ValueError(constant)


def repair_text(text):
    try:
        json.loads(text, parse_constant=strict)
        return {"outcome": "valid"}
    except (ValueError, RecursionError):
        pass
    try:
        value = json_repair.loads(text, skip_json_loads=True)
    except (ValueError, RecursionError) as error:  # this is how the package refuses
        return {"outcome": "unrepairable", "message": str(error)}
    # An empty text is how the package says that it found nothing.
    if value == "":
        return {"outcome": "unrepairable", "message": "no JSON was found"}
    return {"outcome": "repaired", "args": in_json(value)}


def in_json(value):
    """The value, with numbers that JSON does not have as their names."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, list):
        return [in_json(item) for item in value]
    if isinstance(value, dict):
        return {key: in_json(item) for key, item in value.items()}
    return value


def answer(question):
    operation = question.get("op")
    if operation == "hello":
        return HELLO
    if operation != "repair_text":
        message = f"there is no operation {operation}"
        return {"error": {"code": "unsupported", "message": message}}
    try:
        return repair_text(question["text"])
    except Exception as error:  # whatever the package raises is what it answers
        message = f"{type(error).__name__}: {error}"[:500]
        return {"error": {"code": "internal", "message": message}}


def main():
    sys.stdin.reconfigure(encoding="utf-8", newline="\n")
    for line in sys.stdin:
        question = json.loads(line)
        print(json.dumps({"id": question["id"], **answer(question)}), flush=True)


main()
