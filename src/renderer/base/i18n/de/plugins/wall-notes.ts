import type { wallNoteStrings as en } from "../../en/plugins/wall-notes.ts";

export const wallNoteStrings: Record<keyof typeof en, string> = {
  "walls.note.bubblewrapMissing": "bubblewrap ist auf diesem Rechner nicht installiert.",
  "walls.note.bubblewrapRefused":
    "{{name}} ist installiert, aber dieses System lässt es keine Sandbox bauen ({{reason}}).",
  "walls.note.windows":
    "Unter Windows steht keine Wand: Die Sandbox, die Patchbay dort nutzen könnte, gibt allen Plugins zusammen eine einzige Liste von Ordnern, und sie einzurichten braucht einen Administrator.",
  "walls.note.otherSystem": "Für dieses Betriebssystem hat Patchbay noch keine Wände.",
  "walls.note.libraryMissing": "Der Teil von Patchbay, der Wände baut, ist nicht installiert ({{name}}).",
  "walls.note.nodeOld": "Die Wände brauchen Node 22.12 oder neuer.",
  "walls.note.toolsMissing": "Das ist auf diesem Rechner nicht zu gebrauchen: {{name}}.",
  "walls.note.failed": "Die Wand hielt nicht, als Patchbay sie prüfte: {{reason}}",
  "walls.note.install": "Installieren Sie es: {{name}}",
  "walls.note.installBubblewrap": "Installieren Sie das Paket bubblewrap Ihres Systems.",
  "walls.note.appArmor":
    "AppArmor verbietet es auf diesem System. Ein Administrator kann es bubblewrap erlauben, mit einem AppArmor-Profil für /usr/bin/bwrap, in dem die Regel „userns,“ steht.",
  "walls.note.userNamespaces":
    "Ein Administrator kann es erlauben: sudo sysctl kernel.unprivileged_userns_clone=1",
  "walls.note.moreNamespaces":
    "Ein Administrator kann es erlauben: sudo sysctl user.max_user_namespaces=15000",
  "walls.note.container":
    "Container verbieten es oft; dann braucht der Container das Recht, User-Namespaces anzulegen.",
  "walls.note.reinstall": "Installieren Sie Patchbay neu.",
  "walls.note.ownNode": "Starten Sie Patchbay mit seinem eigenen Node.",
  "walls.note.outsideSandbox":
    "Es gehört zu macOS und wird einem Programm verweigert, das selbst in einer Sandbox läuft: Starten Sie Patchbay außerhalb davon.",
  "walls.note.lookAgain": "Sehen Sie noch einmal nach, wenn Sie etwas geändert haben.",
  "walls.note.macUntried":
    "Die Autoren von Patchbay haben das auf macOS nicht ausprobiert. Patchbay prüft die Wand selbst, bevor es das erste Plugin startet.",
  "walls.note.macReadable":
    "Ihr persönlicher Ordner, andere Laufwerke und Patchbays eigener Ordner sind verschlossen; was dem System und allen seinen Benutzern gehört, lässt sich lesen.",
  "walls.note.macPrograms":
    "Welche Programme ein Plugin startet, begrenzt das System nicht, auch nicht, wie viel Speicher und wie viele Prozesse es nimmt. Was es startet, wird gehalten wie es selbst und kann weiterlaufen, wenn das Plugin geendet hat.",
  "walls.note.macServices":
    "Ein Plugin kann die Prozesse dieses Rechners auflisten (ihnen aber keine Signale schicken) und Dienste von macOS fragen, etwa den Schlüsselbund, der nach eigenen Regeln entscheidet.",
  "walls.note.linuxPrograms":
    "Das sind die Wände anderer Systeme, unter Linux ausprobiert: Welche Programme ein Plugin startet, ist nicht begrenzt.",
  "walls.note.processorUnknown": "Die Systemaufrufe dieses Prozessors sind nicht bekannt.",
  "walls.note.perlMissing": "Dazu fehlt perl unter {{name}}: Installieren Sie das Paket perl Ihres Systems.",
  "walls.note.linuxOld": "Dazu braucht es Linux 5.9 oder neuer.",
  "walls.note.tracingForbidden":
    "Dieses System verbietet es, andere Prozesse anzusehen (ptrace_scope ist 3).",
  "walls.note.noNotifications": "Dieses System lässt Programme nicht beobachten (seccomp notifications).",
  "walls.note.notListening":
    "Dieses System lässt Patchbay nicht mithören, was Programme hinter Wänden von ihm wollen.",
};
