import { call, ORPCError } from "@orpc/server";
import { describe, expect, it } from "vitest";
import { PatchbayError, problemFromWire } from "../../contract/index.ts";
import { callerHere } from "../authority/index.ts";
import { requestError, withWireErrors } from "./errors.ts";
import { procedures } from "./implementer.ts";

const failing = (error: unknown) =>
  withWireErrors(() => {
    throw error;
  });

describe("what leaves a procedure that failed", () => {
  it("is our own error with its code, status, sentence, help and details", async () => {
    const error = new PatchbayError("STALE_REVISION", "Saved by somebody else.", { details: { current: 3 } });
    await expect(failing(error)).rejects.toMatchObject({
      code: "STALE_REVISION",
      status: 409,
      message: "Saved by somebody else.",
      data: { help: expect.any(String), details: { current: 3 } },
    });
  });

  it("is read back as the same problem on the other side", async () => {
    const error = new PatchbayError("PLUGIN_NOT_FOUND", "There is no plugin x.");
    const wire = await failing(error).catch((caught: unknown) => caught);
    expect(problemFromWire(JSON.parse(JSON.stringify(wire)))).toEqual(error.toProblem());
  });

  it("is a plain sentence for what is not ours, with the cause folded away", async () => {
    const wire = await failing(new TypeError("x is not a function")).catch((caught: unknown) => caught);
    expect(problemFromWire(wire)).toMatchObject({
      code: "INTERNAL",
      message: "Something went wrong inside Patchbay.",
      details: { cause: "x is not a function" },
    });
  });

  it("is ABORTED when somebody went away", async () => {
    await expect(failing(new DOMException("gone", "AbortError"))).rejects.toMatchObject({ code: "ABORTED" });
  });

  it("is the same when a stream breaks off", async () => {
    async function* stream() {
      yield 1;
      throw new PatchbayError("HOST_CRASHED", "It crashed.");
    }
    const { output } = await withWireErrors(() => ({ output: stream() as unknown }));
    const events = output as AsyncGenerator<number>;
    expect(await events.next()).toMatchObject({ value: 1 });
    await expect(events.next()).rejects.toMatchObject({ code: "HOST_CRASHED" });
  });

  it("names every field of an input that does not fit", async () => {
    const create = procedures.agents.create.handler(() => {
      throw new Error("never reached");
    });
    const wrong = { name: "", maxSteps: 9_999 };
    await expect(call(create, wrong, { context: { caller: callerHere() } })).rejects.toMatchObject({
      code: "BAD_INPUT",
      message: "The name must not be empty. The number of steps must be at most 200.",
      data: { details: { issues: [{ field: "name" }, { field: "maxSteps" }] } },
    });
  });
});

describe("a request that reaches no procedure", () => {
  it("cannot be read when its body is no JSON", () => {
    expect(requestError(new SyntaxError("Unexpected token"))).toMatchObject({
      code: "BAD_INPUT",
      status: 400,
    });
  });

  it("keeps the code of what the library knows", () => {
    expect(requestError(new ORPCError("PAYLOAD_TOO_LARGE"))).toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
    expect(requestError(new ORPCError("NOT_FOUND"))).toMatchObject({ code: "NOT_FOUND" });
    expect(requestError(new ORPCError("METHOD_NOT_SUPPORTED"))).toMatchObject({ code: "BAD_INPUT" });
  });
});
