import { setTimeout as sleep } from 'node:timers/promises';
import { collectGarbage } from '../kit/collect-garbage.mjs';
import { startPlatform } from '../kit/platform.mjs';
import { freePort } from '../kit/processes.mjs';
import { onboardTraders } from '../kit/traders.mjs';
import { memoryMb, processorMs } from '../kit/usage.mjs';
import { framesOf, reader } from './trading-sockets.mjs';

const sockets = 10_000;
const market = 'BTC/BRL';

/** (r) Opens 10,000 sockets on one process, each with the ticker of one market, and measures memory, processor time and how late the updates are. */
export async function measureCrowd({ folder, timing }) {
  const port = await freePort();
  const platform = await startPlatform(folder, undefined, { NODE_OPTIONS: `--inspect=127.0.0.1:${port}` });
  const readers = reader();
  try {
    const [trader] = await onboardTraders(platform, { companies: 1, profiles: 1 });
    const frames = framesOf(trader, [market]);
    const open = (count) =>
      readers.ask('open', { url: `${platform.url.replace('http', 'ws')}/ws`, readers: Array(count).fill(frames) });
    const resident = async () => {
      await collectGarbage(port);
      await sleep(1_000);
      return memoryMb(platform.pid)?.now;
    };
    await open(500);
    await readers.ask('close');
    const before = await resident();
    await open(sockets);
    const after = await resident();
    const used = processorMs([platform.pid]);
    const seconds = timing.seconds * 3;
    const { updates, closed, lags } = await readers.ask('count', { seconds, timed: true });
    const ms = processorMs([platform.pid]) - used;
    if (closed > 0) throw new Error(`${closed} of ${sockets} sockets were closed`);
    return rowsOf({ each: ((after - before) * 1000) / sockets, updates, seconds, ms, lags });
  } finally {
    await readers.stop();
    await platform.stop();
  }
}

function rowsOf({ each, updates, seconds, ms, lags: [half, late, latest] }) {
  const perTick = updates / seconds / sockets;
  return [
    { name: '(r) resident memory of each of 10,000 `/ws` connections with a ticker', value: each, unit: 'kB' },
    { name: '(r) connections for each GB of it', value: 1e6 / each, unit: '', digits: 0 },
    {
      name: `(r) updates/s that they read, ${perTick.toFixed(1)} each`,
      value: updates / seconds,
      unit: '/s',
      digits: 0,
    },
    { name: '(r) processor of the program meanwhile', value: ms / seconds / 10, unit: '% of a core', digits: 0 },
    { name: '(r) from the first reader that has an update to the others: p50', value: half, unit: 'ms' },
    { name: '(r) their p99', value: late, unit: 'ms' },
    { name: '(r) the last one of all', value: latest, unit: 'ms' },
  ];
}
