import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startHouse } from '../kit/house.mjs';
import { load } from '../kit/load.mjs';
import { runProcess } from '../kit/processes.mjs';
import { median } from '../kit/statistics.mjs';
import { memoryMb } from '../kit/usage.mjs';

const build = fileURLToPath(new URL('../../scripts/build.mjs', import.meta.url));
const starts = 3;

/** (e) From the command to the first 200 of /readyz: on an empty data folder, and on one that has been used. */
export async function measureStartup({ folder }) {
  const [first, second, building] = [[], [], []];
  for (let index = 0; index < starts; index += 1) {
    building.push((await runProcess({ args: [build, '--quiet'] })).seconds);
    const dataDir = mkdtempSync(join(folder, 'start-'));
    for (const times of [first, second]) {
      const house = await startHouse(folder, dataDir);
      times.push(house.startupMs / 1000);
      await house.stop();
    }
  }
  const check = median(building);
  return [
    { name: '(e) first start, empty data folder', value: check + median(first), unit: 's', below: 20 },
    { name: '(e) second start', value: check + median(second), unit: 's', below: 6 },
  ];
}

/** (e) Resident memory of the program's own process: at rest after a start, and the highest while every door is loaded. */
export async function measureMemory({ house, requests, timing }) {
  await sleep(5_000);
  const idle = memoryMb(house.pid);
  for (const request of requests) await load({ requests: [request], connections: 64, seconds: timing.seconds * 2 });
  const loaded = memoryMb(house.pid);
  return [
    { name: '(e) resident memory at rest, without PostgreSQL', value: idle?.now, unit: 'MB', digits: 0, below: 400 },
    { name: '(e) the highest under load', value: loaded?.highest, unit: 'MB', digits: 0, below: 400 },
  ];
}
