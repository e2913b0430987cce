import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, pluginFolder, test } from "./support/app.ts";
import { expectNoViolationsInBoth } from "./support/axe.ts";

test("an agent's page says how other programs use its tools, and one that is let in does", async ({
  app,
}) => {
  const { page } = app;
  await app.install(pluginFolder.echo);
  await app.set("echo", { enabled: true });
  await page.getByRole("link", { name: "Tools", exact: true }).click();
  await page.getByRole("tab", { name: "Other programs" }).click();

  const shown = async (label: string) =>
    JSON.parse((await page.getByRole("figure", { name: label }).locator("pre").textContent()) ?? "");
  await test.step("a program that starts its servers gets this installation's command", async () => {
    expect(await shown("For the settings of Claude Desktop")).toMatchObject({
      mcpServers: { "patchbay-helper": { args: expect.arrayContaining(["mcp", "--agent", "helper"]) } },
    });
    await page.getByRole("radio", { name: "VS Code" }).check();
    expect(await shown("For the settings of VS Code")).toMatchObject({
      servers: { "patchbay-helper": { type: "stdio" } },
    });
  });

  const region = page
    .locator("section")
    .filter({ has: page.getByRole("heading", { name: /^(Programs that connect|Programme, die sich)/ }) });
  const settings = await test.step("one that is let in gets a token, which is shown once", async () => {
    await region.getByRole("textbox", { name: "Name of the program" }).fill("Notes");
    await region.getByRole("button", { name: "Let it in" }).click();
    await expect(
      region.getByText("Notes is let in. Its token is shown this once: copy it now."),
    ).toBeVisible();
    await expect(region.getByText(/let in .*, not used yet/)).toBeVisible();
    await expectNoViolationsInBoth(page, "other programs");
    return (await shown("For the settings of Notes")).mcpServers["patchbay-helper"];
  });

  const connect = async (answering?: () => { action: "cancel" }) => {
    const client = new Client(
      { name: "notes", title: "Notes app", version: "1" },
      { versionNegotiation: { mode: "auto" }, capabilities: answering ? { elicitation: { form: {} } } : {} },
    );
    if (answering) client.setRequestHandler("elicitation/create", answering);
    await client.connect(
      new StreamableHTTPClientTransport(new URL(settings.url), {
        requestInit: { headers: settings.headers },
      }),
    );
    return client;
  };
  await test.step("it finds the tools of this agent", async () => {
    const client = await connect();
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("echo__say");
    await client.close();
    await page.reload();
    await expect(region.getByText(/last used/)).toBeVisible();
    await expect(region.getByText("Its token is shown this once", { exact: false })).toBeHidden();
  });

  await test.step("what it calls is asked for here, with its name, while it leaves its own form open", async () => {
    const client = await connect(() => ({ action: "cancel" }));
    const result = client.callTool({ name: "echo__say", arguments: { text: "hello" } });
    await page.getByRole("link", { name: /^Approvals/ }).click();
    await expect(page.getByText(/asked through Notes app/)).toBeVisible();
    await page.getByRole("button", { name: "Allow once" }).click();
    expect((await result).content).toMatchObject([{ type: "text" }]);
    await client.close();
    await page.goBack();
  });

  await test.step("what was given is taken back", async () => {
    await region.getByRole("button", { name: "Take back what Notes may do" }).click();
    await expect(region.getByText("Notes", { exact: true })).toBeHidden();
    await expect(connect()).rejects.toThrow();
  });

  await test.step("it reads well in German", async () => {
    await app.ask("PATCH", "/settings", { language: "de" });
    await expect(
      page.getByRole("heading", { name: "Programme, die sich über HTTP verbinden" }),
    ).toBeVisible();
  });
});
