/** A file, or a folder with the files of a vault, that was damaged or changed by something else, and was set aside. */
export interface SetAsideFile {
  /** The place below the home folder, with `/` between its parts. */
  name: string;
  /** When it was set aside, milliseconds since 1970. */
  at: number;
  bytes: number;
  /** Whose it is; null where it belongs to no agent. */
  agentId: string | null;
  /** It can be read as text. A vault's files cannot. */
  isText: boolean;
}

/** What lies beside the files in use and is not used any more. Names that `list` does not know are refused. */
export interface SetAsideFiles {
  /** Newest first. */
  list(): Promise<SetAsideFile[]>;
  /** @throws PatchbayError NOT_FOUND, READ_FAILED */
  read(name: string): Promise<string>;
  /** @throws PatchbayError NOT_FOUND, WRITE_FAILED */
  delete(name: string): Promise<void>;
}
