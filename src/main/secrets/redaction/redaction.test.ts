import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Redaction } from "./redaction.ts";
import { fromUtf8, spellingsOf } from "./spellings.ts";

const inText = (units: Uint16Array) => String.fromCharCode(...units);
const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }).filter((one) => one.isWellFormed());

describe("the spellings of a value", () => {
  test("are what JSON, URLs, base64 and hex make of it", () => {
    fc.assert(
      fc.property(text, (value) => {
        const bytes = Buffer.from(value);
        const json = JSON.stringify(value).slice(1, -1);
        const spellings = spellingsOf(bytes).map(inText);
        expect(inText(fromUtf8(bytes))).toBe(value);
        expect(spellings).toEqual(
          expect.arrayContaining([
            value,
            json,
            JSON.stringify(json).slice(1, -1),
            encodeURIComponent(value),
            encodeURIComponent(value).replaceAll("%20", "+"),
            encodeURI(value),
            bytes.toString("hex"),
            bytes.toString("hex").toUpperCase(),
            bytes.toString("base64").replace(/=+$/, ""),
            bytes.toString("base64url"),
          ]),
        );
      }),
    );
  });
});

describe("a value", () => {
  const forms: [string, (value: string) => string][] = [
    ["as it is", (value) => value],
    ["in JSON", (value) => JSON.stringify(value)],
    ["in JSON in JSON", (value) => JSON.stringify(JSON.stringify(value))],
    ["in a URL", (value) => `https://a.b/?q=${encodeURIComponent(value)}&x=1`],
    ["in base64, inside of a longer text", (value) => Buffer.from(`user:${value}`).toString("base64")],
    ["in hex", (value) => Buffer.from(`a${value}b`).toString("hex")],
    ["in HEX", (value) => Buffer.from(value).toString("hex").toUpperCase()],
    [
      "in base64 in lines",
      (value) => Buffer.from(`some words before ${value}`).toString("base64").replace(/.{19}/g, "$&\r\n"),
    ],
    ["cut by line breaks", (value) => value.replace(/.{5}/gs, "$&\n")],
  ];
  test.each(forms)("is found %s", (_name, write) => {
    const value = 'tök"en/48+15 162342';
    const redaction = new Redaction();
    redaction.add(value);
    const written = `before ${write(value)} after`;
    const clean = redaction.text(written);
    expect(clean).toContain("•••");
    expect(clean.startsWith("before ")).toBe(true);
    expect(clean.endsWith(" after")).toBe(true);
    for (const [, again] of forms.slice(0, 4)) expect(clean).not.toContain(again(value).slice(1, -1));
  });

  test("is found wherever it stands among other values, and nothing else is", () => {
    const values = fc.uniqueArray(fc.string({ minLength: 4, maxLength: 24 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(values, fc.string(), fc.string(), (known, before, after) => {
        const redaction = new Redaction();
        for (const value of known) redaction.add(Buffer.from(value));
        for (const value of known) {
          const clean = redaction.text(`${before}${value}${after}`);
          for (const one of known) if (!"•••".includes(one)) expect(clean).not.toContain(one);
        }
      }),
    );
  });

  test("inside of a JSON document is learnt by its key, without the document's other words", () => {
    const redaction = new Redaction();
    const grant = {
      accessToken: 'a"cc😀ess\n123',
      tokenType: "bearer",
      client: { id: "the-client", secret: "s3cret-s3cret" },
    };
    redaction.addInside(Buffer.from(JSON.stringify(grant)), ["accessToken", "secret"]);
    expect(redaction.text('a"cc😀ess\n123 bearer the-client s3cret-s3cret accessToken')).toBe(
      "••• bearer the-client ••• accessToken",
    );
    const escaped = new Redaction();
    escaped.addInside(Buffer.from('{"a": ["\\u0074\\ud83d\\ude00ken\\/1"], "b": {"c": "second"}}'), null);
    expect(escaped.text("t😀ken/1 second")).toBe("••• •••");
  });
});
