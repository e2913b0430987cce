/** What a provider is to say in one answer. */
export interface Said {
  thinking?: string;
  text?: string[];
  /** `arguments`: in the pieces in which they are streamed. */
  calls?: { id: string; name: string; arguments: string[] }[];
  /** Why it ends; absent: as it should. `withheld`: because of its contents. */
  ends?: "withheld";
}

/** How a provider speaks: its answers as server-sent events, its failures as it writes them, and its list of models. */
export interface Wire {
  /** Of `ModelConfig`, without address and key. */
  config: Record<string, unknown>;
  /** Where requests for an answer arrive, below the address of its configuration. */
  path: RegExp;
  /** The header that has the key. */
  key: { header: string; value(key: string): string };
  /** What is put behind the server's address for `baseUrl`. */
  base: string;
  stream(said: Said): string[];
  error(kind: Failure): { status: number; headers?: Record<string, string>; body: unknown };
  models(ids: readonly string[]): unknown;
  /** The parts of a request that every one of them has, in a form that can be compared. */
  read(body: Record<string, unknown>): Asked;
}

export type Failure = "key" | "model" | "long" | "rate" | "overloaded" | "broken";

export interface Asked {
  system: string;
  tools: string[];
  /** Pictures, by their media types. */
  pictures: string[];
  /** Results of tools that were given back, as text. */
  results: string[];
  /** What it was told about thinking; undefined: nothing. */
  thinking: unknown;
  /** Signed thoughts of its own that it was given back. */
  thoughts: string[];
}

type Json = Record<string, unknown>;
const list = (value: unknown) => (Array.isArray(value) ? (value as Json[]) : []);
const object = (value: unknown) => (typeof value === "object" && value !== null ? (value as Json) : {});
const text = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
const line = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;

const rateHeaders = { "retry-after": "1" };

const openaiErrors: Record<Failure, { status: number; headers?: Record<string, string>; error: Json }> = {
  key: {
    status: 401,
    error: {
      message: "Incorrect API key provided: sk-w…",
      type: "invalid_request_error",
      code: "invalid_api_key",
    },
  },
  model: {
    status: 404,
    error: {
      message: "The model `m` does not exist or you do not have access to it.",
      type: "invalid_request_error",
      code: "model_not_found",
    },
  },
  long: {
    status: 400,
    error: {
      message: "Your input exceeds the context window of this model.",
      type: "invalid_request_error",
      code: "context_length_exceeded",
    },
  },
  rate: {
    status: 429,
    headers: rateHeaders,
    error: { message: "Rate limit reached for m.", type: "requests", code: "rate_limit_exceeded" },
  },
  overloaded: {
    status: 503,
    headers: rateHeaders,
    error: { message: "The engine is currently overloaded.", type: "service_unavailable" },
  },
  broken: { status: 500, error: { message: "The server had an error.", type: "server_error" } },
};
const openaiError = (kind: Failure) => {
  const { error, ...rest } = openaiErrors[kind];
  return { ...rest, body: { error: { param: null, ...error } } };
};

