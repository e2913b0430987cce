import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Token, tokens } from "./python/tokens.ts";

/** What a plugin's code seems to register: the names that stand in it as plain texts, sorted, each once. */
export interface ScannedSource {
  tools: string[];
  hooks: string[];
  /** Without the slash. */
  commands: string[];
  skills: string[];
  webProviders: string[];
  /** Whether it registers things whose names are made while it runs, so that more may come. */
  dynamic: boolean;
  /** What it uses that only Hermes, not Flowly, gives to plugins. */
  hermes: string[];
}

const REGISTERING: Readonly<Record<string, readonly [keyof Names, string]>> = {
  register_tool: ["tools", "name"],
  register_hook: ["hooks", "hook_name"],
  register_command: ["commands", "name"],
  register_skill: ["skills", "name"],
};

const HERMES = new Set([
  "plugin_id",
  "get_config",
  "set_config",
  "state",
  "llm",
  "profile_name",
  "on_unload",
  "spawn_task",
  "call_mcp",
  "has_capability",
  "inject_message",
  "dispatch_tool",
  "register_cli_command",
  "register_image_gen_provider",
  "register_context_engine",
]);

const MOST_FILES = 200;
const MOST_BYTES = 1024 * 1024;
const MOST_DEEP = 4;
const SKIPPED = new Set(["__pycache__", "node_modules", "venv", "site-packages", "tests", "test"]);

interface Names {
  tools: Set<string>;
  hooks: Set<string>;
  commands: Set<string>;
  skills: Set<string>;
  webProviders: Set<string>;
  hermes: Set<string>;
}

/** Reads the plugin's `*.py` files as text; nothing runs. Files that cannot be read count as empty. */
export async function scanSource(dir: string): Promise<ScannedSource> {
  const names: Names = {
    tools: new Set(),
    hooks: new Set(),
    commands: new Set(),
    skills: new Set(),
    webProviders: new Set(),
    hermes: new Set(),
  };
  let dynamic = false;
  for (const file of await pythonFiles(dir)) {
    const source = await readFile(file, "utf8").catch(() => "");
    dynamic = scanned(source.replace(/\r\n?/g, "\n"), names) || dynamic;
  }
  const sorted = (set: Set<string>): string[] => [...set].sort();
  return {
    tools: sorted(names.tools),
    hooks: sorted(names.hooks),
    commands: sorted(names.commands),
    skills: sorted(names.skills),
    webProviders: sorted(names.webProviders),
    dynamic,
    hermes: sorted(names.hermes),
  };
}

async function pythonFiles(dir: string): Promise<string[]> {
  const found: string[] = [];
  const waiting: [string, number][] = [[dir, 0]];
  for (let next = waiting.shift(); next && found.length < MOST_FILES; next = waiting.shift()) {
    const [folder, depth] = next;
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const path = join(folder, entry.name);
      if (entry.name.startsWith(".") || SKIPPED.has(entry.name)) continue;
      if (entry.isDirectory() && depth < MOST_DEEP) waiting.push([path, depth + 1]);
      else if (entry.isFile() && entry.name.endsWith(".py") && (await isSmall(path))) found.push(path);
    }
  }
  return found.slice(0, MOST_FILES);
}

async function isSmall(path: string): Promise<boolean> {
  const size = (await stat(path).catch(() => null))?.size;
  return size !== undefined && size <= MOST_BYTES;
}

/** Adds what one file registers to `names`. Returns whether it registers a name that is made while it runs. */
function scanned(source: string, names: Names): boolean {
  const all = [...tokens(source)];
  const constants = constantsOf(all);
  const contexts = contextsOf(all);
  let dynamic = false;
  all.forEach((token, at) => {
    if (token.kind !== "name") return;
    if (all[at - 1]?.text === "." && contexts.has(all[at - 2]?.text ?? "") && HERMES.has(token.text))
      names.hermes.add(token.text);
    if (all[at + 1]?.text !== "(" || all[at - 1]?.text !== ".") return;
    if (token.text === "register_web_search_provider") {
      const provider = all[at + 2];
      const name = provider?.kind === "name" ? providerName(all, provider.text) : null;
      if (name === null) dynamic = true;
      else names.webProviders.add(name);
      return;
    }
    const registering = REGISTERING[token.text];
    if (!registering) return;
    const [list, parameter] = registering;
    if (token.text === "register_tool" && hasArgument(all, at + 1, "override")) names.hermes.add("override");
    const name = argument(all, at + 1, parameter, constants);
    if (name === null) dynamic = true;
    else names[list].add(list === "commands" ? name.trim().replace(/^\/+/, "").toLowerCase() : name);
  });
  return dynamic;
}

