import type { WallNote } from "../../../contract/index.ts";
import { nothingStands, type WallReport } from "./wall.ts";

/** The report of a machine on which nothing stands. `command`: what installs the missing part; null: nothing does. */
export function nothing(problem: WallNote, help: WallNote | null, command: string | null = null): WallReport {
  return {
    ...nothingStands,
    problem: sentenceOf(problem),
    help: help && sentenceOf(help),
    command,
    notes: { ...nothingStands.notes, problem, help },
  };
}

/** The report with what the walls leave open. */
export function withGaps(report: WallReport, gaps: readonly WallNote[]): WallReport {
  return { ...report, gaps: gaps.map(sentenceOf), notes: { ...report.notes, gaps } };
}

/** The report with the reason why not all attempts can be seen; null: they can. */
export function withUnseen(report: WallReport, unseen: WallNote | null): WallReport {
  return { ...report, unseen: unseen && sentenceOf(unseen), notes: { ...report.notes, unseen } };
}

/** The note as an English sentence, for the terminal, the doctor and the log. */
export function sentenceOf({ code, name = "", reason = "" }: WallNote): string {
  return sentences[code].replace("{name}", () => name).replace("{reason}", () => reason);
}

const sentences: Record<WallNote["code"], string> = {
  bubblewrapMissing: "bubblewrap is not installed on this machine.",
  bubblewrapRefused: "{name} is installed, but this system does not let it make a sandbox ({reason}).",
  windows:
    "No wall stands on Windows: the sandbox that Patchbay could use there gives one list of folders to all plugins together, and setting it up needs an administrator.",
  otherSystem: "Patchbay has no walls for this operating system yet.",
  libraryMissing: "The part of Patchbay that makes walls is not installed ({name}).",
  nodeOld: "The walls need Node 22.12 or newer.",
  toolsMissing: "{name} cannot be used on this machine.",
  failed: "{reason}",

  install: "Install it: {name}",
  installBubblewrap: "Install your system's package bubblewrap.",
  appArmor:
    "AppArmor forbids it on this system. An administrator can allow it for bubblewrap with an AppArmor profile for /usr/bin/bwrap that has the rule `userns,`.",
  userNamespaces: "An administrator can allow it: sudo sysctl kernel.unprivileged_userns_clone=1",
  moreNamespaces: "An administrator can allow it: sudo sysctl user.max_user_namespaces=15000",
  container: "Containers often forbid it; the container then needs the right to make user namespaces.",
  reinstall: "Install Patchbay again.",
  ownNode: "Run Patchbay with its own Node.",
  outsideSandbox:
    "It is part of macOS, and is refused to a program that runs in a sandbox itself: start Patchbay outside of one.",
  lookAgain: "Look again when you have changed something.",

  macUntried:
    "The authors of Patchbay have not tried this on macOS. Patchbay tries the wall itself before it starts the first plugin.",
  macReadable:
    "Your home folder, other disks and Patchbay's own folder are closed; what belongs to the system and to all its users can be read.",
  macPrograms:
    "Which programs a plugin starts is not limited by the system, nor how much memory and how many processes it takes. What it starts is held like itself, and can go on after its plugin has ended.",
  macServices:
    "A plugin can list the processes of this computer (not signal them), and ask services of macOS such as the keychain, which decides by its own rules.",
  linuxPrograms:
    "These are the walls of other systems, tried on Linux: which programs a plugin starts is not limited.",

  processorUnknown: "This processor's system calls are not known.",
  perlMissing: "It takes perl at {name}, which is not there: install your system's package perl.",
  linuxOld: "It takes Linux 5.9 or newer.",
  tracingForbidden: "This system forbids looking at other processes (ptrace_scope is 3).",
  noNotifications: "This system does not let programs be watched (seccomp notifications).",
  notListening: "This system does not let Patchbay listen to what walled programs ask of it.",
};
