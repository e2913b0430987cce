import type { Api, Model } from "@earendil-works/pi-ai";
import { expect, test } from "vitest";
import { requestOf } from "./exchange.ts";

const model: Model<Api> = {
  api: "anthropic-messages",
  provider: "anthropic",
  id: "claude",
  name: "Claude",
  baseUrl: "https://api.example",
  reasoning: true,
  input: ["text"],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 200_000,
  maxTokens: 8_192,
};

test("a request is kept with its limits and options, and without what is no data or secret", () => {
  const request = requestOf(model, [{ role: "user", content: "hi", timestamp: 5 }], {
    signal: new AbortController().signal,
    apiKey: "sk-secret",
    headers: { authorization: "sk-secret" },
    onPayload: () => undefined,
    temperature: 0.5,
    maxTokens: 100,
    reasoning: "high",
  });
  const kept = {
    model: {
      api: "anthropic-messages",
      provider: "anthropic",
      id: "claude",
      baseUrl: "https://api.example",
      reasoning: true,
      contextWindow: 200_000,
      maxTokens: 8_192,
    },
    options: { temperature: 0.5, maxTokens: 100, reasoning: "high" },
    messages: [{ role: "user", content: "hi" }],
  };
  expect(request).toEqual(kept);
  expect(JSON.parse(JSON.stringify(request))).toEqual(kept);
});
