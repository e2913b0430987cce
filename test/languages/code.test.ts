import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Grants, tightestGrants } from "../../src/contract/index.ts";
import { codeOf } from "../../src/main/app/languages/code.ts";
import { LanguageServers } from "../../src/main/languages/language-servers.ts";
import { LoginPath } from "../../src/main/platform/login-path.ts";

/** What a plugin is told of the code depends on whether it may read the workspace, at each question anew. */
let workspace: string;
let servers: LanguageServers;
let access: Grants["files"]["workspace"] = "none";
const signal = new AbortController().signal;

beforeAll(async () => {
  workspace = await mkdtemp(join(tmpdir(), "patchbay-code-"));
  await mkdir(join(workspace, "node_modules"));
  await symlink(resolve("node_modules/typescript-6"), join(workspace, "node_modules", "typescript"));
  await writeFile(join(workspace, "secret.js"), "export const secret = 1;\n");
  const path = [resolve("node_modules/.bin"), process.env.PATH].join(delimiter);
  servers = new LanguageServers({
    configured: () => [],
    loginPath: new LoginPath({ PATH: path }),
    root: "/none",
  });
});

afterAll(async () => {
  await servers.close();
  await rm(workspace, { recursive: true, force: true });
});

function code() {
  return codeOf({
    servers,
    agents: { get: () => ({ workspace }) } as never,
    registry: { get: () => ({ manifestKey: "reader" }) } as never,
    permissions: { of: () => ({ ...tightestGrants, files: { workspace: access, folders: [] } }) },
  })("a", "reader");
}

test("a plugin that may not read the workspace is told nothing, and why", async () => {
  access = "none";
  expect(await code().has("secret.js")).toBe(false);
  await expect(code().ask({ operation: "documentSymbol", file: "secret.js" }, signal)).rejects.toMatchObject({
    code: "FORBIDDEN",
  });
});

test("one that may read it gets answers, until that is taken back", async () => {
  access = "read";
  expect(await code().has("secret.js")).toBe(true);
  const asked = () => code().ask({ operation: "hover", file: "secret.js", line: 1, character: 15 }, signal);
  expect(JSON.stringify(await asked())).toContain("const secret");
  access = "none";
  await expect(asked()).rejects.toMatchObject({ code: "FORBIDDEN" });
});

test("an operation that there is not is refused by its name", async () => {
  access = "read";
  await expect(code().ask({ operation: "rename", file: "secret.js" }, signal)).rejects.toThrow(
    /named "rename"/,
  );
});
