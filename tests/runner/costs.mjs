// Prints the files that cost the most processor time in their worker, which does not depend on what else the machine does.
// Servers and programs that a file starts are not counted: they are in the total of `.ci/run`.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

const most = 20;

export default class Costs {
  #folder = mkdtempSync(join(tmpdir(), 'lastro-costs-'));
  #rootDir;

  constructor({ rootDir }) {
    this.#rootDir = rootDir;
    process.env.TEST_COSTS = join(this.#folder, 'costs');
  }

  onRunComplete(_contexts, { numTotalTestSuites }) {
    if (numTotalTestSuites > most) process.stdout.write(`\nMost processor time:\n${this.#lines().join('\n')}\n`);
    rmSync(this.#folder, { recursive: true });
  }

  #lines() {
    return readFileSync(process.env.TEST_COSTS, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
      .sort((one, other) => other.seconds - one.seconds)
      .slice(0, most)
      .map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${relative(this.#rootDir, file)}`);
  }
}
