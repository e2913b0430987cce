import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { closeHosts, lastHost, openHost } from "./flowly-host.ts";

afterEach(closeHosts);

describe("what a plugin prints is log, never the line to Patchbay", () => {
  test("at import, in register, in handlers, by every way there is", async () => {
    const host = await openHost(`
import os, subprocess, sys, warnings
print("at import")
print('{"t":"stopped"}')
sys.stderr.write("half a line")
warnings.warn("be warned")
def tool():
    print("in", end=" ")
    print("tool")
    sys.stdout.buffer.write("bytes ä".encode())
    os.write(1, b"by the descriptor\\n")
    subprocess.run([sys.executable, "-S", "-c", "print('a child')"], check=True)
    return "done"
def register(ctx):
    print("in register", end="")
    ctx.register_tool(name="tool", schema={}, handler=tool)
`);
    expect(await host.tool("tool")).toBe("done");
    await expect.poll(() => host.logs).toContain("stdout info: a child");
    expect(host.logs).toEqual(
      expect.arrayContaining([
        "stdout info: at import",
        'stdout info: {"t":"stopped"}',
        expect.stringMatching(/^stderr error: half a line.*UserWarning: be warned$/),
        "stdout info: in register",
        "stdout info: in tool (call)",
        "stdout info: bytes ä (call)",
        "stdout info: by the descriptor",
      ]),
    );
  });

  test("by logging, with its level", async () => {
    const host = await openHost(`
import logging
log = logging.getLogger(__name__)
log.info("early")
def tool():
    log.debug("unheard"); log.warning("careful %d", 1)
    try: 1/0
    except ZeroDivisionError: log.exception("failed")
def register(ctx): ctx.register_tool(name="tool", schema={}, handler=tool)
`);
    await host.tool("tool");
    expect(host.logs).toEqual([
      "plugin info: early",
      "plugin warn: careful 1 (call)",
      expect.stringMatching(
        /^plugin error: failed\nTraceback.*ZeroDivisionError: division by zero \(call\)$/s,
      ),
    ]);
  });

  test.runIf(process.platform !== "win32")("by a forked child, which has no part in the line", async () => {
    const host = await openHost(`
import os
def tool():
    child = os.fork()
    if child == 0:
        print("the child prints")
        fds = [fd for fd in range(3, 64) if os.path.exists("/proc/self/fd/%d" % fd) and "socket" in os.readlink("/proc/self/fd/%d" % fd)] if os.path.exists("/proc/self/fd") else []
        print("sockets", fds)
        return "answer of the child"
    os.waitpid(child, 0)
    return "answer of the parent"
def register(ctx): ctx.register_tool(name="tool", schema={}, handler=tool)
`);
    expect(await host.tool("tool")).toBe("answer of the parent");
    await expect
      .poll(() => host.logs)
      .toEqual(expect.arrayContaining(["stdout info: the child prints", "stdout info: sockets []"]));
    expect(await host.tool("tool")).toBe("answer of the parent");
    expect(host.logs.filter((line) => line.startsWith("patchbay"))).toEqual([]);
  });
});

test("children of multiprocessing are no hosts", async () => {
  const host = await openHost(`
import multiprocessing
from math import factorial
def tool(how):
    with multiprocessing.get_context(how).Pool(1) as pool: return str(pool.map(factorial, [3]))
def register(ctx): ctx.register_tool(name="tool", schema={}, handler=tool)
`);
  const ways = process.platform === "win32" ? ["spawn"] : ["spawn", "fork"];
  for (const how of ways) expect(await host.tool("tool", { how })).toBe("[6]");
});

