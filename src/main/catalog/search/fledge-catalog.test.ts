import { expect, test } from "vitest";
import { readFledgeCatalog } from "./fledge-catalog.ts";

const row = {
  name: "fledge-plugin-weather",
  slug: "weather",
  version: "unknown",
  description: "Terminal weather reports.",
  language: "other",
  trust_tier: "official",
  install: "fledge plugins install CorvidLabs/fledge-plugin-weather",
  repo: "https://github.com/CorvidLabs/fledge-plugin-weather",
  topics: [],
  stars: 2,
};

test("a row becomes something to install, with what is known of it", () => {
  expect(readFledgeCatalog([row], "fledge.example")).toEqual([
    {
      spec: "CorvidLabs/fledge-plugin-weather",
      source: "fledge.example",
      packageName: "fledge-plugin-weather",
      displayName: "weather",
      description: "Terminal weather reports.",
      runtime: "fledge",
      publisher: "CorvidLabs",
      trust: "official",
      homepage: "https://github.com/CorvidLabs/fledge-plugin-weather",
      installedVersion: null,
    },
  ]);
});

test("trust follows from the repository, not from the list", () => {
  const foreign = { ...row, install: "fledge plugins install somebody/tool@v1", version: "1.2.0" };
  expect(readFledgeCatalog([foreign], "x")).toMatchObject([
    { spec: "somebody/tool@v1", trust: "unverified", packageVersion: "1.2.0" },
  ]);
});

test.each([
  [null],
  ["text"],
  [{ ...row, name: "" }],
  [{ name: "nowhere" }],
  [{ ...row, install: "fledge plugins install /etc" }],
  [{ ...row, install: "fledge plugins install file:///tmp/x.git" }],
])("%j is left out and costs no other row", (bad) => {
  expect(readFledgeCatalog([bad, row], "x")).toHaveLength(1);
});
