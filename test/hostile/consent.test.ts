import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Job } from "../../src/contract/index.ts";
import { jobWith } from "../catalog/support.ts";
import { dirOf } from "../support/dir-of.ts";
import { type ConsentWorld, describeIn, description, openConsentWorld } from "./consent-world.ts";

let world: ConsentWorld;
beforeEach(async () => {
  world = await openConsentWorld();
});
afterEach(() => world[Symbol.asyncDispose]());

/** Begins an installation and resolves with the job when it asks its question. */
async function asked(spec: string, question: Job["question"], more: object = {}): Promise<Job> {
  const { jobs } = world.bench;
  const { id } = await jobs.install({ spec, ...more });
  return jobWith(jobs, id, (job) => job.question === question || job.endedAt !== null);
}

async function decline({ id, question }: Job): Promise<Job> {
  const { jobs } = world.bench;
  jobs.consent(id, { accept: false, question: question ?? "install" });
  return jobs.ended(id);
}

async function expectNothingLeft(): Promise<void> {
  expect(await world.bench.placed()).toEqual([]);
  expect(await world.bench.staged()).toEqual([]);
  expect(world.bench.registry.list()).toEqual([]);
}

describe("code that wants to run before consent", () => {
  test("code at the import of a package without a description does not run before the first yes", async () => {
    const dir = await world.write("hasty", { prelude: world.leaveMark });
    const waiting = await asked(dir, "look");
    expect(waiting).toMatchObject({ status: "waiting", question: "look", consent: null });
    expect(waiting.firstLook).toMatchObject({ packageName: "patchbay-plugin-hasty", trust: "local" });
    expect(await world.marked()).toBe(false);
    expect(await decline(waiting)).toMatchObject({ problem: { code: "CONSENT_REFUSED" } });
    expect(await world.marked()).toBe(false);
    expect(world.bench.audited).toContainEqual(
      expect.objectContaining({ kind: "consent.refused", question: "look" }),
    );
    await expectNothingLeft();
  });

  test("code at the import of a package with a description does not run before consent", async () => {
    const dir = await world.write("quiet", { prelude: world.leaveMark });
    await describeIn(dir, description("quiet"));
    const waiting = await asked(dir, "install");
    expect(waiting.consent).toMatchObject({ manifestKey: "quiet", readFrom: "files" });
    expect(await world.marked()).toBe(false);
    await decline(waiting);
    expect(await world.marked()).toBe(false);
    await expectNothingLeft();
  });

  test("a `main` that is another file than `exports` does not run before consent", async () => {
    const files = { "main.cjs": `require("node:fs").writeFileSync(${JSON.stringify(world.mark)}, "ran")` };
    const dir = await world.write("two-doors", { packageFile: { main: "./main.cjs" }, files });
    await describeIn(dir, description("two-doors"));
    await decline(await asked(dir, "install"));
    expect(await world.marked()).toBe(false);
  });

  test("install scripts do not run before the second yes, not even when the request allows them", async () => {
    const write = (path: string) => `try { require('fs').writeFileSync('${path}', 'ran') } catch {}`;
    const touch = `node -e "${write(world.mark)}; ${write("ran")}"`;
    const scripts = { preinstall: touch, install: touch, postinstall: touch, prepare: touch };
    const dir = await world.write("scripted", { packageFile: { scripts } });
    const first = await asked(dir, "look", { allowScripts: true });
    expect(await world.marked()).toBe(false);
    world.bench.jobs.consent(first.id, { accept: true, question: "look" });
    const second = await world.bench.until(first.id, "waiting");
    await jobWith(world.bench.jobs, second.id, (job) => job.question === "install");
    expect(world.bench.jobs.get(second.id).consent).toMatchObject({ hasScripts: true });
    expect(await world.marked()).toBe(false);
    world.bench.jobs.consent(second.id, { accept: true });
    expect(await world.bench.jobs.ended(second.id)).toMatchObject({ status: "done" });
    const [installed] = world.bench.registry.list();
    expect(await readFile(join(dirOf(installed), "ran"), "utf8")).toBe("ran");
    // After the yes they run, walled in: what lies outside of the package stays as it is.
    expect(await world.marked()).toBe(false);
  });

  test("a bundled dependency with scripts and a native build runs nothing at unpacking", async () => {
    const touch = `node -e "require('fs').writeFileSync('${world.mark}', 'ran')"`;
    const dir = await world.write("bundler", {
      packageFile: { dependencies: { dep: "1.0.0" }, bundleDependencies: ["dep"] },
      files: {
        "node_modules/dep/package.json": JSON.stringify({
          name: "dep",
          version: "1.0.0",
          scripts: { preinstall: touch, install: touch, postinstall: touch },
        }),
        "node_modules/dep/binding.gyp": `{"targets":[{"target_name":"x","actions":[{"action":["sh","-c","touch ${world.mark}"]}]}]}`,
      },
    });
    await describeIn(dir, description("bundler"));
    const waiting = await asked(dir, "install");
    expect(waiting.status).toBe("waiting");
    expect(await world.marked()).toBe(false);
    await decline(waiting);
    expect(await world.marked()).toBe(false);
  });

  test("settings of package managers in the package have no effect", async () => {
    const evil = join(world.bench.work, "evil.cjs");
    await writeFile(evil, `require("node:fs").writeFileSync(${JSON.stringify(world.mark)}, "ran")`);
    const dir = await world.write("tuned", {
      files: {
        ".npmrc": `script-shell=${evil}\nnode-options=--require ${evil}\nignore-scripts=false\nregistry=http://127.0.0.1:9/\n`,
        ".yarnrc.yml": `yarnPath: ${evil}\n`,
        ".pnpmfile.cjs": await readFile(evil, "utf8"),
        "bunfig.toml": `preload = ["${evil}"]\n`,
        ".env": `NODE_OPTIONS=--require ${evil}\n`,
      },
    });
    await describeIn(dir, description("tuned"));
    const waiting = await asked(dir, "install");
    expect(waiting.consent?.manifestKey).toBe("tuned");
    expect(await world.marked()).toBe(false);
    world.bench.jobs.consent(waiting.id, { accept: true });
    expect((await world.bench.jobs.ended(waiting.id)).problem).toBeNull();
    expect(await world.marked()).toBe(false);
  });
});

