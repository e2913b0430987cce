import { expect, it } from "vitest";
import { PatchbayError } from "../contract/index.ts";
import type { Client } from "./context.ts";
import { askForPassphrase } from "./unlock.ts";

/** A core whose secrets are locked, and somebody at the terminal who types these lines. */
async function ask(typed: string[], canUnlock = true) {
  const notes: string[] = [];
  const questions: string[] = [];
  let open = !canUnlock;
  const secrets = {
    vault: async () => ({ open, canUnlock: !open }),
    async unlock({ passphrase }: { passphrase: string }) {
      if (passphrase !== "right") throw new PatchbayError("PASSPHRASE_WRONG", "That is not it.");
      open = true;
    },
  };
  await askForPassphrase(
    { secrets } as unknown as Pick<Client, "secrets">,
    {
      optionalSecret: async (question) => {
        questions.push(question);
        return typed.shift() ?? "";
      },
    },
    { note: (text) => void notes.push(text) },
    new AbortController().signal,
  );
  return { open, notes, asked: questions.length };
}

it("asks until the passphrase opens the secrets, and says why not meanwhile", async () => {
  expect(await ask(["wrong", "right"])).toEqual({
    open: true,
    notes: ["The stored secrets are locked.", "That is not it."],
    asked: 2,
  });
});

it("goes on without the secrets when nothing is typed, or after three wrong ones", async () => {
  expect(await ask([""])).toMatchObject({ open: false, asked: 1 });
  expect(await ask(["a", "b", "c", "right"])).toMatchObject({ open: false, asked: 3 });
});

it("does not ask when they are open", async () => {
  expect(await ask(["right"], false)).toEqual({ open: true, notes: [], asked: 0 });
});
