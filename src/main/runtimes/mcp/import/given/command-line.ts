import { type ListedServer, listedOf } from "../clients/listed.ts";
import { Fields } from "../text/fields.ts";
import { nameOf } from "./names.ts";
import { type Given, pastedJson } from "./pasted.ts";
import { wordsOf } from "./words.ts";

/** A typed command line as a server: `KEY=value npx -y @acme/x --flag`, or the line with which another program adds one. */
export function commandLine(text: string): Given {
  const split = wordsOf(text.trim().replace(/^\$\s+/, ""));
  if (split.kind === "open")
    return { kind: "problem", problem: `A quotation mark (${split.sign}) is not closed.` };
  if (split.kind === "shell")
    return {
      kind: "problem",
      problem: `It holds ${split.sign}, which only a shell understands, and Patchbay runs none. Give the command alone.`,
    };
  const env = new Map<string, string>();
  let at = 0;
  for (; at < split.words.length; at++) {
    const [, name, value] = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s.exec(split.words[at] ?? "") ?? [];
    if (name === undefined || value === undefined) break;
    env.set(name, value);
  }
  const [command, ...args] = split.words.slice(at);
  if (command === undefined) return { kind: "problem", problem: "It names no program." };
  return added(command, args) ?? { kind: "servers", servers: [serverOf(command, args, env)] };
}

function serverOf(command: string, args: string[], env: Map<string, string>, name?: string): ListedServer {
  return {
    name: name ?? nameOf(command, args),
    isOn: true,
    start: { kind: "program", command, args, env },
    bareVariables: true,
    tools: {},
    notes: [],
  };
}

/** `claude mcp add NAME -- npx …`, `claude mcp add --transport http NAME URL`, `claude mcp add-json NAME '{…}'`, `code --add-mcp '{…}'`. */
function added(command: string, args: readonly string[]): Given | null {
  const json = /^code/.test(command) ? args[args.indexOf("--add-mcp") + 1] : undefined;
  if (json !== undefined && args.includes("--add-mcp")) return pastedJson(json);
  if (!/^(?:claude|gemini|codex)$/.test(command) || args[0] !== "mcp") return null;
  if (args[1] === "add-json") {
    const [name, text] = args.slice(2).filter((arg) => !/^(?:-s|--scope|user|project|local)$/.test(arg));
    return pastedJson(`{ ${JSON.stringify(name ?? "server")}: ${text ?? "{}"} }`);
  }
  if (args[1] !== "add") return null;
  const fields = new Map<string, string[]>();
  const plain: string[] = [];
  let at = 2;
  for (; at < args.length && args[at] !== "--"; at++) {
    const arg = args[at] ?? "";
    if (arg.startsWith("-") && plain.length < 2) {
      const option = arg.replace(/^-+/, "");
      fields.set(option, [...(fields.get(option) ?? []), args[++at] ?? ""]);
    } else plain.push(arg);
  }
  const [name = "server", ...inline] = plain;
  const words = at < args.length ? args.slice(at + 1) : inline;
  const pairs = (names: string[], sign: RegExp) =>
    names.flatMap((one) => fields.get(one) ?? []).map((text) => text.split(sign, 2) as [string, string]);
  const url = fields.get("url")?.[0] ?? (/^https?:/.test(words[0] ?? "") ? words[0] : undefined);
  if (url !== undefined) {
    const headers = Object.fromEntries(pairs(["header", "H"], /:\s*/));
    const type = (fields.get("transport") ?? fields.get("t"))?.[0];
    return {
      kind: "servers",
      servers: [listedOf(name, new Fields({ url, headers, ...(type && { type }) }))],
    };
  }
  const [program, ...rest] = words;
  if (program === undefined) return { kind: "problem", problem: "It names no program." };
  return { kind: "servers", servers: [serverOf(program, rest, new Map(pairs(["env", "e"], /=/)), name)] };
}
