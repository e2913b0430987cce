import { type ErrorCode, PatchbayError, type Problem } from "../../../../contract/index.ts";
import { isObject } from "../../../../contract/is-object.ts";
import { isoOf } from "../../../base/clock.ts";

/** The last exchange with a provider, as seen by our own `fetch` and not by the provider's library. */
export type LastExchange =
  | { kind: "none" }
  /** `lost`: there was a connection, and it broke before the answer began. */
  | { kind: "unreachable"; why: string; lost?: boolean }
  | {
      kind: "answered";
      status: number;
      contentType: string;
      /** When the provider takes requests again, in milliseconds since 1970; null where it did not say. */
      retryAt: number | null;
      /** The connection was lost while the answer was read. */
      cut: boolean;
    };

export interface AskedModel {
  baseUrl: string;
  model: string;
  hasKey: boolean;
}

/** Nobody is asked to wait for longer, in milliseconds. */
const LONGEST_WAIT_MS = 3_600_000;

/**
 * Why a call of a model failed, as a sentence of ours. Judged by what the connection showed; of what the provider wrote, only a
 * plain sentence of its own is repeated. `answer`: the text of the failure as the library tells it; it stands in the details.
 */
export function modelFailure(
  last: LastExchange,
  asked: AskedModel,
  answer: string,
  /** How the provider says that it ended the answer. */
  ended?: string,
  now = 0,
): Problem {
  const { code, message, more } = judged(last, asked, answer, ended, now);
  const { baseUrl, model } = asked;
  const details = { provider: providerOf(baseUrl), model, baseUrl, ...more, answer: answer.slice(0, 4_000) };
  return new PatchbayError(code, message, { details }).toProblem();
}

/** A model that ended its turn without a word and without a call. */
export function emptyAnswer(model: string): Problem {
  return new PatchbayError("MODEL_EMPTY", `${model} answered with nothing.`, {
    details: { model },
  }).toProblem();
}

interface Judgement {
  code: ErrorCode;
  message: string;
  more?: Record<string, string | number>;
}

function judged(
  last: LastExchange,
  asked: AskedModel,
  answer: string,
  ended: string | undefined,
  now: number,
): Judgement {
  const { baseUrl, model } = asked;
  const provider = providerOf(baseUrl);
  const cutOff = {
    code: "MODEL_CUT" as const,
    message: `The connection to ${provider} was cut before the answer was complete.`,
  };
  if (last.kind === "unreachable")
    return last.lost
      ? cutOff
      : { code: "MODEL_UNREACHABLE", message: `${baseUrl} did not answer: ${last.why}.` };
  const said = sentenceIn(answer);
  const { contentType, cut, ...answered } =
    last.kind === "none" ? { contentType: "", cut: false, status: 0, retryAt: null } : last;
  const status = meantBy(answered.status, answer);
  const retryAt = answered.retryAt ?? retryTimeIn(answer, now);
  const more = { ...(status > 0 && { status }) };
  const isPage = contentType.startsWith("text/html");
  if (isWithheld(answer, ended))
    return {
      code: "MODEL_WITHHELD",
      message: `${provider} withheld the answer because of its contents.`,
      more,
    };
  if (status === 401 || status === 403 || isAboutKey(answer)) {
    const whose = model === "" ? "" : ` for ${model}`;
    const message = asked.hasKey
      ? `${provider} refused the key${whose}.`
      : `${provider} asks for a key, and none is stored${whose}.`;
    return { code: "MODEL_KEY_REFUSED", message, more };
  }
  if (status === 402 || (status === 429 && isAboutCredit(answer)))
    return { code: "MODEL_NO_CREDIT", message: `The account at ${provider} has no credit left.`, more };
  if (status === 429) {
    const message = `${provider} takes no more requests at the moment.`;
    return { code: "MODEL_BUSY", message, more: { ...more, ...timeIn(retryAt) } };
  }
  if (status === 529 || status === 503) {
    const message = `${provider} is overloaded at the moment.`;
    return { code: "MODEL_BUSY", message, more: { ...more, ...timeIn(retryAt) } };
  }
  if (isPage && status < 500)
    return { code: "MODEL_NOT_A_MODEL", message: `${baseUrl} is no address of a model.`, more };
  if (isAboutLength(status, answer))
    return { code: "MODEL_CONTEXT_FULL", message: `The conversation is too long for ${model}.`, more };
  if (status === 404 || isAboutModel(answer))
    return { code: "MODEL_NOT_FOUND", message: `${provider} does not know the model ${model}.`, more };
  if (status >= 500) {
    const message = `${provider} has a fault of its own (${status}).`;
    return { code: "MODEL_BROKEN", message, more: { ...more, ...timeIn(retryAt) } };
  }
  if (status >= 300 && status < 400)
    return { code: "MODEL_NOT_A_MODEL", message: `${baseUrl} is no address of a model.`, more };
  if (status >= 400) return { ...failed(model, said), more };
  if (last.kind === "none") return failed(model, said);
  if (cut || said === null) return { ...cutOff, more };
  return { ...failed(model, said), more };
}

