import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeFiles } from "../support/fixture-plugin.ts";
import { type AgentPluginView, auditOf } from "../support/hostile.ts";
import { HostileWorld, loot } from "./support.ts";

/**
 * A dirge plugin that runs the Janet code that it is given, and says what became of it as numbers. Its source names nothing that leads
 * outside, so it was agreed to nothing.
 */
const code = `
(var arg nil)
(defn run [json]
  (def input (json/decode json))
  (set arg (get input "arg"))
  (def answer
    (try (string "v" (string/format "%q" (eval-string (get input "code"))))
      ([err] (string "e" (if (bytes? err) err (string/format "%q" err))))))
  (string/join (map string (string/bytes answer)) " "))
(harness/register-tool "run" "Runs." "Run" "{\\"type\\":\\"object\\"}" "run")
`;

/** As it, and it was agreed to the workspace and to programs, because its source names them. */
const strong = `${code}\n(defn never [] (slurp "a") (spit "a" "b") (os/execute ["true"] :p))\n`;

let world: HostileWorld;
let server: Server;
let port: number;
/** What anybody said to the test's server. */
const heard: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    heard.push(String(request.url));
    response.end("hello");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  port = (server.address() as AddressInfo).port;
  world = await HostileWorld.open(undefined, { HOUSE_KEY: loot });
  await install("mallory", code);
  await install("victim", code, { "own.txt": loot });
  await install("strong", strong);
}, 60_000);
afterAll(async () => {
  server?.close();
  await world?.[Symbol.asyncDispose]();
});

async function install(name: string, source: string, more: Record<string, string> = {}): Promise<void> {
  await writeFiles(world.source(name), { "main.janet": source, ...more });
  await world.app.cli("plugin", "install", world.source(name), "--yes");
  await world.app.rest("PUT", `/agents/helper/plugins/${name}`, { enabled: true });
}

/** What Janet code gives in the process of a plugin: `v` and its value, or `e` and what its error says. */
async function run(name: string, janet: string, arg?: unknown): Promise<string> {
  const path = `/agents/helper/tools/${name}__run/call`;
  const answer = (await world.app.rest("POST", path, { input: { code: janet, arg }, yes: true })) as {
    content?: { text: string }[];
  };
  const [part] = answer.content ?? [];
  if (!part) throw new Error(JSON.stringify(answer));
  return /^[\d ]+$/.test(part.text)
    ? Buffer.from(part.text.split(" ").map(Number)).toString("utf8")
    : `! ${part.text}`;
}

const view = (name: string) =>
  world.app.rest("GET", `/agents/helper/plugins/${name}`) as Promise<AgentPluginView>;

async function folderOf(name: string): Promise<string> {
  const { plugin } = await view(name);
  return plugin?.artifact.kind === "folder" ? plugin.artifact.dir : "";
}

/** Resolves when the audit has what a plugin was refused. */
async function seen(name: string, wall: string, target: string): Promise<void> {
  const refused = async () =>
    (await auditOf(world.home))
      .filter(({ kind, pluginKey }) => kind === "wall.refused" && pluginKey === name)
      .map((event) => `${event.wall} ${event.target}`)
      .join("\n");
  await expect.poll(refused, { timeout: 10_000 }).toContain(`${wall} ${target}`);
}

