import { expect, test } from "vitest";
import { putInHosts } from "./put-in-secrets.ts";

const plugin = (path: string[]) => ({
  manifestKey: "weather",
  declaration: { secretKeys: [{ key: "apiKey", label: "Key", path, sentOnlyTo: ["api.example.com"] }] },
});
const hosts = ["api.example.com"];
const settings = { tools: { apiKey: "${WEATHER_API_KEY_2}", spare: "${WEATHER_API_KEY}" } };

test("the secret at its place is put in, whatever its name", () => {
  expect(putInHosts(plugin(["tools", "apiKey"]), { tools: { apiKey: "${MINE}" } }, "MINE")).toEqual(hosts);
  expect(putInHosts(plugin(["tools", "apiKey"]), settings, "WEATHER_API_KEY_2")).toEqual(hosts);
});

test("a version that moves the field does not get the value by its old place", () => {
  expect(putInHosts(plugin(["channel", "apiKey"]), settings, "WEATHER_API_KEY_2")).toEqual(hosts);
  expect(putInHosts(plugin(["tools", "apiKey"]), settings, "WEATHER_API_KEY")).toEqual(hosts);
  expect(putInHosts(plugin(["tools", "apiKey"]), {}, "apiKey")).toEqual(hosts);
});

test("other secrets of the plugin are given to it", () => {
  expect(putInHosts(plugin(["tools", "apiKey"]), settings, "WEATHER_PASSWORD")).toBeNull();
});
