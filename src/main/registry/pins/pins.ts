import { EventEmitter } from "node:events";
import {
  type CheckView,
  type HeldThing,
  type Offered,
  PatchbayError,
  type Plugin,
  type Problem,
  type Review,
  type SaidThing,
  type Suspicion,
  type Verdict,
} from "../../../contract/index.ts";
import { cleanLine } from "../../../contract/shown/clean-text.ts";
import { type Clock, isoTime, systemClock } from "../../base/clock.ts";
import { redactDeep } from "../../base/redact-deep.ts";
import type { Guard, Rows, Signer, Storage } from "../../store/index.ts";
import {
  afterAccepting,
  afterHearing,
  firstSeen,
  type Heard,
  heldAmong,
  type Pinned,
  pinnedSchema,
} from "./compare.ts";
import { idOf, keptWords, type SaidNow, saidNow } from "./fingerprint.ts";
import { isHeardAt, offeredOf, sumOf } from "./offered.ts";
import { suspicionsIn } from "./suspicions.ts";

/** Most characters of all that is kept of one plugin's words; of what comes behind, only the hash is. */
const MOST_KEPT = 4_000_000;

export interface PinsOptions {
  storage: Pick<Storage, "rows">;
  signer: Signer;
  registry: { get(key: string): Plugin | undefined; list(): readonly Plugin[] };
  /** The text without stored secrets. */
  redact(text: string): string;
  onNotice(problem: Problem): void;
  /** For the audit log. */
  audit: { record(event: { kind: string; pluginKey: string; [detail: string]: unknown }): void };
  clock?: Clock;
}

/**
 * What plugins say of what they offer, as the person agreed to it. The first words of an installed plugin count as agreed to;
 * what is said otherwise later is held until the person has looked.
 */
export class Pins {
  readonly changes = new EventEmitter<{ pins: [key: string] }>();
  readonly #options: PinsOptions;
  readonly #clock: Clock;
  readonly #rows: Rows<Pinned>;
  /** Somebody else changed what was kept of these: nothing that they say counts as agreed to. */
  readonly #doubted = new Set<string>();

