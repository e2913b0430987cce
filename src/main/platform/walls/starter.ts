import { accessSync, constants } from "node:fs";
import { release } from "node:os";
import { type FilterKind, filterBytes } from "./seccomp.ts";
import { isForLoader } from "./wrap.ts";

/**
 * The last step before a program behind a wall runs: sets limits, opens the program's way to the network, makes the
 * watcher hear of what it tries, and becomes the program. A shell of a few lines that takes about 2 ms; a process that
 * stayed between would cost far more.
 *
 * The way to the network is a listening socket. It is made inside the sandbox, where it has the address that programs
 * find in `HTTPS_PROXY`, and handed out to Patchbay over the channel that Node opens to its children, as Node itself hands
 * out sockets. Patchbay answers at it; inside nothing runs.
 *
 * The filter that is watched is loaded here. Where nobody can listen, the one that refuses by itself is loaded instead;
 * when not even that can be done, the program is not started.
 */
const script = `
my ($send, $limit, $seccomp, $processes, $port, $keep, $host, $line, $sure, $watched, $whole, $count) = splice(@ARGV, 0, 12);
my %later = map { split /=/, $_, 2 } splice(@ARGV, 0, $count);
my @program = @ARGV;
$_ += 0 for $send, $limit, $seccomp;
my ($most, $none) = (pack("QQ", $processes, $processes), pack("QQ", 0, 0));
syscall($limit, 6, $most) if $processes;
syscall($limit, 4, $none);
if (!$host) {
  my $fd = delete $ENV{NODE_CHANNEL_FD};
  delete $ENV{NODE_CHANNEL_SERIALIZATION_MODE};
  my ($channel, $server);
  if (defined $fd && open($channel, "+<&=", $fd)) {
    if ($port && socket($server, 2, 1, 0) && bind($server, pack("S n a4 x8", 2, $port, "\\x7f\\0\\0\\1")) && listen($server, 128)) {
      my $text = qq({"cmd":"NODE_HANDLE","type":"net.Server","msg":"network"}\\n);
      my $parts = pack("J2", unpack("J", pack("P", $text)), length $text);
      my $rights = pack("J i3 x4", 20, 1, 1, fileno $server);
      my $message = pack("J7", 0, 0, unpack("J", pack("P", $parts)), 1, unpack("J", pack("P", $rights)), 24, 0);
      syscall($send, fileno $channel, $message, 0);
      close $server;
    }
    close $channel;
  }
}
sub filter {
  my ($hex, $flags) = @_;
  my $code = pack("H*", $hex);
  my $filter = pack("S x6 J", length($code) / 8, unpack("J", pack("P", $code)));
  return syscall($seccomp, 1, $flags, $filter);
}
sub asked { my ($channel, $question) = @_; my $answer = ""; syswrite $channel, "$question\\n"; sysread $channel, $answer, 16; return $answer }
my $watcher;
if ($line >= 0) {
  my $isHeard = open($watcher, "+<&=", $line) && ($sure || asked($watcher, "try") =~ /^can/);
  # 8: gives a listener. 32: a call that is being looked at is not disturbed by signals; newer systems only.
  my $listener = $isHeard ? filter($watched, 40) : -1;
  $listener = filter($watched, 8) if $isHeard && $listener < 0;
  my $holds = $listener < 0 ? filter($whole, 0) == 0 : asked($watcher, $listener) =~ /^went/;
  if (!$holds) {
    print STDERR "bwrap: execvp $program[0]: Operation not permitted\\n";
    exit 1;
  }
  open(my $close, "<&=", $listener) if $listener >= 0;
}
# What whoever started Patchbay left open is none of the program's business.
if (opendir(my $open, "/proc/self/fd")) {
  for my $number (grep { $_ > $keep } map { $_ + 0 } readdir $open) {
    if (open(my $left, "<&=", $number)) { close $left; }
  }
}
$ENV{$_} = $later{$_} for keys %later;
exec { $program[0] } @program;
print STDERR "bwrap: execvp $program[0]: $!\\n";
exit 1;
`;

