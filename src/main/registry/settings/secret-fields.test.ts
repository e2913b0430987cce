import { describe, expect, it } from "vitest";
import type { Declaration, SecretKey } from "../../../contract/index.ts";
import { sealSecrets, secretName, secretsSet } from "./secret-fields.ts";

const plugin = (secretKeys: SecretKey[]) => ({
  manifestKey: "weather",
  declaration: { secretKeys, configSchema: null } as unknown as Declaration,
});
const apiKey: SecretKey = { key: "apiKey", label: "API key", path: ["tools", "apiKey"] };

describe("declared secrets in settings", () => {
  it("are stored under a name of the plugin and stand as a reference in the settings", () => {
    const sealed = sealSecrets(plugin([apiKey]), { tools: { city: "Bern" } }, { apiKey: "abc" });
    expect(sealed.config).toEqual({ tools: { city: "Bern", apiKey: "${WEATHER_API_KEY}" } });
    expect([...sealed.store]).toEqual([["WEATHER_API_KEY", "abc"]]);
  });

  it("leave the settings when somebody wrote the value there", () => {
    const sealed = sealSecrets(plugin([apiKey]), { tools: { apiKey: "abc" } }, {});
    expect(JSON.stringify(sealed.config)).not.toContain("abc");
    expect(sealed.store.get("WEATHER_API_KEY")).toBe("abc");
  });

  it.each(["${SHARED}", "${{SHARED}}", "Bearer ${SHARED}"])(
    "stay as they are when they refer: %s",
    (text) => {
      const config = { tools: { apiKey: text } };
      const sealed = sealSecrets(plugin([apiKey]), config, {});
      expect(sealed.config).toBe(config);
      expect(sealed.store.size).toBe(0);
    },
  );

  it("are removed by an empty value", () => {
    const config = { tools: { apiKey: "${WEATHER_API_KEY}", city: "Bern" } };
    const sealed = sealSecrets(plugin([apiKey]), config, { apiKey: "" });
    expect(sealed.config).toEqual({ tools: { city: "Bern" } });
    expect([...sealed.store]).toEqual([["WEATHER_API_KEY", null]]);
  });

  it("go where the inspection says that they lie, however deep", () => {
    const deep = plugin([{ ...apiKey, path: ["accounts", "main", "key"] }]);
    expect(sealSecrets(deep, { accounts: { other: 1 } }, { apiKey: "abc" }).config).toEqual({
      accounts: { other: 1, main: { key: "${WEATHER_API_KEY}" } },
    });
  });

  it("count as there when stored or written out, and as missing when the reference leads nowhere", () => {
    const set = (value: string | undefined, stored: string[]) =>
      secretsSet(plugin([apiKey]), { tools: { apiKey: value } }, (name) => stored.includes(name));
    expect(set("${A}", ["A"])).toEqual({ apiKey: true });
    expect(set("${A}", [])).toEqual({ apiKey: false });
    expect(set("plain", [])).toEqual({ apiKey: true });
    expect(set(undefined, ["A"])).toEqual({ apiKey: false });
    expect(set(undefined, ["apiKey"])).toEqual({ apiKey: true });
  });

  it.each([
    ["http", "apiKey", "HTTP_API_KEY"],
    ["telegram", "TELEGRAM_BOT_TOKEN", "TELEGRAM_BOT_TOKEN"],
    ["my-bot", "token", "MY_BOT_TOKEN"],
    ["7-eleven", "key", "_7_ELEVEN_KEY"],
  ])("of %s named %s are called %s", (key, secret, name) => {
    expect(secretName(key, secret)).toBe(name);
  });
});
