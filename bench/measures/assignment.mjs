import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../../examples/signed-client/client.mjs';
import { contractsOf, firstEstate } from '../kit/credits.mjs';
import { enter, startPlatform } from '../kit/platform.mjs';
import { onboardClient } from '../kit/signer.mjs';
import { quantile } from '../kit/statistics.mjs';
import { memoryMb } from '../kit/usage.mjs';

const contracts = 50_000;

/** (l) Measures a credit batch of 50,000 contracts by signed requests, from the file to the assets, on a separate platform without grace period. */
export async function measureAssignment({ folder }) {
  const platform = await startPlatform(folder, undefined, { PROCESSING_GRACE: '0' });
  try {
    const { databaseUrl } = await enter(platform);
    const patrimonyId = await firstEstate(platform.url);
    const client = await openClient(platform.url, databaseUrl, patrimonyId);
    const before = memoryMb(platform.pid);
    await longestStallMs(platform.url);
    const { seconds: created, body: batch } = await timed(() =>
      client('POST', `/tidc/v1/credit-batches?patrimonyId=${patrimonyId}`, ...ndjson(contractsOf(contracts, 'BENCH'))),
    );
    const accepted = memoryMb(platform.pid);
    const others = `${platform.url}/public/tranches?limit=1`;
    const { p99: quiet } = await beside(others, () => sleep(10_000));
    const { p99: busy, seconds: processed } = await beside(others, () => processedBatch(client, batch.id));
    const highest = memoryMb(platform.pid);
    const stall = await longestStallMs(platform.url);
    const settlement = await measureSettlement(platform.url, client, batch.id);
    const { seconds: createdByCsv } = await timed(() =>
      client('POST', `/tidc/v1/credit-batches?patrimonyId=${patrimonyId}`, ...csv(contractsOf(contracts, 'CSV'))),
    );
    return [
      { name: '(l) a batch of 50,000 contracts is accepted as NDJSON', value: created, unit: 's', digits: 1, below: 5 },
      { name: '(l) another is accepted as CSV', value: createdByCsv, unit: 's', digits: 1, below: 5 },
      { name: '(l) it is processed: 50,000 assets are there', value: processed, unit: 's', digits: 1, below: 10 },
      {
        name: '(l) resident memory that accepting it takes',
        value: taken(before, accepted),
        unit: 'MB',
        digits: 0,
        below: 300,
      },
      { name: '(l) that both take together', value: taken(before, highest), unit: 'MB', digits: 0 },
      {
        name: '(l) p99 of another path meanwhile ÷ quiet, asked every 50 ms',
        value: busy / quiet,
        unit: '×',
        below: 3,
      },
      { name: '(l) longest stop of the event loop in all of that', value: stall, unit: 'ms', digits: 0, below: 50 },
      ...settlement,
    ];
  } finally {
    await platform.stop();
  }
}

/** @returns a function that sends one signed request, of a client onboarded for it that may assign to an estate */
async function openClient(baseUrl, databaseUrl, patrimonyId) {
  const { request } = createClient({ baseUrl, ...(await onboardClient(databaseUrl, patrimonyId)) });
  return async (...of) => {
    const { status, body } = await request(...of);
    if (status >= 300) throw new Error(`${of[1]} answered ${status}: ${JSON.stringify(body).slice(0, 500)}`);
    return body;
  };
}

/** Returns records as the body of a request, a line each, with its media type. */
function ndjson(records) {
  return [Buffer.from(records.map((record) => JSON.stringify(record)).join('\n')), 'application/x-ndjson'];
}

function csv(records) {
  const rows = [Object.keys(records[0]), ...records.map((record) => Object.values(record))];
  return [Buffer.from(rows.map((cells) => cells.join(';')).join('\n')), 'text/csv'];
}

/** Measures payments of the same contracts, half of them in full, from the submit until the balances of the assets have followed. */
async function measureSettlement(url, client, creditBatchId) {
  const { contracts: assigned } = await client('GET', `/tidc/v1/credit-batches/${creditBatchId}`);
  const settledDate = new Date(Date.now() - 3 * 3_600_000).toISOString().slice(0, 10);
  const settlements = assigned.map(({ externalId, faceValue }, index) => ({
    externalId,
    settledAmount: index % 2 === 0 ? Number(faceValue) : 1,
    settledDate,
  }));
  const path = `/tidc/v1/settlement-batches?creditBatchId=${creditBatchId}`;
  const batch = await client('POST', path, ...ndjson(settlements));
  await longestStallMs(url);
  const { seconds } = await timed(() => processedBatch(client, batch.id, 'settlement-batches'));
  const stall = await longestStallMs(url);
  return [
    {
      name: '(l) 50,000 payments of them are processed: the assets have followed',
      value: seconds,
      unit: 's',
      digits: 1,
      below: 8,
    },
    { name: '(l) longest stop of the event loop meanwhile', value: stall, unit: 'ms', digits: 0, below: 50 },
  ];
}

/** Submits a batch, and waits until its assets exist. */
async function processedBatch(client, id, kind = 'credit-batches') {
  await client('POST', `/tidc/v1/${kind}/${id}/submit`);
  for (;;) {
    // The list, since the detail contains all contracts.
    const { data } = await client('GET', `/tidc/v1/${kind}?limit=1`);
    const { status } = data.find((batch) => batch.id === id);
    if (status === 'PROCESSED') return;
    if (status === 'REJECTED') throw new Error('The batch was rejected');
    await sleep(100);
  }
}

/** Requests a path every 50 ms while work runs. @returns the seconds that it took, and the 99th percentile of the response times in ms */
async function beside(url, work) {
  const asked = [];
  const ask = async () => (await timed(async () => (await fetch(url)).arrayBuffer())).seconds * 1000;
  const timer = setInterval(() => asked.push(ask()), 50);
  const { seconds } = await timed(work).finally(() => clearInterval(timer));
  return { seconds, p99: quantile(await Promise.all(asked), 0.99) };
}

/** Returns the longest delay of the program's event loop since the previous call. */
async function longestStallMs(url) {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(metrics)?.[1]) * 1000;
}

async function timed(work) {
  const begun = performance.now();
  const body = await work();
  return { body, seconds: (performance.now() - begun) / 1000 };
}

/** Returns the megabytes by which the peak exceeds the resident memory before. */
function taken(before, after) {
  return before === undefined || after === undefined ? undefined : Math.max(0, after.highest - before.now);
}
