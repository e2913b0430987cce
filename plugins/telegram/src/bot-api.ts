import { Api } from "grammy/web";

/** @param seconds after which a request counts as lost */
export function openApi(token: string, apiRoot: string, seconds: number): Api {
  return new Api(token, { apiRoot: apiRoot.replace(/\/+$/, ""), timeoutSeconds: seconds });
}

/** grammY's types name an older copy of the same class. */
export function signalOf(signal: AbortSignal | undefined): Parameters<Api["getMe"]>[0] {
  return signal as unknown as Parameters<Api["getMe"]>[0];
}
