export { RPCLink as PortLink } from "@orpc/client/message-port";
export { RPCLink as SocketLink } from "@orpc/client/websocket";
