import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FakeClock } from "../../../../../test/support/fake-clock.ts";
import type { LiveTracesView, OtlpSettings, RecordEvent } from "../../../../contract/index.ts";
import { LiveTraces } from "./live-traces.ts";
import { tracesAt } from "./send.ts";

/** Answers of the receiver, the first one first; 503 when there is none left. */
let answers: { status: number; wait?: string }[];
let got: string[];
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    got.push(Buffer.concat(chunks).toString("utf8"));
    const { status, wait } = answers.shift() ?? { status: 503 };
    response.writeHead(status, wait === undefined ? {} : { "retry-after": wait });
    response.end();
  });
});

let clock: FakeClock;
let otlp: OtlpSettings | null;
let live: LiveTraces;

beforeEach(async () => {
  answers = [];
  got = [];
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  clock = new FakeClock();
  otlp = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    headers: {},
    contents: false,
  };
  live = new LiveTraces({
    settings: { get: () => ({ otlp }) },
    secrets: { resolve: () => undefined, redact: (text) => text.replaceAll("swordfish", "•••") },
    nameOf: () => "Ada swordfish",
    clock,
    version: "1.0.0",
  });
});

afterEach(async () => {
  live.close();
  server.closeAllConnections();
  server.close();
  await once(server, "close");
});

function turn(turnId: string): RecordEvent[] {
  const place = { turnId, spanId: "0", parentId: null };
  return [
    {
      type: "turn_begun",
      ...place,
      seq: 0,
      at: 1_000,
      v: 1,
      sessionId: "s",
      agentId: "a",
      text: "hi",
      caller: { kind: "owner" },
      world: null,
    },
    { type: "turn_ended", ...place, seq: 1, at: 2_000, outcome: "done", text: "", problem: null },
  ];
}
const end = (turnId: string) => live.turnEnded({ agentId: "a", sessionId: "s" }, turn(turnId));

/** Resolves with the first view that fits. */
async function view(fits: (view: LiveTracesView) => boolean): Promise<LiveTracesView> {
  while (!fits(live.view)) await once(live.changes, "view");
  return live.view;
}

test("what waits is bounded: the oldest turns make room, and it is said how many", async () => {
  for (let n = 0; n < 205; n += 1) end(`t${n}`);
  await view(({ waiting, dropped }) => waiting === 200 && dropped === 5);
});

test("it waits longer each time, as long as the receiver says, and sends in order once it takes them", async () => {
  answers = [{ status: 503 }, { status: 429, wait: "7" }, { status: 200 }, { status: 200 }];
  end("one");
  end("two");
  await view(({ failure }) => failure?.kind === "refused" && failure.status === 503);
  expect(got).toHaveLength(1);
  clock.advance(1_000);
  await view(({ failure }) => failure?.kind === "refused" && failure.status === 429);
  clock.advance(6_999);
  expect(got).toHaveLength(2);
  clock.advance(1);
  expect(await view(({ sent }) => sent === 2)).toMatchObject({ waiting: 0, dropped: 0, failure: null });
  const turns = got.map((text) => /"patchbay\.turn\.id","value":\{"stringValue":"(\w+)"/.exec(text)?.[1]);
  expect(turns).toEqual(["one", "one", "one", "two"]);
});

test("stored secrets are taken out of what is sent", async () => {
  answers = [{ status: 200 }];
  end("one");
  await view(({ sent }) => sent === 1);
  expect(got[0]).toContain("invoke_agent Ada •••");
});

test("turning it off forgets what waits", async () => {
  end("one");
  await view(({ failure }) => failure !== null);
  otlp = null;
  live.settingsChanged();
  expect(live.view).toMatchObject({ waiting: 0, failure: null });
  end("two");
  clock.advance(120_000);
  expect(got).toHaveLength(1);
});

test.each([
  ["http://localhost:4318", "http://localhost:4318/v1/traces"],
  ["https://a.example/otlp/", "https://a.example/otlp/v1/traces"],
  ["https://a.example/v1/traces", "https://a.example/v1/traces"],
  ["https://a.example/?team=1", "https://a.example/v1/traces?team=1"],
])("the address %s takes traces at %s", (endpoint, at) => {
  expect(tracesAt(endpoint)).toBe(at);
});
