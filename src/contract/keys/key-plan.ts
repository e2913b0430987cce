import { type Chord, keysText, readChord, readKeys } from "./chord.ts";
import { areaOf, commandNamed, type KeyArea, type KeyCommand, keyCommands, usualKeys } from "./commands.ts";
import { isTyped, type ReservedWhy, reservedWhy } from "./reserved.ts";

/** What plugins bring, in the order of their keys. */
export interface PluginKeys {
  plugin: string;
  shortcuts: readonly { id: string; keys: string; description: string }[];
  keyBindings: readonly { keys: string; command: string | null }[];
}

/** The person's own keys, by what they are for (`targetOf…`); null: it has none. */
export type OwnKeys = Readonly<Record<string, string | null>>;

export interface ShortcutTarget {
  kind: "shortcut";
  plugin: string;
  /** Names it in a call; another one after each start. */
  id: string;
  /** The key as the plugin wrote it. */
  registered: string;
  description: string;
}

export type KeyTarget =
  | { kind: "command"; command: KeyCommand }
  | ShortcutTarget
  /** The key does nothing here. */
  | { kind: "nothing" };

export interface BoundKey {
  /** A text of `keysText`. */
  keys: string;
  target: KeyTarget;
  by: "person" | "plugin" | "usual";
  /** Of the plugin that brought it. */
  plugin?: string;
}

/** Why a key of a plugin is not in use. `command`: Patchbay has no such command; `unknown`: there is none of that name. */
export type IdleWhy =
  | "unreadable"
  | "sequence"
  | ReservedWhy
  | "command"
  | "unknown"
  | "person"
  | "app"
  | "plugin";

export interface IdleKey {
  plugin: string;
  /** As the plugin wrote it. */
  keys: string;
  why: IdleWhy;
  /** The plugin that has the key. */
  keeper?: string;
  /** What a binding names. */
  command?: string;
}

export interface KeyPlan {
  /** In the order in which they are tried. */
  bound: readonly BoundKey[];
  idle: readonly IdleKey[];
  /** Every shortcut of a plugin, also those without a key. */
  shortcuts: readonly ShortcutTarget[];
}

export function commandTarget(command: KeyCommand): string {
  return `command:${command}`;
}

/** A plugin's shortcut is known by what it registered: its id is another one after each start. */
export function shortcutTarget(plugin: string, registered: string): string {
  return `shortcut:${plugin}:${registered}`;
}

interface Candidate extends BoundKey {
  chords: readonly Chord[];
  area: KeyArea;
  layer: number;
  idle?: Omit<IdleKey, "why">;
}

/**
 * Puts all keys together. The person's come first, then what plugins bind, then the usual ones, then plugins' shortcuts; among
 * plugins the one that comes first keeps a key. A key that begins a longer one no longer stands alone, unless it comes first.
 */
export function keyPlan(plugins: readonly PluginKeys[], own: OwnKeys, mac: boolean): KeyPlan {
  const idle: IdleKey[] = [];
  const wanted = [
    ...ownCandidates(plugins, own),
    ...plugins.flatMap((one) => boundByPlugin(one, own, idle)),
    ...usualCandidates(own, mac),
    ...plugins.flatMap((one) => shortcutsOf(one, own, idle)),
  ];
  const kept: Candidate[] = [];
  const lose = ({ idle: note }: Candidate, keeper: Candidate) => {
    if (note) idle.push({ ...note, ...whyIdle(keeper) });
  };
  for (const one of wanted) {
    const keeper = kept.find((other) => excludes(other, one));
    if (keeper) {
      lose(one, keeper);
      continue;
    }
    for (const [index, other] of [...kept.entries()].reverse()) {
      if (!isOvertaken(other, one)) continue;
      lose(other, one);
      kept.splice(index, 1);
    }
    kept.push(one);
  }
  const bound = kept.map(({ keys, target, by, plugin }) => ({ keys, target, by, ...(plugin && { plugin }) }));
  return { bound, idle, shortcuts: plugins.flatMap(shortcutTargets) };
}

function shortcutTargets({ plugin, shortcuts }: PluginKeys): ShortcutTarget[] {
  return lastOfEach(shortcuts).map(({ id, keys, description }) => ({
    kind: "shortcut",
    plugin,
    id,
    registered: keys,
    description,
  }));
}

function ownCandidates(plugins: readonly PluginKeys[], own: OwnKeys): Candidate[] {
  const commands = keyCommands.flatMap((command) => {
    const target = { kind: "command", command } as const;
    return ownCandidate(own[commandTarget(command)], target, areaOf(command));
  });
  const shortcuts = plugins
    .flatMap(shortcutTargets)
    .flatMap((target) => ownCandidate(own[shortcutTarget(target.plugin, target.registered)], target, "app"));
  return [...commands, ...shortcuts];
}

function ownCandidate(keys: string | null | undefined, target: KeyTarget, area: KeyArea): Candidate[] {
  const chords = keys == null ? null : readKeys(keys, true);
  if (chords === null || chords.some((chord) => reservedWhy(chord) !== null)) return [];
  return [{ keys: keysText(chords), chords, target, by: "person", area, layer: 0 }];
}

function usualCandidates(own: OwnKeys, mac: boolean): Candidate[] {
  return keyCommands.flatMap((command) => {
    // Esc stops whatever else does.
    const isOwn = own[commandTarget(command)] !== undefined && command !== "stop";
    return (isOwn ? [] : usualKeys(command, mac)).flatMap((keys): Candidate[] => {
      const chords = readKeys(keys, true) ?? [];
      const target = { kind: "command", command } as const;
      return [{ keys, chords, target, by: "usual", area: areaOf(command), layer: 2 }];
    });
  });
}

