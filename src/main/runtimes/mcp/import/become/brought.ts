import { access, realpath, stat } from "node:fs/promises";
import { isAbsolute, join, relative, resolve } from "node:path";
import type { FoundNote, FoundServer } from "../../../../../contract/found/found-server.ts";
import { endpointUrl } from "../../server/endpoint.ts";
import { readServer } from "../../server/read-server.ts";
import { type McpServer, type Part, type ServerFile, serverFileSchema } from "../../server/server-file.ts";
import type { ListedServer } from "../clients/listed.ts";
import type { Elsewhere } from "../clients/place.ts";
import { addressAsPart } from "./address.ts";
import { argumentsAsParts, headerAsPart, valueAsPart } from "./arguments.ts";
import { isDangerousName, isShell } from "./dangerous.ts";
import { HandedOver } from "./handed-over.ts";
import { isSecret } from "./secrets.ts";
import { type Unwrapped, unwrap } from "./unwrap.ts";

/** What a server of another program becomes: what Patchbay writes of it, and apart from that what its person had set. */
export interface Brought {
  file: ServerFile;
  how: FoundServer["how"];
  /** What has to be fetched or copied for it. */
  fetch: { npm: string; range: string } | { bundle: string } | null;
  /** By the names of its inputs. They go to the settings and the vault of an agent, and nowhere else. */
  values: ReadonlyMap<string, unknown>;
  notes: FoundNote[];
  /** Why it cannot be brought; null: it can. */
  refused: FoundNote | null;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Nothing is started, asked or changed; of files only whether they are there is looked at, and a bundle's manifest. */
export async function broughtOf(listed: ListedServer, at: Elsewhere, env: Environment): Promise<Brought> {
  const { start, name } = listed;
  if (start.kind === "none") return refusal(listed, { code: "no_start", what: name });
  if (start.kind === "bundle") return bundleOf(listed, start);
  const unwrapped: Unwrapped =
    start.kind === "remote" ? { ...start, headers: [...start.headers] } : unwrap(start.command, start.args);
  // What mcp-remote puts into its headers stands in its own environment.
  const own = start.kind === "program" && unwrapped.kind === "remote" ? Object.fromEntries(start.env) : {};
  const over = new HandedOver(listed, { ...env, ...own });
  if (unwrapped.kind === "remote") return remoteOf(listed, unwrapped, over);
  if (start.kind !== "program") return refusal(listed, { code: "no_start", what: name });
  const parts = Object.fromEntries(
    [...start.env].flatMap(([key, text]) => {
      if (isDangerousName(key) || !/^[A-Za-z_][A-Za-z0-9_.-]*$/.test(key)) {
        over.notes.push({ code: "left_out", what: key.slice(0, 100) });
        return [];
      }
      return [[key, valueAsPart(text, key, over, isSecret(key, text))] as const];
    }),
  );
  const cwd = await folderOf(start.cwd, over, at);
  if (unwrapped.kind === "npm") {
    const args = argumentsAsParts(unwrapped.args, over);
    const server: McpServer = { type: "node", entry: "package.json", args, env: parts, cwd };
    return whole(listed, over, {
      how: "npm",
      server,
      fetch: { npm: unwrapped.name, range: unwrapped.range },
    });
  }
  const command = await commandAt(unwrapped.command, start.cwd, over, at, env);
  if (command === null) return refusal(listed, { code: "no_start", what: unwrapped.command });
  if (isShell(command)) over.notes.push({ code: "shell", what: command });
  const { args, env: more } =
    unwrapped.kind === "oci" ? containerArguments(unwrapped.args, over) : { args: null, env: {} };
  const given = await Promise.all(unwrapped.args.map((arg) => pathAt(arg, start.cwd)));
  const server: McpServer = {
    type: "program",
    command,
    args: args ?? argumentsAsParts(given, over),
    env: { ...parts, ...more },
    cwd,
  };
  return whole(listed, over, { how: unwrapped.kind, server, fetch: null });
}

function remoteOf(
  listed: ListedServer,
  { url, transport, headers, signIn = {} }: Extract<Unwrapped, { kind: "remote" }>,
  over: HandedOver,
): Brought {
  const { clientId, clientSecret, redirectPort, scopes } = signIn;
  if (/^(?:unix|pipe|npipe):/i.test(url)) return refusal(listed, { code: "socket", what: url });
  if (/^wss?:/i.test(url)) return refusal(listed, { code: "websocket", what: hostOf(url) });
  const address = addressAsPart(url, over);
  const shown = url.replace(/\$?\{[^{}]*\}/g, "x");
  if (endpointUrl(shown) === null) return refusal(listed, { code: "bad_address", what: hostOf(url) });
  const named = headers.filter(([header]) => /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(header));
  const server: McpServer = {
    type: "remote",
    transport,
    url: address,
    headers: Object.fromEntries(named.map(([header, text]) => [header, headerAsPart(header, text, over)])),
    ...(clientId !== undefined && { clientId: over.part(clientId, "CLIENT_ID") }),
    ...(clientSecret !== undefined && {
      clientSecret: valueAsPart(clientSecret, "CLIENT_SECRET", over, true),
    }),
    ...(redirectPort !== undefined && { redirectPort }),
    ...(scopes !== undefined && { scopes }),
  };
  return whole(listed, over, { how: "remote", server, fetch: null });
}

/** The host of an address alone, because the rest of it may be a secret. */
function hostOf(url: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\/(?:[^/@]*@)?([^/?#]*)/i.exec(url)?.[1] ?? "";
}

async function bundleOf(
  listed: ListedServer,
  { dir, values }: Extract<ListedServer["start"], { kind: "bundle" }>,
) {
  try {
    const { file } = await readServer(dir);
    const known = file.inputs.flatMap(({ name, secret }): [string, unknown][] => {
      const value = values.raw(name);
      const isSealed = typeof value === "string" && value.startsWith("__encrypted__");
      return value === undefined || isSealed || (secret && typeof value !== "string") ? [] : [[name, value]];
    });
    const set = new Map(known);
    const open = file.inputs.filter(({ name, required }) => required && !set.has(name));
    const notes = open.map(({ name, title }): FoundNote => ({ code: "asked", what: title ?? name }));
    const origin = { kind: "import", name: file.name } as const;
    return {
      file: { ...file, origin },
      how: "bundle",
      fetch: { bundle: dir },
      values: set,
      notes,
      refused: null,
    } as const;
  } catch {
    return refusal(listed, { code: "no_start", what: dir });
  }
}

function whole(
  listed: ListedServer,
  over: HandedOver,
  { how, server, fetch }: Pick<Brought, "how" | "fetch"> & { server: McpServer },
): Brought {
  const { only, off } = listed.tools;
  const name = fetch !== null && "npm" in fetch ? fetch.npm : listed.name;
  const parsed = serverFileSchema.safeParse({
    schema: 1,
    name: name.slice(0, 200),
    title: listed.name.slice(0, 200),
    origin: { kind: "import", name: listed.name.slice(0, 200) },
    server,
    inputs: over.inputs,
    ...((only || off) && { switches: listed.tools }),
  });
  if (!parsed.success) return refusal(listed, { code: "too_large", what: "" });
  const count = only?.length ?? off?.length ?? 0;
  const tools: FoundNote[] =
    count > 0 ? [{ code: "tools_off", what: (only ?? off ?? []).join(", ").slice(0, 300) }] : [];
  const notes = [...listed.notes, ...over.notes, ...tools];
  return { file: parsed.data, how, fetch, values: over.values, notes, refused: null };
}

function refusal(listed: ListedServer, refused: FoundNote): Brought {
  const name = listed.name.slice(0, 200) || "server";
  const file = serverFileSchema.parse({
    schema: 1,
    name,
    title: name,
    origin: { kind: "import", name },
    server: { type: "program", command: "-" },
  });
  return { file, how: "program", fetch: null, values: new Map(), notes: listed.notes, refused };
}

/** The program by its whole path where a path is meant, so that it does not depend on where it is started. */
async function commandAt(
  command: string,
  cwd: string | undefined,
  over: HandedOver,
  at: Elsewhere,
  env: Environment,
) {
  const known = (variable: string) => {
    const [, name = "", otherwise] = /^(?:env:)?([^:]*)(?::-(.*))?$/.exec(variable) ?? [];
    return /^(?:HOME|userHome)$/.test(name) ? at.home : env[name] || otherwise;
  };
  const filled = command
    .replace(/^~(?=[\\/])/, at.home)
    .replace(/\$\{([^{}]*)\}/g, (text, variable: string) => known(variable) ?? text);
  if (over.hasVariables(filled) || filled.includes("\0")) return null;
  if (!/[\\/]/.test(filled) || isAbsolute(filled)) return filled;
  return resolve(cwd ?? at.cwd, filled);
}

/** The folder in which the other program starts it, where the person may grant that; it is told in any case. */
async function folderOf(
  cwd: string | undefined,
  over: HandedOver,
  at: Elsewhere,
): Promise<Extract<McpServer, { type: "node" }>["cwd"]> {
  if (cwd === undefined || /^\$\{(?:workspaceFolder|workspaceRoot|cwd|CLAUDE_PROJECT_DIR)\}$/.test(cwd))
    return "workspace";
  const path = cwd.replace(/^(?:~|\$\{(?:env:)?HOME\}|\$\{userHome\}|\$HOME)(?=[\\/]|$)/, at.home);
  const folder = isAbsolute(path) ? await realpath(path).catch(() => null) : null;
  const isFolder = folder !== null && (await stat(folder)).isDirectory();
  // The home folder and what it lies in are more than any server needs.
  const isWide =
    folder !== null && !relative(folder, await realpath(at.home).catch(() => at.home)).startsWith("..");
  const isOffered = isFolder && !isWide;
  over.notes.push({ code: isOffered ? "folder" : "folder_not_offered", what: cwd.slice(0, 300) });
  return isOffered ? { folder } : "workspace";
}

/** An argument that names a file of the folder in which the program was started, by its whole path. */
async function pathAt(arg: string, cwd: string | undefined): Promise<string> {
  if (cwd === undefined || !isAbsolute(cwd) || arg.startsWith("-") || isAbsolute(arg) || !/[./\\]/.test(arg))
    return arg;
  const path = join(cwd, arg);
  return (await access(path).then(
    () => true,
    () => false,
  ))
    ? path
    : arg;
}

/** `-e KEY=value` as `-e KEY`, with the value in the environment: command lines are seen by everybody on a computer. */
function containerArguments(
  args: readonly string[],
  over: HandedOver,
): { args: Part[]; env: Record<string, Part> } {
  const env: Record<string, Part> = {};
  const kept: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    const isOption = arg === "-e" || arg === "--env";
    const text = isOption ? (args[at + 1] ?? "") : (/^--env=(.*)$/s.exec(arg)?.[1] ?? null);
    const [, key, value] = text === null ? [] : (/^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s.exec(text) ?? []);
    if (key === undefined || value === undefined || isDangerousName(key)) {
      kept.push(arg);
      continue;
    }
    kept.push("-e", key);
    env[key] = valueAsPart(value, key, over, isSecret(key, value));
    if (isOption) at++;
  }
  return { args: argumentsAsParts(kept, over), env };
}