  constructor(options: PinsOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    const guard: Guard<Pinned> = {
      signer: options.signer,
      volatile: [],
      onSetAside: ({ id, restored }) => {
        if (!restored) this.#doubted.add(id);
        options.onNotice(tampered(options.registry.get(id)?.displayName ?? id));
      },
    };
    const collection = { name: "pins", schema: pinnedSchema, version: 1, guard } as const;
    try {
      this.#rows = options.storage.rows({ ...collection, whenLost: "refuse" });
    } catch {
      // It is put aside and told of now. Whoever made it unreadable gains nothing by that.
      this.#rows = options.storage.rows(collection);
      for (const { manifestKey } of options.registry.list())
        if (!this.#rows.get(manifestKey)) this.#doubted.add(manifestKey);
    }
  }

  /** Takes down what a started instance says, and holds what is new in it. */
  hear(plugin: Plugin, said: readonly SaidThing[]): SaidNow {
    const { manifestKey: key, id: pluginId, packageVersion: version } = plugin;
    const now = saidNow(said);
    const known = this.#known(plugin);
    const before =
      known ?? (this.#doubted.has(key) ? { key, pluginId, version, things: {}, held: {} } : null);
    if (known?.version === version && isAllAgreed(known, now.hashes)) return now;
    const heard = this.#heard(key, said, now.hashes);
    const at = isoTime(this.#clock);
    const after = before
      ? afterHearing(before, heard, { version, at })
      : firstSeen({ key, pluginId, version }, heard);
    if (after === known) return now;
    // A failed write is told by the store as a notice; what is held is held all the same.
    void this.#rows.putLater(key, after).catch(() => {});
    // Not at once: whoever hears of it asks what is offered, which is just being found out.
    queueMicrotask(() => this.changes.emit("pins", key));
    const isFirst = waitingIn(known).length === 0;
    if (isFirst && waitingIn(after).length > 0) this.#tell(plugin, after);
    return now;
  }

  /** Ids of what is said now and was not agreed to, and why; null: nothing is pinned of this plugin. */
  heldOf(plugin: Plugin, { hashes }: SaidNow): ReadonlyMap<string, HeldThing["change"]> | null {
    const pinned = this.#known(plugin);
    return pinned ? heldAmong(pinned, hashes) : null;
  }

  /** What in the words of a thing may be meant to mislead. */
  suspicionsOf(plugin: Plugin, id: string): readonly Suspicion[] {
    const pinned = this.#known(plugin);
    return pinned?.held[id]?.suspicious ?? pinned?.things[id]?.suspicious ?? [];
  }

  /** What it said when it was heard last, in short; null when it was not heard at the installed version. */
  sumOf(plugin: Plugin): Extract<CheckView, { state: "done" }> | null {
    const pinned = this.#known(plugin);
    const { packageVersion } = plugin;
    return pinned && isHeardAt(pinned, packageVersion) ? sumOf(pinned, packageVersion) : null;
  }

  /** What it said when it was heard last. @throws PatchbayError PLUGIN_NOT_FOUND */
  offered(key: string): Offered {
    const plugin = this.#installed(key);
    const version = plugin.packageVersion;
    const pinned = this.#known(plugin);
    const nothing = { tools: [], prompts: [], instructions: null };
    return { key, version, ...(pinned ? offeredOf(pinned, version) : nothing) };
  }

  /** Notes how many resources it listed. */
  listed(plugin: Plugin, resources: number): void {
    const pinned = this.#known(plugin);
    if (!pinned || pinned.resources === resources) return;
    void this.#rows.putLater(plugin.manifestKey, { ...pinned, resources }).catch(() => {});
    this.changes.emit("pins", plugin.manifestKey);
  }

  /** How many things wait for the person. */
  toLookAt(key: string): number {
    return waitingIn(this.#rows.get(key)).filter(({ version }) => version === this.#version(key)).length;
  }

  /** @throws PatchbayError PLUGIN_NOT_FOUND */
  review(key: string): Review {
    const plugin = this.#installed(key);
    const version = plugin.packageVersion;
    const pinned = this.#known(plugin);
    if (!pinned) return { key, version, held: [], gone: [] };
    const held = Object.entries(pinned.held).flatMap(([id, { version: of, ...thing }]): HeldThing[] =>
      of === version ? [{ ...thing, before: pinned.things[id]?.words ?? null }] : [],
    );
    const gone = Object.values(pinned.things).flatMap(
      ({ gone: isGone, kind, name, title, hashes: [hash] }) =>
        isGone && hash !== undefined ? [{ kind, name, title, hash }] : [],
    );
    return { key, version, ...(pinned.version !== version && { from: pinned.version }), held, gone };
  }

  /**
   * Does what the person decided. On disk when it resolves.
   * @throws PatchbayError PLUGIN_NOT_FOUND, NOT_FOUND, STALE_REVISION when it says something else by now, DISK_FULL,
   * WRITE_FAILED, VAULT_CLOSED
   */
  async decide(key: string, verdicts: readonly Verdict[]): Promise<void> {
    this.review(key);
    await this.#rows.change(key, (current) => {
      if (!current) throw nothingThere(key);
      return verdicts.reduce((pinned, verdict) => decided(pinned, verdict), current);
    });
    this.#doubted.delete(key);
    for (const { kind, name, hash, accept } of verdicts)
      this.#options.audit.record({
        kind: accept ? "plugin.words_accepted" : "plugin.words_held",
        pluginKey: key,
        what: kind,
        name,
        hash,
      });
    this.changes.emit("pins", key);
  }

  /** Judges what is kept again, as `Rows.review` does. */
  judgeAgain(adopt: boolean): void {
    for (const key of this.#rows.review(adopt)) this.changes.emit("pins", key);
  }

  async close(): Promise<void> {
    await this.#rows.close();
    this.changes.removeAllListeners();
  }

  #known({ manifestKey: key, id }: Plugin): Pinned | undefined {
    const pinned = this.#rows.get(key);
    return pinned?.pluginId === id ? pinned : undefined;
  }

