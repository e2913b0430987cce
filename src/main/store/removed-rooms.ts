/** What is removed: an agent with everything of it, or one of its conversations. */
export interface Removable {
  agentId: string;
  sessionId?: string | undefined;
}

/**
 * Where what was removed is kept, each under a name of its own (`room`). Every step may be done again after it was cut
 * short, and goes on where it ended. All throw NOT_FOUND for a name that cannot be one, and WRITE_FAILED.
 */
export interface RemovedRooms {
  /** A name for what is about to be removed, by its agent and the time. */
  nameFor(thing: Removable, at: number): string;
  /** Names of all that is kept. */
  list(): Promise<string[]>;
  /** Whether the whole, or a part of it, is kept under this name. */
  has(room: string): boolean;
  /** Moves it out of use. */
  take(room: string, thing: Removable): Promise<void>;
  /**
   * Moves it back into use. The row of an agent does not come back: whoever calls has it, and writes it afterwards.
   * @throws PatchbayError AGENT_EXISTS, SESSION_EXISTS when something is there; nothing is moved then
   */
  putBack(room: string, thing: Removable): Promise<void>;
  /** Deletes it. */
  delete(room: string): Promise<void>;
  /** Bytes that it takes. @throws PatchbayError READ_FAILED */
  bytes(room: string): Promise<number>;
  /** Bytes in a folder that is kept elsewhere. @throws PatchbayError READ_FAILED */
  bytesBelow(folder: string): Promise<number>;
  /** How many conversations are in it. */
  sessions(room: string): Promise<number>;
}
