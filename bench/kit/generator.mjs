// The second process: it makes the load, one order after another, so that its own work is not the server's.
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
 * As many requests as the server takes on these connections, each of which asks for one after the other; each answer must
 * be the `expect` of its request, byte for byte, where that is given.
 */
async function saturate({ requests, connections, seconds }) {
  let mismatches = 0;
  const result = await autocannon({
    url: requests[0].url,
    requests: requests.map(({ url, method, headers, body, expect }) => ({
      path: new URL(url).pathname,
      method,
      headers,
      body,
      onResponse: (_status, answer) => {
        if (expect !== undefined && answer !== expect) mismatches += 1;
      },
    })),
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
 * Requests sent evenly at `rate` a second, whether or not earlier ones were answered. A latency counts from the moment
 * at which its request was due, so that a server that stalls cannot hide the requests that it kept from being sent.
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
