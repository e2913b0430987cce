import { basename, dirname, join, relative, sep } from "node:path";
import { agentIdSchema, PatchbayError, pluginKeySchema } from "../../../contract/index.ts";
import type { PluginTrace } from "../agent-rooms.ts";
import {
  agentNotFound,
  type CollectionName,
  type LogDefinition,
  type Places,
  type RowScope,
} from "../storage.ts";

/** How the documents of a collection are stored in files. */
export type Layout =
  /** One file that is the document. */
  | { kind: "one"; file: string }
  /** One file with a list of all documents; `idOf` reads the id from a document. */
  | { kind: "list"; file: string; field: string; idOf(value: never): string }
  /** One file with the documents under their ids. */
  | { kind: "record"; file: string }
  /** One file for each document. */
  | { kind: "files"; fileOf(id: string): string }
  /**
   * One file that is the document, without version and copies. When `secret`, the file is used only if other users of
   * the machine cannot read it. A damaged one is put aside with a notice when `keepDamaged`, else it counts as absent.
   */
  | { kind: "bare"; file: string; secret: boolean; keepDamaged?: boolean };

const ROOM = /^[A-Za-z0-9][A-Za-z0-9_-]{0,250}$/;
/** End of the name of a file with figures, after the key of the plugin, which has no dot. */
const FIGURES = ".figures.json";
const SESSION_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/;

/** The paths of everything below the home folder; docs/state.md lists them. */
export class FileLayout {
  readonly #home: string;

  constructor(home: string) {
    this.#home = home;
  }

