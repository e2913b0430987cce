import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test, vi } from "vitest";
import { bubblewrap } from "./probe.ts";
import { InsideWatch } from "./watch.ts";

test.runIf(bubblewrap().file !== null)(
  "a process that waits has not run since the last look, and one that was woken has",
  async () => {
    const sandbox = ["--unshare-all", "--die-with-parent", "--ro-bind", "/", "/", "--proc", "/proc"];
    const waits = ["/bin/sh", "-c", "while read -r line; do echo $line; done"];
    const child = spawn(bubblewrap().file as string, [...sandbox, ...waits], {
      stdio: ["pipe", "pipe", "ignore"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const inside = new InsideWatch(child.pid as number);
    const say = async () => {
      child.stdin.write("so\n");
      await once(child.stdout, "data");
    };
    await say();
    const quiet = await vi.waitFor(() => {
      const before = inside.activity();
      expect(before).toMatch(/\d/);
      expect(inside.activity()).toBe(before);
      return before;
    });
    await say();
    expect(inside.activity()).not.toBe(quiet);
    child.kill("SIGKILL");
    await once(child, "exit");
    await vi.waitFor(() => expect(inside.activity()).toBeNull());
  },
);
