"""Whether a parser that Kaitai Struct makes of `tracelint describe FORMAT --output ksy` finds what `tracelint dump` finds.

    compare.py TRACELINT FOLDER FORMAT FILE...

FOLDER is that of compile.mjs. Each record that the dump shows whole is parsed: names, offsets, lengths and values of the
fields must be the same. Of a record whose bytes end too early both must find the same first fields. Where the
specification has a type for the whole file, a file without errors whose records are whole is also parsed by it: names,
offsets and lengths of the records must be the same.
"""

import collections
import importlib.util
import io
import itertools
import json
import pathlib
import re
import subprocess
import sys
import types

import kaitaistruct

MOST_SHOWN = 10
LARGEST = 1 << 20


class Differs(Exception):
    """`found`: how many fields are the same."""

    def __init__(self, text, found=0):
        super().__init__(text)
        self.found = found


class Parsers:
    """The generated classes of a format, by the name of the record."""

    def __init__(self, folder, format):
        specification = json.loads((folder / f"{format}.json").read_text())
        self.types = specification["types"]
        module_spec = importlib.util.spec_from_file_location(f"tracelint_{format}", folder / f"tracelint_{format}.py")
        module = importlib.util.module_from_spec(module_spec)
        module_spec.loader.exec_module(module)
        self.root = getattr(module, f"Tracelint{format.capitalize()}")
        self.by_name = collections.defaultdict(list)
        self.reads_files = "whole_file" in self.types
        for id in specification["seq"][0]["type"]["cases"].values():
            if id == "whole_file":
                continue
            self.by_name[self.types[id]["-orig-id"]].append(id)
        self.layouts = self.all_layouts()

    def all_layouts(self):
        """Versions that differ, word sizes and byte orders. The dump does not name them."""
        text = json.dumps(self.types)
        edges = re.findall(r"_root\.version (>=|<=) (\d+)", text)
        versions = {0} | {int(number) for _, number in edges} | {int(number) + 1 for edge, number in edges if edge == "<="}
        words = (8, 4) if "_root.word_size" in text else (8,)
        return list(itertools.product(sorted(versions, reverse=True), words, (False, True)))

    def start(self, id, data, layout):
        """What will be parsed, and its stream."""
        version, word_size, is_big_endian = layout
        root = types.SimpleNamespace(version=version, word_size=word_size, is_big_endian=is_big_endian)
        stream = kaitaistruct.KaitaiStream(io.BytesIO(data))
        one = getattr(self.root, "".join(word.capitalize() for word in id.split("_")))
        return one(stream, None, root, not is_big_endian), stream

    def read_file(self, data, layout):
        """Name, offset and length of each record of a file, by its root."""
        file, _ = self.start("whole_file", data, layout)
        file._read()
        names = {"".join(word.capitalize() for word in id.split("_")): one.get("-orig-id") for id, one in self.types.items()}
        parts = ([("header", file)] if hasattr(file, "header") else []) + [("record", any) for any in file.records]
        places = [file._debug["header"]] if hasattr(file, "header") else []
        places += file._debug["records"].get("arr", [])
        return [(names[type(getattr(owner, attribute)).__name__], place["start"], place["end"] - place["start"])
                for (attribute, owner), place in zip(parts, places)]

    def read(self, id, data, layout):
        """The parsed record, where reading ended, and why, if that was too early."""
        parsed, stream = self.start(id, data, layout)
        try:
            parsed._read()
        except Exception as error:  # the runtime has no class of its own for a missing terminator
            if not re.search(r"end of stream|requested", str(error)):
                raise
            return parsed, stream.pos(), error
        return parsed, stream.pos(), None


