import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { everything, machineIn } from "../../../test/machine.ts";
import { createEngine } from "../../engine.ts";

let directory: string;
beforeAll(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "janet-programs-")));
});
afterAll(() => rmSync(directory, { recursive: true }));

const { run, failure } = machineIn(() => directory);

describe("programs", () => {
  it("run to their end with their output where print goes", async () => {
    expect(await run(`(os/execute ["sh" "-c" "echo out; echo err >&2; exit 3"] :p)`)).toMatch(
      /^(out\nerr|err\nout)\n3$/,
    );
    expect(await run(`(os/shell "exit 4")`)).toBe("4");
    expect(await failure(`(os/execute ["sh" "-c" "exit 5"] :px)`)).toBe(
      '"command failed with non-zero exit code 5"',
    );
    expect(await failure(`(os/execute ["no-such-program-x"] :p)`)).toBe(
      String.raw`"(\"no-such-program-x\"): No such file or directory"`,
    );
    expect(await failure("(os/execute [])")).toBe('"expected at least 1 command line argument"');
    expect(await run(`(os/execute ["sh" "-c" "exit $X"] :pe {"X" "6" "PATH" "/bin:/usr/bin"})`)).toBe("6");
  });

  it("are talked to over pipes", async () => {
    expect(
      await run(`(def p (os/spawn ["cat"] :p {:in :pipe :out :pipe}))
        (:write (p :in) "hello") (:close (p :in))
        [(:read (p :out) :all) (:wait p) (p :return-code) (protect (:wait p))]`),
    ).toBe('(@"hello" 0 0 (false "cannot wait twice on a process"))');
    expect(
      await run(`(def [r w] (os/pipe))
        (def p (os/spawn ["sh" "-c" "echo into the pipe"] :p {:out w}))
        (os/proc-wait p) (ev/close w) (ev/read r 100)`),
    ).toBe('@"into the pipe\\n"');
    expect(
      await run(
        `(def f (file/open "out.txt" :w)) (os/execute ["echo" "into a file"] :p {:out f}) (file/close f) (slurp "out.txt")`,
      ),
    ).toBe('@"into a file\\n"');
  });

  it("say errors where their output goes", async () => {
    const both = `["sh" "-c" "echo one; echo two >&2"]`;
    expect(
      await run(
        `(sort (string/split "\\n" (string/trim (:read ((os/spawn ${both} :p {:out :pipe :err :out}) :out) :all))))`,
      ),
    ).toBe('@["one" "two"]');
    expect(
      await run(
        `(with [f (file/open "both.txt" :w)] (os/execute ${both} :p {:out f :err :out})) (slurp "both.txt")`,
      ),
    ).toBe('@"one\\ntwo\\n"');
    expect(await run(`(os/proc-wait (os/spawn ["sh" "-c" "echo much"] :p {:out :pipe}))`)).toBe("0");
  });

  it("are ended", async () => {
    expect(await run(`(def p (os/spawn ["sleep" "100"] :p)) (os/proc-kill p true :term)`)).toBe("143");
    const engine = createEngine({ host: { capabilities: everything, cwd: directory } });
    const pid = (await engine.evaluate(`((os/spawn ["sleep" "100"] :p) :pid)`)) as number;
    engine.dispose();
    await expect
      .poll(() => {
        try {
          return process.kill(pid, 0);
        } catch {
          return false;
        }
      })
      .toBe(false);
  });

  it("do not hold up other tasks", async () => {
    expect(
      await run(`(def log @[])
        (ev/spawn (ev/sleep 0.01) (array/push log :task))
        (os/execute ["sleep" "0.2"] :p) (array/push log :program) log`),
    ).toBe("@[:task :program]");
  });
});

describe("streams of files", () => {
  it("are read and written", async () => {
    expect(
      await run(`(def w (os/open "s.txt" :wct 8r600)) (ev/write w "hello stream") (ev/close w) (ev/sleep 0.01)
        (def r (os/open "s.txt"))
        [(ev/read r 5) (ev/read r :all) (ev/read r 1) (ev/close r) (os/stat "s.txt" :permissions) (protect (os/open "s.txt" :wce))]`),
    ).toBe('(@"hello" @" stream" nil nil "rw-------" (false "File exists: s.txt"))');
    expect(await run(`(spit "s.txt" "abc") (def s (ev/to-stream (file/open "s.txt"))) (ev/read s 10)`)).toBe(
      '@"abc"',
    );
    expect(await run(`(ev/write (ev/to-stream stdout) "out") (ev/read (ev/to-stream stdin) 1)`)).toBe(
      "outnil",
    );
  });
});

describe("the network", () => {
  it("carries bytes both ways between a server and a client", async () => {
    expect(
      await run(`(def server (net/server "127.0.0.1" "0"
          (fn [c] (defer (:close c) (while (def line (:read c 100)) (:write c (string "echo " line)))))))
        (def [host port] (net/localname server))
        (def c (net/connect host port))
        (:write c "one")
        (def begun (:chunk c 8))
        (:write c "two") (net/shutdown c :w)
        (def ended (:read c :all))
        (:close server)
        [begun ended (first (net/peername c)) (type server)]`),
    ).toBe('(@"echo one" @"echo two" "127.0.0.1" :core/stream)');
  });

  it("waits for a limited time", async () => {
    expect(
      await run(`(def s (net/listen "127.0.0.1" "0"))
        (def [h p] (net/localname s))
        (def c (net/connect h p))
        [(protect (net/read c 1 nil 0.02)) (protect (net/accept (net/listen "127.0.0.1" "0") 0.02))]`),
    ).toBe('((false "timeout") (false "timeout"))');
    expect(await failure(`(net/connect "127.0.0.1" "1")`)).toBe(
      '"could not connect socket: Connection refused"',
    );
  });

  it("uses the sockets of Unix", async () => {
    expect(
      await run(`(def s (net/listen :unix "sock"))
        (def c (net/connect :unix "sock"))
        (def a (net/accept s))
        (:write a "hi") (:close a)
        [(:read c :all) (net/setsockopt c :so-keepalive true) (protect (net/setsockopt c :nope true)) (:close s)]`),
    ).toBe('(@"hi" nil (false "unknown socket option :nope") nil)');
  });
});
