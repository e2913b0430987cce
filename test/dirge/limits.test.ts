import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { grantsOf } from "../../src/contract/index.ts";
import { closePlugins, openPlugin } from "./dirge-plugin.ts";

afterEach(closePlugins);

const before = { toolCallId: "c", toolName: "shell", args: { command: "ls" }, caller: null };

test("an endless loop in a hook is ended at its limit, and everything else goes on meanwhile and after", async () => {
  const plugin = await openPlugin(`
    (defn on-tool-start [ctx] (forever (try (while true) ([err] nil))))
    (defn on-tool-end [ctx] (harness/replace-result "alive"))`);
  const begun = performance.now();
  const stuck = plugin.fire("tool.before@v1", before).catch((error) => error);
  const result = { ...before, content: [{ type: "text", text: "x" }], isError: false, durationMs: 1 };
  expect(await plugin.fire("tool.result@v1", result)).toEqual({ content: [{ type: "text", text: "alive" }] });
  expect(await plugin.instance.ping(AbortSignal.timeout(3_000))).toMatchObject({
    memoryBytes: expect.any(Number),
  });
  expect(await stuck).toMatchObject({
    code: "HOOK_FAILED",
    message: "the check of plugin failed (it took too long)",
  });
  expect(performance.now() - begun).toBeLessThan(6_500);
  expect(await plugin.fire("tool.result@v1", result)).toMatchObject({ content: [{ text: "alive" }] });
}, 15_000);

test("the time of a hook stands still while its dialog waits", async () => {
  const plugin = await openPlugin(`(defn on-tool-start [ctx] (harness/confirm "a" "b") nil)`);
  const waiting = plugin.fire("tool.before@v1", before);
  await vi.waitFor(() => expect(plugin.questions).toHaveLength(1));
  await new Promise((resolve) => setTimeout(resolve, 5_500));
  plugin.questions[0]?.answer(true);
  expect(await waiting).toEqual({ allow: true });
}, 15_000);

describe("what the plugin reaches is what it was granted, and a refusal is an error that it can catch", () => {
  const attempt = (code: string) =>
    `(defn try-it [args] (try (string/format "%j" ${code}) ([err] (string "refused: " err))))
     (harness/register-command "go" "try-it")`;
  const none = grantsOf({ hosts: [], files: "none", programs: false });

  test.each([
    ['(slurp "/etc/hostname")', /^refused: .*not allowed/],
    ['(spit "/tmp/dirge-never" "x")', /^refused: .*not allowed/],
    ['(os/execute ["true"] :p)', /^refused: .*not allowed/],
    ['(net/connect "127.0.0.1" "9")', /^refused: .*not allowed/],
    ['(harness/http-post "http://127.0.0.1:9/" "")', /^refused: .*not allowed/],
  ])("%s without a grant", async (code, wanted) => {
    const plugin = await openPlugin({ files: { "a.janet": attempt(code) }, grants: none });
    expect(await plugin.command("go")).toMatch(wanted);
  });

  test("files of the workspace, to read only or also to write", async () => {
    const read = grantsOf({ hosts: [], files: "read", programs: false });
    const code =
      '(let [dir (harness/get-cwd)] [(slurp (string dir "/a.txt")) (spit (string dir "/b.txt") "x")])';
    const reader = await openPlugin({ files: { "a.janet": attempt(code) }, grants: read });
    writeFileSync(join(reader.workspace, "a.txt"), "content");
    expect(await reader.command("go")).toMatch(/^refused: .*not allowed/);
    const write = grantsOf({ hosts: [], files: "workspace", programs: false });
    const writer = await openPlugin({ files: { "a.janet": attempt(code) }, grants: write });
    writeFileSync(join(writer.workspace, "a.txt"), "content");
    expect(await writer.command("go")).toBe('(@"content" nil)');
  });

  test.each([
    ['(slurp "/proc/self/environ")'],
    ['(slurp (string (harness/get-cwd) "/../../../../etc/hostname"))'],
    ['(slurp (string (harness/get-cwd) "/link"))'],
    ['(os/dir (string (harness/get-cwd) "/.."))'],
    ['(do (os/cd "/etc") (slurp "hostname"))'],
    ['(dofile "/etc/hostname")'],
    ['(spit (string (harness/get-cwd) "/new") "x")'],
    ['(os/symlink "/etc/hostname" (string (harness/get-cwd) "/own"))'],
    ['(os/rm (string (harness/get-cwd) "/a.txt"))'],
  ])("a plugin that may read the workspace gets nothing else by %s", async (code) => {
    const grants = grantsOf({ hosts: [], files: "read", programs: false });
    const plugin = await openPlugin({ files: { "a.janet": attempt(code) }, grants });
    writeFileSync(join(plugin.workspace, "a.txt"), "content");
    symlinkSync("/etc/hostname", join(plugin.workspace, "link"));
    expect(await plugin.command("go")).toMatch(/^refused: .*not allowed/);
    expect(readFileSync(join(plugin.workspace, "a.txt"), "utf8")).toBe("content");
  });

  test("programs, and their output", async () => {
    const code =
      '(let [p (os/spawn ["echo" "hi"] :p {:out :pipe})] (def out (ev/read (p :out) :all)) (os/proc-wait p) (string out))';
    const grants = grantsOf({ hosts: [], files: "none", programs: true });
    const plugin = await openPlugin({ files: { "a.janet": attempt(code) }, grants });
    expect(await plugin.command("go")).toBe('"hi\\n"');
  });

  test("the environment is what its settings give it", async () => {
    const plugin = await openPlugin({
      files: { "a.janet": attempt('[(os/getenv "DESK_TOKEN") (os/getenv "SHELL")]') },
      config: { variables: { DESK_TOKEN: "t-1" } },
    });
    expect(await plugin.command("go")).toBe('("t-1" nil)');
  });
});
