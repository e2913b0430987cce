import { expect, test } from "vitest";
import { attemptOf } from "./violations.ts";

test.each([
  ["node(4711) deny(1) file-read-data /Users/me/.ssh/id_rsa", "files", "/Users/me/.ssh/id_rsa"],
  ["sh(12) deny(1) file-write-create /Users/me/.zshrc", "files", "/Users/me/.zshrc"],
  ["curl(9) deny(1) network-outbound 1.1.1.1:443", "network", "1.1.1.1:443"],
  ["node(9) deny(1) signal others [Patchbay(3)]", "signals", "others [Patchbay(3)]"],
  ["node(9) deny(1) process-exec* /usr/bin/id", "programs", "/usr/bin/id"],
  ["node(9) deny(1) system-socket", "network", "system-socket"],
])("%s is an attempt that the person sees", (line, wall, target) => {
  expect(attemptOf(line)).toEqual({ wall, target, seenBy: "wall" });
});

test.each([
  "node(9) deny(1) file-read-metadata /Users/me",
  "node(9) deny(1) sysctl-read kern.procargs2",
  "node(9) allow file-read-data /etc/hosts",
  "",
])("%s tells nothing about a plugin", (line) => {
  expect(attemptOf(line)).toBeNull();
});
