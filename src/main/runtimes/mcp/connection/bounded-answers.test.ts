import { describe, expect, it } from "vitest";
import { boundedAnswers } from "./bounded-answers.ts";

const answered = (chunks: readonly string[], type: string) =>
  boundedAnswers(async () => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(Buffer.from(chunk));
        controller.close();
      },
    });
    return new Response(body, { headers: { "content-type": type } });
  }, 10)("http://a.example/mcp");

describe("answers of an address", () => {
  it.each([
    ["a short message", ["12345", "67890"], "application/json"],
    ["many short events", Array.from({ length: 50 }, () => "data: x\n\n"), "text/event-stream"],
    ["events whose ends are cut in two", ["data: 1\n", "\ndata: 2\n", "\ndata: 3\n\n"], "text/event-stream"],
    ["events with other ends of lines", ["data: 1\r", "\n\r\n", "data: 2\r\n\r", "\n"], "text/event-stream"],
    ["several events at once", ["data: 1\n\ndata: 2\n\ndata: 3\n\n"], "text/event-stream; charset=utf-8"],
  ])("are handed on as they are: %s", async (_what, chunks, type) => {
    expect(await (await answered(chunks, type)).text()).toBe(chunks.join(""));
  });

  it.each([
    ["a message", ["12345", "678901"], "application/json"],
    ["an event without an end", ["data: ", "data: "], "text/event-stream"],
    ["an event of many lines", Array.from({ length: 50 }, () => "data: x\n"), "text/event-stream"],
  ])("end when one is too large: %s", async (_what, chunks, type) => {
    const answer = await answered(chunks, type);
    await expect(answer.text()).rejects.toMatchObject({
      code: "TOOL_FAILED",
      message: expect.stringContaining("a.example"),
    });
  });
});
