import { expect, test } from "vitest";
import { FakeClock } from "../../../test/support/fake-clock.ts";
import type { Person } from "../platform/platform.ts";
import type { Asker } from "./callers.ts";
import { Confirmations } from "./confirmations.ts";
import { ProgramToken } from "./program-token.ts";

const minute = 60_000;
const screen = (id: string): Asker => ({ kind: "screen", id, name: "Firefox" });
const needed = expect.objectContaining({ code: "CONFIRMATION_NEEDED" });

function open(person?: Person, passphrase: string | null = null) {
  const clock = new FakeClock();
  const audit: Record<string, unknown>[] = [];
  const confirmations = new Confirmations({
    person,
    passphrase: { isSet: () => passphrase !== null, proves: async (typed) => typed === passphrase },
    audit: { record: async (...events) => void audit.push(...events) },
    clock,
  });
  const prove = (asker: Asker) => confirmations.callerOf(asker).prove("install");
  return { clock, audit, confirmations, prove };
}

/** A terminal, and the code that it showed last. */
function terminal() {
  const shown: string[] = [];
  const person: Person = { kind: "terminal", show: (lines) => void shown.push(lines) };
  return { person, code: () => /code (\d{3} \d{3})/.exec(shown.at(-1) ?? "")?.[1] ?? "", shown };
}

test("a code that the terminal showed holds for a quarter of an hour, for the one who asked", async () => {
  const { person, code, shown } = terminal();
  const { clock, confirmations, prove } = open(person);
  await expect(prove(screen("a"))).rejects.toThrow(needed);
  expect(shown[0]).toContain("Installing a plugin, asked by a screen (Firefox)");
  await confirmations.confirm(screen("a"), { code: code() });
  await prove(screen("a"));
  await expect(prove(screen("b"))).rejects.toThrow(needed);
  clock.advance(15 * minute);
  await expect(prove(screen("a"))).rejects.toThrow(needed);
});

test("a code is good for five minutes", async () => {
  const { person, code } = terminal();
  const { clock, confirmations, prove } = open(person);
  await expect(prove(screen("a"))).rejects.toThrow(needed);
  clock.advance(5 * minute);
  const wrong = expect.objectContaining({ code: "CONFIRMATION_WRONG" });
  await expect(confirmations.confirm(screen("a"), { code: code() })).rejects.toThrow(wrong);
});

test("after a second code was guessed away, a pause begins and doubles; other askers do not wait", async () => {
  const { person, code } = terminal();
  const { clock, confirmations, prove } = open(person);
  const locked = expect.objectContaining({ code: "CONFIRMATION_LOCKED" });
  const guess = async (times: number) => {
    for (let tries = 0; tries < times; tries += 1)
      await confirmations.confirm(screen("a"), { code: "no code" }).catch(() => {});
  };
  await guess(10);
  await expect(prove(screen("a"))).rejects.toThrow(locked);
  await expect(prove(screen("b"))).rejects.toThrow(needed);
  clock.advance(minute);
  await guess(5);
  clock.advance(minute);
  await expect(prove(screen("a"))).rejects.toThrow(locked);
  clock.advance(minute);
  await expect(prove(screen("a"))).rejects.toThrow(needed);
  await confirmations.confirm(screen("a"), { code: code() });
});

test("the passphrase of the secrets confirms, and guesses at the same time are all counted", async () => {
  const { confirmations, prove } = open(undefined, "correct horse");
  await expect(prove(screen("a"))).rejects.toThrow(
    expect.objectContaining({ details: { act: "install", ways: ["passphrase"] } }),
  );
  const guesses = Array.from({ length: 20 }, () =>
    confirmations.confirm(screen("b"), { passphrase: "wrong" }).catch(({ code }) => code as string),
  );
  expect((await Promise.all(guesses)).filter((code) => code === "CONFIRMATION_LOCKED")).toHaveLength(10);
  await confirmations.confirm(screen("a"), { passphrase: "correct horse" });
  await prove(screen("a"));
});

test("a program without a name confirms nothing, and one with a name nothing for another", async () => {
  const { person, code } = terminal();
  const { confirmations, prove, audit } = open(person);
  const program = (name: string | null): Asker => ({ kind: "program", name });
  await expect(prove(program(null))).rejects.toThrow(needed);
  expect(audit).toMatchObject([{ kind: "wall.refused", wall: "authority", target: "install" }]);
  await expect(confirmations.confirm(program(null), { code: code() })).rejects.toThrow("names itself");
  await confirmations.confirm(program("one"), { code: code() });
  await prove(program("one"));
  await expect(prove(program("two"))).rejects.toThrow(needed);
});

test("a desktop asks in a dialog; a program that was refused is not asked for again at once", async () => {
  let asked = 0;
  let says = false;
  const person: Person = {
    kind: "prompt",
    confirm: async () => {
      asked += 1;
      return says;
    },
  };
  const { clock, prove } = open(person);
  const program: Asker = { kind: "program", name: "one" };
  const refused = expect.objectContaining({ code: "ABORTED" });
  await expect(prove(program)).rejects.toThrow(refused);
  await expect(prove(program)).rejects.toThrow(refused);
  expect(asked).toBe(1);
  says = true;
  await Promise.all([prove({ kind: "window" }), prove({ kind: "window" })]);
  expect(asked).toBe(2);
  clock.advance(minute);
  await prove(program);
  expect(asked).toBe(3);
});

test("the token of programs is replaced every hour, and the one before works for five minutes more", () => {
  const clock = new FakeClock();
  const token = new ProgramToken(clock);
  const announced: string[] = [];
  token.begin((next) => void announced.push(next));
  const first = token.newest;
  clock.advance(60 * minute);
  expect(announced).toEqual([token.newest]);
  expect(token.newest).not.toBe(first);
  expect(token.knows(first)).toBe(true);
  clock.advance(5 * minute);
  expect(token.knows(first)).toBe(false);
  expect(token.knows(token.newest)).toBe(true);
  token.end();
  expect(clock.waiting).toBe(0);
});
