import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { median } from './statistics.mjs';
import { processorMs } from './usage.mjs';

let generator;

/** Sends an order to the load generator, a separate process. @throws when a single response was wrong */
export async function load(order) {
  generator ??= fork(fileURLToPath(new URL('generator.mjs', import.meta.url)), { execArgv: [] });
  const { result, error } = await new Promise((resolve, reject) => {
    const ended = (code) => reject(new Error(`The load generator ended with ${code}`));
    generator.once('exit', ended);
    generator.once('message', (message) => {
      generator.off('exit', ended);
      resolve(message);
    });
    generator.send(order);
  });
  if (error !== undefined) throw new Error(error);
  if (result.wrong > 0) {
    const { url } = order.requests?.[0] ?? order;
    throw new Error(
      `${result.wrong} of ${result.requests} answers from ${url} were wrong: ${JSON.stringify(result.why)}`,
    );
  }
  return result;
}

export function stopGenerator() {
  generator?.disconnect();
  generator = undefined;
}

/**
 * Loads the sides in turn (A B A B …), so that any drift of the machine affects both.
 * @param {{requests: object[], pids: () => number[]}[]} sides the requests of each side, sent one after the other
 * @returns one list of samples for each side, in order
 */
export async function interleave(sides, { rounds, seconds, connections, warmUpSeconds }) {
  const ready = [];
  for (const side of sides) ready.push({ ...side, order: { requests: await expecting(side.requests), connections } });
  for (const { order } of ready) await load({ ...order, seconds: warmUpSeconds });
  const samples = ready.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, side] of ready.entries()) samples[index].push(await sample(side, seconds));
  }
  return samples;
}

/** Returns the requests, each with the response that it must get. */
function expecting(requests) {
  return Promise.all(requests.map(async (request) => ({ ...request, expect: await answerOf(request) })));
}

async function sample({ order, pids }, seconds) {
  const before = processorMs(pids());
  const result = await load({ ...order, seconds });
  const after = processorMs(pids());
  const processor = before === undefined || after === undefined ? undefined : (after - before) / result.requests;
  return { ...result, processorMs: processor };
}

/** Returns the medians of a side's samples. */
export function summary(samples) {
  const of = (field) => median(samples.map((one) => one[field]));
  return {
    perSecond: of('perSecond'),
    p50: of('p50'),
    p99: of('p99'),
    processorMs: samples.every((one) => one.processorMs !== undefined) ? of('processorMs') : undefined,
  };
}

/** Returns the median of the ratios of consecutive samples. */
export function ratio(ours, theirs) {
  return median(ours.map((one, index) => one.perSecond / theirs[index].perSecond));
}

/** Returns the median of the ratios of processor time a request, of consecutive samples: theirs to ours. */
export function processorRatio(ours, theirs) {
  if ([...ours, ...theirs].some(({ processorMs }) => processorMs === undefined)) return undefined;
  return median(ours.map((one, index) => theirs[index].processorMs / one.processorMs));
}

/** Returns a server's present response to a request; every response under load must equal it. */
export async function answerOf({ url, method, headers, body }) {
  const response = await fetch(url, { method, headers, body });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}: ${text.slice(0, 500)}`);
  return text;
}
