import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** How the server answers a request. `cut` sends the begin of an answer and then ends the connection. */
export type Answer =
  | { kind: "says"; text: string }
  | { kind: "calls"; tool: string; input: Record<string, unknown> }
  | { kind: "status"; status: number; body: string; headers?: Record<string, string> }
  | { kind: "cut"; text: string };

export interface FailingModel extends AsyncDisposable {
  url: string;
  /** The answers to come, in order; the last one stays. */
  answers: Answer[];
  /** The names of those that it has; none at first. */
  models: string[];
  /** The last message of each request, by the role that said it. */
  asked: { role: string; content: unknown }[];
}

/** A server on loopback that speaks OpenAI's protocol and fails as its real ones do. */
export async function failingModel(): Promise<FailingModel> {
  const model: Pick<FailingModel, "answers" | "asked" | "models"> = { answers: [], asked: [], models: [] };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.method === "GET") {
      response.end(JSON.stringify({ data: model.models.map((id) => ({ id })) }));
      return;
    }
    const { messages } = JSON.parse(Buffer.concat(chunks).toString());
    model.asked.push(messages.at(-1));
    const answer = (model.answers.length > 1 ? model.answers.shift() : model.answers[0]) as Answer;
    give(answer, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(model, {
    url: `http://127.0.0.1:${port}/v1`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

function give(answer: Answer, response: ServerResponse): void {
  if (answer.kind === "status") {
    response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers });
    response.end(answer.body);
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  if (answer.kind === "calls") {
    const call = { name: answer.tool, arguments: JSON.stringify(answer.input) };
    response.write(
      chunk({
        role: "assistant",
        tool_calls: [{ index: 0, id: `call-${Date.now()}`, type: "function", function: call }],
      }),
    );
    response.end(`${chunk({}, "tool_calls")}data: [DONE]\n\n`);
    return;
  }
  response.write(chunk({ role: "assistant", content: answer.text }));
  if (answer.kind === "cut") {
    // What was sent has left this process before the connection ends.
    response.write(chunk({ content: "" }), () => response.destroy());
    return;
  }
  response.end(`${chunk({}, "stop")}data: [DONE]\n\n`);
}

function chunk(delta: unknown, finish: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices })}\n\n`;
}
