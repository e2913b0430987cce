import { randomUUID } from "node:crypto";
import { homedir } from "node:os";
import type { FoundServer } from "../../../../contract/found/found-server.ts";
import { isCommandLine } from "../../../../contract/found/given-form.ts";
import { noteWords } from "../../../../contract/found/note-words.ts";
import { PatchbayError } from "../../../../contract/index.ts";
import { patchbayKeyOf } from "../../hosted/foreign/keys.ts";
import type { FoundElsewhere } from "../../runtime.ts";
import { shownCommand } from "../server/shown-command.ts";
import { type Brought, broughtOf, type Environment } from "./become/brought.ts";
import { clientNames, type Elsewhere } from "./clients/place.ts";
import { givenServers } from "./given/given.ts";
import { type ClientServer, readClients } from "./read-clients.ts";

/** Beginnings of the specs of servers that other programs have, and that a person pasted or typed. */
const clientPrefix = "mcp-client:";
const givenPrefix = "mcp-given:";
/** A command line that holds nothing secret is its own spec, and so is known after a start of Patchbay as well. */
const linePrefix = "mcp-line:";

type Found = FoundElsewhere["plugins"][number];

/** A server with where it was found. */
interface Known extends Pick<ClientServer, "id" | "place"> {
  /** The program that lists it; null: the person gave it. */
  client: ClientServer["client"] | null;
  file: string | null;
  isOn: boolean;
  brought: Brought;
}

export interface BroughtOptions {
  /** Where the person's other programs keep their files. */
  elsewhere?: () => Elsewhere;
  environment: { get(): Promise<Environment> };
}

/** Most pasted servers that are remembered, the newest ones. */
const MOST_GIVEN = 1_000;

/**
 * The MCP servers of other programs on this computer, and those that were pasted or typed. Values of settings and secrets stay in
 * here: they are read anew from the other program's file when an agent gets them, and those of a pasted text are in memory alone.
 */
export class BroughtServers {
  readonly #options: Required<BroughtOptions>;
  readonly #given = new Map<string, Brought>();

  constructor(options: BroughtOptions) {
    this.#options = { elsewhere: here, ...options };
  }

  /** All servers of other programs, the same one once. */
  async found(signal?: AbortSignal): Promise<FoundElsewhere> {
    const { known, files, problems } = await this.#read(signal);
    const plugins = merged(known).map((same) => described(same));
    return { plugins, places: files, problem: problems.length > 0 ? problems.join(" ") : null };
  }

  /**
   * The servers of a pasted or typed text, as they can be installed.
   *
   * @throws PatchbayError SPEC_UNSUPPORTED
   */
  async given(text: string): Promise<Found[]> {
    const given = givenServers(text);
    if (given.kind === "problem")
      throw new PatchbayError("SPEC_UNSUPPORTED", given.problem, {
        help: "Paste the settings of a server as a program has them, or the command that starts it.",
      });
    const [at, env] = [this.#options.elsewhere(), await this.#environment()];
    const batch = randomUUID();
    const servers: Found[] = [];
    for (const [index, listed] of given.servers.slice(0, MOST_GIVEN / 2).entries()) {
      const brought = await broughtOf(listed, at, env);
      const isLine = isCommandLine(text) && given.servers.length === 1 && brought.values.size === 0;
      const id = isLine ? text.trim() : `${batch}/${index + 1}/${encodeURIComponent(listed.name)}`;
      if (!isLine) this.#given.set(id, brought);
      const known: Known = { id, client: null, file: null, place: "user", isOn: listed.isOn, brought };
      servers.push(described([known], isLine ? linePrefix : givenPrefix));
    }
    for (const id of this.#given.keys()) {
      if (this.#given.size <= MOST_GIVEN) break;
      this.#given.delete(id);
    }
    return servers;
  }

  /** Whether a spec names a server that is known here. */
  isMine(spec: string): boolean {
    return [clientPrefix, givenPrefix, linePrefix].some((prefix) => spec.startsWith(prefix));
  }

  /** The values that were pasted with a server, while this Patchbay runs; null: the spec names no pasted one, or it is no longer known. */
  pasted(spec: string): ReadonlyMap<string, unknown> | null {
    if (!spec.startsWith(givenPrefix)) return null;
    return this.#given.get(spec.slice(givenPrefix.length))?.values ?? null;
  }

  /** What a spec names, read anew. @throws PatchbayError SOURCE_MISSING, SPEC_UNSUPPORTED */
  async of(spec: string, signal?: AbortSignal): Promise<Brought> {
    const brought = await this.#of(spec.trim(), signal);
    if (brought.refused) throw new PatchbayError("SPEC_UNSUPPORTED", noteWords(brought.refused));
    return brought;
  }

  async #of(spec: string, signal?: AbortSignal): Promise<Brought> {
    if (spec.startsWith(givenPrefix)) {
      const given = this.#given.get(spec.slice(givenPrefix.length));
      if (given) return given;
      throw new PatchbayError(
        "SOURCE_MISSING",
        "What was pasted is no longer known, because Patchbay was started again.",
        {
          help: "Paste it once more.",
        },
      );
    }
    if (spec.startsWith(linePrefix)) {
      const line = givenServers(spec.slice(linePrefix.length));
      const [listed] = line.kind === "servers" ? line.servers : [];
      if (!listed) throw new PatchbayError("SPEC_UNSUPPORTED", "The command line cannot be read.");
      return broughtOf(listed, this.#options.elsewhere(), await this.#environment());
    }
    const { known } = await this.#read(signal);
    const one = known.find(({ id }) => id === spec.slice(clientPrefix.length));
    if (one) return one.brought;
    const [client = "", name = ""] = spec.slice(clientPrefix.length).split("/");
    const program = Object.entries(clientNames).find(([id]) => id === client)?.[1] ?? client;
    throw new PatchbayError("SOURCE_MISSING", `${program} has no server ${decoded(name)} any more.`, {
      help: "Look whether it was renamed or removed there.",
    });
  }

  async #read(signal?: AbortSignal): Promise<{ known: Known[]; files: string[]; problems: string[] }> {
    const at = this.#options.elsewhere();
    const { servers, files, problems } = await readClients(at, signal);
    if (servers.length === 0) return { known: [], files, problems };
    const env = await this.#environment();
    const known: Known[] = [];
    for (const { listed, ...from } of servers) {
      signal?.throwIfAborted();
      known.push({ ...from, isOn: listed.isOn, brought: await broughtOf(listed, at, env) });
    }
    return { known, files, problems };
  }

  #environment(): Promise<Environment> {
    return this.#options.environment.get();
  }
}