  collection(name: CollectionName, scope?: RowScope): Layout {
    switch (name) {
      case "settings":
        return { kind: "one", file: this.#at("settings.json") };
      case "plugins":
        return {
          kind: "list",
          file: this.#at("plugins.json"),
          field: "plugins",
          idOf: (plugin: { manifestKey: string }) => plugin.manifestKey,
        };
      case "agents":
        return { kind: "files", fileOf: (id) => join(this.agent(id), "agent.json") };
      case "agent-plugins":
        return {
          kind: "list",
          file: join(this.agent(scope?.agentId), "agent-plugins.json"),
          field: "rows",
          idOf: (row: { pluginKey: string }) => row.pluginKey,
        };
      case "plugin-values":
        return { kind: "record", file: `${this.#pluginFiles(scope?.agentId, scope?.pluginKey)}.json` };
      case "runtime-values": {
        const file = join(this.#pluginFiles(scope?.agentId, scope?.pluginKey), "state.json");
        return { kind: "bare", file, secret: false };
      }
      case "figures": {
        const file = `${this.#pluginLog(scope?.agentId ?? "", scope?.pluginKey ?? "")}${FIGURES}`;
        return { kind: "bare", file, secret: false, keepDamaged: true };
      }
      case "vault":
        return { kind: "one", file: this.#at("vault.json") };
      case "unlock-attempts":
        return { kind: "bare", file: this.#at("unlock-attempts.json"), secret: false };
      case "jobs":
        return {
          kind: "list",
          file: this.#at("jobs.json"),
          field: "jobs",
          idOf: ({ job }: { job: { id: string } }) => job.id,
        };
      case "searches":
        return {
          kind: "list",
          file: this.#at("searches.json"),
          field: "searches",
          idOf: (search: { agentId: string }) => search.agentId,
        };
      case "set-aside":
        return {
          kind: "list",
          file: this.#at("set-aside.json"),
          field: "rows",
          idOf: (row: { id: string }) => row.id,
        };
      case "removed":
        return {
          kind: "list",
          file: this.#at("removed.json"),
          field: "things",
          idOf: (row: { id: string }) => row.id,
        };
      case "pins":
        return {
          kind: "list",
          file: this.#at("pins.json"),
          field: "plugins",
          idOf: (row: { key: string }) => row.key,
        };
      case "starts":
        return { kind: "one", file: this.#at("starts.json") };
      case "access":
        return { kind: "bare", file: this.#at("access.json"), secret: true };
    }
  }

  log(place: LogDefinition<unknown>["place"]): string {
    switch (place.kind) {
      case "audit":
        return this.#at("audit", `${place.day}.jsonl`);
      case "approvals":
        return join(this.agent(place.agentId), "approvals.jsonl");
      case "plugin":
        return `${this.#pluginLog(place.agentId, place.pluginKey)}.jsonl`;
      case "session":
        return `${this.#session(place)}.jsonl`;
      case "record":
        return `${this.#session(place)}.record.jsonl`;
      case "traces":
        return `${this.#session(place)}.trace.jsonl`;
    }
  }

  /** Path of the older half of a log; undefined for logs without one. */
  olderLog(place: LogDefinition<unknown>["place"]): string | undefined {
    if (place.kind === "plugin") return `${this.#pluginLog(place.agentId, place.pluginKey)}.1.jsonl`;
    return place.kind === "record" ? `${this.#session(place)}.record.1.jsonl` : undefined;
  }

  /** What a plugin left for an agent beside its values: its files, its figures and both halves of its log. */
  ofPlugin(agentId: string, pluginKey: string): string[] {
    const log = this.#pluginLog(agentId, pluginKey);
    return [this.#pluginFiles(agentId, pluginKey), `${log}${FIGURES}`, `${log}.jsonl`, `${log}.1.jsonl`];
  }

  /** Folder of the logs and figures of an agent's plugins. */
  logs(agentId: string): string {
    return join(this.agent(agentId), "logs");
  }

  /** What is kept of which plugin, from the file names in the folder of logs. */
  traces(names: readonly string[]): PluginTrace[] {
    return names.flatMap((name): PluginTrace[] => {
      const what = name.endsWith(FIGURES) ? "figures" : "log";
      const key = what === "figures" ? name.slice(0, -FIGURES.length) : name.replace(/(?:\.1)?\.jsonl$/, "");
      return key !== name && pluginKeySchema.safeParse(key).success ? [{ pluginKey: key, what }] : [];
    });
  }

  /** The ids of the conversations, from the file names in an agent's folder of conversations. */
  sessionIds(names: readonly string[]): string[] {
    return names
      .filter((name) => name.endsWith(".jsonl"))
      .map((name) => name.slice(0, -".jsonl".length))
      .filter((id) => SESSION_ID.test(id));
  }

  get agents(): string {
    return this.#at("agents");
  }

  get removed(): string {
    return this.#at("removed");
  }

  /** @throws PatchbayError NOT_FOUND when it is no name of a folder there, so that no path leads out of it */
  removedRoom(room: string): string {
    if (ROOM.test(room)) return join(this.removed, room);
    throw new PatchbayError("NOT_FOUND", `Nothing that was removed is kept as “${room}”.`);
  }

  /** The folder and the beginning of the names of all files of a conversation. */
  session(agentId: string, sessionId: string): { folder: string; prefix: string } {
    const path = this.#session({ agentId, sessionId });
    return { folder: dirname(path), prefix: `${basename(path)}.` };
  }

  get newestRows(): string {
    return this.#at("newest-rows.json");
  }

  get vaultKey(): string {
    return this.#at("vault.key");
  }

  blobs(agentId: string, room: string): string {
    return `${this.#session({ agentId, sessionId: room })}.blobs`;
  }

  files(agentId: string, sessionId: string, room?: string): string {
    const folder = `${this.#session({ agentId, sessionId })}.files`;
    return room === undefined ? folder : join(folder, room);
  }

  /** Whether a file belongs to the conversations of an agent. */
  isOfSession(path: string): boolean {
    const [top, , room] = relative(this.#home, path).split(sep);
    return top === "agents" && room === "sessions";
  }

  /** @throws PatchbayError AGENT_NOT_FOUND when the id is malformed, so that no path leads out of the folder */
  agent(agentId = ""): string {
    if (agentIdSchema.safeParse(agentId).success) return join(this.agents, agentId);
    throw agentNotFound(agentId);
  }

  get places(): Places {
    return {
      root: this.#home,
      plugins: this.#at("plugins"),
      staging: this.#at("staging"),
      cache: this.#at("cache"),
      npmCache: this.#at("cache", "npm"),
      compiled: this.#at("cache", "compiled"),
      audit: this.#at("audit"),
      workspace: (agentId) => join(this.agent(agentId), "workspace"),
      sessions: (agentId) => join(this.agent(agentId), "sessions"),
      pluginFiles: (agentId, pluginKey) => this.#pluginFiles(agentId, pluginKey),
      programs: (runtime) => this.#at(`${runtime}-bin`),
    };
  }

  /** @throws PatchbayError SESSION_NOT_FOUND when the id is malformed, so that no path leads out of the folder */
  #session({ agentId, sessionId }: { agentId: string; sessionId: string }): string {
    if (SESSION_ID.test(sessionId)) return join(this.places.sessions(agentId), sessionId);
    throw new PatchbayError("SESSION_NOT_FOUND", `There is no conversation with the id ${sessionId}.`);
  }

  /** Outside of the folder of the plugin's files, where the plugin itself may write. */
  #pluginLog(agentId: string, pluginKey: string): string {
    return join(this.logs(agentId), basename(this.#pluginFiles(agentId, pluginKey)));
  }

  #pluginFiles(agentId: string | undefined, pluginKey = ""): string {
    if (!pluginKeySchema.safeParse(pluginKey).success) {
      throw new PatchbayError("BAD_INPUT", `"${pluginKey}" cannot be the key of a plugin.`);
    }
    return join(this.agent(agentId), "storage", pluginKey);
  }

  #at(...names: string[]): string {
    return join(this.#home, ...names);
  }
}
