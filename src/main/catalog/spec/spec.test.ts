import { expect, test } from "vitest";
import { PatchbayError } from "../../../contract/index.ts";
import { parseSpec, type Spec, withoutCredentials } from "./spec.ts";

test.each<[string, Spec]>([
  ["cowsay", { kind: "npm", name: "cowsay", range: "latest" }],
  ["cowsay@^1.2", { kind: "npm", name: "cowsay", range: "^1.2" }],
  ["cowsay@1.2.3", { kind: "npm", name: "cowsay", range: "1.2.3" }],
  ["cowsay@next", { kind: "npm", name: "cowsay", range: "next" }],
  ["@us/cowsay", { kind: "npm", name: "@us/cowsay", range: "latest" }],
  ["@us/cowsay@>=2 <3", { kind: "npm", name: "@us/cowsay", range: ">=2 <3" }],
  ["/tmp/a.tgz", { kind: "tarball", location: { file: "/tmp/a.tgz" } }],
  ["/tmp/a.tar.gz", { kind: "tarball", location: { file: "/tmp/a.tar.gz" } }],
  ["file:///tmp/my%20files/a.tgz", { kind: "tarball", location: { file: "/tmp/my files/a.tgz" } }],
  ["https://example.org/a.tgz", { kind: "tarball", location: { url: "https://example.org/a.tgz" } }],
  ["/tmp/plugin", { kind: "folder", path: "/tmp/plugin" }],
  ["/tmp/plugin/", { kind: "folder", path: "/tmp/plugin" }],
  ["file:///tmp/plugin", { kind: "folder", path: "/tmp/plugin" }],
  [
    "git+https://example.org/a.git",
    { kind: "git", url: "https://example.org/a.git", wanted: { kind: "default" } },
  ],
  [
    "https://example.org/a.git",
    { kind: "git", url: "https://example.org/a.git", wanted: { kind: "default" } },
  ],
  [
    "git+https://example.org/a.git#v1",
    { kind: "git", url: "https://example.org/a.git", wanted: { kind: "fragment", fragment: "v1" } },
  ],
  [
    "git+https://example.org/a.git#semver:^1.0.0",
    { kind: "git", url: "https://example.org/a.git", wanted: { kind: "range", range: "^1.0.0" } },
  ],
  ["git+file:///tmp/repo", { kind: "git", url: "file:///tmp/repo", wanted: { kind: "default" } }],
  [
    "file:///tmp/repo.git#main",
    { kind: "git", url: "file:///tmp/repo.git", wanted: { kind: "fragment", fragment: "main" } },
  ],
  [
    "file:///tmp/repo@v1",
    { kind: "git", url: "file:///tmp/repo", wanted: { kind: "committish", committish: "v1" } },
  ],
  [
    "git+file:///tmp/repo@v1",
    { kind: "git", url: "file:///tmp/repo", wanted: { kind: "committish", committish: "v1" } },
  ],
  [
    "file:///tmp/repo.git@feature/x",
    { kind: "git", url: "file:///tmp/repo.git", wanted: { kind: "committish", committish: "feature/x" } },
  ],
  ["file:///tmp/a@1/repo", { kind: "folder", path: "/tmp/a@1/repo" }],
  ["file:///tmp/a@1.0.0.tgz", { kind: "tarball", location: { file: "/tmp/a@1.0.0.tgz" } }],
  ["github:us/repo", { kind: "git", url: "https://github.com/us/repo.git", wanted: { kind: "default" } }],
  [
    "us/repo#dev",
    { kind: "git", url: "https://github.com/us/repo.git", wanted: { kind: "fragment", fragment: "dev" } },
  ],
  ["gitlab:us/repo", { kind: "git", url: "https://gitlab.com/us/repo.git", wanted: { kind: "default" } }],
  ["builtin:http", { kind: "builtin", key: "http" }],
])("%s is read", (text, spec) => {
  expect(parseSpec(text)).toEqual(spec);
});

test.each([
  ["", "Nothing was given to install."],
  ["   ", "Nothing was given to install."],
  ["./here", "“./here” is not a whole path."],
  ["../here.tgz", "“../here.tgz” is not a whole path."],
  ["~/here", "“~/here” is not a whole path."],
  ["here.tgz", "“here.tgz” is not a whole path."],
  ["file:here", "“here” is not a whole path."],
  ["builtin:NOT a key", "“builtin:NOT a key” does not name a built-in plugin."],
  [
    "ftp://example.org/a",
    "“ftp://example.org/a” is not a package name, owner/repo, file, folder or git address.",
  ],
  ["npm:other@1", "“npm:other@1” is not a package name, owner/repo, file, folder or git address."],
  ["name@file:../x", "“name@file:../x” is not a package name, owner/repo, file, folder or git address."],
  [
    "--upload-pack=touch x",
    "“--upload-pack=touch x” is not a package name, owner/repo, file, folder or git address.",
  ],
  ["ext::sh -c touch", "“ext::sh -c touch” is not a package name, owner/repo, file, folder or git address."],
])("%j is refused with a sentence", (text, message) => {
  expect(() => parseSpec(text)).toThrow(expect.objectContaining({ code: "SPEC_UNSUPPORTED", message }));
});

