/** The `plugin.toml` of a fledge plugin that is one program of WebAssembly, which wants the network and its own folder. */
export const boxedPlugin = `[plugin]
name = "boxed"
version = "1.0.0"
protocol = "fledge-v1"
runtime = "wasm"
[capabilities]
network = true
filesystem = "plugin"
[[commands]]
name = "go"
binary = "go.wasm"
`;

/** The beginning of one with a command that is dangerous; its hooks, and what else the command has, come after it. */
export const namedPlugin = `[plugin]
name = "named"
version = "1.0.0"
[capabilities]
exec = true
[[commands]]
name = "deploy"
description = "Sends it out."
binary = "go"
dangerous = true
`;