/** https://platform.openai.com/docs/api-reference/chat/streaming */
export const openaiChat: Wire = {
  config: { kind: "openai", model: "gpt-5" },
  path: /^\/v1\/chat\/completions$/,
  key: { header: "authorization", value: (key) => `Bearer ${key}` },
  base: "/v1",
  stream({ thinking, text: pieces = [], calls = [], ends }) {
    const chunk = (delta: Json, finish: string | null = null) =>
      line({
        id: "chatcmpl-1",
        object: "chat.completion.chunk",
        created: 1,
        model: "gpt-5",
        choices: [{ index: 0, delta, finish_reason: finish }],
      });
    const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
    return [
      chunk({ role: "assistant", content: "" }),
      ...(thinking === undefined ? [] : [chunk({ reasoning_content: thinking })]),
      ...pieces.map((content) => chunk({ content })),
      ...calls.flatMap(({ id, name, arguments: parts }, index) => [
        chunk({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] }),
        ...parts.map((part) => chunk({ tool_calls: [{ index, function: { arguments: part } }] })),
      ]),
      chunk({}, ends ? "content_filter" : calls.length > 0 ? "tool_calls" : "stop"),
      line({
        id: "chatcmpl-1",
        object: "chat.completion.chunk",
        created: 1,
        model: "gpt-5",
        choices: [],
        usage,
      }),
      "data: [DONE]\n\n",
    ];
  },
  error: openaiError,
  models: (ids) => ({ object: "list", data: ids.map((id) => ({ id, object: "model", owned_by: "openai" })) }),
  read(body) {
    const messages = list(body.messages);
    const parts = messages.flatMap(({ content }) => list(content));
    return {
      system: messages
        .filter(({ role }) => role === "system" || role === "developer")
        .map(({ content }) => text(content))
        .join("\n"),
      tools: list(body.tools).map((tool) => text(object(tool.function).name)),
      pictures: parts.flatMap((part) =>
        part.type === "image_url" ? [/^data:([^;]+)/.exec(text(object(part.image_url).url))?.[1] ?? ""] : [],
      ),
      results: messages.filter(({ role }) => role === "tool").map(({ content }) => text(content)),
      thinking: body.reasoning_effort,
      thoughts: [],
    };
  },
};

/** https://platform.openai.com/docs/api-reference/responses-streaming */
export const openaiResponses: Wire = {
  ...openaiChat,
  config: { kind: "provider", provider: "openai", model: "gpt-5" },
  path: /^\/v1\/responses$/,
  stream({ thinking, text: pieces = [], calls = [], ends }) {
    let number = 0;
    const event = (type: string, data: Json) => {
      number += 1;
      return `event: ${type}\n${line({ type, sequence_number: number, ...data })}`;
    };
    const events = [
      event("response.created", { response: { id: "resp_1", status: "in_progress", output: [] } }),
    ];
    let output_index = 0;
    if (thinking !== undefined) {
      const item = {
        id: "rs_1",
        type: "reasoning",
        summary: [{ type: "summary_text", text: thinking }],
        encrypted_content: "c2VhbGVk",
      };
      events.push(
        event("response.output_item.added", { output_index, item: { ...item, summary: [] } }),
        event("response.reasoning_summary_part.added", {
          output_index,
          item_id: "rs_1",
          summary_index: 0,
          part: { type: "summary_text", text: "" },
        }),
        event("response.reasoning_summary_text.delta", {
          output_index,
          item_id: "rs_1",
          summary_index: 0,
          delta: thinking,
        }),
        event("response.output_item.done", { output_index, item }),
      );
      output_index += 1;
    }
    if (pieces.length > 0) {
      const item = { id: "msg_1", type: "message", role: "assistant", status: "in_progress", content: [] };
      const whole = { type: "output_text", text: pieces.join(""), annotations: [] };
      events.push(
        event("response.output_item.added", { output_index, item }),
        event("response.content_part.added", {
          output_index,
          item_id: "msg_1",
          content_index: 0,
          part: { ...whole, text: "" },
        }),
        ...pieces.map((delta) =>
          event("response.output_text.delta", { output_index, item_id: "msg_1", content_index: 0, delta }),
        ),
        event("response.output_item.done", {
          output_index,
          item: { ...item, status: "completed", content: [whole] },
        }),
      );
      output_index += 1;
    }
    for (const { id, name, arguments: parts } of calls) {
      const item = {
        id: `fc_${id}`,
        type: "function_call",
        call_id: id,
        name,
        arguments: "",
        status: "in_progress",
      };
      events.push(
        event("response.output_item.added", { output_index, item }),
        ...parts.map((delta) =>
          event("response.function_call_arguments.delta", { output_index, item_id: item.id, delta }),
        ),
        event("response.function_call_arguments.done", {
          output_index,
          item_id: item.id,
          arguments: parts.join(""),
        }),
        event("response.output_item.done", {
          output_index,
          item: { ...item, arguments: parts.join(""), status: "completed" },
        }),
      );
      output_index += 1;
    }
    const usage = {
      input_tokens: 11,
      output_tokens: 7,
      total_tokens: 18,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 3 },
    };
    events.push(
      ends
        ? event("response.incomplete", {
            response: {
              id: "resp_1",
              status: "incomplete",
              incomplete_details: { reason: "content_filter" },
              usage,
            },
          })
        : event("response.completed", { response: { id: "resp_1", status: "completed", usage } }),
    );
    return events;
  },
  read(body) {
    const items = list(body.input);
    const parts = items.flatMap(({ content }) => list(content));
    return {
      system: items
        .filter(({ role }) => role === "system" || role === "developer")
        .map(({ content }) => text(content))
        .join("\n"),
      tools: list(body.tools).map(({ name }) => text(name)),
      pictures: parts.flatMap((part) =>
        part.type === "input_image" ? [/^data:([^;]+)/.exec(text(part.image_url))?.[1] ?? ""] : [],
      ),
      results: items.filter(({ type }) => type === "function_call_output").map(({ output }) => text(output)),
      thinking: object(body.reasoning).effort,
      thoughts: items
        .filter(({ type }) => type === "reasoning")
        .map(({ encrypted_content: sealed }) => text(sealed)),
    };
  },
};

