import { homedir } from "node:os";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Program } from "../../src/main/platform/program.ts";
import { InsideWatch } from "../../src/main/platform/walls/watch.ts";
import { ProgramsWorld } from "./programs-world.ts";

/** What a program can use up: its own, and nobody else's. */
let world: ProgramsWorld;

beforeAll(async () => {
  world = await ProgramsWorld.open();
});
afterAll(() => world[Symbol.asyncDispose]());

test("a script that fills its /tmp is stopped by its size", async () => {
  const { text } = await world.run(
    "fallocate -l 400M /tmp/a && echo one; fallocate -l 400M /tmp/b || echo full",
  );
  expect(text).toContain("one");
  expect(text).toContain("full");
});

test("a script that fills its /dev/shm is stopped by its size", async () => {
  const { text } = await world.run("fallocate -l 40M /dev/shm/a && fallocate -l 40M /dev/shm/b || echo full");
  expect(text).toContain("full");
});

test("a script that fills its home folder, which lies on the disk, is ended, and that is seen", async () => {
  const { signal, text, refused } = await world.run("fallocate -l 600M ~/big && sleep 30; echo survived");
  expect(signal).toBe("SIGKILL");
  expect(text).not.toContain("survived");
  expect(refused).toContainEqual({
    wall: "files",
    target: `${homedir()}, more than fits there`,
    seenBy: "wall",
  });
});

test("a script that fills the place of Patchbay's folder is ended, and that is seen", async () => {
  const { signal, refused } = await world.run(`fallocate -l 600M ${world.home}/big && sleep 30`);
  expect(signal).toBe("SIGKILL");
  expect(refused).toContainEqual(expect.objectContaining({ wall: "files", seenBy: "wall" }));
});

test("a fork bomb out of threads, whose children the main thread does not have, is ended, and that is seen", async () => {
  const script = `import os, threading, time
def breed():
    for n in range(60):
        if os.fork() == 0:
            time.sleep(60)
            os._exit(0)
    time.sleep(60)
for n in range(8): threading.Thread(target=breed).start()`;
  const { signal, refused } = await world.run(`python3 -c '${script}'`);
  expect(signal).toBe("SIGKILL");
  expect(refused).toContainEqual({ wall: "programs", target: "more than 400 processes", seenBy: "wall" });
});

/** Starts it behind a wall, waits until it says that it is ready, and looks at it with a limit of 100 MB. */
async function lookAt(script: string): Promise<string | null> {
  const program = new Program({
    file: "/usr/bin/python3",
    args: ["-c", script],
    cwd: "/tmp",
    env: { PATH: "/usr/bin:/bin" },
    input: false,
    wall: { read: [], write: [], hidden: [], programs: "any" },
  });
  await new Promise<void>((ready) => program.stdout.once("data", () => ready()));
  const found = new InsideWatch(program.pid ?? 0, { processes: 400, memory: 100 * 1024 ** 2 }).excess();
  program.signal("SIGKILL");
  await program.ended;
  return found;
}

test.each([
  ["little", "import os", null],
  [
    "files that it deleted and keeps open",
    'import os; f = os.open(os.path.expanduser("~/x"), os.O_CREAT | os.O_RDWR); os.unlink(os.path.expanduser("~/x")); os.posix_fallocate(f, 0, 150 << 20)',
    "memory",
  ],
  [
    "files in memory that it does not touch",
    'import os; f = os.memfd_create("x"); os.posix_fallocate(f, 0, 150 << 20)',
    "memory",
  ],
])("a program that keeps %s is measured by it", async (_what, hide, found) => {
  const seen = await lookAt(`${hide}\nprint("ready", flush=True)\nimport time; time.sleep(60)`);
  if (found === null) expect(seen).toBeNull();
  else expect(seen).toContain(found);
});