describe("answers", () => {
  test("the answer to the first question is no answer to the second, nor the other way round", async () => {
    const { jobs } = world.bench;
    const { id } = await asked(await world.write("twice-asked"), "look");
    expect(() => jobs.consent(id, { accept: true })).toThrow("not waiting for this answer");
    jobs.consent(id, { accept: true, question: "look" });
    await jobWith(jobs, id, (job) => job.question === "install");
    expect(() => jobs.consent(id, { accept: true, question: "look" })).toThrow("not waiting for this answer");
    expect(() => jobs.consent(id, { accept: true, question: "more" })).toThrow("not waiting for this answer");
    expect(jobs.get(id).status).toBe("waiting");
    await decline(jobs.get(id));
    await expectNothingLeft();
  });

  test("a yes in advance to the look is no yes to the installation", async () => {
    const waiting = await asked(await world.write("looked-at"), "install", { look: true });
    expect(waiting).toMatchObject({ question: "install", consent: { readFrom: "code" } });
    await decline(waiting);
    await expectNothingLeft();
  });

  test("an update dropped as a file does not replace what runs without a click", async () => {
    const { bench } = world;
    const old = await world.write("dropped");
    expect((await bench.install(old)).status).toBe("done");
    await writeFile(
      join(old, "package.json"),
      (await readFile(join(old, "package.json"), "utf8")).replace("1.0.0", "1.1.0"),
    );
    await describeIn(old, description("dropped"));
    const waiting = await asked(old, "install");
    expect(waiting.consent).toMatchObject({ replaces: "1.0.0", packageVersion: "1.1.0", changes: [] });
    expect(bench.calls).toEqual([]);
    expect(bench.registry.get("dropped")?.packageVersion).toBe("1.0.0");
    await decline(waiting);
    expect(bench.registry.get("dropped")?.packageVersion).toBe("1.0.0");
    expect(bench.audited).toContainEqual(
      expect.objectContaining({ kind: "consent.refused", pluginKey: "dropped", replaces: "1.0.0" }),
    );
  });

  test("an update that asks for nothing more asks all the same", async () => {
    const { bench } = world;
    const dir = await world.write("steady");
    await describeIn(dir, description("steady"));
    await bench.install(dir);
    await writeFile(join(dir, "notes.txt"), "What is new in it.");
    const { id } = await bench.jobs.update("steady");
    const waiting = await jobWith(bench.jobs, id, (job) => job.question === "install");
    expect(waiting.consent).toMatchObject({ replaces: "1.0.0", changes: [] });
    expect(bench.calls).toEqual([]);
    bench.jobs.consent(id, { accept: true });
    expect((await bench.jobs.ended(id)).status).toBe("done");
  });

  test("a linked folder that changes between the question and the answer is not installed", async () => {
    const { bench } = world;
    const dir = await world.write("shifty");
    await describeIn(dir, description("shifty"));
    const waiting = await asked(dir, "install", { link: true });
    await describeIn(dir, description("shifty", { displayName: "Your bank" }));
    bench.jobs.consent(waiting.id, { accept: true });
    expect(await bench.jobs.ended(waiting.id)).toMatchObject({ problem: { code: "MANIFEST_CHANGED" } });
    expect(bench.registry.list()).toEqual([]);
  });
});

describe("links out of the package", () => {
  test("a description that is a link out of the package is not read", async () => {
    const secret = join(world.bench.work, "secret.json");
    await writeFile(secret, description("linked", { description: "the secret" }));
    const dir = await world.write("linked");
    await symlink(secret, join(dir, "patchbay.json"));
    const copied = await asked(dir, "install");
    expect(copied).toMatchObject({ status: "failed", problem: { code: "UNSAFE_PACKAGE" } });
    const inPlace = await asked(dir, "install", { link: true });
    expect(inPlace.problem).toMatchObject({
      code: "MANIFEST_INVALID",
      message: expect.stringContaining("a link that leads out of the package"),
    });
    expect(JSON.stringify(inPlace)).not.toContain("the secret");
  });

  test("an icon outside of the package is not read", async () => {
    const dir = await world.write("framed");
    await writeFile(join(world.bench.work, "private.png"), "private picture");
    await mkdir(join(dir, "art"));
    await symlink(join(world.bench.work, "private.png"), join(dir, "art", "icon.png"));
    for (const icon of ["../private.png", "art/icon.png", join(world.bench.work, "private.png")]) {
      await describeIn(dir, description("framed", { icon }));
      const waiting = await asked(dir, "install", { link: true });
      expect(JSON.stringify(waiting)).not.toContain(Buffer.from("private picture").toString("base64"));
      await decline(waiting);
    }
    await rm(join(dir, "art"), { recursive: true });
  });
});
