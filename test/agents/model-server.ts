import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface SeenRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}
type Answer = { status: number; json: unknown } | { events: string[]; hang?: boolean };

/** A server on loopback that answers requests with the given answers, one after the other. */
export async function modelServer(answers: Answer[]) {
  const requests: SeenRequest[] = [];
  const aborted = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString("utf8") || "{}");
      requests.push({ path: request.url ?? "", headers: request.headers, body });
      const answer = answers[requests.length - 1] ?? {
        status: 500,
        json: { error: { message: "no more answers" } },
      };
      if ("status" in answer) {
        response.writeHead(answer.status, { "content-type": "application/json" });
        response.end(JSON.stringify(answer.json));
        return;
      }
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const event of answer.events) response.write(event);
      if (answer.hang) response.on("close", () => aborted.resolve());
      else response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    aborted: aborted.promise,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Chat completions as OpenAI streams them. */
export function openaiStream(options: {
  /** As llama.cpp, Ollama and DeepSeek stream it. */
  thinking?: string[];
  text?: string[];
  calls?: { id: string; name: string; arguments: string[] }[];
}): string[] {
  const chunk = (delta: unknown, finish: string | null = null, more = {}) =>
    `data: ${JSON.stringify({
      id: "chatcmpl-1",
      object: "chat.completion.chunk",
      created: 1,
      model: "test-model",
      choices: [{ index: 0, delta, finish_reason: finish }],
      ...more,
    })}\n\n`;
  const events = [chunk({ role: "assistant", content: "" })];
  for (const thought of options.thinking ?? []) events.push(chunk({ reasoning_content: thought }));
  for (const text of options.text ?? []) events.push(chunk({ content: text }));
  for (const [index, call] of (options.calls ?? []).entries()) {
    const start = { index, id: call.id, type: "function", function: { name: call.name, arguments: "" } };
    events.push(chunk({ tool_calls: [start] }));
    for (const part of call.arguments)
      events.push(chunk({ tool_calls: [{ index, function: { arguments: part } }] }));
  }
  events.push(chunk({}, options.calls ? "tool_calls" : "stop"));
  const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
  events.push(
    `data: ${JSON.stringify({ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "test-model", choices: [], usage })}\n\n`,
  );
  return [...events, "data: [DONE]\n\n"];
}

/** Messages as Anthropic streams them. */
export function anthropicStream(options: {
  thinking?: string[];
  text?: string[];
  calls?: { id: string; name: string; arguments: string[] }[];
}): string[] {
  const event = (type: string, data: object) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
  const message = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude-test",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 11, output_tokens: 1 },
  };
  const events = [event("message_start", { message })];
  let index = 0;
  if (options.thinking) {
    const block = { type: "thinking", thinking: "", signature: "" };
    events.push(event("content_block_start", { index, content_block: block }));
    for (const thinking of options.thinking) {
      events.push(event("content_block_delta", { index, delta: { type: "thinking_delta", thinking } }));
    }
    const signature = { type: "signature_delta", signature: "c2lnbmF0dXJl" };
    events.push(event("content_block_delta", { index, delta: signature }));
    events.push(event("content_block_stop", { index }));
    index += 1;
  }
  if (options.text) {
    events.push(event("content_block_start", { index, content_block: { type: "text", text: "" } }));
    for (const text of options.text) {
      events.push(event("content_block_delta", { index, delta: { type: "text_delta", text } }));
    }
    events.push(event("content_block_stop", { index }));
    index += 1;
  }
  for (const { id, name, arguments: parts } of options.calls ?? []) {
    events.push(
      event("content_block_start", { index, content_block: { type: "tool_use", id, name, input: {} } }),
    );
    for (const part of parts) {
      events.push(
        event("content_block_delta", { index, delta: { type: "input_json_delta", partial_json: part } }),
      );
    }
    events.push(event("content_block_stop", { index }));
    index += 1;
  }
  const stop = options.calls ? "tool_use" : "end_turn";
  events.push(
    event("message_delta", {
      delta: { stop_reason: stop, stop_sequence: null },
      usage: { output_tokens: 7 },
    }),
  );
  return [...events, event("message_stop", {})];
}
