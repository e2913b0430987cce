import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import type { Locator } from "@playwright/test";
import type { Settings } from "../../src/contract/settings.ts";
import { App } from "../support/app.ts";
import { expectNoViolationsInBoth } from "../support/axe.ts";
import { confirmAsPerson } from "../support/confirm.ts";
import { ServedCore } from "../support/core.ts";
import { test as base, expect } from "../support/served.ts";

interface Fixtures {
  /** The workspace of the agent, with a project in TypeScript. */
  workspace: string;
  /** Settings, Code, of a core whose search path has a real typescript-language-server and none of the others. */
  code: App;
}

const bin = resolve("node_modules/.bin");

const test = base.extend<Fixtures>({
  workspace: async ({ baseURL: _ }, use) => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "patchbay-code-")));
    await mkdir(join(folder, "node_modules"));
    await symlink(resolve("node_modules/typescript-6"), join(folder, "node_modules", "typescript"));
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: { strict: true } }));
    await writeFile(
      join(folder, "greet.ts"),
      "export function greet(name: string) {\n  return `Hello, ${name}`;\n}\nexport const loud = greet('you').toUpperCase();\n",
    );
    await use(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  },
  code: async ({ home, page, workspace }, use) => {
    const env = { SHELL: "", PATH: [bin, "/usr/bin", "/bin"].join(delimiter) };
    const core = await ServedCore.start(home, [], env);
    await confirmAsPerson(page, core.codes);
    await core.openIn(page);
    const app = new App(page, home);
    await app.closeWelcome();
    await app.ask("PATCH", "/agents/helper", { workspace });
    await app.goTo("/agents/helper/settings/code");
    await use(app);
    await core.stop();
  },
});

const line = (app: App, text: string): Locator =>
  app.page.getByRole("main").getByRole("listitem").filter({ hasText: text });

const own = async (app: App) => (await app.ask<Settings>("GET", "/settings")).languageServers;

test("the known servers are listed with their programs, one that is missing with how it is installed, one is tried", async ({
  code,
  page,
}) => {
  const typescript = line(code, "typescript-language-server --stdio");
  await expect(typescript.getByText(join(bin, "typescript-language-server"))).toBeVisible();
  await expect(typescript.getByText("Starts with the first question")).toBeVisible();
  await expect(typescript.getByText(/^\.ts \.mts/)).toBeVisible();
  const gopls = line(code, "gopls");
  await expect(gopls.getByText("Not on this computer")).toBeVisible();
  await expect(gopls.getByText("go install golang.org/x/tools/gopls@latest")).toBeVisible();
  await expect(gopls.getByRole("button", { name: "Copy the command" })).toBeVisible();
  await expect(gopls.getByRole("button", { name: /^Try/ })).toHaveCount(0);

  await typescript.getByRole("button", { name: "Try it: TypeScript" }).focus();
  await page.keyboard.press("Enter");
  await expect(typescript.getByText(/^It found 2 names in greet\.ts, in /)).toBeVisible({ timeout: 30_000 });
  await expect(typescript.getByText("greet, loud")).toBeVisible();
  await expect(typescript.getByText("Running", { exact: true })).toBeVisible();
  await expectNoViolationsInBoth(page, "the language servers");
});

test("one's own is added with the person's word, says why it does not work, is changed, removed and put back", async ({
  code,
  page,
  workspace,
}) => {
  const main = page.getByRole("main");
  const command = main.getByLabel("Command", { exact: true });
  const ends = main.getByLabel("For files that end in");
  await main.getByRole("button", { name: "Add", exact: true }).click();
  await expect(main.getByText("Give the program.")).toBeVisible();
  await expect(main.getByText("Give at least one end, such as .lua.")).toBeVisible();
  await command.fill("bin/moody --stdio");
  await ends.fill("main.moo");
  await expect(main.getByText("bin/moody is neither a name nor a whole path.")).toBeVisible();
  await expect(main.getByText("main.moo is not the end of a file's name, such as .lua.")).toBeVisible();
  await expectNoViolationsInBoth(page, "a server that is typed wrongly");
  expect(await own(code)).toEqual([]);

  const script = join(workspace, "moody.cjs");
  await writeFile(script, `console.error("no licence found"); process.exit(3);\n`);
  await command.fill(`"${process.execPath}" ${script}`);
  await ends.fill("moo, *.mts");
  await page.keyboard.press("Enter");
  const moody = line(code, script);
  await expect(moody.getByText("Starts with the first question")).toBeVisible();
  expect(await own(code)).toEqual([{ command: [process.execPath, script], files: [".moo", ".mts"] }]);
  await expect(command).toHaveValue("");

  await moody.getByRole("button", { name: "Try it: node" }).click();
  await expect(moody.getByText("The workspace has no file to ask about.")).toBeVisible();
  await writeFile(join(workspace, "a.mts"), "export const moo = 1;\n");
  await moody.getByRole("button", { name: "Try it: node" }).click();
  await expect(moody.getByText("Its program ended by itself.")).toBeVisible();
  await moody.getByText("Technical details").click();
  await expect(moody.getByText("no licence found")).toBeVisible();
  await page.reload();
  await expect(moody.getByText("Has a problem")).toBeVisible();
  await expect(moody.getByText("Its program ended by itself.")).toBeVisible();
  await expect(moody.getByRole("button", { name: "Try again: node" })).toBeVisible();
  await expectNoViolationsInBoth(page, "a language server that does not work");

  await moody.getByRole("button", { name: "Change node" }).click();
  const changed = main.getByLabel("Command", { exact: true }).first();
  await expect(changed).toBeFocused();
  await expect(changed).toHaveValue(`${process.execPath} ${script}`);
  const real = join(bin, "typescript-language-server");
  await changed.fill(`${real} --stdio --log-level=1`);
  await page.keyboard.press("Enter");
  const mine = line(code, "--log-level=1");
  await expect(mine.getByRole("button", { name: "Change typescript-language-server" })).toBeFocused();
  await mine.getByRole("button", { name: "Try it: typescript-language-server" }).click();
  await expect(mine.getByText(/^It found 1 name in a\.mts, in /)).toBeVisible({ timeout: 30_000 });

  await mine.getByRole("button", { name: "Remove typescript-language-server" }).click();
  await expect(mine).toHaveCount(0);
  await expect(main.getByRole("button", { name: "Put it back" })).toBeFocused();
  expect(await own(code)).toEqual([]);
  await main.getByRole("button", { name: "Put it back" }).click();
  await expect(mine).toBeVisible();
  expect(await own(code)).toHaveLength(1);
});

test("the doctor says which language servers were found, and which of one's own is gone", async ({
  code,
}) => {
  const check = async () =>
    (await code.ask<{ name: string; ok: boolean; text: string }[]>("GET", "/doctor")).find(
      ({ name }) => name === "Code",
    );
  expect(await check()).toEqual({
    name: "Code",
    ok: true,
    text: `TypeScript (${join(bin, "typescript-language-server")})`,
  });
  await code.ask("PATCH", "/settings", { languageServers: [{ command: ["luals"], files: [".lua"] }] });
  expect(await check()).toMatchObject({ ok: false, text: expect.stringMatching(/your own luals is not/) });
});
