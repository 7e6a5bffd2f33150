import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { separateRoles } from '../../dist/shared/database/embedded-roles.js';
import { interleave, ratio, summary } from '../kit/load.mjs';
import { startPlatform } from '../kit/platform.mjs';
import { startProcess } from '../kit/processes.mjs';
import { familyOf } from '../kit/usage.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A document of callers without a credential, whose responses are not cached: series with their estate and their schedule. */
const query = `{ tranches(first: 20) { nodes { ticker name status unitPrice patrimony { name }
  schedule(first: 12) { nodes { installmentNumber dueDate status } } } } }`;

/**
 * (s) Sends uncached reads of published data to two processes of the program on one primary, in turn: one with two standbys, one without. Program, load, primary
 * and standbys share the cores, so that the requests a second cannot grow; the processor time that the primary needs shows what it is relieved of.
 */
export async function measureReplicas({ platform, entry, folder, timing }) {
  const primary = join(platform.dataDir, 'postgres');
  const superuserUrl = onTcp(entry.databaseUrl);
  const { url } = await separateRoles(superuserUrl);
  const out = join(folder, 'standbys');
  const standbys = await startProcess({
    name: 'standbys',
    args: ['--import', './tests/kit/typescript.mjs', 'bench/sides/standbys.mjs'],
    env: { FOLDER: primary, SUPERUSER_URL: superuserUrl, DATABASE_URL: onTcp(url), OUT: out },
    cwd: root,
    folder,
    ready: () => Promise.resolve(existsSync(out)),
  });
  const env = { DATABASE_URL: onTcp(url), DEMO: 'false' };
  const replicated = await startPlatform(folder, undefined, {
    ...env,
    DATABASE_REPLICA_URLS: readFileSync(out, 'utf8'),
  });
  const alone = await startPlatform(folder, undefined, env);
  const postmaster = Number(readFileSync(join(primary, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const sides = [replicated, alone].map(({ url: base }) => ({
    requests: [
      {
        url: `${base}/graphql`,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      },
    ],
    pids: () => familyOf(postmaster),
  }));
  const samples = await interleave(sides, timing);
  for (const started of [alone, replicated, standbys]) await started.stop();
  const [ours, theirs] = samples.map(summary);
  const figure = (name, value, digits, unit = '') => ({ name: `(s) ${name}`, value, digits, unit });
  return [
    figure(
      'uncached reads of published data, all on the same cores: requests/s with two replicas',
      ours.perSecond,
      0,
      '/s',
    ),
    figure('requests/s without', theirs.perSecond, 0, '/s'),
    figure('with ÷ without', ratio(...samples), 2, '×'),
    figure('processor time of the primary a read, with two replicas', ours.processorMs, 3, 'ms'),
    figure('the same without', theirs.processorMs, 3, 'ms'),
  ];
}

function onTcp(address) {
  const url = new URL(address);
  url.searchParams.delete('host');
  return url.href;
}