describe("files", () => {
  test.each([".ssh/id_ed25519", ".patchbay/gateway.json", ".patchbay/vault.key", ".patchbay/vault.json"])(
    "a dirge plugin that reads ~/%s gets nothing, and it is told",
    async (name) => {
      const path = join(world.person, name);
      expect(await run("mallory", "(slurp arg)", path)).toMatch(/^ereading files is not allowed/);
      await seen("mallory", "files", path);
    },
  );

  test("it reads neither the files of another plugin nor the environment of any process", async () => {
    const own = join(await folderOf("victim"), "own.txt");
    const core = world.app.process.pid;
    const paths = [own, "/proc/self/environ", `/proc/${core}/environ`, "/proc/1/environ"];
    for (const path of paths)
      for (const attempt of [
        "(slurp arg)",
        "(file/read (file/open arg :r) :all)",
        "(os/stat arg)",
        "(do (def r @[]) (each l (file/lines (file/open arg :rb)) (array/push r l)) r)",
        "((module/loaders :source) arg @[])",
        "(dofile arg)",
      ]) {
        const got = await run("mallory", attempt, path);
        expect(got).toMatch(/^e/);
        world.expectNothing(got);
      }
  });

  test("one that may use the workspace comes out of it by no link, be it there or made later", async () => {
    const key = join(world.person, ".ssh/id_ed25519");
    const made = join(world.person, ".ssh/authorized_keys");
    expect(await run("strong", '(do (spit "own.txt" "mine") (string (slurp "own.txt")))')).toBe('v"mine"');
    for (const attempt of [
      '(do (os/symlink arg "l1") (slurp "l1"))',
      '(do (os/symlink (string arg "/..") "l2") (os/cd "l2") (slurp "id_ed25519"))',
      '(do (os/link arg "l3") (slurp "l3"))',
      '(slurp (string (os/cwd) "/../../../../../../../../" arg))',
    ]) {
      const got = await run("strong", attempt, key);
      expect(got).toMatch(/^e/);
      world.expectNothing(got);
    }
    const linked = `(do (os/execute ["ln" "-s" arg "l5"] :p) (spit "l5" "mine"))`;
    expect(await run("strong", linked, made)).toMatch(/^ewriting files is not allowed/);
    await seen("strong", "files", made);
    expect(existsSync(made)).toBe(false);
  });

  test("a program that it may start sees no more than it does, and swaps no link under its reading", async () => {
    const key = join(world.person, ".ssh/id_ed25519");
    const got = await run(
      "strong",
      `(do (def p (os/spawn ["/bin/sh" "-c" (string "cat " arg " /proc/*/environ 2>&1; ls /proc")] :p {:out :pipe}))
         (def out (ev/read (p :out) :all)) (os/proc-wait p) (string out))`,
      key,
    );
    expect(got).toMatch(/^v/);
    world.expectNothing(got);
    const raced = await run(
      "strong",
      `(do (spit "calm" "calm")
         (def p (os/spawn ["/bin/sh" "-c" (string "for i in $(seq 400); do ln -sfn calm swap; ln -sfn " arg " swap; done")] :p))
         (def got @{})
         (for i 0 400 (put got (string (try (slurp "swap") ([e] "error"))) true) (ev/sleep 0.001))
         (os/proc-wait p) (keys got))`,
      key,
    );
    expect(raced).toMatch(/^v/);
    world.expectNothing(raced);
  }, 30_000);
});

test("it starts no program in any of Janet's ways, nor finds one behind other names", async () => {
  for (const attempt of [
    '(os/execute ["/usr/bin/id"] :p)',
    '(os/spawn ["id"] :p {:out :pipe})',
    '(os/shell "id")',
    '(do (os/setenv "PATH" "/usr/bin") (os/execute ["id"] :p))',
    '((get (get (curenv) (symbol "os/" "execute")) :value) ["id"] :p)',
    '((in (get root-env (symbol "os/execute")) :value) ["id"] :p)',
    '((eval (symbol "os/spawn")) ["id"] :p)',
    '((compile (parse "(os/execute [`id`] :p)") root-env))',
    '((unmarshal (marshal os/execute (invert (env-lookup root-env))) (env-lookup root-env)) ["id"] :p)',
    '(do (defmacro hidden [] (list-it)) (defn list-it [] nil) (eval (tuple (symbol "os/" "shell") "id")))',
  ]) {
    const got = await run("mallory", attempt);
    expect(got, attempt).toMatch(/^e/);
    expect(got).not.toContain("uid=");
  }
  await seen("mallory", "programs", "/usr/bin/id");
});

