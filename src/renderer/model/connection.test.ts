import { describe, expect, it } from "vitest";
import { connectionOf, withoutConnection } from "./connection.ts";

describe("what a channel reports", () => {
  it("is read where it has the shape of a connection, and left alone where not", () => {
    const state = {
      account: "@bot",
      connectedSince: "2026-01-01T00:00:00Z",
      queue: { in: 1, out: 2 },
      reconnects: 3,
    };
    expect(connectionOf(state)).toMatchObject({ ...state, lastIn: null, status: null });
    expect(connectionOf({ account: 7, queue: "full" })).toMatchObject({ account: null, queue: null });
    expect(connectionOf({ pages: 3 })).toBeNull();
    expect(connectionOf(null)).toBeNull();
  });

  it("leaves what is its own for the list of values", () => {
    expect(withoutConnection({ account: "@bot", pages: 3, received: 4 })).toEqual({ pages: 3 });
  });
});
