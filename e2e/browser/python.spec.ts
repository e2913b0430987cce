import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type IndexedPackage, packageIndex } from "../../test/flowly/python/package-index.ts";
import { App } from "../support/app.ts";
import { expectNoViolationsInBoth } from "../support/axe.ts";
import { ServedCore } from "../support/core.ts";
import { test as base, expect } from "../support/served.ts";

interface Fixtures {
  /** A folder of the spec. */
  folder: string;
  /** The app, started in an environment of the spec's own. */
  openWith(env: Record<string, string>): Promise<App>;
}

const test = base.extend<Fixtures>({
  folder: async ({ baseURL: _ }, use) => {
    const folder = await mkdtemp(join(tmpdir(), "patchbay-python-"));
    await use(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  },
  openWith: async ({ home, page }, use) => {
    const cores: ServedCore[] = [];
    await use(async (env) => {
      const core = await ServedCore.start(home, [], env);
      cores.push(core);
      await core.openIn(page);
      const app = new App(page, home);
      await app.closeWelcome();
      return app;
    });
    for (const core of cores) await core.stop();
  },
});

const greeter: IndexedPackage[] = [
  {
    name: "tiny-greeter",
    version: "1.0",
    module: "tiny_greeter",
    code: "HELLO = 'Hello'\n",
    needs: ["tiny-base"],
  },
  { name: "tiny-base", version: "2.1", module: "tiny_base", code: "" },
];

async function pluginOf(folder: string, requirements?: string): Promise<string> {
  const dir = join(folder, "greeter");
  await mkdir(dir);
  await writeFile(join(dir, "plugin.yaml"), "name: greeter\nversion: '1.0'\ndescription: Greets people.\n");
  await writeFile(
    join(dir, "__init__.py"),
    `import tiny_greeter


def register(ctx):
    def greet(name="you"):
        return f"{tiny_greeter.HELLO}, {name}"

    schema = {"description": "Greets somebody.", "parameters": {"type": "object", "properties": {"name": {"type": "string"}}}}
    ctx.register_tool(name="greet", schema=schema, handler=greet)
`,
  );
  if (requirements !== undefined) await writeFile(join(dir, "requirements.txt"), requirements);
  return dir;
}

test("a package that is missing is named, and installed by the button; then the plugin runs", async ({
  folder,
  openWith,
  page,
}) => {
  const index = await packageIndex(greeter);
  const app = await openWith(index.env);
  await app.install(await pluginOf(folder));
  await app.set("greeter", { enabled: true });
  await expect(app.card("greeter").getByText("Failed to start")).toBeVisible();
  await expect(app.card("greeter").getByRole("button", { name: "Install tiny-greeter" })).toBeVisible();
  await app.openPlugin("greeter", "Overview");
  const main = page.getByRole("main");
  await expect(
    main.getByText("greeter needs the Python package tiny-greeter, which is not installed.", { exact: true }),
  ).toBeVisible();
  await main.getByRole("button", { name: "Install tiny-greeter" }).click();
  const dialog = page.getByRole("dialog", { name: "Install tiny-greeter for greeter?" });
  await expect(dialog.getByText("pip install tiny-greeter")).toBeVisible();
  await expectNoViolationsInBoth(page, "the question before a package is installed");
  expect(index.asked).toEqual([]);
  await dialog.getByRole("button", { name: "Install", exact: true }).click();
  const job = page.getByRole("dialog", { name: "The packages of greeter are installed" });
  await expect(job).toBeVisible({ timeout: 60_000 });
  await job.getByRole("button", { name: "Close", exact: true }).first().click();
  await expect(main.getByText("Running", { exact: true })).toBeVisible();
  await expect(main.getByText("greeter.greet", { exact: true })).toBeVisible();
  await index.close();
});

test("what requirements.txt names is asked for as a script; without a yes the plugin says what it lacks", async ({
  folder,
  openWith,
  page,
}) => {
  const index = await packageIndex(greeter);
  const app = await openWith(index.env);
  const dir = await pluginOf(folder, "tiny-greeter>=1.0\n");
  await app.install(dir);
  await app.set("greeter", { enabled: true });
  await app.openPlugin("greeter", "Overview");
  const main = page.getByRole("main");
  await expect(main.getByText(/python packages/).first()).toBeVisible();
  expect(index.asked).toEqual([]);
  await main.getByRole("button", { name: "Install tiny-greeter>=1.0" }).click();
  const dialog = page.getByRole("dialog", { name: "Install tiny-greeter>=1.0 for greeter?" });
  await dialog.getByRole("button", { name: "Install", exact: true }).click();
  const job = page.getByRole("dialog", { name: "The packages of greeter are installed" });
  await expect(job).toBeVisible({ timeout: 60_000 });
  await job.getByRole("button", { name: "Close", exact: true }).first().click();
  await expect(main.getByText("Running", { exact: true })).toBeVisible();
  await expect(main.getByText(/python packages/)).toBeHidden();
  await index.close();
});

test("a package that no index has leaves the plugin as it is, with the reason", async ({
  folder,
  openWith,
  page,
}) => {
  const index = await packageIndex([]);
  const app = await openWith(index.env);
  await app.install(await pluginOf(folder));
  await app.set("greeter", { enabled: true });
  await app.card("greeter").getByRole("button", { name: "Install tiny-greeter" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Install", exact: true }).click();
  const job = page.getByRole("dialog", { name: "The packages of greeter were not installed" });
  await expect(
    job.getByText("The index of Python packages has no tiny-greeter that fits here.").first(),
  ).toBeVisible({
    timeout: 60_000,
  });
  await index.close();
});

const answerOf = (file: string, version: number[]) => {
  const facts = {
    version,
    executable: file,
    prefix: "/opt/x",
    base: "/opt/x",
    stdlib: [],
    site: [],
    path: [],
    libraries: [],
  };
  return `#!/bin/sh\nprintf '%s' '__patchbay_python__${JSON.stringify(facts)}__patchbay_python__'\n`;
};

test("the Pythons of the computer are listed, one is chosen, and a newer one is found by looking again", async ({
  folder,
  openWith,
  page,
}) => {
  const bin = join(folder, "bin");
  await mkdir(bin);
  const real = execFileSync("python3", ["-c", "import os, sys; print(os.path.realpath(sys.executable))"], {
    encoding: "utf8",
  }).trim();
  await symlink(real, join(bin, "python3"));
  const fake = async (name: string, version: number[]) => {
    await writeFile(join(bin, name), answerOf(join(bin, name), version));
    await chmod(join(bin, name), 0o755);
    return join(bin, name);
  };
  const old = await fake("python3.8", [3, 8, 2]);
  const app = await openWith({ HOME: folder, SHELL: "", PYENV_ROOT: "", PATH: `${bin}:/usr/bin:/bin` });
  await app.goTo("/agents/helper/settings/python");
  const main = page.getByRole("main");
  const choice = (name: RegExp | string) => main.getByRole("radio", { name });
  await expect(choice(/Chosen by Patchbay/)).toBeChecked();
  await expect(choice(real)).toBeEnabled();
  await expect(main.locator("label", { hasText: real }).getByText("In use")).toBeVisible();
  await expect(choice(old)).toBeDisabled();
  await expect(main.locator("label", { hasText: old })).toContainText("Too old: plugins need 3.9 or newer");
  await expectNoViolationsInBoth(page, "the Pythons of the computer");

  const newer = await fake("python3.98", [3, 98, 0]);
  await main.getByRole("button", { name: "Look again" }).click();
  await choice(newer).click();
  await expect(choice(newer)).toBeChecked();
  await expect(main.locator("label", { hasText: newer }).getByText("In use")).toBeVisible();
  await expect
    .poll(async () => (await app.ask<{ python: string | null }>("GET", "/settings")).python)
    .toBe(newer);

  await rm(newer);
  await main.getByRole("button", { name: "Look again" }).click();
  await expect(main.locator("label", { hasText: newer })).toContainText("Nothing is there any more");
  await main.getByLabel("Path of the program").fill(old);
  await main.getByRole("button", { name: "Use it" }).click();
  await expect(main.locator("label", { hasText: old })).toContainText("chosen by you");
  await choice(/Chosen by Patchbay/).click();
  await expect(main.locator("label", { hasText: real }).getByText("In use")).toBeVisible();
});

test("without a Python a plugin of Flowly says so, with the way to choose one", async ({
  folder,
  openWith,
  page,
}) => {
  const app = await openWith({});
  await app.ask("PATCH", "/settings", { python: join(folder, "none") });
  await app.install(await pluginOf(folder));
  await app.set("greeter", { enabled: true });
  await app.openPlugin("greeter", "Overview");
  const main = page.getByRole("main");
  await expect(
    main.getByText(`${join(folder, "none")} is no Python that runs.`, { exact: true }),
  ).toBeVisible();
  await main.getByRole("button", { name: "Choose a Python" }).click();
  await expect(main.getByRole("heading", { name: "Python", exact: true })).toBeVisible();
  await main.getByRole("radio", { name: /Chosen by Patchbay/ }).click();
  await expect(main.getByText("In use")).toBeVisible();
});
