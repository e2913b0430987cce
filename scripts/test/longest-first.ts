/** Which integration files begin first, so that all workers end together and nobody waits for one long file at the end. */
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take more than ten seconds on an idle machine with two cores, the longest first. */
const long = [
  /\/channels\/xmpp[^/]*\.test\.ts$/,
  /\/(agents|catalog)\/kill\.test\.ts$/,
  /\/channels\/(discord|irc|signal|slack|telegram|wechat)\.test\.ts$/,
  /\/catalog\/(failures|update|registry)\.test\.ts$/,
  /\/(fledge\/processes|setup\/endings|cli\/serve|cli\/work|cli\/plugins|cli\/toggle-kill)\.test\.ts$/,
  /\/acceptance\/channel-client\.test\.ts$/,
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const found = long.findIndex((pattern) => pattern.test(moduleId));
      return found < 0 ? long.length : found;
    };
    const usual = await super.sort(files);
    return usual.toSorted((a, b) => rank(a) - rank(b));
  }
}