class Walk:
    """The fields of a parsed record: path, offset, length and value of each, in the order of the dump."""

    def __init__(self, parsers):
        self.types, self.found = parsers.types, []

    def record(self, parsed, id, prefix, base):
        one = self.types[id]
        for attribute in one["seq"]:
            name = attribute["id"]
            place = parsed._debug.get(name, {})
            # A list without an end has the elements that were read.
            is_read = "end" in place or ("start" in place and "repeat" in attribute and attribute["type"] != "u2le")
            if not is_read or not hasattr(parsed, name):
                continue
            self.attribute(parsed, one, attribute, prefix, base, base + place["start"], base + place.get("end", place["start"]))

    def attribute(self, parsed, one, attribute, prefix, base, start, end):
        value, type = getattr(parsed, attribute["id"]), attribute.get("type")
        path = prefix + attribute.get("-orig-id", attribute["id"])
        if attribute["id"].endswith("_bits"):
            for name, instance in one["instances"].items():
                if "enum" not in instance and re.search(rf"\b{attribute['id']}\b", instance["value"]):
                    self.add(prefix + instance.get("-orig-id", name), start, end, getattr(parsed, name))
        elif type in ("uleb128", "sleb128"):
            self.add(path, start, end, value.value)
        elif attribute.get("repeat") and type == "u2le":
            self.add(path, start, end, b"".join(unit.to_bytes(2, "little") for unit in value[:-1]))
        elif attribute.get("repeat"):
            self.list(path, type, value, start, base)
        elif isinstance(value, kaitaistruct.KaitaiStruct):
            # The elements of an area are in a stream of their own.
            area = type.split("(")[0]
            self.list(path, self.types[area]["seq"][0]["type"], value.items, start, start)
            if rest := getattr(value, "rest", b""):
                self.add(path, end - len(rest), end, rest)
        else:
            self.add(path, start, end, value)

    def list(self, path, id, elements, start, base):
        self.add(path, start, start, None)
        # Paths name the innermost list alone.
        for number, element in enumerate(elements):
            self.record(element, id, f"{path.rsplit('.', 1)[-1]}[{number}].", base)

    def add(self, path, start, end, value):
        self.found.append((path, start, end - start, value))


def is_same(value, field, is_resolved):
    """Whether the dump shows this value. `is_resolved`: what it is relative to is added to the number that it shows."""
    if value is None:
        return "elements" in field
    if isinstance(value, bytes):
        if isinstance(field.get("value"), int):
            return False
        if "bytes" in field:
            return value.startswith(bytes.fromhex(field["bytes"]))
        return field["value"] in (value[:len(field["value"].encode())].decode(errors="replace"),
                                  value.decode("utf-16-le", "replace")[:len(field["value"])])
    return is_resolved or value == int(field.get("exact", field.get("value", -1)))


def compare(parsers, id, data, entry, layout, resolved):
    """How the record was read: whole or in part."""
    parsed, end, error = parsers.read(id, data, layout)
    walk = Walk(parsers)
    walk.record(parsed, id, "", entry["offset"])
    fields = [field for field in entry["fields"] if field["field"] is not None]
    is_undescribed = error is not None and entry["fields"][-1].get("undescribed", False)
    if is_undescribed and fields and fields[-1] is entry["fields"][-1]:
        fields.pop()
    for number, ((path, offset, length, value), field) in enumerate(zip(walk.found, fields)):
        is_resolved = re.sub(r"\[\d+\]", "", path) in resolved
        if (path, offset, length) != (field["field"], field["offset"], field["length"]) or not is_same(value, field, is_resolved):
            raise Differs(f"{path} at {offset}, {length} bytes, {value!r}, not {field}", number)
    if error is None and len(walk.found) != len(fields):
        raise Differs(f"{len(walk.found)} fields, not {len(fields)}", len(walk.found))
    # Of an element whose bytes end too early, the parser shows nothing.
    are_of_elements = all("]." in field["field"] for field in fields[len(walk.found):])
    if error is not None and not is_undescribed and not (are_of_elements and end == len(data)):
        raise Differs(f"it ends early: {error}", len(walk.found))
    rest = [field["offset"] for field in entry["fields"] if field["field"] is None]
    if error is None and rest and rest[0] != entry["offset"] + end:
        raise Differs(f"the fields end at {entry['offset'] + end}, not {rest[0]}", len(walk.found))
    return "whole" if error is None else "in part"


