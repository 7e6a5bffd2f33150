import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Whether wrk is installed: a load generator in C, whose own work is a fraction of a server's that sends what it has at hand. */
export const hasWrk = (() => {
  try {
    execFileSync('wrk', ['-v'], { stdio: 'ignore' });
    return true;
  } catch (error) {
    // It ends with 1 after printing its version.
    return error.code !== 'ENOENT';
  }
})();

/** Sends one GET as often as the server handles it on these connections; it checks status codes and nothing else. */
export async function saturateByWrk({ requests: [{ url, headers }], connections, seconds }) {
  const named = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const settings = ['-t', '1', '-c', String(connections), '-d', String(seconds), '--latency'];
  const { stdout } = await run('wrk', [...settings, ...named, url]);
  const [, requests] = /(\d+) requests in/.exec(stdout);
  const why = {
    non2xx: Number(/Non-2xx or 3xx responses: (\d+)/.exec(stdout)?.[1] ?? 0),
    errors: [...(/Socket errors: (.*)/.exec(stdout)?.[1] ?? '').matchAll(/\d+/g)].reduce(
      (sum, [n]) => sum + Number(n),
      0,
    ),
  };
  return {
    wrong: why.non2xx + why.errors,
    why,
    requests: Number(requests),
    perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)[1]),
    p50: latency(stdout, 50),
    p99: latency(stdout, 99),
  };
}

const msOf = { us: 0.001, ms: 1, s: 1_000, m: 60_000 };

function latency(text, percent) {
  const [, value, unit] = new RegExp(`^\\s+${percent}%\\s+([\\d.]+)(us|ms|s|m)$`, 'm').exec(text);
  return Number(value) * msOf[unit];
}
