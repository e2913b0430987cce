import { expect, test } from "vitest";
import { type LastExchange, modelFailure, retryTime } from "./model-failure.ts";

const asked = { baseUrl: "https://models.example/v1", model: "m-1", hasKey: true };

function answered(status: number, more: Partial<Extract<LastExchange, { kind: "answered" }>> = {}) {
  return {
    kind: "answered" as const,
    status,
    contentType: "application/json",
    retryAt: null,
    cut: false,
    ...more,
  };
}

test.each([
  [answered(401), "401 no", "MODEL_KEY_REFUSED", "models.example refused the key for m-1."],
  [answered(402), "", "MODEL_NO_CREDIT", "The account at models.example has no credit left."],
  [
    answered(429),
    "insufficient_quota",
    "MODEL_NO_CREDIT",
    "The account at models.example has no credit left.",
  ],
  [answered(429), "slow down", "MODEL_BUSY", "models.example takes no more requests at the moment."],
  [answered(404), "", "MODEL_NOT_FOUND", "models.example does not know the model m-1."],
  [answered(500), "<html>", "MODEL_BROKEN", "models.example has a fault of its own (500)."],
  [answered(503), "<html>", "MODEL_BUSY", "models.example is overloaded at the moment."],
  [answered(529), "", "MODEL_BUSY", "models.example is overloaded at the moment."],
  [
    answered(200),
    '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
    "MODEL_BUSY",
    "models.example is overloaded at the moment.",
  ],
  [
    answered(400),
    '{"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT"}}',
    "MODEL_KEY_REFUSED",
    "models.example refused the key for m-1.",
  ],
  [
    answered(400),
    "prompt is too long: 213462 tokens > 200000 maximum",
    "MODEL_CONTEXT_FULL",
    "The conversation is too long for m-1.",
  ],
  [
    answered(400),
    '{"error":{"message":"m-1 is not a valid model ID","code":400}}',
    "MODEL_NOT_FOUND",
    "models.example does not know the model m-1.",
  ],
  [
    answered(200),
    "Provider finish_reason: content_filter",
    "MODEL_WITHHELD",
    "models.example withheld the answer because of its contents.",
  ],
  [
    answered(200, { contentType: "text/html; charset=utf-8" }),
    "Unexpected token <",
    "MODEL_NOT_A_MODEL",
    "https://models.example/v1 is no address of a model.",
  ],
  [
    answered(200, { cut: true }),
    "terminated",
    "MODEL_CUT",
    "The connection to models.example was cut before the answer was complete.",
  ],
  [
    answered(200),
    "Stream ended without finish_reason",
    "MODEL_CUT",
    "The connection to models.example was cut before the answer was complete.",
  ],
  [
    answered(400),
    '400 {"error":{"message":"The picture is too large.","type":"invalid"}}',
    "MODEL_FAILED",
    "m-1 did not take the request: The picture is too large.",
  ],
  [answered(400), '400 {"odd":true}', "MODEL_FAILED", "m-1 did not take the request."],
  [answered(422), "<html><body>No</body></html>", "MODEL_FAILED", "m-1 did not take the request."],
] as const)("%o with %j is %s", (last, answer, code, message) => {
  expect(modelFailure(last, asked, answer)).toMatchObject({ code, message });
});

test("a provider that asks for a key where none is stored does not refuse one", () => {
  const { message } = modelFailure(answered(401), { ...asked, hasKey: false }, "");
  expect(message).toBe("models.example asks for a key, and none is stored for m-1.");
});

test("the time to wait is read from seconds and from dates, and not when it is hours away", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  expect(retryTime("20", now)).toBe(now + 20_000);
  expect(retryTime("Thu, 01 Jan 2026 00:01:00 GMT", now)).toBe(now + 60_000);
  expect(retryTime("Thu, 01 Jan 2020 00:01:00 GMT", now)).toBe(now);
  expect(retryTime("86400", now)).toBeNull();
  expect(retryTime("soon", now)).toBeNull();
  expect(retryTime(null, now)).toBeNull();
});

test("the time that stands in Google's answer is waited for", () => {
  const answer = '{"error":{"code":429,"details":[{"retryDelay":"12s"}]}}';
  expect(modelFailure(answered(429), asked, answer, undefined, 0).details).toMatchObject({
    retryAt: "1970-01-01T00:00:12.000Z",
  });
});

test("a connection that breaks before the answer is cut, and is not an address that nobody answers at", () => {
  const lost = { kind: "unreachable", why: "the connection was cut", lost: true } as const;
  expect(modelFailure(lost, asked, "").code).toBe("MODEL_CUT");
});