function here(): Elsewhere {
  const { env, platform } = process;
  const home = (platform === "win32" ? env.USERPROFILE : env.HOME) || homedir();
  return { home, env, platform, cwd: process.cwd() };
}

/** The same server in several programs as one: the same way to start it, under the same name or with the same values. */
function merged(known: readonly Known[]): Known[][] {
  const same = new Map<string, Known[][]>();
  const all: Known[][] = [];
  for (const one of known) {
    const start = JSON.stringify([one.brought.file.server, one.brought.fetch]);
    const groups = same.get(start) ?? [];
    const group =
      one.brought.refused === null
        ? groups.find(([first]) => first && isSame(first.brought, one.brought))
        : undefined;
    if (group) {
      group.push(one);
      continue;
    }
    const begun = [one];
    all.push(begun);
    same.set(start, [...groups, begun]);
  }
  return all;
}

function isSame(one: Brought, other: Brought): boolean {
  const values = ({ values }: Brought) => JSON.stringify([...values]);
  return one.file.title?.toLowerCase() === other.file.title?.toLowerCase() || values(one) === values(other);
}

/** What is told of a server: no value of it. */
function described(same: readonly Known[], prefix = clientPrefix): Found {
  const [first] = same;
  if (!first) throw new Error("a server without itself");
  const { id, place, brought } = first;
  const { file, how, notes, refused, values } = brought;
  const isOn = same.some((one) => one.isOn);
  const name = file.title ?? file.name;
  const server: FoundServer = {
    how,
    clients: [...new Set(same.flatMap(({ client }) => (client === null ? [] : [clientNames[client]])))],
    files: [...new Set(same.flatMap((one) => one.file ?? []))],
    command: refused === null ? commandOf(brought) : "",
    inputs: file.inputs.map(({ name: input, secret }) => ({ name: input, secret, set: values.has(input) })),
    notes: refused === null ? notes : [refused, ...notes],
    key: patchbayKeyOf(name),
    takenBy: null,
  };
  return {
    key: id,
    name,
    version: "",
    description: "",
    place,
    dir: null,
    spec: `${prefix}${id}`,
    status: refused === null ? (isOn ? "enabled" : "disabled") : "unsupported",
    theirs: null,
    reason: refused === null ? null : noteWords(refused),
    enabledThere: isOn,
    server,
  };
}

function commandOf({ file, fetch }: Brought): string {
  const { server } = file;
  if (fetch === null || server.type !== "node") return shownCommand(server);
  const what =
    "npm" in fetch ? (fetch.range === "latest" ? fetch.npm : `${fetch.npm}@${fetch.range}`) : server.entry;
  return shownCommand({ ...server, entry: what }).replace(/^node /, "npm" in fetch ? "" : "node ");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
