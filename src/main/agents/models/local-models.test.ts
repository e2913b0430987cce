import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { localModels } from "./local-models.ts";

/** A server that answers each request with `text`, and its port. */
async function answering(text: string) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { port, asked };
}

const ofOllama = async (host: string) =>
  (await localModels({ OLLAMA_HOST: host })).filter(({ server }) => server === "Ollama");

test("what a server on this computer has is found, without models that cannot be talked to", async () => {
  const server = await answering('{"data":[{"id":"qwen3:8b"},{"id":"nomic-embed-text"}]}');
  const found = [{ server: "Ollama", model: "qwen3:8b", baseUrl: `http://127.0.0.1:${server.port}/v1` }];
  expect(await ofOllama(`0.0.0.0:${server.port}`)).toEqual(found);
  expect(await ofOllama(`http://127.0.0.1:${server.port}`)).toEqual(found);
  expect(server.asked).toEqual(["/v1/models", "/v1/models"]);
});

test.each(["not json", '{"data":"nothing"}', '{"data":[{"id":""}]}'])(
  "what answers %s has none",
  async (text) => {
    const server = await answering(text);
    expect(await ofOllama(`127.0.0.1:${server.port}`)).toEqual([]);
    expect(server.asked).toHaveLength(1);
  },
);
