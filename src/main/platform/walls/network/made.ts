import type { Socket } from "node:net";
import type { Attempt, NetworkJudge, NetworkTarget } from "../wall.ts";

/** A connection's place, with its port. */
type Place = NetworkTarget & { port: number };

/** The open connections of a walled process. One that it may not have any more ends as soon as the judge says so. */
export class MadeConnections {
  readonly #judge: NetworkJudge;
  readonly #refused: (attempt: Attempt) => void;
  readonly #places = new Map<Socket, Place>();
  readonly #unfollow: () => void;

  constructor(judge: NetworkJudge, refused: (attempt: Attempt) => void) {
    this.#judge = judge;
    this.#refused = refused;
    this.#unfollow = judge.follow?.(() => void this.#judgeAgain()) ?? (() => {});
  }

  add(socket: Socket, place: Place): void {
    this.#places.set(socket, place);
    socket.once("close", () => this.#places.delete(socket));
  }

  close(): void {
    this.#unfollow();
  }

  async #judgeAgain(): Promise<void> {
    for (const [socket, place] of [...this.#places]) {
      const holds = await this.#judge.holds?.(place).catch(() => false);
      if (holds !== false || socket.destroyed) continue;
      this.#refused({ wall: "network", target: `${place.host}:${place.port}`, seenBy: "wall" });
      socket.destroy();
    }
  }
}