  #installed(key: string): Plugin {
    const plugin = this.#options.registry.get(key);
    if (plugin) return plugin;
    throw new PatchbayError("PLUGIN_NOT_FOUND", `The plugin ${key} is not installed.`);
  }

  #version(key: string): string | undefined {
    return this.#options.registry.get(key)?.packageVersion;
  }

  #heard(key: string, said: readonly SaidThing[], hashes: ReadonlyMap<string, string>): Heard[] {
    const others = this.#namesOfOthers(key);
    let left = MOST_KEPT;
    return said.map((thing) => {
      const words = redactDeep(keptWords(thing.words), this.#options.redact);
      left -= words.text.length + JSON.stringify(words.more).length;
      return {
        ...thing,
        title: cleanLine(thing.title),
        words: left < 0 ? { text: "", more: {}, cut: true as const } : words,
        hash: hashes.get(idOf(thing)) ?? "",
        suspicious: suspicionsIn(thing, others),
      };
    });
  }

  #namesOfOthers(key: string): Set<string> {
    const tools = [...this.#rows.all().values()]
      .filter((pinned) => pinned.key !== key && this.#version(pinned.key) !== undefined)
      .flatMap(({ things }) => Object.values(things).filter(({ kind }) => kind === "tool"));
    return new Set(tools.flatMap(({ name, title }) => [name, title]));
  }

  #tell({ manifestKey: key, displayName }: Plugin, after: Pinned): void {
    const [first, ...more] = waitingIn(after);
    if (!first) return;
    const what = more.length === 0 ? first.title : `${first.title} and ${more.length} more`;
    const said =
      first.change === "added"
        ? `It offers something new: ${what}.`
        : `It changed what it says about ${what}.`;
    const { code, message, help } = new PatchbayError(
      "TOOL_HELD",
      `${displayName}: ${said} Held until you look.`,
    );
    this.#options.onNotice({ code, message, help, details: { plugin: displayName, key } });
    this.#options.audit.record({ kind: "plugin.held", pluginKey: key, count: more.length + 1 });
  }
}

function isAllAgreed(pinned: Pinned, hashes: ReadonlyMap<string, string>): boolean {
  const { things, held } = pinned;
  return (
    Object.keys(held).length === 0 &&
    heldAmong(pinned, hashes).size === 0 &&
    Object.entries(things).every(([id, { gone }]) => hashes.has(id) !== (gone === true))
  );
}

function waitingIn(pinned: Pinned | undefined) {
  return Object.values(pinned?.held ?? {}).filter(({ kept }) => !kept);
}

function decided(pinned: Pinned, { accept, ...verdict }: Verdict): Pinned {
  const id = idOf(verdict);
  const waiting = Object.hasOwn(pinned.held, id) ? pinned.held[id] : undefined;
  const known = Object.hasOwn(pinned.things, id) ? pinned.things[id] : undefined;
  if (waiting) {
    if (waiting.hash !== verdict.hash) throw changedAgain(waiting.title);
    if (accept) return afterAccepting(pinned, waiting);
    return { ...pinned, held: { ...pinned.held, [id]: { ...waiting, kept: true } } };
  }
  if (!known?.gone) throw nothingThere(verdict.name);
  if (!accept) return pinned;
  const { [id]: _, ...things } = pinned.things;
  return { ...pinned, things };
}

function changedAgain(title: string): PatchbayError {
  return new PatchbayError("STALE_REVISION", `What ${title} says has changed again since you looked.`, {
    help: "Look at it once more.",
  });
}

function nothingThere(name: string): PatchbayError {
  return new PatchbayError("NOT_FOUND", `Nothing of ${name} waits to be looked at.`);
}

function tampered(plugin: string): Problem {
  return new PatchbayError(
    "STATE_TAMPERED",
    `Something other than Patchbay changed what is kept of the words of ${plugin} (pins.json).`,
    { help: "What it says is held until you have looked at it." },
  ).toProblem();
}
