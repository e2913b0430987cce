"""Runs a command in a pseudo-terminal of its own, as a terminal window does, until it ends.

What comes in on stdin is typed there, and what the terminal shows goes to stdout. At the end one line of JSON goes to file
descriptor 3: the exit code, and whether the terminal reads whole lines and shows what is typed again. The end of stdin closes
the window.
"""
import fcntl
import json
import os
import select
import signal
import struct
import subprocess
import sys
import termios

master, slave = os.openpty()
fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))


def own_terminal():
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


# Ends the wait when the command does.
woken, wake = os.pipe()
os.set_blocking(wake, False)
signal.set_wakeup_fd(wake)
signal.signal(signal.SIGCHLD, lambda *_: None)

child = subprocess.Popen(sys.argv[1:], stdin=slave, stdout=slave, stderr=slave, preexec_fn=own_terminal)
inputs = [master, woken, 0]
while True:
    over = child.poll() is not None
    ready = select.select(inputs, [], [], 0 if over else None)[0]
    if master in ready:
        os.write(1, os.read(master, 65536))
    elif over:
        break
    if woken in ready:
        os.read(woken, 512)
    if 0 in ready:
        typed = os.read(0, 65536)
        if typed:
            os.write(master, typed)
        else:
            inputs.remove(0)
            if not over:
                os.killpg(child.pid, signal.SIGHUP)

modes = termios.tcgetattr(slave)[3]
code = child.returncode
state = {"code": code, "lines": bool(modes & termios.ICANON), "echo": bool(modes & termios.ECHO)}
os.write(3, (json.dumps(state) + "\n").encode())
