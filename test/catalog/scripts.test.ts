import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dirOf } from "../support/dir-of.ts";
import { type FixturePlugin, writeFiles, writePlugin } from "../support/fixture-plugin.ts";
import { startVerdaccio, type TestRegistry } from "../support/verdaccio.ts";
import { openBench } from "./support.ts";

let npm: TestRegistry;
beforeAll(async () => {
  npm = await startVerdaccio();
});
afterAll(() => npm.close());

const leavesMark = { scripts: { postinstall: "node -e \"require('fs').writeFileSync('mark', 'ran')\"" } };

function scripted(key: string): FixturePlugin {
  return { key, packageFile: { ...leavesMark, dependencies: { [`dep-of-${key}`]: "1.0.0" } } };
}

async function publishScripted(work: string, key: string): Promise<void> {
  await writeFiles(join(work, "dep"), {
    "package.json": JSON.stringify({ name: `dep-of-${key}`, version: "1.0.0", ...leavesMark }),
  });
  await npm.publish(join(work, "dep"));
  await npm.publish(await writePlugin(join(work, "plugin"), scripted(key)));
}

async function marks(dir: string, key: string): Promise<boolean[]> {
  const paths = ["mark", join("node_modules", `dep-of-${key}`, "mark")];
  return Promise.all(paths.map((path) => stat(join(dir, path)).then(Boolean, () => false)));
}

test("scripts do not run unless they are allowed, and the person is told that there are some", async () => {
  await using bench = await openBench();
  await publishScripted(bench.work, "quiet");
  const { id } = await bench.jobs.install({ spec: "patchbay-plugin-quiet", registry: npm.url });
  const waiting = await bench.untilConsent(id);
  expect(waiting.consent?.hasScripts).toBe(true);
  bench.jobs.consent(id, { accept: true });
  expect((await bench.jobs.ended(id)).problem).toBeNull();
  const plugin = bench.registry.get("quiet");
  expect(plugin?.scriptsAllowed).toBe(false);
  expect(await marks(dirOf(plugin), "quiet")).toEqual([false, false]);
});

test("scripts run when they are allowed at consent", async () => {
  await using bench = await openBench();
  await publishScripted(bench.work, "asked");
  const { id } = await bench.jobs.install({ spec: "patchbay-plugin-asked", registry: npm.url });
  await bench.untilConsent(id);
  bench.jobs.consent(id, { accept: true, allowScripts: true });
  expect((await bench.jobs.ended(id)).problem).toBeNull();
  const plugin = bench.registry.get("asked");
  expect(plugin?.scriptsAllowed).toBe(true);
  expect(await marks(dirOf(plugin), "asked")).toEqual([true, true]);
});

test("scripts run when the request allows them", async () => {
  await using bench = await openBench();
  await publishScripted(bench.work, "told");
  const job = await bench.install("patchbay-plugin-told", { registry: npm.url, allowScripts: true });
  expect(job.problem).toBeNull();
  expect(await readFile(join(dirOf(bench.registry.get("told")), "mark"), "utf8")).toBe("ran");
});

test("a script that fails fails the job, with its output, and nothing stays", async () => {
  await using bench = await openBench();
  const dir = await writePlugin(join(bench.work, "broken"), {
    key: "broken-script",
    packageFile: { scripts: { postinstall: "echo no luck today >&2; exit 3" } },
  });
  const job = await bench.install(dir, { allowScripts: true });
  expect(job.problem).toMatchObject({
    code: "SCRIPT_FAILED",
    message: "The script “postinstall” of patchbay-plugin-broken-script@1.0.0 failed.",
    details: { stderr: expect.stringContaining("no luck today") },
  });
  expect(job.log.map(({ text }) => text)).toContain("no luck today");
  expect(await bench.placed()).toEqual([]);
  expect(await bench.staged()).toEqual([]);
});

test("what scripts print stands in the job's log, line by line, each behind what ran", async () => {
  await using bench = await openBench();
  await writeFiles(join(bench.work, "dep"), {
    "package.json": JSON.stringify({
      name: "dep-of-chatty",
      version: "1.0.0",
      scripts: { preinstall: "echo a dependency prepares itself" },
    }),
  });
  await npm.publish(join(bench.work, "dep"));
  const dir = await writePlugin(join(bench.work, "plugin"), {
    key: "chatty",
    packageFile: {
      dependencies: { "dep-of-chatty": "1.0.0" },
      scripts: { postinstall: "echo set CHATTY_HOME; echo and beware >&2" },
    },
  });
  const job = await bench.install(dir, { registry: npm.url, allowScripts: true });
  expect(job.problem).toBeNull();
  const texts = job.log.map(({ text }) => text);
  const after = (text: string, line: string) => texts.indexOf(line, texts.indexOf(text)) > -1;
  const own =
    "Running postinstall of patchbay-plugin-chatty@1.0.0: echo set CHATTY_HOME; echo and beware >&2";
  const dependency = "Running preinstall of dep-of-chatty@1.0.0: echo a dependency prepares itself";
  expect(texts).toEqual(expect.arrayContaining([own, dependency]));
  expect(after(own, "set CHATTY_HOME")).toBe(true);
  expect(after(own, "and beware")).toBe(true);
  expect(after(dependency, "a dependency prepares itself")).toBe(true);
});

test("a flood of output is cut, and how much of it is said", async () => {
  await using bench = await openBench();
  const dir = await writePlugin(join(bench.work, "flood"), {
    key: "flood",
    packageFile: {
      scripts: { postinstall: "node -e \"for (let at = 0; at < 5000; at += 1) console.log('line', at)\"" },
    },
  });
  const job = await bench.install(dir, { allowScripts: true });
  expect(job.problem).toBeNull();
  expect(job.log.map(({ text }) => text)).toContainEqual(
    expect.stringMatching(/^\[30\d\d more lines of the scripts were left out\]$/),
  );
});
