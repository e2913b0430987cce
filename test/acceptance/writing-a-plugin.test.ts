import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const run = promisify(execFile);

/** Runs the steps of docs/writing-a-plugin.md exactly as the page has them. */
describe("the page on writing a plugin", () => {
  let page: string;
  let folder: string;
  let dice: string;

  beforeAll(async () => {
    page = await readFile(resolve("docs/writing-a-plugin.md"), "utf8");
    folder = await mkdtemp(join(tmpdir(), "patchbay-page-"));
    dice = join(folder, "dice");
    await mkdir(dice);
    await writeFile(join(dice, "package.json"), block("json", '"name": "dice"'));
    await writeFile(join(dice, "index.js"), manifest());
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const block = (language: string, containing: string) => {
    const blocks = [...page.matchAll(/```(\w+)\n([\s\S]*?)```/g)];
    const found = blocks.find(([, kind, text = ""]) => kind === language && text.includes(containing));
    if (!found?.[2]) throw new Error(`The page has no ${language} block with ${containing}.`);
    return found[2];
  };
  const manifest = (...additions: string[]) =>
    block("js", "export default {").replace("  tools: {\n", `${additions.join("")}  tools: {\n`);

  /** Runs the page's own command lines, with the plugin's folder and home of this test. */
  async function follow(lines: string): Promise<string> {
    let output = "";
    for (const line of lines.split("\n").filter((text) => text.startsWith("./bin/patchbay"))) {
      const command = line
        .replace("./bin/patchbay", `"${process.execPath}" bin/patchbay`)
        .replace("../dice", dice);
      const { stdout } = await run("sh", ["-c", command], {
        env: { ...process.env, PATCHBAY_HOME: join(folder, "home") },
      });
      output = stdout;
    }
    return output;
  }

  it("leads from an empty folder to a tool call", async () => {
    expect(await follow(block("sh", "tool call dice__roll --agent tester --input '{\"sides\": 6}'"))).toMatch(
      /The die shows [1-6]\./,
    );
  });

  it("adds settings that are checked", async () => {
    await writeFile(join(dice, "index.js"), manifest(block("js", "parseConfig(config)")));
    await follow("./bin/patchbay plugin install ../dice --link --yes");
    await follow(block("sh", "--set maxSides=6"));
    const odd = "./bin/patchbay plugin config dice --agent tester --set maxSides=7";
    await expect(follow(odd)).rejects.toThrow("Most sides must be an even number.");
    // It goes on with the settings that worked.
    expect(await follow(roll(6))).toMatch(/The die shows [1-6]\./);
    await follow("./bin/patchbay plugin config dice --agent tester --set maxSides=8");
  });

  it("adds a hook that forbids", async () => {
    await writeFile(
      join(dice, "index.js"),
      manifest(block("js", "required: true"), block("js", 'name: "flip"')),
    );
    await follow("./bin/patchbay plugin install ../dice --link --yes");
    await expect(follow(roll(13))).rejects.toThrow("thirteen brings bad luck");
    expect(await follow(roll(6))).toMatch(/The die shows [1-6]\./);
    expect(await follow('./bin/patchbay command run "/flip" --agent tester')).toMatch(/^(Heads|Tails)/);
  });

  const roll = (sides: number) =>
    `./bin/patchbay tool call dice__roll --agent tester --input '{"sides": ${sides}}' --yes`;
});
