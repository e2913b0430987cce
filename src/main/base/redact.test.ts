import { expect, test } from "vitest";
import { AcrossPieces } from "./redact-across.ts";
import { redactWrapped } from "./redact-wrapped.ts";

const value = "s3cret-Välue/42+x";
const base64 = Buffer.from(value.repeat(1)).toString("base64");
const redact = (text: string) => text.replaceAll(value, "•••").replaceAll(base64.replace(/=+$/, ""), "•••");
const bytes = Buffer.from(value);
const wrapped = (text: string, width: number) =>
  text.match(new RegExp(`.{1,${width}}`, "g"))?.join("\n") ?? "";

test.each([
  ["plain", `the ${value} here`],
  ["broken over lines by a terminal", `the ${wrapped(value, 7)} here`],
  ["broken and indented", `key: ${wrapped(value, 5).replaceAll("\n", "\n    ")}`],
  ["broken in a quoted mail", wrapped(value, 9).replaceAll("\n", "\n> ")],
  ["base64 with line ends", wrapped(base64, 8)],
  ["base64 with line ends of Windows", wrapped(base64, 8).replaceAll("\n", "\r\n")],
  ["hex", bytes.toString("hex")],
  ["hex in capitals", `0x${bytes.toString("hex").toUpperCase()}`],
  ["hex with colons", bytes.toString("hex").replace(/..(?=.)/g, "$&:")],
  ["hex after a digit", `a${bytes.toString("hex")}`],
  ["hex as a dump", bytes.toString("hex").replace(/....(?=.)/g, "$& ")],
  ["percent signs in every place", [...bytes].map((byte) => `%${byte.toString(16)}`).join("")],
  ["percent signs here and there", encodeURIComponent(value).toLowerCase().replace("v", "V")],
  ["escapes of a program", [...value].map((one) => (one === "c" ? "\\x63" : one)).join("")],
  ["escapes of JSON", JSON.stringify(value.replace("s", "\u0001")).replace("\\u0001", "\\u0073")],
])("a value is found %s", (_form, text) => {
  const shown = redactWrapped(text, redact);
  expect(shown).toContain("•••");
  for (const piece of [value.slice(0, 6), value.slice(-6), base64.slice(0, 8)])
    expect(shown).not.toContain(piece);
});

test.each([
  "An ordinary text\nof several lines,\n\nwith 100% and C:\\x64 and %41%42.",
  "deadbeefdeadbeef 01:23:45:67:89:ab",
  `${"word ".repeat(2_000)}\n${"line\n".repeat(2_000)}`,
])("a text without the value stays as it is", (text) => {
  expect(redactWrapped(text, redact)).toBe(text);
});

test("large texts take a time in proportion to their length", () => {
  const parts = [
    "A".repeat(300_000),
    " ".repeat(300_000),
    "ab ".repeat(100_000),
    "x\n".repeat(100_000),
    "%41".repeat(50_000),
  ];
  const text = `${parts.join("%")} ${wrapped(value, 6)} end`;
  expect(redactWrapped(text, redact).endsWith("••• end")).toBe(true);
});

test("of a value cut in two by the end of a piece the second part is masked", () => {
  for (let cut = 1; cut < value.length; cut += 1) {
    const pieces = new AcrossPieces(redact);
    expect(pieces.next(`it is ${value.slice(0, cut)}`)).toBe(`it is ${value.slice(0, cut)}`);
    expect(pieces.next(`${value.slice(cut)} and more`)).toBe("••• and more");
    expect(pieces.next(`then ${value} whole`)).toBe("then ••• whole");
  }
});
