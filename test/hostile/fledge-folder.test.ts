import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FledgeHouse, type Installed } from "./fledge-world.ts";

/** What a fledge plugin tries with the folder that its programs see as their own: code that was checked, and data beside it. */

const files = {
  "score.py": "#!/usr/bin/env python3\nimport calendar, helper\nprint(helper.word, calendar.MONDAY)\n",
  "helper.py": 'word = "checked"\n',
  "over.py": "1",
  "gone.py": "1",
  "linked.py": "1",
  "mode.py": "1",
  "short.py": "1",
  "given.py": "1",
  "exchanged.py": "1",
  "words/list.txt": "apple",
  "notes/list.txt": "apple",
  "vendor/code.sh": "echo checked",
  "tool.js": '#!/usr/bin/env node\nconsole.log(require("./part"));\n',
  "part.js": 'module.exports = "checked";\n',
  "plain/readme.txt": "a package as soon as somebody makes it one",
};
const commands = `
[[commands]]
name = "score"
binary = "score.py"
[[commands]]
name = "tool"
binary = "tool.js"
[[hooks]]
name = "post_work_start"
command = "bin/hook --all"
`;

let house: FledgeHouse;
let crook: Installed;
let other: Installed;

beforeAll(async () => {
  house = await FledgeHouse.open();
  crook = await house.install("crook", files, commands);
  other = await house.install("other", { "secret.sh": "echo other" });
}, 60_000);
afterAll(() => house[Symbol.asyncDispose]());

/** The plugin's own program, asked anew, still runs what was installed. */
async function stillRuns(): Promise<void> {
  expect(await crook.call("ada", "score")).toBe("checked 0\n");
  expect(await crook.call("ada", "tool")).toBe("checked\n");
  await crook.isUnchanged();
}

test("a plugin does not write over its installed code, and that is seen", async () => {
  expect(await crook.run("ada", "echo bad > helper.py")).toMatch(/Read-only/);
  await house.seen(join(crook.dir, "helper.py"));
  await stillRuns();
});

test("a plugin does not shorten a file of its code, and that is seen", async () => {
  const said = await crook.run("ada", `perl -e 'truncate("short.py", 0) or print "no: $!"'`);
  expect(said).toMatch(/Read-only/);
  await house.seen(join(crook.dir, "short.py"));
  await stillRuns();
});

test("a plugin does not put another file in the place of its code, and that is seen", async () => {
  expect(await crook.run("ada", "echo bad > new.txt; mv -f new.txt over.py")).toMatch(/busy|Read-only/);
  await house.seen(join(crook.dir, "over.py"));
  await stillRuns();
});

test("a plugin does not exchange its code with another file, and that is seen", async () => {
  const exchange = `perl -e 'my ($one, $two) = ("evil.txt", "exchanged.py"); syscall($ARGV[0] + 0, -100, $one, -100, $two, 2) and print "no: $!"'`;
  const number = process.arch === "arm64" ? 276 : 316;
  const said = await crook.run("ada", `echo bad > evil.txt; ${exchange} ${number}`);
  expect(said).toMatch(/busy|Read-only/);
  await house.seen(join(crook.dir, "exchanged.py"));
  await stillRuns();
});

test("a plugin does not remove its code, and that is seen", async () => {
  expect(await crook.run("ada", "rm -f gone.py; cat gone.py")).toMatch(/busy|Read-only/);
  await house.seen(join(crook.dir, "gone.py"));
  await stillRuns();
});

test("a plugin does not get a hard link to its code through which it could be changed, and that is seen", async () => {
  expect(await crook.run("ada", "ln linked.py mine.py && echo bad > mine.py")).toMatch(
    /cross-device|Read-only/i,
  );
  await house.seen(join(crook.dir, "linked.py"));
  await stillRuns();
});

test("a plugin does not change who may run its code, and that is seen", async () => {
  expect(await crook.run("ada", "chmod 777 mode.py")).toMatch(/Read-only/);
  await house.seen(join(crook.dir, "mode.py"));
  const open = `perl -e 'open(my $f, "<", "given.py"); chmod(0777, $f) or print "no: $!"'`;
  expect(await crook.run("ada", open)).toMatch(/Read-only/);
  await house.seen(join(crook.dir, "given.py"));
  await stillRuns();
});

test("a plugin does not swap a folder of its code for a link, and that is seen", async () => {
  const said = await crook.run("ada", "mkdir /tmp/mine; mv vendor away; ln -s /tmp/mine vendor; ls vendor");
  expect(said).toMatch(/busy|Read-only/);
  await house.seen(join(crook.dir, "vendor"));
  await stillRuns();
});

test("a plugin does not swap a folder in which it keeps data beside its code for a link, and that is seen", async () => {
  const said = await crook.run("ada", "mv words away; rmdir notes; ln -s /tmp words; cat words/list.txt");
  expect(said).toMatch(/busy/);
  expect(said).toContain("apple");
  await house.seen(join(crook.dir, "words"));
  await house.seen(join(crook.dir, "notes"));
  await stillRuns();
});

test("a plugin does not write into a folder that holds code alone, and that is seen", async () => {
  expect(await crook.run("ada", "echo bad > vendor/more.sh; mkdir vendor/deep")).toMatch(/Read-only/);
  await house.seen(join(crook.dir, "vendor", "more.sh"));
  await house.seen(join(crook.dir, "vendor", "deep"));
  await stillRuns();
});

test("a plugin does not write code of another fledge plugin, and that is seen", async () => {
  const path = join(other.dir, "secret.sh");
  expect(await crook.run("ada", `echo bad > ${path}; rm -f ${join(other.dir, "run")}; cat ${path}`)).toMatch(
    /No such file|nonexistent/,
  );
  await house.seen(path);
  await other.isUnchanged();
});

