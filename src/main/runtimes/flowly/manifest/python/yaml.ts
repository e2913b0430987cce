import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseAllDocuments,
  type YAMLMap,
} from "yaml";
import { type Py, PyDict, PyError, PyList, PySet, PyTuple } from "./values.ts";
import { indented, refuse } from "./yaml-refusals.ts";
import { CORE, plainTag, scalarOf } from "./yaml-scalars.ts";

/** Deeper than this, Python gives up as well. */
const MOST_DEEP = 320;

/** What PyYAML does not mind: where a flow collection goes on, and a comment right behind a value. */
const HARMLESS = /^(?:Flow (?:map|sequence) in block collection must be|Comments must be separated)/;

/** All of them end a line in YAML 1.1. */
const OTHER_BREAKS = /\r\n|[\r\u0085\u2028\u2029]/g;

/**
 * YAML 1.1 as PyYAML's `safe_load` reads a text: its words, numbers and dates, and its refusals.
 * @throws PyError when PyYAML refuses it; the texts are close to PyYAML's, not the same
 */
export function readYaml(given: string): Py {
  const text = indented(given.replace(/^\ufeff/, "").replace(OTHER_BREAKS, "\n"));
  refuse(text);
  const docs = parseAllDocuments(text, {
    version: "1.1",
    schema: "failsafe",
    merge: false,
    uniqueKeys: false,
    logLevel: "silent",
    keepSourceTokens: true,
  });
  const [doc, second] = [...docs];
  if ((!doc?.contents || text.startsWith("...")) && /^(?:%|\.\.\.)/m.test(text))
    fail("expected '<document start>'");
  if (!doc) return null;
  for (const each of [doc, second]) {
    const error = each?.errors.find((one) => !HARMLESS.test(one.message));
    if (error) fail(error.message);
  }
  if (second) fail("expected a single document in the stream, but found another document");
  const version = /^%YAML[ ]+([0-9]+)\./m.exec(beforeDocument(text))?.[1];
  if (version !== undefined && version !== "1")
    fail("found incompatible YAML document (version 1.* is required)");
  return doc.contents ? new Builder(doc).value(doc.contents) : null;
}

/** The directives: everything in front of the first `---`. */
function beforeDocument(text: string): string {
  return text.startsWith("%") || text.includes("\n%") ? (text.split(/^---/m)[0] ?? "") : "";
}

class Builder {
  readonly #anchors = new Map<string, Node>();
  readonly #made = new Map<Node, Py>();
  readonly #open = new Set<Node>();
  #depth = 0;

  constructor(doc: Document.Parsed) {
    this.#collect(doc.contents);
  }

  /** Each anchor is known from where it stands on; an alias in front of it, or a second of its name, is refused. */
  #collect(node: unknown): void {
    if (isAlias(node)) {
      if (!this.#anchors.has(node.source)) fail(`found undefined alias '${node.source}'`);
      return;
    }
    if (!isScalar(node) && !isMap(node) && !isSeq(node)) return;
    if (node.anchor !== undefined) {
      if (this.#anchors.has(node.anchor)) fail(`found duplicate anchor '${node.anchor}'`);
      this.#anchors.set(node.anchor, node);
    }
    if (isSeq(node)) for (const item of node.items) this.#collect(item);
    if (isMap(node))
      for (const pair of node.items) {
        if (!hasKey(pair)) fail("expected a key in front of ':'");
        this.#collect(pair.key);
        this.#collect(pair.value);
      }
  }

  value(given: unknown): Py {
    const node = this.#resolved(given);
    if (node === null) return null;
    const made = this.#made.get(node);
    if (made !== undefined) return made;
    if (this.#open.has(node)) fail("found unconstructable recursive node");
    this.#open.add(node);
    this.#depth += 1;
    if (this.#depth > MOST_DEEP) throw new PyError("RecursionError", "maximum recursion depth exceeded");
    const value = this.#make(node);
    this.#depth -= 1;
    this.#open.delete(node);
    this.#made.set(node, value);
    return value;
  }

  #resolved(given: unknown): Node | null {
    if (isAlias(given)) return this.#anchors.get(given.source) ?? null;
    return isScalar(given) || isMap(given) || isSeq(given) ? given : null;
  }

  #make(node: Node): Py {
    const tag = tagOf(node);
    if (isScalar(node)) {
      const value = scalarOf(tag, String(node.value ?? ""));
      return value === undefined ? refusedTag(tag) : value;
    }
    switch (tag) {
      case `${CORE}seq`: {
        if (!isSeq(node)) return fail("expected a sequence node, but found mapping");
        const list = new PyList();
        this.#begin(node, list);
        for (const item of node.items) list.items.push(this.value(item));
        return list;
      }
      case `${CORE}map`:
      case `${CORE}set`: {
        if (!isMap(node)) return fail("expected a mapping node, but found sequence");
        const dict = new PyDict();
        const value = tag === `${CORE}map` ? dict : new PySet(dict);
        this.#begin(node, value);
        this.#fill(dict, node);
        return value;
      }
      case `${CORE}omap`:
      case `${CORE}pairs`:
        return this.#pairs(node);
      default:
        return Object.values(KINDS).includes(tag)
          ? fail(`expected a scalar node, but found ${isMap(node) ? "mapping" : "sequence"}`)
          : refusedTag(tag);
    }
  }

  /** A list or a mapping can be met inside itself from here on. */
  #begin(node: Node, value: Py): void {
    this.#made.set(node, value);
    this.#open.delete(node);
  }

