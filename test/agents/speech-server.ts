import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface SpokenTo {
  path: string;
  headers: IncomingHttpHeaders;
  /** The fields of a form or of a JSON object, without its file. */
  fields: Record<string, unknown>;
  file?: { name: string; type: string; bytes: Buffer };
}

export interface SpeechAnswer {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** It answers nothing, and keeps the connection. */
  hang?: boolean;
  /** It goes on sending for ever. */
  endless?: boolean;
  /** The connection is cut in the middle of the answer. */
  cut?: boolean;
}

/** OpenAI's audio API on loopback: it answers with the given answers, one after the other, then with the last one. */
export async function speechServer(...answers: SpeechAnswer[]) {
  const requests: SpokenTo[] = [];
  const asked = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", async () => {
      requests.push(await read(request.url ?? "", request.headers, Buffer.concat(chunks)));
      asked.resolve();
      const answer = answers[Math.min(requests.length, answers.length) - 1] ?? {};
      if (answer.hang) return;
      response.writeHead(answer.status ?? 200, { "content-type": "application/json", ...answer.headers });
      if (answer.endless) {
        const more = () => {
          while (!response.destroyed && response.write(Buffer.alloc(64 * 1024, " ")));
        };
        response.on("drain", more);
        more();
      } else if (answer.cut) {
        response.write('{"text": "half', () => response.destroy());
      } else response.end(answer.body ?? JSON.stringify({ text: "hello there" }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    port,
    requests,
    /** Resolves when the first request is there. */
    asked: asked.promise,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Forms are read by undici's parser, not by anything of ours. */
async function read(path: string, headers: IncomingHttpHeaders, body: Buffer): Promise<SpokenTo> {
  const type = String(headers["content-type"]);
  if (!type.startsWith("multipart/"))
    return { path, headers, fields: JSON.parse(body.toString("utf8")) as Record<string, unknown> };
  const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData();
  const fields: Record<string, unknown> = {};
  let file: SpokenTo["file"];
  for (const [name, value] of form) {
    if (typeof value === "string") fields[name] = value;
    else file = { name: value.name, type: value.type, bytes: Buffer.from(await value.arrayBuffer()) };
  }
  return { path, headers, fields, ...(file && { file }) };
}

/** Ogg with Opus in it, as far as its length is read from it: a first page with the header and a last one with the count. */
export function oggOf(seconds: number): Buffer {
  const page = (samples: number, content: string) => {
    const head = Buffer.alloc(28);
    head.write("OggS", 0, "latin1");
    head.writeBigInt64LE(BigInt(samples), 6);
    head[26] = 1;
    head[27] = content.length;
    return Buffer.concat([head, Buffer.from(content, "latin1")]);
  };
  return Buffer.concat([page(0, "OpusHead........"), page(seconds * 48_000, "sound")]);
}