def resolved_fields(tracelint, format):
    """Record -> paths of the numbers that are relative to others."""
    described = subprocess.run([tracelint, "describe", format], stdout=subprocess.PIPE, check=True)
    found = collections.defaultdict(set)

    def look(record, fields, list):
        for field in fields:
            if "relative_to" in field or "shift" in field:
                found[record].add(list + field["name"])
            if "element" in field:
                look(record, field["element"]["fields"], field["name"] + ".")

    for record in json.loads(described.stdout)["records"]:
        look(record["name"], record["fields"], "")
    return found


def records_of(tracelint, format, path):
    dumped = subprocess.run([tracelint, "dump", "--as", format, "--output", "json", path], stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL, check=False)
    entries = json.loads(dumped.stdout)["records"] if dumped.stdout else []
    return [entry for entry in entries if entry["type"] == "record" and "missing" not in entry]


def kindless_records(tracelint, format):
    """The records that no kind identifies. The root of the whole file reads them as others."""
    described = subprocess.run([tracelint, "describe", format], stdout=subprocess.PIPE, check=True)
    return {record["name"] for record in json.loads(described.stdout)["records"]
            if record["kind"] is None and record["is_numbered"] and not record["is_fallback"]}


def file_difference(parsers, data, entries):
    """How the root reads the file in another way than the dump; empty if in the same way, in one of the layouts."""
    wanted = [(entry["name"], entry["offset"], entry["length"]) for entry in entries]
    difference = ""
    for layout in parsers.layouts:
        try:
            found = parsers.read_file(data, layout)
        except Exception as error:
            difference = difference or f"{error}"
            continue
        if found == wanted:
            return ""
        same = [one == other for one, other in zip(found, wanted)]
        at = same.index(False) if False in same else len(same)
        difference = f"record {at} is {found[at:at + 1]}, not {wanted[at:at + 1]}"
    return difference


def has_error(tracelint, format, path):
    checked = subprocess.run([tracelint, "--as", format, "--no-pair", "--no-config", "--output", "json", path],
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return json.loads(checked.stdout)["files"][0]["counts"]["error"] != 0


def main(tracelint, folder, format, *paths):
    parsers = Parsers(pathlib.Path(folder), format)
    kindless, files, files_otherwise = kindless_records(tracelint, format), 0, 0
    resolved = resolved_fields(tracelint, format)
    outcomes, fields, last = collections.Counter(), 0, parsers.layouts[0]
    for path in paths:
        data = pathlib.Path(path).read_bytes()
        if len(data) > LARGEST or data[:2] == b"\x1f\x8b" or data[:4] == b"\x28\xb5\x2f\xfd":
            continue  # offsets are those of the decompressed trace
        entries = records_of(tracelint, format, path)
        are_whole = True
        for entry in entries:
            slice = data[entry["offset"]:entry["offset"] + entry["length"]]
            best, outcome = Differs("no type has its name", -1), None
            ways = itertools.product([last, *parsers.layouts], parsers.by_name[entry["name"]])
            for layout, id in ways:
                try:
                    outcome = compare(parsers, id, slice, entry, layout, resolved[entry["name"]])
                except Differs as error:
                    best = max(best, error, key=lambda one: one.found)
                    continue
                last = layout
                break
            outcomes[outcome or "otherwise"] += 1
            are_whole = are_whole and outcome == "whole"
            fields += len(entry["fields"])
            if outcome is None and outcomes["otherwise"] <= MOST_SHOWN:
                print(f"{path}: {entry['path']} {entry['name']}: {best}")
        has_root = parsers.reads_files and entries and kindless.isdisjoint(entry["name"] for entry in entries)
        if has_root and are_whole and not has_error(tracelint, format, path):
            files += 1
            if difference := file_difference(parsers, data, entries):
                files_otherwise += 1
                print(f"{path}: as a whole, {difference}")
    print(f"{format}: {outcomes['whole']} records are read as the dump shows them, {outcomes['in part']} up to where their bytes "
          f"end, {outcomes['otherwise']} otherwise; {fields} fields")
    if parsers.reads_files:
        print(f"{format}: {files - files_otherwise} files without errors are read as a whole, {files_otherwise} otherwise")
    is_right = outcomes["otherwise"] == 0 and outcomes["whole"] != 0 and files_otherwise == 0
    return 0 if is_right and (files != 0 or not parsers.reads_files) else 1


sys.exit(main(*sys.argv[1:]))