/** The port on the loopback of a sandbox at which programs find their proxy. */
export const proxyPort = 3128;

/** Processes of one sandbox, where the system counts them for each sandbox alone. */
export const MOST_PROCESSES = 512;

export const perl = "/usr/bin/perl";

export function hasPerl(): boolean {
  try {
    accessSync(perl, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Numbers of the system calls `sendmsg`, `setrlimit` and `seccomp`. */
const calls: Partial<Record<NodeJS.Architecture, [sendmsg: number, setrlimit: number, seccomp: number]>> = {
  x64: [46, 160, 317],
  arm64: [211, 164, 277],
};

export interface StartOptions {
  /** Whether the program gets a way to the network. */
  network: boolean;
  /** Whether it is a host of ours, which keeps the channel that Node opened to it. */
  host: boolean;
  /** The highest number of a file descriptor that the program gets. */
  keep: number;
  /** The number of the one over which Patchbay is told of a listener; null: nobody listens. */
  line: number | null;
  /** Whether it is known that somebody can listen, so that the starter need not ask. */
  sure: boolean;
  /** The environment that the program gets. */
  env: Record<string, string>;
}

export interface Start {
  /** What comes before the program and its arguments. */
  command: string[];
  /** What the starter itself gets of the environment. */
  env: Record<string, string>;
  /** Files that it needs. */
  needs: string[];
}

/** Whether a starter can be written here. */
export function hasStarter(): boolean {
  return calls[process.arch] !== undefined && hasPerl();
}

/** What a starter begins with; null where there is nothing to write it in. */
export function starter({ network, host, keep, line, sure, env }: StartOptions): Start | null {
  const numbers = calls[process.arch];
  if (!numbers || !hasPerl()) return null;
  const variables = Object.entries(env);
  // What a program's environment loads must not be loaded into the starter, which is not held by all that holds the program.
  // And it looks for no language: where that is missing, perl complains in the program's name.
  const later = variables.filter(([name]) => isForLoader(name) || /^(?:PERL|LANG|LC_)/.test(name));
  const settings = [
    ...numbers,
    countsBySandbox() ? MOST_PROCESSES : 0,
    network ? proxyPort : 0,
    keep,
    host ? 1 : 0,
    line ?? -1,
    sure ? 1 : 0,
    line === null ? "" : hexOf("watched"),
    line === null ? "" : hexOf("whole"),
    later.length,
    ...later.map(([name, value]) => `${name}=${value}`),
  ];
  const names = new Set(later.map(([name]) => name));
  return {
    command: [perl, "-e", script, "--", ...settings.map(String)],
    env: Object.fromEntries(variables.filter(([name]) => !names.has(name))),
    needs: [perl],
  };
}

const hexes = new Map<FilterKind, string>();

function hexOf(kind: FilterKind): string {
  const known = hexes.get(kind) ?? filterBytes(process.arch, kind)?.toString("hex") ?? "";
  hexes.set(kind, known);
  return known;
}

/** Since Linux 5.14 the limit counts the processes of one user namespace; before, all that the person has. */
function countsBySandbox(): boolean {
  return isAtLeast(5, 14);
}

/** Whether Linux is at least that version. */
export function isAtLeast(wanted: number, wantedMinor: number): boolean {
  const [major = 0, minor = 0] = release().split(".").map(Number);
  return major > wanted || (major === wanted && minor >= wantedMinor);
}

/** Environment variables by which programs find the proxy. Node obeys them when it is told to. */
export function proxyEnvironment(address = `http://127.0.0.1:${proxyPort}`): Record<string, string> {
  const names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "FTP_PROXY"];
  return {
    ...Object.fromEntries(
      names.flatMap((name) => [[name, address] as const, [name.toLowerCase(), address] as const]),
    ),
    npm_config_proxy: address,
    npm_config_https_proxy: address,
  };
}