function boundByPlugin({ plugin, keyBindings }: PluginKeys, own: OwnKeys, idle: IdleKey[]): Candidate[] {
  return lastOfEach(keyBindings).flatMap(({ keys, command }): Candidate[] => {
    const note = { plugin, keys, ...(command !== null && { command }) };
    const chords = readKeys(keys);
    const reserved = chords?.map(reservedWhy).find((why) => why !== null);
    const known = command === null ? null : commandNamed(command);
    const why =
      chords === null
        ? "unreadable"
        : (reserved ?? (known === "absent" ? "command" : known === "unknown" ? known : null));
    if (why !== null || chords === null || known === "absent" || known === "unknown") {
      idle.push({ ...note, why: why ?? "unreadable" });
      return [];
    }
    if (known !== null && own[commandTarget(known)] !== undefined) {
      idle.push({ ...note, why: "person" });
      return [];
    }
    const target: KeyTarget = known === null ? { kind: "nothing" } : { kind: "command", command: known };
    const area = known === null ? "app" : areaOf(known);
    return [{ keys: keysText(chords), chords, target, by: "plugin", plugin, area, layer: 1, idle: note }];
  });
}

function shortcutsOf(of: PluginKeys, own: OwnKeys, idle: IdleKey[]): Candidate[] {
  return shortcutTargets(of).flatMap((target): Candidate[] => {
    const { plugin, registered: keys } = target;
    const note = { plugin, keys };
    if (own[shortcutTarget(plugin, keys)] !== undefined) return [];
    const chord = readChord(keys);
    const why = chord === null ? (readKeys(keys) ? "sequence" : "unreadable") : reservedWhy(chord);
    if (chord === null || why !== null) {
      idle.push({ ...note, why: why ?? "unreadable" });
      return [];
    }
    const chords = [chord];
    return [
      { keys: keysText(chords), chords, target, by: "plugin", plugin, area: "app", layer: 3, idle: note },
    ];
  });
}

/** Of what a plugin registers twice for the same keys, the last. */
function lastOfEach<T extends { keys: string }>(all: readonly T[]): T[] {
  const byKeys = new Map<string, T>();
  for (const one of all) {
    const chords = readKeys(one.keys);
    byKeys.set(chords ? keysText(chords) : one.keys, one);
  }
  return [...byKeys.values()];
}

/** Whether a key that comes first leaves no room for another: the same one, or one begins the other. */
function excludes(first: Candidate, second: Candidate): boolean {
  if (!begins(first.keys, second.keys) && !begins(second.keys, first.keys)) return false;
  if (isOvertaken(first, second)) return false;
  // Who takes a key from the app does not take it from plugins.
  if (first.target.kind === "nothing" || second.target.kind === "nothing")
    return second.layer === 2 || (first.layer === second.layer && first.keys === second.keys);
  if (second.layer === 3) return true;
  // What works in the field for messages comes before what works elsewhere, and both can have a key.
  if (first.area === "composer") return second.area === "composer";
  return second.area !== "composer" || (first.layer < second.layer && !isWriting(first));
}

/** Of the same rank, a longer key takes the place of the one with which it begins. */
function isOvertaken(one: Candidate, by: Candidate): boolean {
  return (
    one.layer === by.layer &&
    one.chords.length < by.chords.length &&
    begins(one.keys, by.keys) &&
    (one.area === "composer") === (by.area === "composer")
  );
}

function isWriting({ chords: [first] }: Candidate): boolean {
  return first !== undefined && isTyped(first);
}

function begins(short: string, long: string): boolean {
  return long === short || long.startsWith(`${short} `);
}

function whyIdle({ by, plugin }: Candidate): Pick<IdleKey, "why" | "keeper"> {
  if (by === "person") return { why: "person" };
  return plugin === undefined ? { why: "app" } : { why: "plugin", keeper: plugin };
}

export type Pressed =
  /** What was pressed is a whole key: of those that share it, the first whose place it is. */
  | { kind: "bound"; bound: readonly BoundKey[] }
  /** It begins a longer one: the keys so far, as one text. */
  | { kind: "begun"; keys: string }
  | { kind: "free" };

/** Where the person is when they press. */
export interface KeyPlace {
  inComposer: boolean;
  /** In any field for text: what writes there goes on writing, unless it belongs to the field for messages. */
  inText: boolean;
}

/**
 * What a press does.
 * @param chords texts of `pressedChords`
 * @param before keys that were pressed before it and begin a longer one; empty: none
 */
export function pressed(
  { bound }: KeyPlan,
  chords: readonly string[],
  before: string,
  place: KeyPlace,
): Pressed {
  for (const chord of chords) {
    const keys = before === "" ? chord : `${before} ${chord}`;
    const open = bound.filter((one) => begins(keys, one.keys) && isOpen(one, place));
    const first = open[0];
    if (first === undefined) continue;
    if (first.keys !== keys) return { kind: "begun", keys };
    return { kind: "bound", bound: open.filter((one) => one.keys === keys) };
  }
  return { kind: "free" };
}

function isOpen({ keys, target }: BoundKey, { inComposer, inText }: KeyPlace): boolean {
  if (target.kind === "nothing") return false;
  const area = target.kind === "command" ? areaOf(target.command) : "app";
  if (area === "composer") return inComposer;
  const first = readChord(keys.split(" ")[0] ?? "", true);
  return !(inText && first !== null && isTyped(first) && !isPaging(first));
}

function isPaging({ key }: Chord): boolean {
  return key === "pageup" || key === "pagedown";
}
