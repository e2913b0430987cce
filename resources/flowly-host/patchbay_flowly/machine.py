"""What the host asks of the operating system."""

import os
import sys


def limit_memory(megabytes):
    """Has allocations fail above this, where the system can: then it is the plugin's own MemoryError."""
    try:
        import resource

        limit = int(megabytes) * 1024 * 1024
        _soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
        if hard != resource.RLIM_INFINITY:
            limit = min(limit, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (limit, hard))
    except (ImportError, AttributeError, OSError, ValueError, TypeError):
        pass


def tell_faults():
    """Has a process that ends by a fault of native code say first where its Python code was, on its error output."""
    try:
        import faulthandler

        faulthandler.enable(2, all_threads=False)
    except (ImportError, OSError, ValueError, RuntimeError):
        pass


def end_all():
    """Ends this process, and what it started when it leads a group."""
    try:
        if os.getpgrp() == os.getpid():
            os.killpg(os.getpgrp(), 9)
    except (AttributeError, OSError):
        pass
    os._exit(0)


def memory_bytes():
    """Resident memory of this process in bytes, or the most that it had; 0 where neither is known."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        pass
    try:
        import resource

        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else most * 1024
    except ImportError:
        return 0
