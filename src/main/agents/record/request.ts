import type { Api, Message, Model } from "@earendil-works/pi-ai";

/**
 * What a model is sent, as the record keeps it. The times of messages are left out: no provider is told them, and without
 * them what is sent again is the same.
 */
export function requestOf(model: Model<Api>, messages: readonly Message[]): unknown {
  return {
    model: { api: model.api, provider: model.provider, id: model.id, baseUrl: model.baseUrl },
    messages: messages.map(({ timestamp: _timestamp, ...message }) => message),
  };
}
