import bitops from "sasl-scram-sha-1/lib/bitops.js";
import { expect, it } from "vitest";
import { signInQuickly } from "./signing-in.ts";

const libraries = bitops.Hi;

it.each([
  ["pencil", 1],
  ["pencil", 2],
  ["grün\u00ades Pässwort 🔑", 300],
])("the key of %j after %i rounds is the one that the library derives", async (password, rounds) => {
  const salt = new TextEncoder().encode("QSXCR+Q6sek8bf92");
  const expected = await libraries(password, salt, rounds);
  signInQuickly();
  expect(bitops.Hi).not.toBe(libraries);
  expect(await bitops.Hi(password, salt, rounds)).toEqual(expected);
});
