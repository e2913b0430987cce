import { setImmediate } from "node:timers/promises";
import { JArray, Kw, Struct, Sym, Table, Tuple, toBytes, toText, type Value } from "@patchbay/janet";
import { ParseError, readPieces } from "@patchbay/janet/parts";
import type { Reach } from "../details.ts";
import { type DirgeHook, dirgeHooks } from "../hooks/event-map.ts";
import { makesCode, reachOf, reachOfMode } from "./reach.ts";

/** What the source of a plugin says that it will do. Nothing of it was run. */
export interface ScannedSource {
  hooks: DirgeHook[];
  tools: string[];
  commands: string[];
  shortcuts: string[];
  providers: string[];
  reaches: Reach[];
  /** Hosts that it connects to by a literal name; null: also others, or none that can be known. */
  hosts: string[] | null;
  /** Environment variables that it reads by a literal name. */
  variables: string[];
  /** It registers something under a name that only its code can tell, or makes code of text. */
  dynamic: boolean;
  /** The comment at its beginning. */
  description: string;
  /** Where a file is no Janet, in one line each. */
  problems: string[];
}

export interface SourceFile {
  name: string;
  text: string;
}

/** The functions that register something under the name that is their first argument, and what that is. */
const registering = {
  "harness/register-tool": "tools",
  "harness/register-command": "commands",
  "harness/register-shortcut": "shortcuts",
  "harness/bind-key": "shortcuts",
  "harness/register-provider": "providers",
} as const;

/** Bytes, or values, that are looked at in one go. */
const PIECE = 4_096;
/** Milliseconds of work without a pause. */
const SLICE_MS = 15;

const defining: ReadonlySet<string> = new Set(["defn", "defn-", "def", "def-", "var", "var-", "varfn"]);

/**
 * Reads in pieces, between which the app does its other work: a source is a stranger's.
 *
 * @param id dirge's own name of the plugin: functions for hooks may begin with it
 */
