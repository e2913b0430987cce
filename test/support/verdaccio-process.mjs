import { flushCompileCache } from "node:module";
import { runServer } from "verdaccio";

const app = await runServer(process.argv[2]);
app.listen(0, "127.0.0.1", () => {
  process.send({ port: app.address().port });
  // It is killed in the end, and writes nothing then.
  flushCompileCache();
});
process.on("disconnect", () => process.exit(0));
