import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { toProblem } from "../../src/contract/index.ts";
import { hostBundle } from "../support/host-bundle.ts";
import { PoolWorld } from "../support/pool-world.ts";
import { type Files, manifestSource, Packages, toolsSource } from "./packages.ts";

let world: PoolWorld;
const packages = new Packages();

afterAll(async () => {
  await packages.remove();
});
beforeEach(async () => {
  world = await PoolWorld.open({ bundleDir: hostBundle() });
  await world.agent("ada");
  await world.pool.boot();
});
afterEach(() => world.close());

const lastError = () => world.agentPlugins.get("ada", "probe")?.lastError;
const log = () => world.logTexts("ada", "probe").join("\n");

/** Installs a package with this source and switches it on. Resolves with its folder. */
async function started(source: string, config?: Record<string, unknown>): Promise<string> {
  const dir = await packages.write("probe", { "index.js": source });
  await world.registry.put(await world.describe(dir));
  await world.enable("ada", "probe", config);
  return dir;
}

describe("a package that does not load is told with its own file and line, and without the folder that it lies in:", () => {
  const good = manifestSource("probe", toolsSource("probe", ""));
  const loaded = "The plugin could not be loaded: ";
  const cases: [name: string, files: Files, pkg: object, message: string][] = [
    [
      "`main` that names a file which is not there",
      { "src/index.js": good },
      { main: "./dist/index.js" },
      "`main` in the package.json names ./dist/index.js, which is not in the package. Perhaps it has to be built first.",
    ],
    [
      "`exports` that name a file which is not there",
      { "src/index.js": good },
      { main: undefined, exports: "./dist/index.js" },
      "`exports` in the package.json names dist/index.js, which is not in the package. Perhaps it has to be built first.",
    ],
    [
      "`exports` without an entry of its own",
      { "src/index.js": good },
      { exports: { "./x": "./src/index.js" } },
      "The package's entry cannot be found: `exports` in the package.json does not say which file the package itself is: it lacks `.`.",
    ],
    [
      "neither of them, and no index.js",
      {},
      { main: undefined },
      "The package has no entry: neither `exports` nor `main` nor an index.js.",
    ],
    [
      "a module that throws",
      { "index.js": 'const a = 1;\nthrow new Error("the author forgot something");\n' },
      {},
      `${loaded}the author forgot something (index.js, line 2)`,
    ],
    [
      "an error of syntax in a module that another one imports",
      {
        "index.js": 'import { one } from "./lib/one.js";\nexport default one;\n',
        "lib/one.js": "export const one = 1;\n\nexport default {\n  a: ,\n};\n",
      },
      {},
      `${loaded}Unexpected token ',' (lib/one.js, line 4)`,
    ],
    [
      "an error of syntax in CommonJS",
      { "index.cjs": "const a = 1;\nconst b = {;\n" },
      { main: "index.cjs" },
      `${loaded}Unexpected token ';' (index.cjs, line 2)`,
    ],
    [
      "a module that is not there",
      { "index.js": 'import "./gone.js";\n' },
      {},
      `${loaded}Cannot find module 'gone.js' imported from index.js`,
    ],
    [
      "a package that is not there",
      { "lib/index.js": 'import "nowhere";\n' },
      { main: "lib/index.js" },
      `${loaded}Cannot find package 'nowhere' imported from lib/index.js`,
    ],
    [
      "a name that is not exported",
      {
        "index.js": 'import { two } from "./one.js";\nexport default two;\n',
        "one.js": "export const one = 1;\n",
      },
      {},
      `${loaded}The requested module './one.js' does not provide an export named 'two' (index.js, line 1)`,
    ],
    [
      "a file of data that is no JSON",
      { "index.js": 'import d from "./d.json" with { type: "json" };\nexport default d;\n', "d.json": "{" },
      {},
      `${loaded}d.json: Expected property name or '}' in JSON at position 1 (line 1 column 2)`,
    ],
  ];

  test.each(cases)("%s", async (_name, files, pkg, message) => {
    const dir = await packages.write("probe", files, pkg);
    const problem = await world.describe(dir).then(
      () => null,
      (error: unknown) => toProblem(error),
    );
    expect(problem?.message).toBe(message);
    expect(JSON.stringify(problem)).not.toContain(dir);
  });
});

test("a start that fails has its stack in the log that the person is sent to", async () => {
  await started(
    manifestSource(
      "probe",
      'tools: { namespace: "probe", start: () => brew() }',
      'function brew() { throw new Error("no coffee"); }',
    ),
  );
  expect(lastError()).toMatchObject({ code: "START_FAILED", message: "no coffee" });
  expect(log()).toMatch(/The start failed: Error: no coffee\n\s+at brew .*index\.js:1:/);
});

test("so has a call that fails: the tool's stack", async () => {
  const tool = '{ name: "roll", execute: () => roll() }';
  await started(
    manifestSource("probe", toolsSource("probe", tool), 'function roll() { throw new Error("no dice"); }'),
  );
  await expect(world.call("ada", "probe__roll")).rejects.toMatchObject({
    code: "TOOL_FAILED",
    message: "no dice",
  });
  expect(log()).toMatch(/The tool roll failed: Error: no dice\n\s+at roll .*index\.js:1:/);
  expect(world.pool.logs("ada", "probe").find(({ text }) => text.includes("no dice"))?.level).toBe("warn");
});

describe("a throw in `parseConfig`", () => {
  const parsing = (body: string) =>
    manifestSource("probe", `parseConfig(config) { ${body} }, ${toolsSource("probe", "")}`);

  test.each([
    ["config.tools.hosts.length", "Cannot read properties of undefined (reading 'length')"],
    ["return config.tools.hosts.map(String)", "Cannot read properties of undefined (reading 'map')"],
    ["config.parse()", "config.parse is not a function"],
    ["return { tools: maxSides }", "maxSides is not defined"],
  ])("that the engine makes is told as a mistake of the plugin: %s", async (body, message) => {
    const dir = await started(parsing(body), { tools: { sides: 2 } });
    expect(lastError()).toMatchObject({
      code: "START_FAILED",
      message: `The plugin failed while it read its settings: ${message}`,
      help: expect.stringContaining("a mistake in the plugin's code, and no fault of the settings"),
    });
    expect(log()).toMatch(/The start failed: .*\n\s+at .*parseConfig .*index\.js:2:/);
    expect(log()).not.toContain(dir);
  });

  test.each([
    ['throw new Error("Most sides must be even.")', "Most sides must be even."],
    ['throw new TypeError("Most sides must be a number.")', "Most sides must be a number."],
    ['new URL("nowhere")', "Invalid URL"],
  ])("that refuses the settings stays a refusal of them: %s", async (body, message) => {
    await started(parsing(body));
    expect(lastError()).toMatchObject({
      code: "CONFIG_REFUSED",
      message: `The plugin refused its settings: ${message}`,
    });
  });
});
