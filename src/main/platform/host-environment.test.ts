import { expect, test } from "vitest";
import { hostEnvironment } from "./host-environment.ts";

test("a host gets paths and language, and nothing that may hold a secret", () => {
  const source = {
    PATH: "/bin",
    HOME: "/home/ada",
    LANG: "de_DE.UTF-8",
    NODE_OPTIONS: "--require /evil.js",
    OPENAI_API_KEY: "sk-1",
    AWS_SECRET_ACCESS_KEY: "x",
    HTTPS_PROXY: "http://user:password@proxy",
    NODE_CHANNEL_FD: "3",
  };
  expect(hostEnvironment(source)).toEqual({ PATH: "/bin", HOME: "/home/ada", LANG: "de_DE.UTF-8" });
});
