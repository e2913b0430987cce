import { jsonLanguage } from "@codemirror/lang-json";
import { isObject } from "../../../../contract/is-object.ts";
import { i18n } from "../../../base/i18n/index.ts";
import type { Config } from "../values/form-model.ts";
import type { FoundError } from "../values/validator.ts";

/** An error in a text, with its place. */
export interface JsonError {
  from: number;
  to: number;
  /** From 1. */
  line: number;
  message: string;
}

type Tree = ReturnType<typeof jsonLanguage.parser.parse>;
type Node = Tree["topNode"];

/** The settings that a text stands for, or null when it is no JSON object. */
export function parseSettings(text: string): Config | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** The first place where the text is not valid JSON; empty for a valid object. */
export function syntaxErrors(text: string): JsonError[] {
  if (parseSettings(text)) return [];
  const tree = jsonLanguage.parser.parse(text);
  let found: Node | null = null;
  tree.iterate({
    enter: ({ type, node }) => {
      if (type.isError) found ??= node;
      return found === null;
    },
  });
  const at = found as Node | null;
  const message = i18n.t(at ? "json.broken" : "settings.notJson");
  // Something missing at the end of a line is marked there, and not at the beginning of the next line.
  const end = at ? text.slice(0, at.from).trimEnd().length : 0;
  return [
    errorAt(text, at && at.from === at.to ? Math.max(0, end - 1) : (at?.from ?? 0), at?.to ?? 0, message),
  ];
}

/**
 * Gives each error its place in the text: at its value; where the value is missing, at the innermost value that
 * contains its place.
 */
export function locate(text: string, errors: FoundError[]): JsonError[] {
  const tree = jsonLanguage.parser.parse(text);
  return errors.map(({ path, message }) => {
    const { node, whole } = nodeAt(tree, text, path);
    const label = whole ? message : `${path.at(-1)}: ${message}`;
    // Of an object or list only the opening bracket is marked.
    const to = whole && node.name !== "Object" && node.name !== "Array" ? node.to : node.from + 1;
    return errorAt(text, node.from, to, label);
  });
}

function errorAt(text: string, from: number, to: number, message: string): JsonError {
  return {
    from,
    to: Math.min(text.length, Math.max(to, from)),
    line: text.slice(0, from).split("\n").length,
    message,
  };
}

/** The value at `path`, or the innermost existing value on the way to it; `whole` is true for the first. */
function nodeAt(tree: Tree, text: string, path: readonly string[]): { node: Node; whole: boolean } {
  let node = tree.topNode.firstChild ?? tree.topNode;
  for (const part of path) {
    const next: Node | null =
      node.name === "Array" ? itemOf(node, Number(part)) : propertyOf(node, text, part);
    if (!next) return { node, whole: false };
    node = next;
  }
  return { node, whole: true };
}

function itemOf(list: Node, place: number): Node | null {
  const values = childrenOf(list).filter(({ name }) =>
    /^(Object|Array|String|Number|True|False|Null)$/.test(name),
  );
  return values[place] ?? null;
}

function propertyOf(object: Node, text: string, name: string): Node | null {
  for (const property of object.getChildren("Property")) {
    const key = property.getChild("PropertyName");
    if (key && text.slice(key.from, key.to) === JSON.stringify(name)) return property.lastChild;
  }
  return null;
}

function childrenOf(node: Node): Node[] {
  const children: Node[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) children.push(child);
  return children;
}