export async function scanSource(id: string, files: readonly SourceFile[]): Promise<ScannedSource> {
  const scan = new Scan();
  let since = performance.now();
  for (const file of files)
    for (const _ of scan.file(file))
      if (performance.now() - since > SLICE_MS) {
        await setImmediate();
        since = performance.now();
      }
  const found = (hook: DirgeHook) => scan.defined.has(hook) || scan.defined.has(`${toBytes(id)}-${hook}`);
  const { tools, commands, shortcuts, providers, reaches, hosts, variables, dynamic, problems } = scan;
  return {
    hooks: dirgeHooks.filter(found),
    tools: [...tools],
    commands: [...commands].map((name) => name.replace(/^\//, "")),
    shortcuts: [...shortcuts],
    providers: [...providers],
    reaches: [...reaches],
    hosts: scan.anyHost || hosts.size === 0 ? null : [...hosts],
    variables: [...variables],
    dynamic,
    description: descriptionIn(files[0]?.text ?? ""),
    problems,
  };
}

class Scan {
  readonly defined = new Set<string>();
  readonly tools = new Set<string>();
  readonly commands = new Set<string>();
  readonly shortcuts = new Set<string>();
  readonly providers = new Set<string>();
  readonly reaches = new Set<Reach>();
  readonly hosts = new Set<string>();
  readonly variables = new Set<string>();
  readonly problems: string[] = [];
  anyHost = false;
  dynamic = false;

  /** Reads a file; pauses now and then. */
  *file({ name, text }: SourceFile): Generator<void, void> {
    try {
      for (const form of readPieces(toBytes(text), PIECE)) {
        if (form !== null) {
          this.define(form.value);
          yield* this.walk(form.value);
        }
        yield;
      }
    } catch (error) {
      if (!(error instanceof ParseError)) throw error;
      this.problems.push(`${name}, line ${error.line}: ${toText(error.message)}`);
    }
  }

  /** The name that a form at the top of a file defines; `upscope`, `do` and the like may stand around it. */
  private define(top: Value): void {
    const waiting: Value[] = [top];
    for (let form = waiting.pop(); form !== undefined; form = waiting.pop()) {
      if (!(form instanceof Tuple)) continue;
      const [head, name] = form.items;
      if (!(head instanceof Sym)) continue;
      if (defining.has(head.name) && name instanceof Sym) this.defined.add(name.name);
      else if (/^(?:upscope|when|if|comptime|compif|compwhen)$/.test(head.name))
        for (const item of form.items.slice(1)) waiting.push(item);
    }
  }

  /** Looks at everything inside, however deep, without recursion: a source may be nested without bound. */
  private *walk(form: Value): Generator<void, void> {
    const waiting: Value[] = [form];
    let count = 0;
    for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
      for (const inside of this.inside(value).toReversed()) waiting.push(inside);
      count += 1;
      if (count % PIECE === 0) yield;
    }
  }

  /** What stands inside of a form and is still to be looked at, in its order. */
  private inside(value: Value): readonly Value[] {
    if (value instanceof Sym) this.named(value.name);
    if (value instanceof Tuple) return value.items.slice(this.call(value));
    if (value instanceof JArray) return value.items;
    const found: Value[] = [];
    if (value instanceof Table || value instanceof Struct)
      for (let slot = 0; slot < value.slots; slot += 1)
        if (value.liveAt(slot)) found.push(value.keyAt(slot), value.valueAt(slot));
    return found;
  }

  /** A call of something known. @returns how many items are done with */
  private call({ items, bracketed }: Tuple): number {
    const [head] = items;
    if (bracketed || !(head instanceof Sym)) return 0;
    const { name } = head;
    if (Object.hasOwn(registering, name)) {
      const text = literal(items[1]);
      if (text === null) this.dynamic = true;
      else this[registering[name as keyof typeof registering]].add(text);
      return 1;
    }
    if (name === "file/open") {
      for (const reach of items.length < 3 ? reachOfMode("r") : reachOfMode(literal(items[2])))
        this.reaches.add(reach);
      return 1;
    }
    if (name === "os/getenv" || name === "os/setenv") {
      const variable = literal(items[1]);
      this.reaches.add("environment");
      if (variable !== null && name === "os/getenv") this.variables.add(variable);
      return 1;
    }
    if (name === "net/connect" || name === "harness/http-post") {
      this.reaches.add("network");
      const host =
        name === "net/connect" ? hostIn(literal(items[1]), literal(items[2])) : urlHost(literal(items[1]));
      if (host === null) this.anyHost = true;
      else this.hosts.add(host);
      return 1;
    }
    return 0;
  }

  /** A name that stands somewhere: what it is used for there is not known. */
  private named(name: string): void {
    const reach = reachOf(name);
    if (reach !== null) this.reaches.add(reach);
    if (reach === "network") this.anyHost = true;
    if (name === "file/open") for (const each of reachOfMode(null)) this.reaches.add(each);
    if (makesCode.has(name) || Object.hasOwn(registering, name)) this.dynamic = true;
  }
}

/** The text of a string or keyword that stands there itself; null for what only running it tells. */
function literal(value: Value | undefined): string | null {
  if (typeof value === "string") return toText(value);
  return value instanceof Kw ? toText(value.name) : null;
}

function hostIn(host: string | null, port: string | null): string | null {
  if (host === null || !/^[\w.-]+$/.test(host)) return null;
  return port !== null && /^\d+$/.test(port) ? `${host}:${port}` : host;
}

function urlHost(url: string | null): string | null {
  const parsed = url === null ? null : URL.parse(url);
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed.host : null;
}

/** The first paragraph of the comment at the beginning of a file; empty when there is none. */
function descriptionIn(text: string): string {
  const lines: string[] = [];
  for (const line of text.split("\n")) {
    const comment = /^\s*#+!?\s?(.*)$/.exec(line)?.[1]?.trim();
    if (comment === undefined ? line.trim() !== "" || lines.length > 0 : comment === "" && lines.length > 0)
      break;
    if (comment && !/^[-=#*~]+$/.test(comment)) lines.push(comment);
  }
  return lines.join(" ").slice(0, 500);
}
