import type { FoundNote } from "./found-server.ts";

/** A note as an English sentence: for the command line and the messages of errors. Screens have their own words. */
export function noteWords({ code, what, was = "" }: FoundNote): string {
  switch (code) {
    case "unset":
      return `${what} was ${was}, which is not set here.`;
    case "asked":
      return `${what} has to be entered here; it cannot be read from there.`;
    case "env_file":
      return `Variables of the file ${what} are not read. Enter those that it needs.`;
    case "headers_helper":
      return `The program ${what}, which makes its headers there, is not run.`;
    case "command_input":
      return `The command ${what}, which finds a value there, is not run. Enter the value.`;
    case "file_value":
      return `The file ${what}, which holds a value there, is not read. Enter the value.`;
    case "auto_approve":
      return "Calls that are allowed there without asking are asked for here.";
    case "folder":
      return `There it is started in ${what}; here elsewhere, unless you grant it that folder.`;
    case "folder_not_offered":
      return `There it is started in ${what}, which cannot be granted; here elsewhere.`;
    case "left_out":
      return `The variable ${what} is left out: it changes how every program runs.`;
    case "secret_argument":
      return "A secret stands among its arguments, where other programs on this computer can see it while it runs.";
    case "shell":
      return `It is started by ${what}, which can do anything that you can do.`;
    case "sandbox":
      return "The limits that it has there are not taken over; Patchbay has its own.";
    case "tools_off":
      return `Which of its tools are used there is taken over: ${what}.`;
    case "no_start":
      return what === "" ? "It does not say how it is started." : `How ${what} is started cannot be read.`;
    case "socket":
      return "It is reached by a socket of this computer, which Patchbay does not do.";
    case "websocket":
      return "It is reached by WebSocket, which Patchbay does not do.";
    case "bad_address":
      return `Its address${what === "" ? "" : ` at ${what}`} cannot be used: it must begin with https, or be one of this computer, and hold no name and password.`;
    case "too_large":
      return "Its settings are too large to be those of a server.";
  }
}