const anthropicErrors: Record<
  Failure,
  { status: number; headers?: Record<string, string>; type: string; message: string }
> = {
  key: { status: 401, type: "authentication_error", message: "invalid x-api-key" },
  model: { status: 404, type: "not_found_error", message: "model: claude-sonnet-4-5" },
  long: {
    status: 400,
    type: "invalid_request_error",
    message: "prompt is too long: 213462 tokens > 200000 maximum",
  },
  rate: {
    status: 429,
    headers: rateHeaders,
    type: "rate_limit_error",
    message: "This request would exceed your rate limit.",
  },
  overloaded: { status: 529, type: "overloaded_error", message: "Overloaded" },
  broken: { status: 500, type: "api_error", message: "Internal server error" },
};

/** https://docs.anthropic.com/en/api/messages-streaming */
export const anthropic: Wire = {
  config: { kind: "anthropic", model: "claude-sonnet-4-5" },
  path: /^\/v1\/messages/,
  key: { header: "x-api-key", value: (key) => key },
  base: "",
  stream({ thinking, text: pieces = [], calls = [], ends }) {
    const event = (type: string, data: Json) => `event: ${type}\n${line({ type, ...data })}`;
    const message = {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "claude-sonnet-4-5",
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 11, output_tokens: 1 },
    };
    const blocks: { begin: Json; deltas: Json[] }[] = [];
    if (thinking !== undefined)
      blocks.push({
        begin: { type: "thinking", thinking: "", signature: "" },
        deltas: [
          { type: "thinking_delta", thinking },
          { type: "signature_delta", signature: "c2VhbGVk" },
        ],
      });
    if (pieces.length > 0)
      blocks.push({
        begin: { type: "text", text: "" },
        deltas: pieces.map((piece) => ({ type: "text_delta", text: piece })),
      });
    for (const { id, name, arguments: parts } of calls)
      blocks.push({
        begin: { type: "tool_use", id, name, input: {} },
        deltas: parts.map((partial_json) => ({ type: "input_json_delta", partial_json })),
      });
    return [
      event("message_start", { message }),
      event("ping", {}),
      ...blocks.flatMap(({ begin, deltas }, index) => [
        event("content_block_start", { index, content_block: begin }),
        ...deltas.map((delta) => event("content_block_delta", { index, delta })),
        event("content_block_stop", { index }),
      ]),
      event("message_delta", {
        delta: {
          stop_reason: ends ? "refusal" : calls.length > 0 ? "tool_use" : "end_turn",
          stop_sequence: null,
        },
        usage: { output_tokens: 7 },
      }),
      event("message_stop", {}),
    ];
  },
  error(kind) {
    const { type, message, ...rest } = anthropicErrors[kind];
    return { ...rest, body: { type: "error", error: { type, message }, request_id: "req_1" } };
  },
  models: (ids) => ({ data: ids.map((id) => ({ type: "model", id, display_name: id })), has_more: false }),
  read(body) {
    const blocks = list(body.messages).flatMap(({ content }) => list(content));
    const inner = blocks.flatMap((block) => [block, ...list(block.content)]);
    return {
      system: text(body.system),
      tools: list(body.tools).map(({ name }) => text(name)),
      pictures: inner.flatMap((block) =>
        block.type === "image" ? [text(object(block.source).media_type)] : [],
      ),
      results: blocks.filter(({ type }) => type === "tool_result").map(({ content }) => text(content)),
      thinking: object(body.thinking).type,
      thoughts: blocks.filter(({ type }) => type === "thinking").map(({ signature }) => text(signature)),
    };
  },
};