/** The status that an answer means. A stream that had begun well tells of a failure in its own words. */
function meantBy(status: number, answer: string): number {
  if (status >= 300) return status;
  if (/overloaded/i.test(answer)) return 529;
  if (/rate_limit|throttl|too many requests|RESOURCE_EXHAUSTED/i.test(answer)) return 429;
  if (/"?(api_error|server_error|internal_error)\b/i.test(answer)) return 500;
  if (/AccessDenied|UnrecognizedClient|security token|authentication_error/i.test(answer)) return 403;
  return status;
}

function isAboutKey(answer: string): boolean {
  return /API_KEY_INVALID|API key not valid|invalid_api_key|incorrect api key/i.test(answer);
}

function isAboutModel(answer: string): boolean {
  return /model_not_found|not_found_error|model not exist|(invalid|unknown) model\b|not a valid model|model.{0,80}(does not exist|not found)|model identifier is invalid/i.test(
    answer,
  );
}

/** Sentences in which providers say that a conversation is longer than their model can read. */
function isAboutLength(status: number, answer: string): boolean {
  if (status !== 400 && status !== 413 && status >= 300) return false;
  return /prompt (is )?too long|request_too_large|context[_ ](length|window|size)|exceeds? the (maximum|limit)|maximum (prompt|context) length|input token count|reduce the length|too many (input )?tokens|token limit|input is too long|range of input length/i.test(
    answer,
  );
}

function isWithheld(answer: string, ended = ""): boolean {
  return (
    /^(refusal|content_filter|SAFETY|PROHIBITED_CONTENT|BLOCKLIST|SPII|IMAGE_SAFETY|RECITATION)$/i.test(
      ended,
    ) ||
    /content_filter|content management policy|content_policy_violation|PROHIBITED_CONTENT|Provider stopped with: SAFETY|refused to/i.test(
      answer,
    )
  );
}

/** Google says in the body how long to wait: `"retryDelay": "12s"`. */
function retryTimeIn(answer: string, now: number): number | null {
  const seconds = /retryDelay\\?"\s*:\s*\\?"(\d+(?:\.\d+)?)s/.exec(answer)?.[1];
  return seconds === undefined ? null : now + Number(seconds) * 1_000;
}

function failed(model: string, said: string | null): Judgement {
  const message = said
    ? `${model} did not take the request: ${said.replace(/\.$/, "")}.`
    : `${model} did not take the request.`;
  return { code: "MODEL_FAILED", message, ...(said && { more: { said } }) };
}

function timeIn(retryAt: number | null): Record<string, string> {
  return retryAt === null ? {} : { retryAt: isoOf(retryAt) };
}

/** The provider's name for a person: the host of its address. */
function providerOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl;
}

function isAboutCredit(answer: string): boolean {
  return /insufficient_quota|credit balance|billing/i.test(answer);
}

/** The provider's own sentence in an answer: of JSON its `message`. Null for pages, other JSON, and nothing. */
function sentenceIn(answer: string): string | null {
  const text = answer.trim().replace(/^\d{3}[:\s]+/, "");
  const begin = text.indexOf("{");
  if (begin !== -1) return messageOf(text.slice(begin));
  if (text === "" || text.includes("<")) return null;
  const line = (text.split("\n")[0] ?? "").trim();
  return isAboutTheStream(line) ? null : line.slice(0, 300) || null;
}

/** Sentences of the library about how a stream ended, which tell a person nothing. */
function isAboutTheStream(line: string): boolean {
  return /stream|terminated|socket|fetch failed|no body|status code|no reason was given|parse|json|finish_reason|connection error/i.test(
    line,
  );
}

function messageOf(json: string): string | null {
  try {
    const value: unknown = JSON.parse(json.slice(0, json.lastIndexOf("}") + 1));
    const error = isObject(value) && isObject(value.error) ? value.error : value;
    const message = isObject(error) ? error.message : undefined;
    if (typeof message !== "string" || /[{<]/.test(message)) return null;
    return message.split("\n")[0]?.trim().slice(0, 300) || null;
  } catch {
    return null;
  }
}

/**
 * The time of a `Retry-After` header in milliseconds since 1970: a number of seconds or a date (RFC 9110, 10.2.3). Null
 * where there is none to be read, or it is too far away to wait for.
 */
export function retryTime(header: string | null, now: number): number | null {
  if (header === null) return null;
  const time = /^\d+(\.\d+)?$/.test(header.trim()) ? now + Number(header) * 1_000 : Date.parse(header);
  return Number.isNaN(time) || time - now > LONGEST_WAIT_MS ? null : Math.max(now, time);
}
