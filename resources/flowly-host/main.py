"""Entry of the host: one process that runs one Flowly plugin for one agent of Patchbay. See README.md."""

import sys

# Children of `multiprocessing` run this file under another name, and are no hosts.
if __name__ == "__main__":
    # The host's own modules are found once and then by their package, so that plugins do not see this folder.
    sys.path.insert(0, __file__.replace("\\", "/").rpartition("/")[0] or ".")

    from patchbay_flowly import host

    host.main()
