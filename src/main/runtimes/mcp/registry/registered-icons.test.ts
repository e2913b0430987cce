import { expect, test } from "vitest";
import { readEntry } from "./entry.ts";
import { registeredIcons } from "./registered-icons.ts";

const registry = "https://registry.example/";
const at = (name: string, src: string) => {
  const entry = readEntry({ server: { name, version: "1.0.0", icons: [{ src, mimeType: "image/png" }] } });
  return entry === null ? null : registeredIcons(entry, registry).map(({ href }) => href);
};

test.each([
  ["com.acme/tickets", "https://acme.com/icon.png"],
  ["com.acme/tickets", "https://cdn.acme.com/icon.png"],
  ["io.github.Acme/tickets", "https://raw.githubusercontent.com/acme/tickets/main/icon.png"],
  ["io.github.acme/tickets", "https://acme.github.io/icon.png"],
  ["com.acme/tickets", "https://registry.example/icons/tickets.png"],
])("%s may have its icon at %s", (name, src) => {
  expect(at(name, src)).toEqual([src]);
});

test.each([
  ["com.acme/tickets", "http://acme.com/icon.png"],
  ["com.acme/tickets", "https://acme.com.evil.example/icon.png"],
  ["com.acme/tickets", "https://notacme.com/icon.png"],
  ["com.acme/tickets", "https://victim.example/icon.png"],
  ["com.acme/tickets", "https://acme.com@evil.example/icon.png"],
  ["com.acme/tickets", "https://someone:secret@acme.com/icon.png"],
  ["com.acme/tickets", "http://registry.example/icon.png"],
  ["com.acme/tickets", "file:///etc/passwd"],
  ["com.acme/tickets", "javascript:alert(1)"],
  ["com.acme/tickets", "data:image/png;base64,iVBORw0KGgo="],
  ["com.acme/tickets", "icon.png"],
  ["com/tickets", "https://victim.com/icon.png"],
  ["io.github.acme/tickets", "https://raw.githubusercontent.com/acmeevil/tickets/icon.png"],
  ["io.github.acme/tickets", "https://raw.githubusercontent.com/acme/../evil/icon.png"],
  ["io.github.acme/tickets", "https://github.com/acme/tickets/icon.png"],
])("%s may not have its icon at %s", (name, src) => {
  expect(at(name, src)).toEqual([]);
});