  #fill(dict: PyDict, node: YAMLMap): void {
    for (const { key, value } of this.#merged(node, new Set())) {
      const name = this.#key(key);
      dict.set(name, this.value(value));
    }
  }

  /** A key is made at once and whole; one that Python cannot hash is refused. */
  #key(given: unknown): Py {
    const node = this.#resolved(given);
    if (node !== null && isScalar(node) && tagOf(node) === `${CORE}value`) return String(node.value ?? "");
    const key = this.value(given);
    if (key instanceof PyList || key instanceof PyDict || key instanceof PySet) fail("found unhashable key");
    return key;
  }

  /** The pairs of a mapping with those of `<<` in front of its own. */
  #merged(node: YAMLMap, within: Set<Node>): { key: unknown; value: unknown }[] {
    if (within.has(node)) throw new PyError("RecursionError", "maximum recursion depth exceeded");
    const inner = new Set(within).add(node);
    const added: { key: unknown; value: unknown }[] = [];
    const own: { key: unknown; value: unknown }[] = [];
    for (const pair of node.items) {
      const key = this.#resolved(pair.key);
      if (key === null || tagOf(key) !== `${CORE}merge`) {
        own.push(pair);
        continue;
      }
      const from = this.#resolved(pair.value);
      if (from !== null && isMap(from)) added.push(...this.#merged(from, inner));
      else if (from !== null && isSeq(from))
        for (const item of from.items.toReversed()) {
          const each = this.#resolved(item);
          if (each === null || !isMap(each)) return fail("expected a mapping for merging");
          added.push(...this.#merged(each, inner));
        }
      else fail("expected a mapping or list of mappings for merging, but found scalar");
    }
    return [...added, ...own];
  }

  #pairs(node: Node): PyList {
    if (!isSeq(node)) return fail("expected a sequence, but found mapping");
    const list = new PyList();
    this.#begin(node, list);
    for (const item of node.items) {
      const each = this.#resolved(item);
      if (each === null || !isMap(each) || each.items.length !== 1)
        return fail("expected a mapping of length 1");
      const [pair] = each.items;
      list.items.push(new PyTuple([this.value(pair?.key), this.value(pair?.value)]));
    }
    return list;
  }
}

/** PyYAML takes an empty key only after `?`. */
function hasKey(pair: Pair): boolean {
  const explicit = pair.srcToken?.start.some((token) => token.type === "explicit-key-ind");
  const { key } = pair;
  if (key === null) return explicit === true;
  return (
    !isScalar(key) || key.source !== "" || key.type !== "PLAIN" || explicit === true || key.tag !== undefined
  );
}

const KINDS: Readonly<Record<string, string>> = Object.fromEntries(
  ["null", "bool", "int", "float", "timestamp", "binary", "str"].map((kind) => [kind, CORE + kind]),
);

function tagOf(node: Node): string {
  const { tag } = node;
  if (tag !== undefined && tag !== "!") return tag;
  if (isSeq(node)) return `${CORE}seq`;
  if (!isScalar(node)) return `${CORE}map`;
  const text = String(node.value ?? "");
  return tag === "!" || node.type === undefined || node.type === "PLAIN" ? plainTag(text) : `${CORE}str`;
}

function refusedTag(tag: string): never {
  fail(`could not determine a constructor for the tag '${tag}'`);
}

function fail(text: string): never {
  throw new PyError("YAMLError", text);
}
