import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fledgeHome, fledgeTeam, foundByFledge, readFledgeRegistry } from "./fledge-home.ts";
import { fledgeTrust } from "./trust.ts";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "patchbay-fledge-home-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

describe("fledge's own folder", () => {
  test("is that for configuration on each system", () => {
    expect(fledgeHome({ XDG_CONFIG_HOME: "/x" }, "linux")).toBe("/x/fledge");
    expect(fledgeHome({ XDG_CONFIG_HOME: "relative", HOME: "/home/ada" }, "linux")).toBe(
      "/home/ada/.config/fledge",
    );
    expect(fledgeHome({}, "darwin")).toBe(join(homedir(), "Library", "Application Support", "fledge"));
    expect(fledgeHome({ APPDATA: "C:\\Users\\Ada\\AppData\\Roaming" }, "win32")).toBe(
      "C:\\Users\\Ada\\AppData\\Roaming\\fledge",
    );
  });

  test("has what it installed, broken ones with their reason; where it is not installed nothing is missing", async () => {
    expect(await foundByFledge(home)).toEqual({ plugins: [], places: [home], problem: null });
    for (const [name, toml] of [
      [
        "good",
        '[plugin]\nname = "good"\nversion = "1.0.0"\ndescription = "Is good."\n[[commands]]\nname = "say"\nbinary = "say"\n',
      ],
      ["torn", "[plugin"],
    ] as const) {
      await mkdir(join(home, "plugins", name), { recursive: true });
      await writeFile(join(home, "plugins", name, "plugin.toml"), toml);
    }
    const record = (name: string) =>
      `[[plugins]]\nname = "${name}"\nsource = "us/${name}"\nversion = "1.0.0"\n`;
    await writeFile(join(home, "plugins.toml"), ["good", "torn", "away"].map(record).join("\n"));
    expect((await foundByFledge(home)).plugins).toMatchObject([
      {
        key: "good",
        spec: "us/good",
        dir: join(home, "plugins/good"),
        status: "enabled",
        description: "Is good.",
      },
      { key: "torn", status: "error", reason: expect.any(String) },
      { key: "away", dir: null, status: "enabled", enabledThere: true },
    ]);
    await writeFile(join(home, "plugins.toml"), "[[");
    expect(await foundByFledge(home)).toMatchObject({
      plugins: [],
      problem: expect.stringContaining("is not the list of plugins that fledge writes"),
    });
  });

  test("lists what is installed as what would be installed again", async () => {
    const record = (name: string, source: string, ref?: string) =>
      `[[plugins]]\nname = "${name}"\nsource = '${source}'\nversion = "1.0.0"\n${ref ? `pinned_ref = "${ref}"\n` : ""}`;
    await writeFile(
      join(home, "plugins.toml"),
      [
        record("a", "CorvidLabs/fledge-plugin-a", "v1"),
        record("b", "local:/home/ada/b", "v1"),
        record("c", "C:\\Users\\Ada\\c", "v1"),
      ].join("\n"),
    );
    expect(readFledgeRegistry(home).map(({ spec }) => spec)).toEqual([
      "CorvidLabs/fledge-plugin-a@v1",
      "/home/ada/b",
      "C:\\Users\\Ada\\c",
    ]);
  });
});

describe("the team", () => {
  const from = (spec: string) => fledgeTrust({ kind: "git", spec }, fledgeTeam(home));

  test("is who fledge's config.toml names, whatever the case", async () => {
    await writeFile(join(home, "config.toml"), '[trust]\norgs = ["Acme"]\nusers = ["Ada-L"]\n');
    expect(from("https://github.com/acme/x.git")).toBe("team");
    expect(from("git@github.com:ada-l/x.git")).toBe("team");
    expect(from("https://github.com/acme-2/x.git")).toBe("unverified");
  });

  test.each(["", "[trust]\n", "[trust]\norgs = 5\n", "[github]\ntoken = 'x'\n", "not toml ["])(
    "is only fledge's own with %j",
    async (text) => {
      await writeFile(join(home, "config.toml"), text);
      expect(fledgeTeam(home)).toEqual([]);
      expect(from("https://github.com/0xleif/x")).toBe("team");
      expect(from("https://github.com/acme/x")).toBe("unverified");
    },
  );

  test.each([
    ["https://github.com/CorvidLabs/x", "official"],
    ["git@github.com:corvidlabs/x.git", "official"],
    ["https://github.com/CORVIDLABS/x", "unverified"],
    ["http://github.com/CorvidLabs/x", "unverified"],
    ["ssh://git@github.com/CorvidLabs/x", "unverified"],
    ["https://me:pass@github.com/CorvidLabs/x", "unverified"],
    ["https://gitlab.com/CorvidLabs/x", "unverified"],
    ["https://github.com/CorvidLabs/../evil/x", "unverified"],
    ["https://github.com/CorvidLabs/%2e%2e", "unverified"],
  ])("%s is %s", (spec, tier) => {
    expect(from(spec)).toBe(tier);
  });
});