describe("a process that ends is that plugin's error", () => {
  const ends = `
import ctypes, os
def exits(): os._exit(7)
def faults(): ctypes.string_at(0)
def register(ctx):
    ctx.register_tool(name="exits", schema={}, handler=exits)
    ctx.register_tool(name="faults", schema={}, handler=faults)
`;
  test.each([
    ["exits", { exitCode: 7, signal: null }],
    ["faults", { exitCode: null, signal: "SIGSEGV" }],
  ])("when it %s", async (tool, details) => {
    const host = await openHost(ends);
    await expect(host.tool(tool)).rejects.toMatchObject({ code: "HOST_CRASHED", details });
    const said = host.logs.find((line) => line.includes("in faults"));
    expect(said).toEqual(
      tool === "faults" ? expect.stringMatching(/__init__\.py", line 4 in faults$/) : undefined,
    );
  });

  test("when it never ends its import", async () => {
    const started = openHost({ files: { "__init__.py": "while True: pass" }, startMs: 1_500 });
    await expect(started).rejects.toThrow();
    expect(await lastHost().exited).toMatchObject({ signal: "SIGKILL" });
  });

  test("when it does so at import", async () => {
    await expect(openHost("import os; os._exit(5)")).rejects.toMatchObject({
      code: "HOST_CRASHED",
      details: { exitCode: 5 },
    });
  });
});

test.runIf(process.platform === "linux")(
  "one that allocates without end runs out of its own memory",
  async () => {
    const host = await openHost({
      files: {
        "__init__.py": `
kept = []
def grow():
    while True: kept.append(bytearray(16 * 1024 * 1024))
def register(ctx):
    ctx.register_tool(name="grow", schema={}, handler=grow)
    ctx.register_tool(name="free", schema={}, handler=lambda: kept.clear())
`,
      },
      memoryMb: 256,
    });
    expect(await host.tool("grow")).toBe("Error executing grow: ");
    expect(host.logs.at(-1)).toContain("MemoryError");
    expect(await host.tool("free")).toBe("");
  },
);

const busy = `
import asyncio, time
def loop():
    while True: pass
def sleeps(): time.sleep(600)
def stubborn():
    while True:
        try: time.sleep(600)
        except BaseException: pass
async def waits(): await asyncio.sleep(600)
async def blocks():
    while True: pass
async def soon(): return "soon"
def register(ctx):
    for handler in (loop, sleeps, stubborn, waits, blocks, soon): ctx.register_tool(name=handler.__name__, schema={}, handler=handler)
    ctx.register_tool(name="fine", schema={}, handler=lambda: "fine")
`;

describe("a handler that does not come back", () => {
  const ping = (host: { instance: { ping(signal: AbortSignal): Promise<{ memoryBytes: number }> } }) =>
    host.instance.ping(AbortSignal.timeout(10_000));

  test.each(["loop", "sleeps", "waits", "blocks"])(
    "is interrupted when its call is given up (%s), and signs of life are given meanwhile",
    async (tool) => {
      for (const asyncio of ["import asyncio, time", "import time"]) {
        if (asyncio === "import time" && (tool === "waits" || tool === "blocks")) continue;
        const code = busy.replace("import asyncio, time", asyncio);
        const host = await openHost(code);
        const controller = new AbortController();
        const call = host.tool(tool, {}, controller.signal);
        call.catch(() => {});
        expect((await ping(host)).memoryBytes).toBeGreaterThan(1_000_000);
        controller.abort();
        await expect(call).rejects.toMatchObject({ code: "ABORTED" });
        expect(await host.tool("fine")).toBe("fine");
        expect(await host.tool("soon")).toBe("soon");
      }
    },
  );

  test("although it is told to does not look healthy", async () => {
    const host = await openHost(busy.replace("import asyncio, time", "import time"));
    const controller = new AbortController();
    const call = host.tool("stubborn", {}, controller.signal);
    call.catch(() => {});
    await ping(host);
    controller.abort();
    await expect
      .poll(() =>
        host.instance.ping(AbortSignal.timeout(500)).then(
          () => "alive",
          () => "silent",
        ),
      )
      .toBe("silent");
  });

  test("does not hold up those that wait for something else", async () => {
    const host = await openHost(busy);
    const controller = new AbortController();
    const call = host.tool("waits", {}, controller.signal);
    call.catch(() => {});
    expect(await host.tool("fine")).toBe("fine");
    expect(await host.tool("soon")).toBe("soon");
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: "ABORTED" });
  });
});

describe("a plugin is stopped", () => {
  test("with its own exit handlers", async () => {
    const host = await openHost(`
import atexit, os, pathlib
def register(ctx):
    atexit.register(lambda: pathlib.Path(os.environ["FLOWLY_HOME"], "bye.txt").write_text("bye"))
`);
    await host.instance.stop("disabled");
    expect(readFileSync(join(host.home, "bye.txt"), "utf8")).toBe("bye");
    expect(host.logs).toEqual([]);
  });

  test("in the middle of a call", async () => {
    const host = await openHost(busy);
    const call = host.tool("loop");
    call.catch(() => {});
    await host.instance.ping(AbortSignal.timeout(10_000));
    await host.instance.stop("disabled");
    await expect(call).rejects.toThrow();
    expect(host.logs.filter((line) => line.startsWith("patchbay"))).toEqual([]);
  });

  test("with a background thread that never ends", async () => {
    const host = await openHost(`
import threading, time
def forever():
    while True: time.sleep(1)
def register(ctx): threading.Thread(target=forever).start()
`);
    await host.instance.stop("disabled");
    expect(host.logs).toEqual([]);
  });
});

test("what one call runs in the background goes on after it", async () => {
  const host = await openHost(`
import asyncio
done = []
async def later():
    await asyncio.sleep(0.01)
    done.append("done")
async def begin():
    asyncio.create_task(later())
def crash():
    async def boom(): raise SystemExit(9)
    asyncio.ensure_future(boom())
def register(ctx):
    ctx.register_tool(name="begin", schema={}, handler=begin)
    ctx.register_tool(name="done", schema={}, handler=lambda: " ".join(done))
    ctx.register_tool(name="crash", schema={}, handler=crash)
`);
  expect(await host.tool("begin")).toBe("");
  await expect.poll(() => host.tool("done")).toBe("done");
  expect(await host.tool("crash")).toBe("");
  expect(await host.tool("done")).toBe("done");
  await expect.poll(() => host.logs).toContain("plugin error: A task of the plugin ended with SystemExit: 9");
});
