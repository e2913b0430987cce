import { filesScript } from "./files-script.ts";

/**
 * The program of the watcher, in Perl, because Node has no way to the kernel's calls that it needs. It gets listeners of
 * filters out of processes behind walls, hears of each call that the filters stop at, answers whether it goes on, and
 * writes a line to Patchbay when it was one that somebody should see.
 *
 * What it decides here holds nothing: calls that must not happen are refused whatever it finds, and all others go on
 * to the wall as it stands. So it does not matter that a program can change what it passed after it was looked at.
 *
 * Lines it reads, with tabs between: `try ID PID`, and `watch ID PID FD ALL HOME HIDDEN SHOWN READONLY CODE FIXED`, paths in hex, lists with
 * zero bytes between. Lines it writes: `ID can` or `ID cannot`, `ID went` or `ID lost` as answers, `ID gone` when no process of that
 * wall is left, and `ID WHAT …` for what was tried, texts in hex.
 */
export const watcherScript = `
my ($seccomp, $ioctl, $ppoll, $readv, $numbers, $try) = @ARGV;
$_ += 0 for $seccomp, $ioctl, $ppoll, $readv;
my ($RECEIVE, $ANSWER, $FLAGS, $GO_ON, $REFUSE) = (0xc0502100, 0xc0182101, 0x40082104, 1, -1);
# One line a wall and target, and only so many: what they are is remembered here.
my $MOST = 400;
my %names = map { split /:/ } split /,/, $numbers;
my (%boxes, %seen);
$0 = "patchbay-watcher";
$| = 1;

sub pointer { unpack("J", pack("P", $_[0])) }
my $room = "\\0" x 4096;
vec($room, 0, 8) = 0;
my $into = pack("J2", pointer($room), 4096);

# What lies at an address of another process. Two parts, because the page after the first may not exist.
sub peek {
  my ($pid, $at, $most) = @_;
  my $first = 4096 - ($at & 4095);
  $first = $most if $first > $most;
  my $from = pack("J4", $at, $first, $at + $first, $most - $first);
  my $got = syscall($readv, $pid, $into, 1, $from, $most > $first ? 2 : 1, 0);
  return $got > 0 ? substr($room, 0, $got) : "";
}

sub word { my $text = peek(@_, 4096); my $end = index($text, "\\0"); return $end < 0 ? "" : substr($text, 0, $end) }

sub tidy {
  my @parts;
  for my $part (split m{/+}, $_[0]) {
    if ($part eq "..") { pop @parts } elsif ($part ne "" && $part ne ".") { push @parts, $part }
  }
  return "/" . join "/", @parts;
}

# The path as the process sees it from its root, without links of /proc that lead to itself.
sub place {
  my ($pid, $dir, $path) = @_;
  if ($path !~ m{^/}) {
    my $base = readlink(($dir & 0xffffffff) == 0xffffff9c ? "/proc/$pid/cwd" : "/proc/$pid/fd/$dir");
    return undef unless defined $base && $base =~ m{^/};
    $path = "$base/$path";
  }
  for (1 .. 8) {
    next if $path =~ s{^/+proc/(?:self|thread-self)(?:/task/\\d+)?/root(?=/|$)}{/};
    next if $path =~ m{^/+proc/(\\d+)/root(?=/|$)(.*)}s && lstat("/proc/$pid/root/proc/$1") && ($path = "/$2");
    last unless $path =~ s{^/+proc/(?:self|thread-self)/cwd(?=/|$)}{readlink("/proc/$pid/cwd") || "/"}e;
  }
  return tidy($path);
}

sub below { my ($path, $folder) = @_; return $path eq $folder || index($path, "$folder/") == 0 }

sub is_missing {
  my ($pid, $path) = @_;
  return 0 if lstat "/proc/$pid/root$path";
  return $! == 2 || $! == 20;
}

# Where links inside of a folder that is shown lead to.
sub follow {
  my ($box, $pid, $path) = @_;
  for (1 .. 8) {
    my ($shown) = grep { below($path, $_) } @{$box->{shown}};
    return $path unless defined $shown;
    my ($sofar, $changed) = ($shown, 0);
    my @left = split m{/}, substr($path, length $shown);
    while (@left) {
      my $part = shift @left;
      next if $part eq "";
      my $to = readlink("/proc/$pid/root$sofar/$part");
      if (!defined $to) { $sofar .= "/$part"; next }
      $path = tidy(join "/", $to =~ m{^/} ? $to : "$sofar/$to", @left);
      $changed = 1;
      last;
    }
    return $path unless $changed;
  }
  return $path;
}

${filesScript}
sub sees_program {
  my ($box, $pid, $path) = @_;
  return "" unless defined $path && is_missing($pid, $path);
  return "program\\t" . unpack("H*", $path);
}

# A name without a file is looked for among those that the processes of the wall have themselves.
sub sees_socket {
  my ($box, $pid, $at, $length, $binds) = @_;
  $length = 128 if $length > 128;
  my $address = peek($pid, $at, $length);
  return "" if length $address < 4;
  my ($family, $port) = unpack("S n", $address);
  if ($family == 2 || $family == 10) {
    my $number = $family == 2 ? substr($address, 4, 4) : substr($address, 8, 16);
    $number = substr($number, 12) if $number =~ /^\\0{10}\\xff\\xff/s;
    return "" if $port == 0 || length $number < 4;
    my $isHere = $number =~ /^(?:\\x7f...|\\0{15}\\x01)$/s;
    if ($binds) { return $isHere ? "" : "listen\\t$port" }
    return $port == 53 ? "names" : "" if $isHere || $number =~ /^\\0+$/;
    return "place\\t" . unpack("H*", $number) . "\\t$port";
  }
  return "" if $family != 1 || $binds;
  my $name = substr($address, 2);
  if ($name =~ s/^\\0//) {
    $name =~ tr/\\0/@/;
    if (open(my $own, "<", "/proc/$pid/net/unix")) { while (<$own>) { return "" if / \\@\\Q$name\\E$/ } }
    return "socket\\t" . unpack("H*", "\\@$name");
  }
  $name =~ s/\\0.*//s;
  my $path = place($pid, 0xffffff9c, $name);
  return "" unless defined $path;
  $path = follow($box, $pid, $path);
  return is_missing($pid, $path) ? "socket\\t" . unpack("H*", $path) : "";
}

sub sees_signal {
  my ($pid, $to) = @_;
  $to = unpack("l", pack("L", $to & 0xffffffff));
  return "signal\\t-1" if $to == -1;
  return "" if $to == 0 || lstat("/proc/$pid/root/proc/" . abs $to);
  return "signal\\t" . abs $to;
}

sub sees {
  my ($box, $pid, $name, @with) = @_;
  if ($name =~ /^(?:open|creat)/) {
    my $at = $name =~ /^openat/ ? shift @with : 0xffffff9c;
    my $path = word($pid, $with[0]);
    return "" if $path eq "";
    my $flags = $name eq "creat" ? 1 : $name eq "openat2" ? unpack("L", peek($pid, $with[1], 8) || "\\0" x 4) : $with[1];
    return sees_file($box, $pid, $path, $flags & 0103, sub { place($pid, $at, $path) });
  }
  return sees_change($box, $pid, $name, @with) if $name =~ /^(?:rename|unlink|rmdir|mkdir|mknod|link|symlink|f?chmod|truncate)/;
  return sees_program($box, $pid, place($pid, 0xffffff9c, word($pid, $with[0]))) if $name eq "execve";
  return sees_socket($box, $pid, @with[1, 2], $name eq "bind") if $name eq "connect" || $name eq "bind";
  return sees_socket($box, $pid, @with[4, 5], 0) if $name eq "sendto";
  return sees_signal($pid, $with[0]);
}

sub hear {
  my ($box) = @_;
  my $request = "\\0" x 80;
  return if syscall($ioctl, $box->{fd}, $RECEIVE, $request) < 0;
  my ($id, $pid, undef, $number, undef, undef, @with) = unpack("Q L2 l L Q Q6", $request);
  my $name = $names{$number} || "";
  my $goesOn = $name =~ s/^~//;
  my $said = $goesOn ? eval { sees($box, $pid, $name, @with) } : "call\\t$name";
  my $answer = $goesOn ? pack("Q q l L", $id, 0, 0, $GO_ON) : pack("Q q l L", $id, 0, $REFUSE, 0);
  syscall($ioctl, $box->{fd}, $ANSWER, $answer);
  return if !defined $said || $said eq "" || $box->{seen}{$said} || $box->{count} > $MOST;
  $box->{seen}{$said} = 1;
  $said = "more" if $box->{count}++ == $MOST;
  print "$box->{id}\\t$said\\n";
}

# A file of another process; negative when the system does not give it.
sub taken_from {
  my ($pid, $fd) = @_;
  my $process = syscall(434, $pid + 0, 0);
  return -1 if $process < 0;
  my $taken = syscall(438, $process, $fd + 0, 0);
  open(my $close, "<&=", $process);
  return $taken;
}

sub can {
  my ($id, $pid) = @_;
  my $taken = taken_from($pid, 2);
  open(my $close, "<&=", $taken) if $taken >= 0;
  print "$id\\t", ($taken < 0 ? "cannot" : "can"), "\\n";
}

# Takes a listener out of the process that made it.
sub take {
  my ($id, $pid, $fd, $all, $home, @paths) = @_;
  my @list = map { [map { tidy($_) } grep { $_ ne "" } split /\\0/, pack("H*", $_)] } @paths;
  my $taken = taken_from($pid, $fd);
  return print "$id\\tlost\\n" if $taken < 0;
  syscall($ioctl, $taken, $FLAGS, 1);
  $boxes{$taken} = { fd => $taken, id => $id, all => $all + 0, home => tidy(pack("H*", $home)), hidden => $list[0], shown => $list[1], readonly => { map { $_ => 1 } @{$list[2]} }, code => { map { $_ => 1 } @{$list[3]} }, fixed => { map { $_ => 1 } @{$list[4]} }, seen => {}, count => 0 };
  print "$id\\twent\\n";
}

if ($try) {
  my ($action, $sizes, $self) = (pack("L", 0x7fc00000), "\\0" x 6, syscall(434, $$ + 0, 0));
  my $holds = syscall($seccomp, 2, 0, $action) == 0 && syscall($seccomp, 3, 0, $sizes) == 0 && $self >= 0 && syscall(438, $self, 2, 0) >= 0;
  my @sizes = unpack("S3", $sizes);
  exit($holds && $sizes[0] == 80 && $sizes[1] == 24 ? 0 : 1);
}
my $input = "";
while (1) {
  my @list = (0, keys %boxes);
  my $polled = join "", map { pack("l s s", $_, 1, 0) } @list;
  next if syscall($ppoll, $polled, scalar @list, 0, 0, 8) < 0;
  for my $at (0 .. $#list) {
    my (undef, undef, $ready) = unpack("l s s", substr($polled, 8 * $at, 8));
    next unless $ready;
    if ($at == 0) {
      exit 0 unless sysread STDIN, $input, 65536, length $input;
      while ($input =~ s/^([^\\n]*)\\n//) {
        my ($what, @of) = split /\\t/, $1, -1;
        $what eq "try" ? can(@of) : take(@of);
      }
    } elsif ($ready & 1) {
      hear($boxes{$list[$at]});
    } else {
      my $box = delete $boxes{$list[$at]};
      open(my $close, "<&=", $box->{fd});
      print "$box->{id}\\tgone\\n";
    }
  }
}
`;
