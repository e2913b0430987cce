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
 * A server before the Bot API refuses what is too large with a page of its own, which would look like a passing failure. Any
 * other page is one: what is asked again later may come through.
 */
async function fetchAnswer(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request);
  const isAnswer = response.headers.get("content-type")?.includes("json") === true;
  if (response.status !== 413 || isAnswer) return response;
  await response.body?.cancel();
  const description = "Request Entity Too Large";
  return Response.json({ ok: false, error_code: 413, description }, { status: 413 });
}