test("a plugin does not write what it keeps for another agent, and that is seen", async () => {
  await crook.run("bob", "echo mine > scores.txt");
  const folder = house.dataOf("bob", "crook");
  const [origin = ""] = await readdir(folder);
  const path = join(folder, origin, "top", "scores.txt");
  expect(await readFile(path, "utf8")).toBe("mine\n");
  expect(await crook.run("ada", `echo bad > ${path}; mv run ${path}; cat scores.txt`)).toMatch(
    /No such file|nonexistent/,
  );
  await house.seen(path);
  expect(await crook.run("bob", "cat scores.txt")).toBe("mine\n");
});

test("a plugin does not change the data of another agent by a link out of its folder, and that is seen", async () => {
  const folder = house.dataOf("bob", "crook");
  const [origin = ""] = await readdir(folder);
  const path = join(folder, origin, "top", "through.txt");
  await writeFile(path, "mine");
  expect(
    await crook.run("ada", `ln -s ${join(folder, origin, "top")} way; echo bad > way/through.txt`),
  ).toMatch(/No such file|nonexistent/);
  await house.seen(path);
  expect(await readFile(path, "utf8")).toBe("mine");
});

test("a link that a plugin leaves in its folder does not lead Patchbay to write outside, and its taking is seen", async () => {
  await writeFile(join(house.home, "bait.txt"), "the person's");
  const said = await crook.run(
    "ada",
    `ln -s ${join(house.home, "bait.txt")} lead; cat lead; echo bad > lead`,
  );
  expect(said).not.toContain("the person's");
  await house.seen(join(house.home, "bait.txt"));
  expect(await readFile(join(house.home, "bait.txt"), "utf8")).toBe("the person's");
  await stillRuns();
});

test.each([
  ["helper/__init__.py", "helper", "a package that Python takes before a module"],
  ["calendar.py", "calendar.py", "a module that Python takes before its own"],
  ["helper.abi3.so", "helper.abi3.so", "a library that Python takes before a module"],
  ["plain/__init__.py", "plain/__init__.py", "what makes a folder a package"],
  ["part", "part", "a file that Node takes before one with an ending"],
  ["package.json", "package.json", "what tells Node how to read its code"],
])("code that a plugin adds as %s is not run at the next start, and that is seen", async (path, target) => {
  const bad = "print('planted')\nword='planted'\nMONDAY='planted'\nmodule.exports = 'planted'\n";
  const said = await crook.run(
    "ada",
    `mkdir -p "$(dirname ${path})"; printf '%b' "${bad}" > ${path}; ls ${path}`,
  );
  expect(said).toBe(`${path}\n`);
  await stillRuns();
  await house.seen(join(crook.dir, target));
  expect(await crook.run("ada", `ls ${path}`)).toMatch(/No such file|cannot access/);
});

test("links that make a folder elsewhere a module of Python are found out, and that is seen", async () => {
  await crook.run(
    "ada",
    `mkdir -p cache/pkg; echo "word='planted'" > cache/pkg/__init__.py
     ln -s "$FLEDGE_PLUGIN_DIR/cache" store; ln -s store/pkg json; ln -s . latest`,
  );
  await stillRuns();
  await house.seen(join(crook.dir, "json"));
  expect(await crook.run("ada", "ls")).toMatch(/cache\n(.*\n)*latest\n(.*\n)*store\n/);
});

test("compiled code in the place of a module cannot be written, and that is seen", async () => {
  const path = "__pycache__/helper.cpython-311.pyc";
  expect(await crook.run("ada", `echo bad > ${path}; echo bad > ${path}.12345`)).toMatch(/Read-only/);
  await house.seen(join(crook.dir, path));
  await house.seen(join(crook.dir, `${path}.12345`));
  expect(await crook.run("ada", "mkdir node_modules/part")).toMatch(/Read-only/);
  await house.seen(join(crook.dir, "node_modules", "part"));
  await stillRuns();
});

test("a program that a plugin makes under the name of a hook is not run as it, and the audit says what is missing", async () => {
  const made =
    "mkdir -p bin; printf '#!/bin/sh\\necho planted > planted.txt\\n' > bin/hook; chmod +x bin/hook";
  await crook.run("ada", `${made}; cp bin/hook "bin/hook --all"; bin/hook; ls planted.txt`);
  const workspace = await house.converse("ada");
  const said = "needs bin/hook, which is not on this machine";
  await expect.poll(() => house.failedHooks()).toContainEqual(expect.stringContaining(said));
  await expect(stat(join(workspace, "planted.txt"))).rejects.toThrow("ENOENT");
});

test("what an honest plugin does with its folder is no attempt", async () => {
  const honest = await house.install("honest", files, commands);
  const before = await house.attempts();
  await honest.run(
    "ada",
    `mkdir -p words cache/deep; echo 1 > scores.json; mv scores.json scores.txt; rm -f missing scores.txt
     echo fig > words/more.txt; ln -s more.txt words/alias; rm words/alias; cp helper.py cache/; chmod 600 words/more.txt
     python3 -c 'import sys; sys.path.insert(0, "."); import helper'; cat run > /tmp/copy; git init -q /tmp/repo`,
  );
  expect(await honest.call("ada", "score")).toBe("checked 0\n");
  expect(await honest.call("ada", "tool")).toBe("checked\n");
  expect(await honest.run("ada", "cat words/more.txt cache/helper.py")).toContain("fig");
  expect((await house.attempts()).slice(before.length)).toEqual([]);
});
