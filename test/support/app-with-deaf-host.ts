import { tmpdir } from "node:os";
import { hostEnvironment } from "../../src/main/platform/host-environment.ts";
import { spawnNodeHost } from "../../src/main/platform/spawned-host.ts";

/**
 * An app with one host, which reads no messages and has a child process; prints the ids of both and waits to be killed.
 */
const host = spawnNodeHost({
  file: "/bin/sh",
  args: ["-c", "sleep 300 & echo $!; wait"],
  cwd: tmpdir(),
  env: hostEnvironment(),
  wire: "private",
});
host.onOutput((_stream, chunk) => process.send?.([host.pid, Number(String(chunk))]));
