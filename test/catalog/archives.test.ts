import { mkdir, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as tar from "tar";
import { expect, test } from "vitest";
import { unpack } from "../../src/main/catalog/fetch/unpack.ts";
import { hashTree } from "../../src/main/catalog/tree.ts";
import { writePlugin } from "../support/fixture-plugin.ts";
import { openBench } from "./support.ts";

/** One entry of a tar archive, written byte by byte, so that a test can make any wrong entry that an attacker would. */
function entry(header: {
  path: string;
  type?: string;
  linkpath?: string;
  size?: number;
  body?: string;
}): Buffer {
  const body = Buffer.from(header.body ?? "");
  const block = Buffer.alloc(512);
  block.write(header.path, 0, 100);
  block.write("0000644\0", 100);
  block.write("0000000\0", 108);
  block.write("0000000\0", 116);
  block.write(`${(header.size ?? body.length).toString(8).padStart(11, "0")}\0`, 124);
  block.write("00000000000\0", 136);
  block.write("        ", 148);
  block.write(header.type ?? "0", 156);
  block.write(header.linkpath ?? "", 157, 100);
  block.write("ustar\x0000", 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return Buffer.concat([block, body, Buffer.alloc((512 - (body.length % 512)) % 512)]);
}

const end = Buffer.alloc(1024);

test.each([
  [
    "a path that climbs out",
    [entry({ path: "package/../../evil.txt", body: "x" })],
    "leads out of its folder",
  ],
  ["an absolute path", [entry({ path: "/tmp/evil.txt", body: "x" })], "leads out of its folder"],
  [
    "a link that leads out",
    [entry({ path: "package/l", type: "2", linkpath: "../../evil" })],
    "leads out of the package",
  ],
  [
    "an absolute link",
    [entry({ path: "package/l", type: "2", linkpath: "/etc/passwd" })],
    "leads out of the package",
  ],
  [
    "a hard link",
    [entry({ path: "package/l", type: "1", linkpath: "package/../../x" })],
    "which a plugin cannot hold",
  ],
  ["a device", [entry({ path: "package/null", type: "3" })], "which a plugin cannot hold"],
  ["a pipe", [entry({ path: "package/pipe", type: "6" })], "which a plugin cannot hold"],
])("an archive with %s is refused", async (_what, entries, sentence) => {
  await using bench = await openBench();
  const file = join(bench.work, "evil.tar");
  await writeFile(file, Buffer.concat([...entries, end]));
  const job = await bench.install(file);
  expect(job.problem).toMatchObject({ code: "UNSAFE_PACKAGE", message: expect.stringContaining(sentence) });
  expect(await stat(join(bench.home, "evil.txt")).catch(() => null)).toBeNull();
  expect(await bench.staged()).toEqual([]);
});

test("an archive that announces an unreasonable size is refused before it is written", async () => {
  await using bench = await openBench();
  const file = join(bench.work, "huge.tar");
  await writeFile(
    file,
    Buffer.concat([entry({ path: "package/huge", size: 5 * 1024 ** 3, body: "x" }), end]),
  );
  await expect(unpack({ file, to: join(bench.work, "out") })).rejects.toMatchObject({
    code: "UNSAFE_PACKAGE",
  });
});

test("links inside of a package are kept, and count in its hash", async () => {
  await using bench = await openBench();
  const dir = await writePlugin(join(bench.work, "package"), { key: "linked" });
  await mkdir(join(dir, "lib"));
  await symlink("../index.js", join(dir, "lib", "same.js"));
  const file = join(bench.work, "linked.tgz");
  await tar.c({ file, cwd: bench.work, gzip: true }, ["package"]);
  expect((await bench.install(file)).problem).toBeNull();
  const plugin = bench.registry.get("linked");
  expect(plugin?.source.treeHash).toBe(await hashTree(dir));
});
