import { expect, test } from "vitest";
import { carryOver, readHermitChannels } from "./hermit-channels.ts";

test("rows of any spelling, and settings by type, are channels", () => {
  const config = { bot_token: "x" };
  for (const rows of [
    [{ channelType: "discord", config }],
    [{ channel_type: "discord", enabled: true, config }],
    { channels: [{ key: "discord", config }] },
    { discord: config },
  ])
    expect(readHermitChannels(rows, "f")).toEqual([{ type: "discord", config }]);
  for (const wrong of [null, "text", 7, [null], [{ config }], { discord: "token" }])
    expect(() => readHermitChannels(wrong, "f.json")).toThrow("f.json is no list of channels");
});

test.each([
  [
    "telegram",
    {
      bot_token: "1:a",
      webhook_url: "https://x.org",
      allowed_chat_ids: [11, "-5"],
      enabled: true,
      mode: "webhook",
    },
    { settings: { users: ["11"], groups: ["-5"] }, secrets: { token: "1:a" }, left: ["webhook_url"] },
  ],
  [
    "slack",
    { bot_token: "${{BOT}}", app_token: "${APP}" },
    { settings: { botToken: "${BOT}", appToken: "${APP}" }, secrets: {}, references: ["BOT", "APP"] },
  ],
  [
    "wechat",
    { bot_token: "t", base_url: "https://x.org", ilink_user_id: "a@im.wechat", ilink_bot_id: "b" },
    { settings: { baseUrl: "https://x.org", owners: ["a@im.wechat"] }, secrets: { botToken: "t" }, left: [] },
  ],
  [
    "signal",
    {
      http_url: "http://h",
      account: "+49123456",
      allowed_senders: "+491, +492",
      allowed_group_ids: ["group.x", "y="],
    },
    {
      settings: {
        server: "http://h",
        number: "+49123456",
        users: ["+491", "+492"],
        groups: ["group.x", "group.eT0="],
      },
      secrets: {},
    },
  ],
])("%s", (type, config, carried) => {
  expect(carryOver({ type, config })).toMatchObject({ key: type, ...carried });
});

test("what no plugin of ours stands for is left, whatever it is called", () => {
  for (const type of ["whatsapp", "lark", "constructor", "__proto__"])
    expect(carryOver({ type, config: { toString: "x" } })).toBeNull();
  expect(carryOver({ type: "discord", config: { constructor: "x", bot_token: "" } })).toMatchObject({
    settings: {},
    secrets: {},
    left: ["constructor"],
  });
});
