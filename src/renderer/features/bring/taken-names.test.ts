import { expect, test } from "vitest";
import type { FoundPlugin } from "../../../contract/found/found.ts";
import { type Clash, namesOf } from "./taken-names.ts";

const server = (spec: string, key: string, takenBy: string | null = null): FoundPlugin =>
  ({ spec, name: key, status: "enabled", installed: null, server: { key, takenBy } }) as FoundPlugin;

const names = (
  servers: FoundPlugin[],
  {
    clashes = {},
    started = [],
    installed = [],
  }: { clashes?: Record<string, Clash>; started?: string[]; installed?: string[] } = {},
) => {
  const { ticked, taken } = namesOf(servers, {
    isTicked: () => true,
    isStarted: (spec) => started.includes(spec),
    isInstalled: (key) => installed.includes(key),
    clashOf: (spec) => clashes[spec] ?? "skip",
  });
  return { ticked: [...ticked], taken: Object.fromEntries(taken) };
};

test("of two servers of one name the first is brought, and the second only under another name", () => {
  const two = [server("cursor", "tickets"), server("zed", "tickets")];
  expect(names(two)).toEqual({
    ticked: ["cursor"],
    taken: { zed: { by: "tickets", ways: ["skip", "rename"], other: "tickets-2" } },
  });
  expect(names(two, { clashes: { zed: "replace" } }).ticked).toEqual(["cursor"]);
  expect(names(two, { clashes: { zed: "rename" } }).ticked).toEqual(["cursor", "zed"]);
  // It stays so while the first one is under way.
  expect(names(two, { started: ["cursor"] })).toMatchObject({
    ticked: [],
    taken: { zed: { by: "tickets" } },
  });
});

test("the other name is one that neither a plugin nor a server of the list has", () => {
  const three = [server("a", "tickets", "Tickets"), server("b", "tickets"), server("c", "tickets")];
  const found = names(three, {
    clashes: { a: "rename", b: "skip", c: "rename" },
    installed: ["tickets", "tickets-2"],
  });
  expect(found.taken.a).toEqual({ by: "Tickets", ways: ["skip", "replace", "rename"], other: "tickets-3" });
  // Nobody of the list has the plain name, so the next one has it.
  expect(found.taken.b).toBeUndefined();
  expect(found.taken.c).toMatchObject({ by: "tickets", other: "tickets-4" });
});
