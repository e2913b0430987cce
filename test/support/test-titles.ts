import { readFileSync } from "node:fs";
import { parseAst } from "rolldown/parseAst";

type Node = { type: string; [field: string]: unknown };

/** The titles of the tests in a file, and of what they stand in. `…` is where an expression puts something in. */
export function testTitles(file: string): string[] {
  const titles: string[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const one of node) visit(one);
    if (!isNode(node)) return;
    const [first] = (node.arguments as unknown[] | undefined) ?? [];
    if (node.type === "CallExpression" && isTest(node.callee) && isNode(first)) {
      const title = textOf(first);
      if (title !== null) titles.push(title);
    }
    for (const value of Object.values(node)) visit(value);
  };
  visit(parseAst(readFileSync(file, "utf8"), { lang: file.endsWith("x") ? "tsx" : "ts" }));
  return titles;
}

/** `test`, `it.each(…)`, `describe.skipIf(…)` and the like. */
function isTest(callee: unknown): boolean {
  if (!isNode(callee)) return false;
  if (callee.type === "Identifier") return ["test", "it", "describe"].includes(String(callee.name));
  return isTest(callee.type === "MemberExpression" ? callee.object : callee.callee);
}

function textOf({ type, value, quasis }: Node): string | null {
  if (type === "Literal") return typeof value === "string" ? value : null;
  if (type !== "TemplateLiteral") return null;
  return (quasis as { value: { cooked: string } }[]).map((part) => part.value.cooked).join("…");
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value;
}
