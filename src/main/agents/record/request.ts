import type { Api, Message, Model } from "@earendil-works/pi-ai";

/**
 * The request to a model, as the record keeps it. The times of messages are left out: providers do not get them, and
 * without them a repeated part of a request is equal to the earlier one.
 */
export function requestOf(model: Model<Api>, messages: readonly Message[]): unknown {
  return {
    model: { api: model.api, provider: model.provider, id: model.id, baseUrl: model.baseUrl },
    messages: messages.map(({ timestamp: _timestamp, ...message }) => message),
  };
}
