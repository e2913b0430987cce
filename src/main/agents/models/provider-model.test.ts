import { expect, test } from "vitest";
import { type ModelConfig, modelConfigSchema, providerIds, providerOf } from "../../../contract/index.ts";
import { catalogueOf } from "./catalogue.ts";
import { askableModel, requestOptions, streamsFor } from "./provider-model.ts";

const options = { account: "acc", gateway: "gate", region: "eu-central-1", resource: "res" };
const configOf = (provider: (typeof providerIds)[number], model: string) =>
  ({ kind: "provider", provider, model, apiKey: "${KEY}", options }) satisfies ModelConfig;

test.each(providerIds)(
  "%s can be asked for a model that is known and for one that is not",
  async (provider) => {
    const [first] = await catalogueOf(provider);
    const known = await askableModel(configOf(provider, first?.id ?? ""));
    expect(known).toMatchObject({ isKnown: true, model: { id: first?.id, cost: first?.cost } });
    const unknown = await askableModel(configOf(provider, "not/on-any-list"));
    expect(unknown).toMatchObject({ isKnown: false, model: { id: "not/on-any-list", reasoning: false } });
    for (const { model } of [known, unknown]) {
      // Vertex AI finds its place from the key.
      if (provider !== "google-vertex") {
        expect(model.baseUrl).toMatch(/^https:\/\/[a-z0-9.-]+(\/|$)/);
        expect(model.baseUrl).not.toMatch(/[{}]/);
      }
      expect(await streamsFor(model.api)).toMatchObject({
        stream: expect.any(Function),
        streamSimple: expect.any(Function),
      });
    }
    expect(providerOf(provider).mark.length).toBeLessThanOrEqual(3);
    expect(modelConfigSchema.parse(configOf(provider, "m"))).toMatchObject({ provider });
  },
);

test("what a person names leads to a place of the provider, and nowhere else", async () => {
  const addresses = await Promise.all(
    (["azure-openai-responses", "amazon-bedrock", "cloudflare-ai-gateway"] as const).map(
      async (provider) => (await askableModel(configOf(provider, "x"))).model.baseUrl,
    ),
  );
  expect(addresses[0]).toBe("https://res.openai.azure.com/openai/v1");
  expect(addresses[1]).toBe("https://bedrock-runtime.eu-central-1.amazonaws.com");
  expect(addresses[2]).toMatch(/^https:\/\/gateway\.ai\.cloudflare\.com\/v1\/acc\/gate\//);
  for (const resource of ["evil.example/x?", "a.b", "../..", "", "a@b"])
    expect(
      modelConfigSchema.safeParse({ ...configOf("azure-openai-responses", "m"), options: { resource } })
        .success,
    ).toBe(false);
  expect(modelConfigSchema.safeParse({ ...configOf("groq", "m"), apiKey: "sk-plain" }).success).toBe(false);
});

test("a gateway gets its key in its own header, and the provider behind it none", () => {
  expect(requestOptions(configOf("cloudflare-ai-gateway", "m"), { key: "k" })).toEqual({
    apiKey: "none",
    headers: { "cf-aig-authorization": "Bearer k", Authorization: null, "x-api-key": null },
  });
  expect(requestOptions(configOf("amazon-bedrock", "m"), { key: "k" })).toEqual({
    apiKey: "k",
    env: { AWS_REGION: "eu-central-1" },
  });
});
