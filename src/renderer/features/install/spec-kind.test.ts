import { describe, expect, it } from "vitest";
import { kindOfSpec } from "./spec-kind.ts";

describe("kindOfSpec", () => {
  it.each([
    ["left-pad", "npm"],
    ["@scope/plugin@^1.2", "npm"],
    ["builtin:http", "builtin"],
    ["/home/me/plugin", "folder"],
    ["./plugin", "folder"],
    ["~/plugin", "folder"],
    ["C:\\plugins\\mine", "folder"],
    ["./plugin-1.0.0.tgz", "tarball"],
    ["https://example.org/plugin.tar.gz", "tarball"],
    ["https://github.com/someone/plugin", "git"],
    ["git+ssh://git@example.org/plugin.git", "git"],
    ["git@example.org:someone/plugin.git#v1", "git"],
    ["file:///srv/plugin.git", "git"],
    ["someone/plugins/weather", "git"],
    ["someone/plugins#v1:weather", "git"],
  ] as const)("takes %s for %s", (spec, kind) => {
    expect(kindOfSpec(spec)).toBe(kind);
  });

  it.each(["", "  ", "two words", "what is this?"])("does not guess about %j", (spec) => {
    expect(kindOfSpec(spec)).toBeNull();
  });
});
