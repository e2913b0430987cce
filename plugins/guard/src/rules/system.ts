import { hasOption, type Invocation, operandsOf } from "../shell/unwrap.ts";

const device = /^\/dev\/(sd|hd|vd|xvd|nvme|mmcblk|r?disk\d|md\d|dm-|mapper\/|zd|nbd|loop\d|mem$|kmem$|port$)/;

/** Why a command would overwrite or format a disk, or null. */
export function disk({ name, args, command }: Invocation): string | null {
  const first = args.find(({ text }) => device.test(text));
  if (/^(mkfs(\..+)?|mke2fs|newfs.*|mkswap|mkdosfs)$/.test(name))
    return `it formats ${first?.text ?? "a disk"}`;
  const drive = args.find(({ text }) => /^[A-Za-z]:$/.test(text));
  if (/^format(\.com)?$/i.test(name) && drive) return `it formats ${drive.text}`;
  if (/^(wipefs|blkdiscard|shred)$/.test(name) && first) return `it wipes ${first.text}`;
  if (/^(s?fdisk|cfdisk|gdisk|sgdisk|parted)$/.test(name) && first) {
    const onlyShows = hasOption(args, "l", "--list", "--print") || args.some(({ text }) => text === "print");
    return onlyShows ? null : `it partitions ${first.text}`;
  }
  if (name === "diskutil" && /^(erase|partition|reformat|zero|secureErase)/i.test(args[0]?.text ?? "")) {
    return "it erases a disk";
  }
  const output = args.find(({ text }) => text.startsWith("of="))?.text.slice(3) ?? "";
  if (name === "dd" && device.test(output)) return `it overwrites ${output}`;
  const last = operandsOf(args).at(-1);
  if (/^(cp|mv|tee|install)$/.test(name) && last && device.test(last.text))
    return `it overwrites ${last.text}`;
  const redirect = command.redirects.find(
    ({ operator, target }) => operator.includes(">") && device.test(target.text),
  );
  return redirect ? `it overwrites ${redirect.target.text}` : null;
}

/** Why a command would stop the computer or every process on it, or null. */
export function shutdown({ name, args }: Invocation): string | null {
  if (/^(shutdown|reboot|halt|poweroff)$/.test(name)) {
    return hasOption(args, "c", "--help", "--version", "--show") ? null : "it stops the computer";
  }
  if (/^(init|telinit)$/.test(name) && /^[06]$/.test(args[0]?.text ?? "")) return "it stops the computer";
  const verbs = /^(poweroff|reboot|halt|kexec|rescue|emergency)$/;
  if (name === "systemctl" && args.some(({ text }) => verbs.test(text))) return "it stops the computer";
  if (name === "killall5") return "it ends every process";
  if (name === "kill" && args.slice(1).some(({ text }) => text === "-1")) return "it ends every process";
  return null;
}

/** Why a push would overwrite what others have pushed, or null. */
export function forcePush({ name, args }: Invocation): string | null {
  if (name !== "git") return null;
  const verb = args.findIndex(
    ({ text }, index) => !text.startsWith("-") && !/^-[cC]$/.test(args[index - 1]?.text ?? ""),
  );
  if (args[verb]?.text !== "push") return null;
  const rest = args.slice(verb + 1);
  const forced = rest.some(
    ({ text }) => text === "--force" || text === "--mirror" || /^-[a-zA-Z]*f/.test(text),
  );
  const plus = operandsOf(rest).some(({ text }) => /^\+./.test(text));
  return forced || plus ? "it overwrites what others have pushed" : null;
}

/** Why a script is a fork bomb, or null. Quoted text is ignored. */
export function forkBomb(source: string): string | null {
  const blank = (text: string) => "_".repeat(text.length);
  const unquoted = source.replace(/\\[\s\S]/g, blank).replace(/'[^']*'|"[^"]*"/g, blank);
  // Behind the last `}` no function ends; each that begins there would be looked for up to the end of the text.
  const bare = unquoted.slice(0, unquoted.lastIndexOf("}") + 1);
  const functions = /(?:^|[\s;&|({])(?:function\s+)?([^\s;&|(){}]+)\s*(?:\(\s*\)\s*)?\{([^}]*)\}/g;
  for (const [, name = "", body = ""] of bare.matchAll(functions)) {
    const self = name.replace(/[.*+?^$[\]\\]/g, "\\$&");
    if (new RegExp(`(^|[\\s;&|])${self}\\s*\\|\\s*${self}\\s*&`).test(body)) {
      return "it starts itself over and over";
    }
  }
  return null;
}