test("user names and passwords are left out of what is shown", () => {
  expect(withoutCredentials("git+https://me:secret@example.org/a.git")).toBe("git+https://example.org/a.git");
  expect(withoutCredentials("https://token@example.org/a.git")).toBe("https://example.org/a.git");
  expect(withoutCredentials("git+ssh://git@example.org/a.git")).toBe("git+ssh://git@example.org/a.git");
  expect(withoutCredentials("@us/cowsay@1")).toBe("@us/cowsay@1");
});

test.each([
  ["CorvidLabs/fledge-plugin-hello", "https://github.com/CorvidLabs/fledge-plugin-hello.git", undefined],
  [
    "CorvidLabs/fledge-plugin-hello@v0.4.0",
    "https://github.com/CorvidLabs/fledge-plugin-hello.git",
    "v0.4.0",
  ],
  ["me/tool@feature/one", "https://github.com/me/tool.git", "feature/one"],
  ["https://user@git.example.com/a/b.git@v2", "https://user@git.example.com/a/b.git", "v2"],
])("%s names a repository and what of it, as with fledge", (spec, url, committish) => {
  expect(parseSpec(spec)).toEqual({
    kind: "git",
    url,
    wanted: committish === undefined ? { kind: "default" } : { kind: "committish", committish },
  });
});

test.each([
  "me/tool@-x",
  "../tool@v1",
  "CorvidLabs/..",
  "https://github.com/CorvidLabs/../evil.git@v1",
  "https://github.com/CorvidLabs/%2e%2e/evil.git@v1",
])("%s is no repository", (spec) => {
  expect(() => parseSpec(spec)).toThrow(PatchbayError);
});

const repo = "https://github.com/us/repo.git";
const byDefault = { kind: "default" } as const;
const atRef = (committish: string) => ({ kind: "committish", committish }) as const;
test.each<[string, Spec]>([
  ["us/repo/weather", { kind: "git", url: repo, wanted: byDefault, folder: "weather" }],
  ["us/repo/tools/weather/", { kind: "git", url: repo, wanted: byDefault, folder: "tools/weather" }],
  ["github:us/repo/tools/weather", { kind: "git", url: repo, wanted: byDefault, folder: "tools/weather" }],
  [
    "https://github.com/us/repo/tree/main/a/b",
    { kind: "git", url: repo, wanted: atRef("main"), folder: "a/b" },
  ],
  ["us/repo#a/b", { kind: "git", url: repo, wanted: { kind: "fragment", fragment: "a/b" } }],
  ["us/repo#a/b/", { kind: "git", url: repo, wanted: { kind: "fragment", fragment: "a/b" } }],
  ["us/repo#v1:a/b", { kind: "git", url: repo, wanted: atRef("v1"), folder: "a/b" }],
  ["us/repo#x/y:a/b", { kind: "git", url: repo, wanted: atRef("x/y"), folder: "a/b" }],
  ["us/repo#:a/b", { kind: "git", url: repo, wanted: byDefault, folder: "a/b" }],
  ["us/repo#path:a/b", { kind: "git", url: repo, wanted: byDefault, folder: "a/b" }],
  ["us/repo#v1::path:a/b", { kind: "git", url: repo, wanted: atRef("v1"), folder: "a/b" }],
  ["us/repo#semver:^1:a", { kind: "git", url: repo, wanted: { kind: "range", range: "^1" }, folder: "a" }],
  [
    "us/repo#semver:^1::path:a",
    { kind: "git", url: repo, wanted: { kind: "range", range: "^1" }, folder: "a" },
  ],
  [
    "git@example.org:us/repo.git#v1:a/b",
    { kind: "git", url: "git@example.org:us/repo.git", wanted: atRef("v1"), folder: "a/b" },
  ],
  [
    "https://example.org/repo.git#v1:my%20folder",
    { kind: "git", url: "https://example.org/repo.git", wanted: atRef("v1"), folder: "my folder" },
  ],
  [
    "file:///tmp/repo.git#main:a",
    { kind: "git", url: "file:///tmp/repo.git", wanted: atRef("main"), folder: "a" },
  ],
])("%s names a folder of a repository, or what may be one", (text, spec) => {
  expect(parseSpec(text)).toEqual(spec);
});

test.each([
  ["us/repo/a/b#c", "“us/repo/a/b#c” says in two ways what of the repository is meant."],
  ["us/repo/a/b@v1", "“us/repo/a/b@v1” says in two ways what of the repository is meant."],
  ["us/repo/../x", "“../x” is not a folder inside of a repository."],
  ["us/repo/./x", "“./x” is not a folder inside of a repository."],
  ["us/repo/a//b", "“a//b” is not a folder inside of a repository."],
  ["us/repo/.git/hooks", "“.git/hooks” is not a folder inside of a repository."],
  ["us/repo#../x", "“../x” is not a folder inside of a repository."],
  ["us/repo#a/./b", "“a/./b” is not a folder inside of a repository."],
  ["us/repo#/etc", "“/etc” is not a folder inside of a repository."],
  ["us/repo#v1:/etc", "“/etc” is not a folder inside of a repository."],
  ["us/repo#v1:c:\\x", "“c:\\x” is not a folder inside of a repository."],
  ["us/repo#v1:", "“” is not a folder inside of a repository."],
  ["us/repo#-x:a", "“-x” is not the name of a branch, tag or commit."],
])("%s names no folder of a repository", (text, message) => {
  expect(() => parseSpec(text)).toThrow(expect.objectContaining({ code: "SPEC_UNSUPPORTED", message }));
});
