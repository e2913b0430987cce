import { once } from "node:events";
import { mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { processesWith } from "../fledge/processes.ts";
import { ProgramsWorld } from "./programs-world.ts";

/** Scripts that want out of their wall by the kernel, by sockets of services, or by being too many. */

let world: ProgramsWorld;
beforeAll(async () => {
  world = await ProgramsWorld.open();
});
afterAll(() => world[Symbol.asyncDispose]());

/** What stands in the plugin's log and in Activity. */
const hasSeen = (...targets: string[]) =>
  expect.arrayContaining(targets.map((target) => expect.objectContaining({ target, seenBy: "wall" })));

test("a script gets no namespace of its own and mounts nothing, and that is seen", async () => {
  const { text, refused } = await world.run(
    "unshare -Ur true && echo escaped; unshare -m true && echo escaped; mount -t tmpfs x /mnt && echo escaped; chroot / true && echo escaped",
  );
  expect(text).not.toContain("escaped");
  expect(text).toMatch(/not permitted|denied|Operation/);
  expect(refused).toEqual(hasSeen("the system call unshare", "the system call mount"));
});

test.each([
  ["bpf", 321, 280],
  ["userfaultfd", 323, 282],
  ["keyctl", 250, 219],
  ["perf_event_open", 298, 241],
  ["process_vm_readv", 310, 270],
  ["open_by_handle_at", 304, 265],
  ["setns", 308, 268],
])("the kernel refuses %s to a script, and that is seen", async (name, x64, arm64) => {
  const number = process.arch === "arm64" ? arm64 : x64;
  const { text, refused } = await world.run(
    `python3 -c 'import ctypes; c = ctypes.CDLL(None, use_errno=True); print(c.syscall(${number}, 0, 0, 0, 0, 0), ctypes.get_errno())'`,
  );
  expect(text).toBe("-1 1\n");
  expect(refused).toEqual(hasSeen(`the system call ${name}`));
});

test("the kernel refuses io_uring to a script (not seen: Node itself asks for it)", async () => {
  const { text, refused } = await world.run(
    "python3 -c 'import ctypes; c = ctypes.CDLL(None, use_errno=True); print(c.syscall(425, 0, 0, 0, 0, 0), ctypes.get_errno())'",
  );
  expect(text).toBe("-1 1\n");
  expect(refused).toEqual([]);
});

test("node, python, git and a shell run behind the filter, and are accused of nothing", async () => {
  const { text, code, refused } = await world.run(
    `cd $(mktemp -d) && git init -q . && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m first && git log --oneline | wc -l; python3 -c 'import threading; t = threading.Thread(target=lambda: print("thread")); t.start(); t.join()'; ${process.execPath} -e 'console.log("node")'`,
    { grants: { files: { workspace: "write", folders: [{ path: process.execPath, access: "read" }] } } },
  );
  expect(text).toBe("1\nthread\nnode\n");
  expect(refused).toEqual([]);
  expect(code).toBe(0);
});

test("an abstract socket of another program is not reached, and that is seen", async () => {
  const name = `\0patchbay-${process.pid}`;
  const connected: unknown[] = [];
  const server = createServer((socket) => {
    connected.push(socket);
    socket.end("secret");
  });
  server.listen(name);
  await once(server, "listening");
  const { text, refused } = await world.run(
    `python3 -c 'import socket; s = socket.socket(socket.AF_UNIX); s.connect("\\0patchbay-${process.pid}"); print(s.recv(9))'`,
  );
  server.close();
  expect(text).toMatch(/ConnectionRefused/);
  expect(refused).toEqual(hasSeen(`the socket @patchbay-${process.pid}`));
  expect(connected).toEqual([]);
});

test("sockets of Docker, the session bus and the SSH agent are not there, and trying is seen", async () => {
  const socket = join(world.root, "agent.sock");
  const server = createServer((one) => one.end("secret"));
  server.listen(socket);
  await once(server, "listening");
  const { text, refused } = await world.run(
    `ls /run /var/run 2>&1; env | grep -cE 'SSH_AUTH_SOCK|DBUS|DOCKER'; python3 -c 'import socket; s = socket.socket(socket.AF_UNIX); s.connect("${socket}")'`,
  );
  server.close();
  expect(text).not.toMatch(/docker\.sock|dbus|user/);
  expect(text).toMatch(/^0$/m);
  expect(text).toMatch(/FileNotFound/);
  expect(refused).toEqual(hasSeen(`the socket ${socket}`));
});

test("a child in a session of its own does not outlive its script (nothing to see: it is ended with it)", async () => {
  await world.run("setsid sleep 600.0921 & (setsid setsid sleep 600.0921 &) ; sleep 0.1");
  await expect.poll(() => processesWith("600.0921")).toEqual([]);
});

test("a fork bomb is ended, and that is seen", async () => {
  const { refused, signal, code } = await world.run("for i in $(seq 1 600); do sleep 600.0922 & done; wait");
  expect([signal, code]).not.toEqual([null, 0]);
  expect(refused).toEqual([{ wall: "programs", target: "more than 400 processes", seenBy: "wall" }]);
  await expect.poll(() => processesWith("600.0922")).toEqual([]);
});

test("a script that fills the memory is ended, and that is seen", async () => {
  const { refused, signal, code } = await world.run(
    "python3 -c 'import time\nkeep = []\nwhile True:\n  keep.append(bytearray(64 << 20)); time.sleep(0.005)'",
  );
  expect([signal, code]).not.toEqual([null, 0]);
  expect(refused).toEqual([
    { wall: "programs", target: expect.stringContaining("GB of memory"), seenBy: "wall" },
  ]);
});

test("a script that may start no programs finds none, and trying is seen", async () => {
  const { text, refused } = await world.run(
    "ls / ; git --version; /usr/bin/python3 -V; [ -e /usr/bin/curl ] || echo none",
    {
      grants: { programs: { reach: "named", names: ["/bin/bash"] } },
    },
  );
  expect(text).toContain("none");
  expect(text.match(/command not found|No such file/g)).toHaveLength(3);
  expect(refused).toEqual(hasSeen("/usr/bin/python3"));
});

test("a script without the workspace does not see it, and with it for reading changes nothing; trying is seen", async () => {
  await writeFile(join(world.workspace, "plan"), "PLAN");
  const none = { files: { workspace: "none" as const, folders: [] } };
  const dir = world.dir;
  await mkdir(dir, { recursive: true });
  const blind = await world.run(`cat ${world.workspace}/plan`, { grants: none, cwd: "/tmp" });
  expect(blind.text).not.toContain("PLAN");
  expect(blind.refused).toEqual(hasSeen(join(world.workspace, "plan")));
  const reading = await world.run("cat plan; echo x > plan", {
    grants: { files: { workspace: "read", folders: [] } },
  });
  expect(reading.text).toMatch(/^PLAN.*Read-only/s);
});

test("a library that settings of a plugin name is not loaded into what walls it in, and that is seen", async () => {
  const library = join(world.home, "evil.so");
  await writeFile(library, "no library, so that whoever loads it complains of its header");
  const { text, refused } = await world.run("echo ran", { env: { LD_PRELOAD: library } });
  // Behind the wall the file is not there; outside it is, and the complaint would be another one.
  expect(text).toMatch(/cannot open shared object file/);
  expect(text).not.toMatch(/invalid ELF header|file too short/);
  expect(text).toMatch(/ran\n$/);
  expect(refused).toEqual(hasSeen(library));
});

test("variables of the loader and of Node in the app's own environment do not reach a script (nothing to see: it reads its own)", async () => {
  process.env.LD_PRELOAD_TEST = "x";
  process.env.NODE_OPTIONS_TEST = "x";
  const { text } = await world.run("env");
  delete process.env.LD_PRELOAD_TEST;
  delete process.env.NODE_OPTIONS_TEST;
  expect(text).not.toMatch(/LD_PRELOAD|NODE_OPTIONS|PATCHBAY/);
});

test("what a link in the workspace leads to is not bound in its place, and trying is seen", async () => {
  const folder = join(world.workspace, "sub");
  await mkdir(folder, { recursive: true });
  await writeFile(join(world.home, "secret"), "SECRET");
  await rename(folder, `${folder}-away`);
  await symlink(world.home, folder);
  const { text, refused } = await world.run("cat sub/secret");
  expect(text).not.toContain("SECRET");
  expect(refused).toEqual(hasSeen(join(world.home, "secret")));
  await rm(folder);
});
