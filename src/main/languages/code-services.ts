/** What language servers know of the code in an agent's workspace. */
export interface CodeServices {
  /** Whether a language server could answer about a file, or about any. False where the plugin may not read the workspace. */
  has(file?: string): Promise<boolean>;
  /**
   * Lines and characters count from 1.
   * @returns the answer in the form of the Language Server Protocol; null where no server runs for such files or none answered
   * @throws PatchbayError BAD_INPUT for an operation, a place or a file that is none; FORBIDDEN where it may not read the workspace
   */
  ask(
    question: { operation: string; file: string; line?: number; character?: number; query?: string },
    signal: AbortSignal,
  ): Promise<unknown>;
}
