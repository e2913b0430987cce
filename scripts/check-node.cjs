/*
 * Refuses a Node.js that is too old to install Patchbay, in one sentence. npm from 10.9 on refuses it before it
 * downloads anything (devEngines in package.json); an older npm runs this script. It uses only old JavaScript syntax,
 * so that an old Node can run it.
 * The version is read from npm's user agent: the Node that runs this script may already be Patchbay's own, from
 * node_modules/.bin.
 */
var needed = [20, 19];
var named = /\bnode\/v?(\d+\.\d+\.\d+)/.exec(process.env.npm_config_user_agent || "");
var version = named ? named[1] : process.versions.node;
var parts = version.split(".");
var isNewEnough =
  Number(parts[0]) > needed[0] || (Number(parts[0]) === needed[0] && Number(parts[1]) >= needed[1]);
if (!isNewEnough) {
  console.error("Patchbay needs Node.js", needed.join("."), "or newer; you have", version.concat("."));
  process.exit(1);
}
