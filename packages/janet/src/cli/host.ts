import { writeSync } from "node:fs";
import { fromArray, toArray, toBytes } from "../values/bytes.ts";
import type { Host } from "../vm/host.ts";

/** This process as a host: its streams, its directory, and everything allowed. */
export function processHost(args: readonly string[]): Host {
  const input = new Lines();
  const flush = (): void => {
    out.flush();
    err.flush();
  };
  return {
    capabilities: {
      readFiles: () => true,
      writeFiles: () => true,
      subprocess: () => true,
      network: () => true,
      environment: () => true,
      exit(status) {
        flush();
        process.exit(status);
      },
    },
    stdout: (bytes) => out.write(bytes),
    stderr: (bytes) => {
      out.flush();
      err.write(bytes);
    },
    flush,
    readLine: () => input.next(),
    sharesStreams: true,
    cwd: process.cwd(),
    args: args.map(toBytes),
  };
}

/** Collects what is printed within one turn of the event loop; writing each piece by itself would be slow. */
class Output {
  private readonly fd: number;
  private parts: string[] = [];
  private size = 0;
  constructor(fd: number) {
    this.fd = fd;
  }

  write(bytes: string): void {
    if (this.parts.length === 0) setImmediate(() => this.flush());
    this.parts.push(bytes);
    this.size += bytes.length;
    if (this.size > 32_768) this.flush();
  }

  flush(): void {
    const bytes = toArray(this.parts.join(""));
    this.parts = [];
    this.size = 0;
    for (let at = 0; at < bytes.length; ) {
      try {
        at += writeSync(this.fd, bytes, at);
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        // A pipe that is full is tried again; one that nobody reads any more takes the rest with it.
        if (code === "EAGAIN") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
        else return;
      }
    }
  }
}

const out = new Output(1);
const err = new Output(2);
process.on("exit", () => {
  out.flush();
  err.flush();
});

/** Standard input line by line. While nobody waits for a line it does not keep the process alive. */
class Lines {
  private ahead = "";
  private ended = false;
  private begun = false;
  private waiting: ((line: string | null) => void)[] = [];

  next(): Promise<string | null> {
    out.flush();
    this.begin();
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      this.serve();
    });
  }

  private begin(): void {
    if (this.begun) return;
    this.begun = true;
    process.stdin.on("data", (chunk: Uint8Array) => {
      this.ahead += fromArray(chunk);
      this.serve();
    });
    process.stdin.on("end", () => {
      this.ended = true;
      this.serve();
    });
  }

  private serve(): void {
    while (this.waiting.length > 0) {
      const end = this.ahead.indexOf("\n") + 1;
      if (end === 0 && !this.ended) break;
      const line = end > 0 ? this.ahead.slice(0, end) : this.ahead;
      this.ahead = this.ahead.slice(line.length);
      this.waiting.shift()?.(line === "" ? null : line);
    }
    if (this.ended) return;
    if (this.waiting.length > 0) process.stdin.resume();
    else process.stdin.pause();
  }
}
