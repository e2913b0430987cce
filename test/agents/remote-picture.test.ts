import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fetchPicture } from "../../src/main/agents/files/remote-picture.ts";

const seen: (string | undefined)[] = [];
const server = createServer((request, response) => {
  seen.push(request.headers.cookie ?? request.headers.authorization);
  const type = { "/dot.png": "image/png", "/page": "text/html", "/large.png": "image/png" }[
    request.url ?? ""
  ];
  if (!type) return response.writeHead(404, { "content-type": "image/png" }).end();
  response.writeHead(200, { "content-type": type });
  return response.end(request.url === "/large.png" ? Buffer.alloc(11 * 1024 * 1024) : "bytes");
});
let base = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

test("a picture comes back with its name and type, and nothing was sent along", async () => {
  const picture = await fetchPicture(`${base}/dot.png`);
  expect([picture.name, picture.type, await picture.text()]).toEqual(["dot.png", "image/png", "bytes"]);
  expect(seen).toEqual([undefined]);
});

test.each([
  ["/page", "NOT_FOUND"],
  ["/gone.png", "NOT_FOUND"],
  ["/large.png", "PAYLOAD_TOO_LARGE"],
])("%s is refused: %s", async (path, code) => {
  await expect(fetchPicture(base + path)).rejects.toMatchObject({ code });
});

test.each(["file:///etc/passwd", "nonsense", "https://name:word@example.com/a.png"])(
  "%s is no address of a picture",
  async (url) => {
    await expect(fetchPicture(url)).rejects.toMatchObject({ code: "BAD_INPUT" });
  },
);
