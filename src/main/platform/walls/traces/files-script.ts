/**
 * The part of the watcher's program (`watcher-script.ts`) that judges what is done with files: whether the path that a process
 * named is one that it was not given, or was given to read alone. Perl; it uses the subs on paths of the rest.
 */
export const filesScript = `
my $ofPerson = qr{^\\.(?:ssh|aws|gnupg|kube|docker|netrc|git-credentials|config/gcloud)(?:/|$)};
my $settings = qr{^(?:package.*\\.json|.*config.*|.*\\.(?:toml|cfg|ini|mod|work|ya?ml|lock|[cm]?js)|makefile|WORKSPACE|BUILD.*)$}i;
sub sees_file {
  my ($box, $pid, $path, $writes) = @_;
  return "" if $path =~ m{^/(?:usr/(?:lib|share|include)|lib|lib64|sys)/} && $path !~ m{/\\.\\./};
  return "" unless defined($path = $_[4]->());
  return "" if below($path, "/usr/lib") || below($path, "/lib");
  return sees_at($box, $pid, follow($box, $pid, $path), $writes, "opened");
}

# What is done to a name in a folder: "made", "gone" for one that is taken away or replaced, "changed" for what it names.
sub sees_name {
  my ($box, $pid, $dir, $at, $how) = @_;
  my $path = word($pid, $at);
  $path = $path eq "" ? readlink("/proc/$pid/fd/$dir") : place($pid, $dir, $path);
  return "" unless defined $path && $path =~ m{^/} && !below($path, "/usr/lib") && !below($path, "/lib");
  if ($how ne "changed") {
    my ($above, $last) = $path =~ m{^(.*)/([^/]+)$}s;
    return "" unless defined $last;
    $path = tidy(follow($box, $pid, tidy($above)) . "/$last");
  } else {
    $path = follow($box, $pid, $path);
  }
  return sees_at($box, $pid, $path, 1, $how);
}

# Caches that languages keep beside their code, and locks of git, are written by whoever only wants to read. Programs for
# which code is kept apart have none of these caches.
my ($caches, $locks) = (qr{/(?:__pycache__|\\.git|node-compile-cache|node_modules/\\.\\w+)/}, qr{/\\.git/(?:.*/)?[^/]*\\.lock$|/node_modules/\\.cache(?:/|$)});
sub sees_at {
  my ($box, $pid, $at, $writes, $how) = @_;
  return tell_file("kept", $at) if $how eq "gone" && $box->{fixed}{$at};
  my ($nearest) = sort { length $b <=> length $a } grep { below($at, $_) } @{$box->{shown}};
  if (defined $nearest) {
    return "" unless $writes && ($box->{code}{$nearest} ? $at !~ $locks : $box->{readonly}{$nearest} && $at !~ $caches && $how ne "linked");
    # Whoever makes sure that a folder is there, or that a file is not, changes nothing.
    return "" if $how ne "opened" && is_missing($pid, $at) != ($how eq "made");
    return tell_file("kept", $at);
  }
  return "" if $how eq "linked";
  my $kind = "";
  if (grep { below($at, $_) } @{$box->{hidden}}) { $kind = "hidden" }
  elsif (below($at, $box->{home})) {
    my $rest = substr($at, 1 + length $box->{home});
    # Programs look for settings of theirs, there and in every folder above the one they work in.
    return "" if $rest =~ m{^\\.} && $rest !~ $ofPerson || $rest =~ m{(?:^|/)node_modules(?:/|$)};
    my ($above, $last) = $at =~ m{^(.*)/(.*)$}s;
    return "" if $last =~ $settings && grep { below($_, $above) } @{$box->{shown}};
    $kind = "home" if $rest ne "";
  }
  elsif ($at =~ m{^/(?:home|root|Users)/[^/]}) { $kind = "home" if $at !~ m{/\\.|/node_modules} || $at =~ m{/\\.(?:ssh|aws|gnupg|kube)/} }
  elsif ($at =~ m{^/proc/\\d+(?:/|$)}) { $kind = "process" }
  elsif ($at =~ m{^/(?:etc/(?:g?shadow-?|sudoers|ssh/ssh_host.*|sudoers\\.d/.*)|var/spool/cron/.*|dev/(?:k?mem|port|sd[a-z]+\\d*|vd[a-z]+\\d*|nvme\\w+))$}) { $kind = "system" }
  elsif (!$box->{all} && $at =~ m{^/proc/(?:kcore|kmsg|sysrq-trigger)$}) { return tell_file("system", $at) }
  if ($writes && ($how eq "opened" || !is_missing($pid, $at)) && !$box->{all} && $at =~ m{^/(?:etc|boot|s?bin|usr/s?bin|usr/local/s?bin|proc/sys|proc/\\d+)/.}) {
    return tell_file("system", $at) unless $at =~ m{^/proc/\\d+} && !is_missing($pid, $at) && $at !~ m{/oom};
  }
  return $kind ne "" && is_missing($pid, $at) ? tell_file($kind, $at) : "";
}
sub tell_file { return "file\\t$_[0]\\t" . unpack("H*", $_[1]) }

my %changes = (
  mkdir => "made", mkdirat => "made", mknod => "made", mknodat => "made", unlink => "gone", unlinkat => "gone", rmdir => "gone",
  chmod => "changed", fchmodat => "changed", fchmodat2 => "changed", truncate => "changed",
);
sub sees_change {
  my ($box, $pid, $name, @with) = @_;
  my $here = 0xffffff9c;
  return sees_name($box, $pid, $with[0], 0, "changed") if $name eq "fchmod";
  if ($name =~ /^symlink/) { return sees_name($box, $pid, $name eq "symlink" ? ($here, $with[1]) : @with[1, 2], "made") }
  my $how = $changes{$name};
  if (defined $how) { return sees_name($box, $pid, $name =~ /at2?$/ ? @with[0, 1] : ($here, $with[0]), $how) }
  my @names = $name =~ /at2?$/ ? @with[0 .. 3] : ($here, $with[0], $here, $with[1]);
  return sees_name($box, $pid, @names[0, 1], $name =~ /^link/ ? "linked" : "gone") || sees_name($box, $pid, @names[2, 3], "gone") || sees_name($box, $pid, @names[2, 3], "made");
}
`;
