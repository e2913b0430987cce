import { expect, it } from "vitest";
import { providerPlan } from "./provider-plan.ts";

const provider = (
  name: string,
  over: Partial<Record<"speaks" | "baseUrl" | "keyVariable", string>> = {},
) => ({
  name,
  speaks: "openai",
  baseUrl: "https://models.example/v1",
  keyVariable: "LAB_KEY",
  ...over,
});

it("offers what Patchbay speaks, at the address that the plugin names", () => {
  const { offered, idle } = providerPlan([
    { plugin: "lab", providers: [provider("lab"), provider("claude-lab", { speaks: "Anthropic" })] },
  ]);
  expect(offered).toMatchObject([
    {
      plugin: "lab",
      name: "lab",
      kind: "openai-compatible",
      baseUrl: "https://models.example/v1",
      isNear: false,
    },
    { name: "claude-lab", kind: "anthropic" },
  ]);
  expect(idle).toEqual([]);
});

it.each([
  ["a/b", {}, "name"],
  ["OpenAI", {}, "own"],
  ["lab", { speaks: "smoke signals" }, "speaks"],
  ["lab", { speaks: "constructor" }, "speaks"],
  ["lab", { baseUrl: "file:///etc/passwd" }, "address"],
  ["lab", { baseUrl: "https://user:secret@models.example" }, "address"],
  ["lab", { baseUrl: "https://models.example/?key=${OPENAI_API_KEY}" }, "address"],
  ["lab", { baseUrl: "nowhere" }, "address"],
  ["lab", { keyVariable: "A B" }, "key"],
])("does not offer %s %j: %s", (name, over, why) => {
  const { offered, idle } = providerPlan([{ plugin: "lab", providers: [provider(name, over)] }]);
  expect(offered).toEqual([]);
  expect(idle).toMatchObject([{ plugin: "lab", why }]);
});

it("takes the last of a name, and says so of the one before", () => {
  const { offered, idle } = providerPlan([
    { plugin: "a", providers: [provider("lab"), provider("lab", { baseUrl: "https://second.example" })] },
    { plugin: "b", providers: [provider("lab", { baseUrl: "https://b.example" })] },
  ]);
  expect(offered).toMatchObject([{ plugin: "b", baseUrl: "https://b.example" }]);
  expect(idle).toMatchObject([{ plugin: "a", why: "later", keeper: "b", baseUrl: "https://second.example" }]);
});

it.each([
  "http://localhost:11434/v1",
  "http://127.0.0.1/",
  "http://192.168.1.5/",
  "http://169.254.169.254/",
  "http://[::1]:80/",
  "http://[fd00::1]/",
  "http://nas.local/",
  "http://2130706433/",
])("knows that %s is near", (baseUrl) => {
  const { offered } = providerPlan([{ plugin: "lab", providers: [provider("lab", { baseUrl })] }]);
  expect(offered).toMatchObject([{ isNear: true }]);
});
