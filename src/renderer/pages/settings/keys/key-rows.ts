import { areaOf, type KeyArea, keyCommands, usualKeys } from "../../../../contract/keys/commands.ts";
import {
  type BoundKey,
  commandTarget,
  type KeyPlan,
  type KeyTarget,
  type OwnKeys,
  shortcutTarget,
} from "../../../../contract/keys/key-plan.ts";

export interface KeyRow {
  /** By which the person's choice is kept. */
  id: string;
  target: KeyTarget;
  /** The keys that do it now. */
  keys: readonly BoundKey[];
  /** The person chose its key, or that it has none. */
  isOwn: boolean;
  /** Usual keys that do something else now, and what. */
  taken: readonly { keys: string; by: BoundKey }[];
}

export function commandRows(plan: KeyPlan, own: OwnKeys, area: KeyArea, mac: boolean): KeyRow[] {
  return keyCommands
    .filter((command) => areaOf(command) === area)
    .map((command) => {
      const keys = plan.bound.filter(({ target }) => target.kind === "command" && target.command === command);
      const id = commandTarget(command);
      const isOwn = Object.hasOwn(own, id);
      const missing = isOwn
        ? []
        : usualKeys(command, mac).filter((usual) => !keys.some((one) => one.keys === usual));
      return {
        id,
        target: { kind: "command", command },
        keys,
        isOwn,
        taken: missing.flatMap((usual) => {
          const by = plan.bound.find((one) => one.keys === usual || one.keys.startsWith(`${usual} `));
          return by ? [{ keys: usual, by }] : [];
        }),
      };
    });
}

/** All shortcuts of plugins. */
export function shortcutRows(plan: KeyPlan, own: OwnKeys): KeyRow[] {
  return plan.shortcuts.map((target) => {
    const id = shortcutTarget(target.plugin, target.registered);
    const isIts = ({ target: one }: BoundKey) =>
      one.kind === "shortcut" && one.plugin === target.plugin && one.registered === target.registered;
    const keys = plan.bound.filter(isIts);
    return { id, target, keys, isOwn: Object.hasOwn(own, id), taken: [] };
  });
}

/** What a key does now; undefined when it is free. */
export function doneBy(plan: KeyPlan, keys: string): BoundKey | undefined {
  return plan.bound.find(
    (one) => one.target.kind !== "nothing" && (one.keys === keys || one.keys.startsWith(`${keys} `)),
  );
}
