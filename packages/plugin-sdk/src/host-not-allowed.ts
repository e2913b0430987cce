/**
 * Throw it from a tool that was asked for a host that its settings do not allow. Where the settings have a list of hosts
 * (`"x-patchbay": { "hosts": true }` beside it) and the arguments of the call name the host in an address, the person is
 * offered to add it; otherwise it fails like any other error.
 *
 * @param host as an address has it: `example.com`, with a port where that is not the usual one
 */
export class HostNotAllowed extends Error {
  readonly code = "HOST_NOT_ALLOWED";
  readonly host: string;

  constructor(message: string, host: string) {
    super(message);
    this.name = "HostNotAllowed";
    this.host = host;
  }
}
