import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { LiveTracesView } from "../../src/contract/index.ts";
import { readOtlp } from "./otlp-reader.ts";
import { type RecordedHome, recordedHome } from "./recorded-home.ts";

interface Got {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
}

/** A receiver of OTLP over HTTP. It answers with the statuses one after the other, then with 200. */
async function receiver(statuses: number[] = []) {
  const got: Got[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      got.push({
        path: request.url ?? "",
        headers: request.headers,
        text: Buffer.concat(chunks).toString("utf8"),
      });
      response.writeHead(statuses.shift() ?? 200, { "content-type": "application/json" });
      response.end("{}");
      server.emit("got");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    got,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const script = `
- say: I go to work.
  call: { tool: worker__send, input: { words: hello } }
- say: All done.
- say: two
- say: three
- say: four
- say: five
`;

let bench: RecordedHome;
beforeAll(async () => {
  bench = await recordedHome(script);
}, 120_000);
afterAll(() => bench[Symbol.asyncDispose]());

/** Sets where traces go; the person's word comes from the terminal. */
const set = (otlp: unknown) => bench.app.rest("PATCH", "/settings", { otlp });

/** Resolves with the first view that fits. */
async function view(fits: (view: LiveTracesView) => boolean): Promise<LiveTracesView> {
  const leaving = new AbortController();
  try {
    for await (const one of await bench.client.traces.live(undefined, { signal: leaving.signal }))
      if (fits(one)) return one;
    throw new Error("it ended");
  } finally {
    leaving.abort();
  }
}

test("it is off, and turning it on needs the person's word", async () => {
  expect((await bench.client.app.settings()).otlp).toBeNull();
  const answer = await fetch(`${bench.app.url}/api/settings`, {
    method: "PATCH",
    headers: { authorization: `Bearer ${bench.app.token}`, "content-type": "application/json" },
    body: JSON.stringify({ otlp: { endpoint: "http://127.0.0.1:4318" } }),
  });
  expect(await answer.json()).toMatchObject({ code: "CONFIRMATION_NEEDED", details: { act: "send" } });
  expect((await bench.client.app.settings()).otlp).toBeNull();
});

test("each turn is sent when it has ended, with the key of the header and without what was said", async () => {
  await using server = await receiver();
  await bench.client.secrets.set({ name: "COLLECTOR_KEY", value: "sesame-4711" });
  await set({ endpoint: server.url, headers: { authorization: "Bearer ${COLLECTOR_KEY}" }, contents: false });
  // The address is asked at once whether it takes traces.
  await view(({ lastSentAt }) => lastSentAt !== null);
  const turnId = await bench.turn("Send my words");
  await view(({ sent }) => sent === 1);
  const [asked, sent] = server.got;
  expect(asked?.text).toBe('{"resourceSpans":[]}');
  expect(sent).toMatchObject({
    path: "/v1/traces",
    headers: { authorization: "Bearer sesame-4711", "content-type": "application/json" },
  });
  const spans = readOtlp(sent?.text ?? "");
  expect(spans[0]).toMatchObject({ name: "invoke_agent Ada", attributes: { "patchbay.turn.id": turnId } });
  expect(spans.map(({ name }) => name)).toContain("execute_tool worker__send");
  expect(sent?.text).not.toContain("Send my words");
  expect(JSON.stringify(await bench.client.app.settings())).not.toContain("sesame");
  await set(null);
});

test("what a busy receiver does not take is sent again, in order; a turn does not wait for it", async () => {
  await using server = await receiver([200, 503]);
  await set({ endpoint: `${server.url}/v1/traces`, headers: {}, contents: true });
  const before = (await view(({ failure }) => failure === null)).sent;
  const first = await bench.turn("one");
  const second = await bench.turn("two");
  await view(({ sent }) => sent === before + 2);
  const turns = server.got.slice(1).map(({ text }) => readOtlp(text)[0]?.attributes["patchbay.turn.id"]);
  expect(turns).toEqual([first, first, second]);
  expect(server.got.map(({ path }) => path)).toEqual(Array(4).fill("/v1/traces"));
  expect(server.got[1]?.text).toContain("sent HELLO");
  await set(null);
});

test("an address that nothing listens at is said, and so are a refusal and a missing secret", async () => {
  const server = await receiver();
  await server[Symbol.asyncDispose]();
  await set({ endpoint: server.url, headers: {}, contents: false });
  expect((await view(({ failure }) => failure !== null)).failure).toEqual({
    kind: "unreachable",
    why: "closed",
  });
  await using strict = await receiver([401, 401]);
  await set({ endpoint: strict.url, headers: {}, contents: false });
  expect((await view(({ failure }) => failure?.kind === "refused")).failure).toEqual({
    kind: "refused",
    status: 401,
  });
  const { dropped } = await view(() => true);
  await bench.turn("three");
  expect(await view((one) => one.dropped > dropped)).toMatchObject({ waiting: 0, failure: { status: 401 } });
  await set({ endpoint: strict.url, headers: { "x-key": "${NOWHERE}" }, contents: false });
  expect((await view(({ failure }) => failure?.kind === "secret")).failure).toEqual({
    kind: "secret",
    name: "NOWHERE",
  });
  await set(null);
  expect(await view(() => true)).toMatchObject({ failure: null, waiting: 0 });
});

test("an address that is none is refused", async () => {
  expect(await set({ endpoint: "ftp://example.com" })).toMatchObject({ code: "BAD_INPUT" });
});
