// Keeps two standbys of the server on FOLDER and SUPERUSER_URL, as the tests make them, and writes their addresses of DATABASE_URL to OUT.
// Started with the loader of the tests: node --import ./tests/kit/typescript.mjs bench/sides/standbys.mjs
import { writeFileSync } from 'node:fs';

const { openStandby } = await import('../../tests/kit/standby.ts');

const { FOLDER: folder, SUPERUSER_URL: superuserUrl, DATABASE_URL: url, OUT: out } = process.env;
const standbys = [];
process.once('SIGTERM', async () => {
  for (const standby of standbys) await standby.close();
  process.exit(0);
});
for (let count = 0; count < 2; count += 1) standbys.push(await openStandby({ folder, superuserUrl, url }));
writeFileSync(out, standbys.map((standby) => standby.at(url)).join(','));
setInterval(() => undefined, 60_000);
