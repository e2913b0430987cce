import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AtTerminal } from "../support/at-terminal.ts";
import { TelegramPerson } from "../support/platforms/telegram/person.ts";
import { TelegramServer } from "../support/platforms/telegram/server.ts";
import { type RunningApp, startApp } from "../support/running-app.ts";

/** People of a channel, as the person lets them in at a real terminal beside a running Patchbay. */
describe.skipIf(process.platform === "win32")("plugin people, at a terminal", () => {
  let home: string;
  let app: RunningApp;
  let server: TelegramServer;
  let bot: ReturnType<TelegramServer["addBot"]>;

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "patchbay-people-"));
    server = await TelegramServer.open();
    const token = `70010001:${"A".repeat(35)}`;
    bot = server.addBot({ token });
    app = await startApp(home);
    await app.rest("POST", "/agents", { id: "ada", name: "Ada" });
    await app.cli("plugin", "install", resolve("out/plugins/telegram"), "--yes");
    const config = { channel: { apiRoot: server.apiRoot } };
    await app.rest("PUT", "/agents/ada/plugins/telegram", { enabled: true, config, secrets: { token } });
  });
  afterAll(async () => {
    await app.close();
    await server[Symbol.asyncDispose]();
    await rm(home, { recursive: true, force: true });
  });

  const people = (...more: string[]) =>
    new AtTerminal([
      process.execPath,
      resolve("bin/patchbay"),
      ...["--home", home, "plugin", "people", "telegram", ...more, "--agent", "ada"],
    ]);
  const heard = (person: TelegramPerson) => person.sees().map(({ text }) => text ?? "");
  /** The code that somebody is told who writes for the first time. */
  async function codeOf(person: TelegramPerson): Promise<string> {
    person.says(bot, "hello");
    for (;;) {
      const [code] = /[2-9A-Z]{3}-[2-9A-Z]{3}/.exec(heard(person).join()) ?? [];
      if (code !== undefined) return code;
      await new Promise<void>((changed) => server.changes.once("change", changed));
    }
  }

  it("shows who waits, lets somebody in by the code that they tell, and removes them by their id", async () => {
    const sam = new TelegramPerson(server, { id: 13, name: "Sam" });
    const code = await codeOf(sam);
    await using list = people();
    await list.sees("Sam");
    await list.sees("13");
    await list.sees(`waits  ${code}`);
    await using wrong = people("approve", "222-222");
    await wrong.sees("Nobody of that code or id waits or is listed here.");
    expect((await wrong.ended).code).toBe(1);
    await using approved = people("approve", code.toLowerCase());
    await approved.sees("✓ Sam (13) may write now.");
    await expect.poll(() => heard(sam)).toContain("You may write to me now.");
    await using after = people();
    await after.sees("may write");
    await using removed = people("remove", "13");
    await removed.sees("✓ Sam (13) was removed.");
    await using nobody = people();
    await nobody.sees("Nobody waits");
  });

  it("makes an owner only with the person's word", async () => {
    const olga = new TelegramPerson(server, { id: 11, name: "Olga" });
    const code = await codeOf(olga);
    await using asked = people("approve", code, "--owner");
    await asked.sees("the code in the terminal where Patchbay runs");
    asked.types("\u0003");
    expect((await asked.ended).code).toBe(130);
    const args = ["plugin", "people", "telegram", "--agent", "ada"];
    expect(await app.cli(...args)).toMatchObject([{ userId: "11", status: "waiting" }]);
    const before = app.codes.count;
    await using again = people("approve", code, "--owner");
    await again.sees("the code in the terminal where Patchbay runs");
    again.types(`${await app.codes.after(before)}\r`);
    await again.sees("✓ Olga (11) is an owner now.");
  });

  it("says what is missing", async () => {
    await using noCode = people("approve");
    await noCode.sees("approve needs the code or the id of somebody");
    expect((await noCode.ended).code).toBe(2);
  });
});
