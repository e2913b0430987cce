import { Api } from "grammy/web";

type ApiOptions = NonNullable<ConstructorParameters<typeof Api>[1]>;

/** @param seconds after which a request counts as lost */
export function openApi(token: string, apiRoot: string, seconds: number): Api {
  return new Api(token, {
    apiRoot: apiRoot.replace(/\/+$/, ""),
    timeoutSeconds: seconds,
    // grammY's types name an older copy of the same function.
    fetch: fetchAnswer as unknown as NonNullable<ApiOptions["fetch"]>,
  });
}

/** grammY's types name an older copy of the same class. */
export function signalOf(signal: AbortSignal | undefined): Parameters<Api["getMe"]>[0] {
  return signal as unknown as Parameters<Api["getMe"]>[0];
}

/**
 * Fetches an answer of the Bot API. A request that is too large is refused by a server in front of the API, with an
 * HTML page, which would look like a passing failure: it is turned into the API's own refusal. Any other page is taken
 * as a passing failure, because the same request may succeed later.
 */
async function fetchAnswer(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request);
  const isAnswer = response.headers.get("content-type")?.includes("json") === true;
  if (response.status !== 413 || isAnswer) return response;
  await response.body?.cancel();
  const description = "Request Entity Too Large";
  return Response.json({ ok: false, error_code: 413, description }, { status: 413 });
}
