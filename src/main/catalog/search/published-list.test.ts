import { expect, test } from "vitest";
import { listedByFledge } from "../../runtimes/fledge/listed.ts";
import { fledgeTrust } from "../../runtimes/fledge/trust.ts";
import { listedByFlowly } from "../../runtimes/flowly/listed.ts";
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

const todo = {
  slug: "todo-list",
  name: "Todo list",
  tagline: "Keeps what is to be done.",
  description: "A list for each project.",
  category: "productivity",
  version: "0.3.0",
  repo: "https://github.com/Someone/plugins",
  author: { name: "Someone", url: "https://example.org" },
  tags: ["lists"],
  featured: true,
  emoji: "📝",
  source: "github",
  subpath: "todo-list",
  requires: { external: [], env: ["TODO_KEY"], platforms: [] as string[] },
  provides: {
    tools: ["add", "done"],
    hooks: ["pre_tool_call"],
    commands: ["/todo"],
    skills: ["todo-list:plan"],
  },
  installCommand: "flowly plugins install Someone/plugins/todo-list",
};
const both: PublishesList[] = [...systems, { id: "flowly", listed: listedByFlowly }];
const others = ["macos", "linux", "windows"].filter(
  (system) => system !== { darwin: "macos", linux: "linux", win32: "windows" }[process.platform as string],
);

test("a row of Flowly's marketplace has its tagline, its emoji as a picture, what it brings, and its folder", () => {
  const [entry] = readPublishedList([todo], "plugins.example", both);
  expect(entry).toEqual({
    spec: "Someone/plugins/todo-list",
    source: "plugins.example",
    packageName: "todo-list",
    packageVersion: "0.3.0",
    displayName: "Todo list",
    description: "Keeps what is to be done. — A list for each project.",
    runtime: "flowly",
    publisher: "Someone",
    trust: "unverified",
    homepage: "https://github.com/Someone/plugins",
    capabilities: {
      tools: { namespace: "todo-list", count: 2, names: ["add", "done"] },
      hooks: { events: ["tool.before@v1"] },
      commands: { names: ["todo"] },
      skills: { names: ["todo-list:plan"] },
    },
    icon: expect.stringMatching(/^data:image\/svg\+xml,/),
    installedVersion: null,
  });
  expect(decodeURIComponent(entry?.icon ?? "")).toContain(">📝</text>");
});

test.each([
  [{ subpath: undefined }, { spec: "https://github.com/Someone/plugins" }],
  [
    { repo: "https://git.example.org/a/b.git", subpath: "x/y" },
    { spec: "https://git.example.org/a/b.git#:x/y" },
  ],
  [{ emoji: "<script>" }, { icon: undefined }],
  [{ provides: "nothing", requires: null }, { capabilities: undefined }],
  [{ requires: { platforms: others } }, { madeFor: others }],
  [{ requires: { platforms: ["macos", "linux", "windows"] } }, { madeFor: undefined }],
])("a row of Flowly's marketplace with %j", (change, wanted) => {
  const [entry] = readPublishedList([{ ...todo, ...change }], "x", both);
  expect({
    spec: entry?.spec,
    icon: entry?.icon,
    capabilities: entry?.capabilities,
    madeFor: entry?.madeFor,
  }).toMatchObject(wanted);
});

test.each([
  [{ ...todo, subpath: "../x" }],
  [{ ...todo, subpath: "a/../../x" }],
  [{ ...todo, repo: "file:///etc" }],
  [{ ...todo, repo: "http://github.com/Someone/plugins" }],
  [{ ...todo, slug: "a/b" }],
])("a row of Flowly's marketplace that leads elsewhere is left out: %j", (bad) => {
  expect(readPublishedList([bad, todo], "x", both)).toHaveLength(1);
});
