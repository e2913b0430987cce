import { expect, test } from "vitest";
import { listedByFledge } from "../../runtimes/fledge/listed.ts";
import { fledgeTrust } from "../../runtimes/fledge/trust.ts";
import { type PublishesList, readPublishedList } from "./published-list.ts";

const systems: PublishesList[] = [
  { id: "publishes-none" },
  { id: "fledge", listed: listedByFledge, trustOf: (source) => fledgeTrust(source, []) },
];

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
  expect(readPublishedList([row], "fledge.example", systems)).toEqual([
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
  expect(readPublishedList([foreign], "x", systems)).toMatchObject([
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
  expect(readPublishedList([bad, row], "x", systems)).toHaveLength(1);
});

test("a list that no plugin system can read has nothing", () => {
  expect(readPublishedList([row], "x", [{ id: "publishes-none" }])).toEqual([]);
});

test("trust is what the plugin system says of the repository, with the person's own team", () => {
  const own: PublishesList[] = [
    { id: "fledge", listed: listedByFledge, trustOf: (source) => fledgeTrust(source, ["Somebody"]) },
  ];
  const theirs = { ...row, install: "fledge plugins install somebody/tool" };
  expect(readPublishedList([theirs], "x", own)).toMatchObject([{ spec: "somebody/tool", trust: "team" }]);
});
