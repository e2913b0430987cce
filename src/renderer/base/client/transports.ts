export { RPCLink as PortLink } from "@orpc/client/message-port";
export { linkOver } from "./socket-link.ts";
