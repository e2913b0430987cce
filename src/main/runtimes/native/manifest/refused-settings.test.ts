import { expect, test } from "vitest";
import { PatchbayError } from "../../../../contract/index.ts";
import { refusalOf } from "./refused-settings.ts";

const inner = {
  type: "object",
  properties: {
    city: { type: "string", title: "Town" },
    maxAgeDays: { type: "integer" },
    hosts: { type: "array", title: "Hosts", items: { properties: { port: { title: "Port" } } } },
    tools: { type: "string" },
  },
};
const configSchema = { type: "object", properties: { tools: inner } };
const secretKeys = [{ key: "token", label: "Bot token", path: ["tools", "token"] }];
const flat = { configSchema, secretKeys, settingsRoot: ["tools"], details: { flatConfig: true } };
const wrapped = { ...flat, details: { flatConfig: false } };
const many = { configSchema, secretKeys: [], details: { flatConfig: false } };

function refused(path: string) {
  const fields = [{ path, message: "no" }];
  return new PatchbayError("CONFIG_REFUSED", `The plugin refused its settings: ${path}: no`, {
    help: "Try something else.",
    details: { fields },
  });
}

test.each([
  ["a flat plugin", flat, "city", "tools.city", "Town: no"],
  ["a flat plugin", flat, "maxAgeDays", "tools.maxAgeDays", "Max age days: no"],
  ["a flat plugin", flat, "hosts.1.port", "tools.hosts[1].port", "Hosts, entry 2, Port: no"],
  ["a flat plugin, about a setting named like its part", flat, "tools", "tools.tools", "Tools: no"],
  ["a flat plugin, about a secret", flat, "token", "tools.token", "Bot token: no"],
  ["a flat plugin, about all", flat, "", "", "no"],
  ["a plugin that has the wrapper", wrapped, "tools.city", "tools.city", "Town: no"],
  ["one that returns what is inside", wrapped, "city", "tools.city", "Town: no"],
  ["a plugin of several parts", many, "tools.city", "tools.city", "Tools, Town: no"],
])("%s names its field as the form does (%#)", (_kind, declaration, given, path, sentence) => {
  expect(refusalOf(refused(given), declaration)).toMatchObject({
    code: "CONFIG_REFUSED",
    message: `The plugin refused its settings: ${sentence}`,
    help: "Try something else.",
    details: { fields: [{ path, message: "no" }] },
  });
});

test("what is no refusal of fields is left as it is", () => {
  const plain = new PatchbayError("CONFIG_REFUSED", "The plugin refused its settings: not today");
  expect(refusalOf(plain, flat)).toBe(plain);
  const other = new Error("other");
  expect(refusalOf(other, flat)).toBe(other);
});
