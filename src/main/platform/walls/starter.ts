import { existsSync } from "node:fs";
import { release } from "node:os";

/**
 * The last step before a program behind a wall runs: sets limits, opens the program's way to the network, and becomes
 * the program. A shell of a few lines that takes about 2 ms; a process that stayed between would cost far more.
 *
 * The way to the network is a listening socket. It is made inside the sandbox, where it has the address that programs
 * find in `HTTPS_PROXY`, and handed out to Patchbay over the channel that Node opens to its children, as Node itself hands
 * out sockets. Patchbay answers at it; inside nothing runs.
 */
const script = `
my ($send, $limit, $processes, $port, $keep) = map { $_ + 0 } splice(@ARGV, 0, 5);
my @program = @ARGV;
my ($most, $none) = (pack("QQ", $processes, $processes), pack("QQ", 0, 0));
syscall($limit, 6, $most) if $processes;
syscall($limit, 4, $none);
my $fd = delete $ENV{NODE_CHANNEL_FD};
delete $ENV{NODE_CHANNEL_SERIALIZATION_MODE};
my ($channel, $server);
if (defined $fd && open($channel, "+<&=", $fd)) {
  if ($port && socket($server, 2, 1, 0) && bind($server, pack("S n a4 x8", 2, $port, "\\x7f\\0\\0\\1")) && listen($server, 128)) {
    my $line = qq({"cmd":"NODE_HANDLE","type":"net.Server","msg":"network"}\\n);
    my $parts = pack("J2", unpack("J", pack("P", $line)), length $line);
    my $rights = pack("J i3 x4", 20, 1, 1, fileno $server);
    my $message = pack("J7", 0, 0, unpack("J", pack("P", $parts)), 1, unpack("J", pack("P", $rights)), 24, 0);
    syscall($send, fileno $channel, $message, 0);
    close $server;
  }
  close $channel;
}
# What whoever started Patchbay left open is none of the program's business.
if (opendir(my $open, "/proc/self/fd")) {
  for my $number (grep { $_ > $keep } map { $_ + 0 } readdir $open) {
    if (open(my $left, "<&=", $number)) { close $left; }
  }
}
exec { $program[0] } @program;
print STDERR "bwrap: execvp $program[0]: $!\\n";
exit 1;
`;

/** The port on the loopback of a sandbox at which programs find their proxy. */
export const proxyPort = 3128;

/** Processes of one sandbox, where the system counts them for each sandbox alone. */
export const MOST_PROCESSES = 512;

const perl = "/usr/bin/perl";
/** Numbers of the system calls `sendmsg` and `setrlimit`. */
const calls: Partial<Record<NodeJS.Architecture, [sendmsg: number, setrlimit: number]>> = {
  x64: [46, 160],
  arm64: [211, 164],
};

/**
 * What a starter begins with, before the program and its arguments; null where there is nothing to write it in.
 *
 * @param keep the highest number of a file descriptor that the program gets
 */
export function starter(network: boolean, keep: number): { command: string[]; needs: string[] } | null {
  const numbers = calls[process.arch];
  if (!numbers || !existsSync(perl)) return null;
  const settings = [...numbers, countsBySandbox() ? MOST_PROCESSES : 0, network ? proxyPort : 0, keep];
  return { command: [perl, "-e", script, "--", ...settings.map(String)], needs: [perl] };
}

/** Since Linux 5.14 the limit counts the processes of one user namespace; before, all that the person has. */
function countsBySandbox(): boolean {
  const [major = 0, minor = 0] = release().split(".").map(Number);
  return major > 5 || (major === 5 && minor >= 14);
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
    NODE_USE_ENV_PROXY: "1",
  };
}
