import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CliContext } from "../context.ts";
import { readHermitSecrets } from "./hermit-secrets.ts";
import { readHermitPackages } from "./hermit-source.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "patchbay-hermit-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each([
  ["nowhere.json", null, "There is nothing at"],
  ["empty.json", "", "is not valid JSON"],
  ["text.json", '{"channelPackages": "channel-debox"}', "are no list of names"],
  ["numbers.json", '{"channelPackages": [1]}', "are no list of names"],
  ["without.json", '{"ui": {}}', "has no channelPackages"],
  ["path.json", '{"channelPackages": ["../../etc"]}', "“../../etc” in"],
  ["pinned.json", '{"channelPackages": ["channel-debox@2.0.0"]}', "is not the name of an npm package"],
  ["git.json", '{"channelPackages": ["git+https://x.org/y.git"]}', "is not the name of an npm package"],
  ["option.json", '{"channelPackages": ["--yes"]}', "is not the name of an npm package"],
])("%s is refused in one sentence", async (name, content, words) => {
  const from = join(folder, name);
  if (content !== null) await writeFile(from, content);
  await expect(readHermitPackages({ env: {} } as CliContext, { from })).rejects.toThrow(words);
});

test("secrets are read in both forms; of several agents none is guessed, and what is no list of secrets is refused", async () => {
  const home = join(folder, "home");
  const put = async (agent: string, content: unknown) => {
    await mkdir(join(home, "agents", agent), { recursive: true });
    const file = join(home, "agents", agent, "secrets.json");
    await writeFile(file, JSON.stringify(content));
    return file;
  };
  expect((await readHermitSecrets(undefined, home)).from).toBeNull();
  const main = await put("main", { OLD: "a", NEW: { value: "b" }, "no name": "c", EMPTY: "", ODD: 7 });
  const { from, values } = await readHermitSecrets(undefined, home);
  expect([from, [...values]]).toEqual([
    main,
    [
      ["OLD", "a"],
      ["NEW", "b"],
    ],
  ]);
  const list = await put("other", ["a"]);
  expect((await readHermitSecrets(undefined, home)).from).toBeNull();
  await expect(readHermitSecrets(list, home)).rejects.toMatchObject({ code: "BAD_INPUT" });
  await expect(readHermitSecrets(join(home, "nowhere.json"), home)).rejects.toMatchObject({
    code: "SOURCE_MISSING",
  });
});
