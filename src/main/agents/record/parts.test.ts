import { expect, test } from "vitest";
import { addressOf, putTogether, takeApart } from "./parts.ts";

function store() {
  const blobs = new Map<string, string>();
  return {
    blobs,
    put: (address: string, text: string) => void blobs.set(address, text),
    get: async (address: string) => blobs.get(address),
  };
}

const long = (word: string) => `${word} `.repeat(500);

test("a small value stays as it is", () => {
  const { blobs, put } = store();
  expect(takeApart({ text: "hello" }, put)).toEqual({ text: "hello" });
  expect(blobs.size).toBe(0);
});

test("a large value is put together again as it was, and each part lies under the digest of its text", async () => {
  const { blobs, put, get } = store();
  const messages = Array.from({ length: 40 }, (_, n) => ({ role: "user", content: long(`m${n}`) }));
  const request = { system: long("rules"), tools: [{ name: "x", schema: { text: long("s") } }], messages };

  const skeleton = takeApart(request, put);

  expect(JSON.stringify(skeleton).length).toBeLessThan(1_100);
  expect(JSON.stringify(await putTogether(skeleton, get))).toBe(JSON.stringify(request));
  for (const [address, text] of blobs) expect(addressOf(text)).toBe(address);
});

test("what is sent again costs only what is new", () => {
  const { blobs, put } = store();
  const messages = Array.from({ length: 32 }, (_, n) => ({ role: "user", content: long(`m${n}`) }));
  takeApart({ system: long("rules"), messages }, put);
  const before = [...blobs.values()].join("").length;

  takeApart({ system: long("rules"), messages: [...messages, { role: "user", content: long("new") }] }, put);

  expect([...blobs.values()].join("").length - before).toBeLessThan(5_000);
});

test("a part that is gone keeps its address in its place", async () => {
  const { blobs, put, get } = store();
  const skeleton = takeApart({ kept: "yes", text: long("gone") }, put);
  const address = [...blobs.keys()][0];
  blobs.clear();
  expect(await putTogether(skeleton, get)).toEqual({ kept: "yes", text: { $blob: address } });
});