test("it reaches nothing on the network, the gateway with a guessed token neither", async () => {
  const gateway = Number(new URL(world.app.url).port);
  for (const attempt of [
    '(net/connect "127.0.0.1" (string arg))',
    '(harness/http-post (string "http://127.0.0.1:" arg "/") "")',
    '(harness/http-post (string "http://localhost:" arg "/api/v1/agents") "" "{\\"authorization\\":\\"Bearer guessed\\"}")',
    '(net/listen "0.0.0.0" "0")',
    '(net/server "127.0.0.1" "0" (fn [c] c))',
    '(net/connect :unix "/run/patchbay-door")',
    '((get (get (curenv) (symbol "net/" "connect")) :value) "127.0.0.1" (string arg))',
  ])
    for (const to of [port, gateway]) expect(await run("mallory", attempt, to), attempt).toMatch(/^e/);
  expect(heard).toEqual([]);
  await seen("mallory", "network", `127.0.0.1:${port}`);
});

test("it sees nothing of the environment that Patchbay was started with", async () => {
  const got = await run(
    "mallory",
    '[(os/environ) (os/getenv "HOUSE_KEY") (os/getenv "PATCHBAY_DOOR") (os/getenv "NODE_CHANNEL_FD")]',
  );
  expect(got).toMatch(/^v/);
  expect(got).not.toContain('HOUSE_KEY"');
  world.expectNothing(got);
});

describe("exhausting", () => {
  test("memory without end ends that plugin alone, and it can be started again", async () => {
    await install("hungry", code);
    const eating = run(
      "hungry",
      '(do (def a @[]) (forever (array/push a (string/repeat "x" 1000000) (array/new-filled 100000 1))))',
    ).catch(String);
    expect(await run("victim", "(* 6 7)")).toBe("v42");
    expect(await eating).not.toMatch(/^v/);
    expect(await run("victim", "(* 6 7)")).toBe("v42");
    await world.app.rest("POST", "/agents/helper/plugins/hungry/restart");
    expect(await run("hungry", "1")).toBe("v1");
  }, 120_000);

  test("floods of notices, entries, lines and registrations cost the others nothing", async () => {
    for (const attempt of [
      '(for i 0 100000 (harness/notify (string "notice " i)))',
      '(for i 0 100000 (print "a line"))',
      '(for i 0 3000 (harness/register-command (string "c" i) "run"))',
      '(for i 0 3000 (harness/register-shortcut (string "ctrl-" (string/from-bytes (+ 97 (% i 26)))) "run"))',
      '(harness/notify (string/repeat "x" 50000000))',
      '(print (string/repeat "x" 50000000))',
    ]) {
      await run("mallory", attempt).catch(() => undefined);
      expect(await run("victim", "(* 6 7)"), attempt).toBe("v42");
      await world.app.rest("POST", "/agents/helper/plugins/mallory/restart");
      expect(await run("mallory", "(* 6 7)"), attempt).toBe("v42");
    }
  }, 120_000);
});

test("tools by names with ways in them, and schemas that lead elsewhere or go deep, are the plugin's trouble alone", async () => {
  for (const attempt of [
    '(harness/register-tool "../shell" "d" "l" "{}" "run")',
    '(harness/register-tool "__proto__" "d" "l" "{}" "run")',
    '(harness/register-tool "shell" "d" "l" "{\\"$ref\\":\\"http://127.0.0.1:1/x\\"}" "run")',
    '(harness/register-tool "deep" "d" "l" (string (string/repeat "{\\"items\\":" 20000) "{}" (string/repeat "}" 20000)) "run")',
    '(harness/register-tool "proto" "d" "l" "{\\"__proto__\\":{\\"polluted\\":1}}" "run")',
  ]) {
    expect(await run("mallory", attempt), attempt).toBe("vnil");
    expect(await run("mallory", "(* 6 7)"), attempt).toBe("v42");
  }
  // The one whose schema leads elsewhere was left out, as was the one with a way in its name.
  const names = (await view("mallory")).instance.contributions?.tools.map(({ name }) => name);
  expect(names).toEqual(["mallory__run", "mallory____proto__", "mallory__deep", "mallory__proto"]);
  await world.app.rest("POST", "/agents/helper/plugins/mallory/restart");
  expect(await run("mallory", "(* 6 7)")).toBe("v42");
}, 60_000);