const googleErrors: Record<Failure, { code: number; status: string; message: string; details?: Json[] }> = {
  key: {
    code: 400,
    status: "INVALID_ARGUMENT",
    message: "API key not valid. Please pass a valid API key.",
    details: [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID" }],
  },
  model: {
    code: 404,
    status: "NOT_FOUND",
    message: "models/gemini-2.5-pro is not found for API version v1beta.",
  },
  long: {
    code: 400,
    status: "INVALID_ARGUMENT",
    message: "The input token count (1196265) exceeds the maximum number of tokens allowed (1048576).",
  },
  rate: {
    code: 429,
    status: "RESOURCE_EXHAUSTED",
    message: "You exceeded your current rate.",
    details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "1s" }],
  },
  overloaded: {
    code: 503,
    status: "UNAVAILABLE",
    message: "The model is overloaded. Please try again later.",
  },
  broken: { code: 500, status: "INTERNAL", message: "An internal error has occurred." },
};

/** https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent */
export const google: Wire = {
  config: { kind: "provider", provider: "google", model: "gemini-2.5-pro" },
  path: /^\/v1beta\/models\/gemini-2\.5-pro:streamGenerateContent\?alt=sse$/,
  key: { header: "x-goog-api-key", value: (key) => key },
  base: "/v1beta",
  stream({ thinking, text: pieces = [], calls = [], ends }) {
    const usageMetadata = { promptTokenCount: 11, candidatesTokenCount: 7, totalTokenCount: 18 };
    const chunk = (parts: Json[], more: Json = {}) =>
      line({
        candidates: [{ content: { role: "model", parts }, index: 0, ...more }],
        usageMetadata,
        modelVersion: "gemini-2.5-pro",
        responseId: "r1",
      });
    return [
      ...(thinking === undefined ? [] : [chunk([{ text: thinking, thought: true }])]),
      ...pieces.map((piece) => chunk([{ text: piece }])),
      // Gemini gives the arguments of a call whole.
      ...calls.map(({ id, name, arguments: parts }) =>
        chunk([
          { functionCall: { id, name, args: JSON.parse(parts.join("")) }, thoughtSignature: "c2VhbGVk" },
        ]),
      ),
      chunk([{ text: "" }], { finishReason: ends ? "SAFETY" : "STOP" }),
    ];
  },
  error(kind) {
    const { code, ...error } = googleErrors[kind];
    return { status: code, body: { error: { code, ...error } } };
  },
  models: (ids) => ({
    models: ids.map((id) => ({
      name: `models/${id}`,
      displayName: id,
      inputTokenLimit: 1_000,
      supportedGenerationMethods: ["generateContent"],
    })),
  }),
  read(body) {
    const parts = list(body.contents).flatMap(({ parts: its }) => list(its));
    const inner = parts.flatMap((part) => [part, ...list(object(part.functionResponse).parts)]);
    return {
      system: text(body.systemInstruction),
      tools: list(body.tools).flatMap(({ functionDeclarations }) =>
        list(functionDeclarations).map(({ name }) => text(name)),
      ),
      pictures: inner.flatMap((part) => (part.inlineData ? [text(object(part.inlineData).mimeType)] : [])),
      results: parts.flatMap((part) =>
        part.functionResponse ? [text(object(part.functionResponse).response)] : [],
      ),
      thinking: object(object(body.generationConfig).thinkingConfig).thinkingBudget,
      thoughts: parts.flatMap((part) => (part.thoughtSignature ? [text(part.thoughtSignature)] : [])),
    };
  },
};
