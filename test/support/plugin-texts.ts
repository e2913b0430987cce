import { globSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parseAst } from "rolldown/parseAst";

/** A text in the sources of a plugin that a person reads. `‹1›`, `‹2›`, … stand where an expression puts something in. */
export interface FoundText {
  file: string;
  text: string;
}

type Node = { type: string; [field: string]: unknown };

/** Properties whose value is a text, however short it is. */
const named = new Set(["title", "label", "help", "description", "instructions", "problem", "message"]);
/** Who is called with texts that no screen shows: logs stay in English, like the code that writes them. */
const toTheLog = /^(logger|log|console)$/;

/** The texts in the sources below a folder, tests left out. */
export function textsIn(folder: string): FoundText[] {
  return sourcesIn(folder).flatMap((file) => {
    const found: string[] = [];
    visit(parsed(join(folder, file)), found, false);
    return [...new Set(found)].map((text) => ({ file: relative(".", join(folder, file)), text }));
  });
}

/** The keys of the values that a plugin reports of itself (`reportRuntimeState`), in the sources below a folder. */
export function reportedIn(folder: string): string[] {
  const keys = sourcesIn(folder).flatMap((file) => {
    const all = everyNode(parsed(join(folder, file)));
    const declared = (name: unknown) =>
      all.find(({ type, id }) => type === "VariableDeclarator" && (id as Node).name === name)?.init as Node;
    const keysOf = (value: Node | null | undefined): string[] => {
      if (value?.type === "Identifier") return keysOf(declared(value.name));
      if (value?.type !== "ObjectExpression") return [];
      return (value.properties as Node[]).flatMap((one) =>
        one.type === "SpreadElement" ? keysOf(one.argument as Node) : [String((one.key as Node).name)],
      );
    };
    const calls = all.filter(
      ({ type, callee }) =>
        type === "CallExpression" && ((callee as Node).property as Node)?.name === "reportRuntimeState",
    );
    return calls.flatMap((call) => keysOf((call.arguments as Node[])[0]));
  });
  return [...new Set(keys)];
}

const sourcesIn = (folder: string) =>
  globSync("**/*.ts", { cwd: folder })
    .filter((file) => !/\.test\.ts$|(^|\/)test\//.test(file))
    .sort();

const parsed = (file: string) => parseAst(readFileSync(file, "utf8"), { lang: "ts" }) as unknown as Node;

const everyNode = (node: Node): Node[] => [node, ...childrenOf(node).flatMap(everyNode)];

function visit(node: Node, found: string[], isNamed: boolean): void {
  switch (node.type) {
    case "ImportDeclaration":
    case "ExportAllDeclaration":
    case "TSInterfaceDeclaration":
    case "TSTypeAliasDeclaration":
    case "TSTypeAnnotation":
      return;
    case "CallExpression":
      if (isLog(node.callee as Node)) return;
      break;
    case "SwitchCase":
      for (const inner of node.consequent as Node[]) visit(inner, found, false);
      return;
    case "Property": {
      const key = node.key as Node;
      const name = key.type === "Identifier" ? String(key.name) : String(key.value ?? "");
      visit(node.value as Node, found, named.has(name));
      return;
    }
    case "ConditionalExpression":
    case "LogicalExpression":
      for (const inner of childrenOf(node)) visit(inner, found, isNamed);
      return;
    case "BinaryExpression":
      if (node.operator !== "+") return;
      break;
  }
  const text = textOf(node);
  if (text !== null && isForPeople(text, isNamed)) found.push(text);
  // What is put into a text may be a text itself.
  const inner = node.type === "TemplateLiteral" ? (node.expressions as Node[]) : childrenOf(node);
  if (text === null || node.type === "TemplateLiteral") for (const one of inner) visit(one, found, false);
}

function isForPeople(text: string, isNamed: boolean): boolean {
  if (isNamed) return /\p{L}{2}/u.test(text.replace(/‹\d+›/g, ""));
  // Two words: an id, a path or an option of a protocol has none.
  return /(?:^|[\s"“(])\p{L}{2,}[,.;:]? \p{L}+/u.test(text) && !/^[a-z-]+\/[a-z-]+ /.test(text);
}

/** The text of a literal, of a template, or of several that are put together; null for anything else. */
function textOf(node: Node): string | null {
  let count = 0;
  const something = () => {
    count += 1;
    return `‹${count}›`;
  };
  const read = (one: Node): string | null => {
    if (one.type === "Literal") return typeof one.value === "string" ? one.value : null;
    if (one.type === "TemplateLiteral") {
      const quasis = one.quasis as { value: { cooked: string } }[];
      return quasis
        .map(({ value }, index) => value.cooked + (index < quasis.length - 1 ? something() : ""))
        .join("");
    }
    if (one.type === "BinaryExpression" && one.operator === "+") {
      const parts = [one.left as Node, one.right as Node].map((part) => read(part));
      return parts.every((part) => part === null) ? null : parts.map((part) => part ?? something()).join("");
    }
    return null;
  };
  return read(node);
}

function isLog(callee: Node): boolean {
  if (callee.type === "Identifier") return toTheLog.test(String(callee.name));
  if (callee.type !== "MemberExpression") return false;
  const object = callee.object as Node;
  const own = object.type === "MemberExpression" ? (object.property as Node) : object;
  return toTheLog.test(String(own.name ?? "").replace(/^#/, ""));
}

function childrenOf(node: Node): Node[] {
  return Object.values(node).flatMap((value) => {
    const items = Array.isArray(value) ? value : [value];
    return items.filter((item): item is Node => typeof item === "object" && item !== null && "type" in item);
  });
}
