export const wallNoteStrings = {
  "walls.note.bubblewrapMissing": "bubblewrap is not installed on this machine.",
  "walls.note.bubblewrapRefused":
    "{{name}} is installed, but this system does not let it make a sandbox ({{reason}}).",
  "walls.note.windows":
    "No wall stands on Windows: the sandbox that Patchbay could use there gives one list of folders to all plugins together, and setting it up needs an administrator.",
  "walls.note.otherSystem": "Patchbay has no walls for this operating system yet.",
  "walls.note.libraryMissing": "The part of Patchbay that makes walls is not installed ({{name}}).",
  "walls.note.nodeOld": "The walls need Node 22.12 or newer.",
  "walls.note.toolsMissing": "This cannot be used on this computer: {{name}}.",
  "walls.note.failed": "The wall did not hold when Patchbay tried it: {{reason}}",
  "walls.note.install": "Install it: {{name}}",
  "walls.note.installBubblewrap": "Install your system's package bubblewrap.",
  "walls.note.appArmor":
    "AppArmor forbids it on this system. An administrator can allow it for bubblewrap with an AppArmor profile for /usr/bin/bwrap that has the rule “userns,”.",
  "walls.note.userNamespaces":
    "An administrator can allow it: sudo sysctl kernel.unprivileged_userns_clone=1",
  "walls.note.moreNamespaces": "An administrator can allow it: sudo sysctl user.max_user_namespaces=15000",
  "walls.note.container":
    "Containers often forbid it; the container then needs the right to make user namespaces.",
  "walls.note.reinstall": "Install Patchbay again.",
  "walls.note.ownNode": "Run Patchbay with its own Node.",
  "walls.note.outsideSandbox":
    "It is part of macOS, and is refused to a program that runs in a sandbox itself: start Patchbay outside of one.",
  "walls.note.lookAgain": "Look again when you have changed something.",
  "walls.note.macUntried":
    "The authors of Patchbay have not tried this on macOS. Patchbay tries the wall itself before it starts the first plugin.",
  "walls.note.macReadable":
    "Your home folder, other disks and Patchbay's own folder are closed; what belongs to the system and to all its users can be read.",
  "walls.note.macPrograms":
    "Which programs a plugin starts is not limited by the system, nor how much memory and how many processes it takes. What it starts is held like itself, and can go on after its plugin has ended.",
  "walls.note.macServices":
    "A plugin can list the processes of this computer (not signal them), and ask services of macOS such as the keychain, which decides by its own rules.",
  "walls.note.linuxPrograms":
    "These are the walls of other systems, tried on Linux: which programs a plugin starts is not limited.",
  "walls.note.processorUnknown": "The system calls of this processor are not known.",
  "walls.note.perlMissing":
    "It takes perl at {{name}}, which is not there: install your system's package perl.",
  "walls.note.linuxOld": "It takes Linux 5.9 or newer.",
  "walls.note.tracingForbidden": "This system forbids looking at other processes (ptrace_scope is 3).",
  "walls.note.noNotifications": "This system does not let programs be watched (seccomp notifications).",
  "walls.note.notListening": "This system does not let Patchbay listen to what walled programs ask of it.",
} as const;
