import type { WallNotes } from "../../../contract/index.ts";
import type { Authority } from "./secrets/authority.ts";

/**
 * The walls around one process: what it sees of the files, which programs it can start, and whom it reaches. Everything
 * that is not named is not there for it.
 */
export interface Wall {
  /** Absolute paths of folders and files that it may read. One that does not exist is left out. */
  read: readonly string[];
  /** Absolute paths of folders and files that it may change. One that does not exist is left out. */
  write: readonly string[];
  /** What is seen at another path than its own; among what lies in each other, the outer one comes first. */
  shown?: readonly Shown[];
  /** Absolute paths that stay hidden also inside of the folders above, except for those named themselves. */
  hidden: readonly string[];
  /** `named`: names that are looked up in the `PATH` of its environment, or absolute paths. */
  programs: "none" | "any" | { named: readonly string[] };
  /** Decides about each connection; absent: there is no network at all. */
  network?: NetworkJudge;
  /** Secrets for which it holds placeholders; absent: it has what it was given. */
  putIn?: PutIn;
  /** Told of each thing that was tried and refused. What the process itself reports may be missing or made up. */
  refused?(attempt: Attempt): void;
}

/** A file or folder that a process sees at the path `at`. Only where `canShow` (start.ts) says that the walls can do that. */
export interface Shown {
  at: string;
  /** Where it lies. */
  from: string;
  access: "read" | "write";
}

/** Secrets that are put into what a process sends, and who vouches for the hosts on the way to which that is done. */
export interface PutIn {
  secrets: readonly PutInSecret[];
  authority: Pick<Authority, "certificate" | "identityOf">;
}

/** A secret that a process does not have. It has a placeholder, which becomes the value on the way to these hosts alone. */
export interface PutInSecret {
  /** A text that nobody can guess, of letters, digits and dashes. */
  placeholder: string;
  /** Exact hosts, with a port where that is not 443 (`exactHostSchema`). */
  hosts: readonly string[];
  /** The value, looked up when it is used; undefined when there is none any more. May throw. */
  value(): string | undefined;
}

/** Something that a walled process tried and did not get. */
export interface Attempt {
  wall: "network" | "files" | "programs" | "signals" | "secrets";
  /** What it wanted: a host with its port, a path, a program; for `secrets` where it sent a placeholder. */
  target: string;
  /**
   * `wall`: the wall itself saw it. `process`: it was reported from inside the process, which a plugin can prevent or
   * make up.
   */
  seenBy: "wall" | "process";
}

/** A place that a process wants to connect to. */
export interface NetworkTarget {
  /** As the process named it: a host name in lower case, or an IP address. */
  host: string;
  /** Null while only the addresses of the name are asked for. */
  port: number | null;
  /**
   * The IP addresses that the name has; a single one when the process gave an address. Looked up at the first call,
   * because a name that is asked for on the network can itself carry something out.
   */
  addresses(): Promise<readonly string[]>;
}

export type Verdict = { allowed: true } | { allowed: false; why: string };

export interface NetworkJudge {
  /** May ask the person, so it can take minutes. `signal`: the process gave up, or is gone. */
  decide(target: NetworkTarget, signal: AbortSignal): Promise<Verdict>;
  /** Whether a connection that was allowed would be allowed now, without asking anybody. Absent: it stays. */
  holds?(target: NetworkTarget): Promise<boolean>;
  /** Calls the listener when what holds may have changed; the returned function ends that. */
  follow?(listener: () => void): () => void;
}

/** Which walls stand on this machine. */
export interface WallReport {
  /** True: files, programs, network and other processes are walled off by the operating system. */
  stands: boolean;
  /** What holds, in words: `bubblewrap 0.8.0`; null when nothing does. */
  by: string | null;
  /** Why nothing holds, as a sentence; null when it stands. */
  problem: string | null;
  /** What the person can do about it, for example a command to install it; null when there is nothing. */
  help: string | null;
  /** The command that installs what is missing; null when no command does. */
  command: string | null;
  /** Whether they limit which programs are started: a plugin that was granted some starts any where they do not. */
  limitsPrograms: boolean;
  /** What these walls leave open that others hold, each a sentence; empty where nothing stands. */
  gaps: readonly string[];
  /** Why not all that plugins try can be seen, as a sentence; null when it can. What they try is refused all the same. */
  unseen: string | null;
  /** The same sentences by name, for screens of other languages. */
  notes: WallNotes;
}

/** What a report is made from: that nothing stands. */
export const nothingStands: WallReport = {
  stands: false,
  by: null,
  problem: null,
  help: null,
  command: null,
  limitsPrograms: false,
  gaps: [],
  unseen: null,
  notes: { problem: null, help: null, gaps: [], unseen: null },
};

/** What happens to the walls by itself. */
export type WallEvents = {
  /** The report says something else than before. */
  report: [];
  /** The watcher ended while it watched: what runs behind its walls cannot go on as it should. */
  watcherLost: [];
};
