// The second process: it generates the load, one order after another, so that its own work does not add to the server's.
import autocannon from 'autocannon';
import { Pool } from 'undici';
import { quantile } from './statistics.mjs';

process.on('message', async (order) => {
  try {
    process.send({ result: await (order.rate === undefined ? saturate(order) : keepRate(order)) });
  } catch (error) {
    process.send({ error: error.message });
  }
});
process.on('disconnect', () => process.exit());

/**
 * Sends as many requests as the server handles on these connections, each of which sends one after the other; each response must equal the `expect` of
 * its request, byte for byte, if that is given. The connections begin at different requests: in step, the server would answer them all with one piece
 * of work.
 */
async function saturate({ requests, connections, seconds }) {
  let mismatches = 0;
  let begun = 0;
  const ready = requests.map(({ url, method, headers, body, expect }) => ({
    path: url.slice(new URL(url).origin.length),
    method,
    headers,
    body,
    onResponse: (_status, answer) => {
      if (expect !== undefined && answer !== expect) mismatches += 1;
    },
  }));
  const result = await autocannon({
    url: requests[0].url,
    requests: ready,
    setupClient: (client) => {
      const first = Math.floor((begun * requests.length) / connections);
      begun += 1;
      if (first > 0) client.setRequests([...ready.slice(first), ...ready.slice(0, first)]);
    },
    connections,
    duration: seconds,
  });
  const { non2xx, errors, timeouts } = result;
  return {
    wrong: non2xx + errors + timeouts + mismatches,
    why: { non2xx, errors, timeouts, mismatches },
    requests: result.requests.total,
    perSecond: result.requests.total / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
  };
}

/**
 * Sends requests evenly at `rate` a second, whether or not earlier ones have been answered. Latency counts from the moment at which a request was due,
 * so that a stalling server cannot hide the requests it delayed.
 */
async function keepRate({ url, method, headers, body, rate, connections, seconds }) {
  const { origin, pathname, search } = new URL(url);
  const pool = new Pool(origin, { connections });
  const latencies = [];
  const why = {};
  const blame = (reason) => (why[reason] = (why[reason] ?? 0) + 1);
  const send = async (due) => {
    try {
      const response = await pool.request({ path: pathname + search, method, headers, body });
      await response.body.dump({ limit: Number.MAX_SAFE_INTEGER });
      if (response.statusCode !== 200) blame(response.statusCode);
    } catch (error) {
      blame(error.message);
    }
    latencies.push(performance.now() - due);
  };
  const sent = [];
  const start = performance.now() + 10;
  for (let index = 0; index < rate * seconds; index += 1) {
    const due = start + (index * 1000) / rate;
    const wait = due - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    sent.push(send(due));
  }
  await Promise.all(sent);
  const elapsed = (performance.now() - start) / 1000;
  await pool.close();
  return {
    wrong: Object.values(why).reduce((sum, count) => sum + count, 0),
    why,
    requests: latencies.length,
    perSecond: latencies.length / elapsed,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    highest: Math.max(...latencies),
  };
}