/** Names that the file sets once, outside of everything, to a plain text. */
function constantsOf(all: readonly Token[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const unsure = new Set<string>();
  all.forEach((token, at) => {
    const [sign, value, end] = all.slice(at + 1, at + 4);
    if (token.kind !== "name" || sign?.text !== "=" || value?.text === "=") return;
    if (all[at - 1]?.kind !== "newline" && at > 0) return;
    if (value?.kind !== "text" || !value.whole || (end && end.kind !== "newline") || found.has(token.text))
      unsure.add(token.text);
    else found.set(token.text, value.text);
  });
  for (const name of unsure) found.delete(name);
  return found;
}

/** What the file's `register` functions call their context. */
function contextsOf(all: readonly Token[]): ReadonlySet<string> {
  const found = new Set(["ctx"]);
  all.forEach((token, at) => {
    const name = all[at + 3];
    if (token.text === "def" && all[at + 1]?.text === "register" && name?.kind === "name")
      found.add(name.text);
  });
  return found;
}

/** Each argument of the call whose bracket stands at `open`, as its tokens. */
function argumentsOf(all: readonly Token[], open: number): Token[][] {
  const list: Token[][] = [[]];
  let depth = 0;
  for (const token of all.slice(open)) {
    if (token.kind === "sign" && "([{".includes(token.text)) depth += 1;
    if (token.kind === "sign" && ")]}".includes(token.text)) depth -= 1;
    if (depth === 0) return list;
    if (depth === 1 && token.kind === "sign" && token.text === ",") list.push([]);
    else if (token.kind !== "newline") list.at(-1)?.push(token);
  }
  return list;
}

const isNamed = (tokensOfOne: readonly Token[], name: string): boolean =>
  tokensOfOne[0]?.text === name && tokensOfOne[1]?.text === "=";

function hasArgument(all: readonly Token[], open: number, name: string): boolean {
  const [first = [], ...others] = argumentsOf(all, open);
  return [first.slice(1), ...others].some((each) => isNamed(each, name));
}

/** The text that a call gets for a parameter, by its name or as the first one; null when it is none that can be read. */
function argument(
  all: readonly Token[],
  open: number,
  parameter: string,
  constants: ReadonlyMap<string, string>,
): string | null {
  const [bracketed = [], ...others] = argumentsOf(all, open);
  const first = bracketed.slice(1);
  const named = [first, ...others].find((each) => isNamed(each, parameter))?.slice(2);
  const value = named ?? (first[1]?.text === "=" ? [] : first);
  const [token] = value;
  if (!token || value.some((each) => each.kind !== token.kind)) return null;
  if (token.kind === "text")
    return value.every((each) => each.whole) ? value.map((each) => each.text).join("") : null;
  return token.kind === "name" && value.length === 1 ? (constants.get(token.text) ?? null) : null;
}

/** The name of a provider: what its class sets `name` to, or returns from a property of that name. */
function providerName(all: readonly Token[], className: string): string | null {
  const begin = all.findIndex((token, at) => token.text === "class" && all[at + 1]?.text === className);
  if (begin < 0) return null;
  const rest = all.slice(begin + 2);
  const end = rest.findIndex((token) => token.text === "class");
  const body = end < 0 ? rest : rest.slice(0, end);
  for (const [at, token] of body.entries()) {
    if (token.text !== "name" || token.kind !== "name") continue;
    const value = body[at + 1]?.text === "=" ? body[at + 2] : afterReturn(body.slice(at));
    if (value?.kind === "text" && value.whole) return value.text;
  }
  return null;
}

function afterReturn(body: readonly Token[]): Token | undefined {
  return body[body.findIndex((token) => token.text === "return") + 1];
}
