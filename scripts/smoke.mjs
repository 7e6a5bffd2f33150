// Runs `npm start` as a newcomer would, and its later life: the first start in an empty folder, the curl line of the welcome message as printed, a stop,
// a second start, a kill, and the start after that. It prints what the program costs at its start and at rest, in memory and processor time, which do not
// depend on what else the machine does, and fails beyond `limits`. Needs bash and curl, and Linux for the costs.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const dataDir = join(mkdtempSync(join(tmpdir(), 'lastro-smoke-')), 'data');
const port = await freePort();
const base = `http://localhost:${port}`;
/** For every start, on a machine that is busy with other things. */
const patienceMs = 200_000;
const promised = { firstStartMs: 20_000, laterStartMs: 6_000, stopMs: 10_000 };
const limits = { restMb: 640, restPercent: 9 };
/** How long the program is watched at rest, and how long before that its start may still have work. */
const [settleMs, restMs] = [10_000, 15_000];

/** Variables removed from the environment: settings of this machine for real servers must not apply here. */
const unset = [
  'DATABASE_URL',
  'DATABASE_ADMIN_URL',
  'REDIS_URL',
  'SMTP_URL',
  'NODE_ENV',
  'ROLE',
  'DEMO',
  'HOST',
  'PUBLIC_URL',
  'NODE_OPTIONS',
];
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !unset.includes(name) && !name.startsWith('npm_')),
);

let current;
/** Exceeded time limits: reported at the end and not a failure, since the machine may be busy with other things. */
const late = [];

async function start(what, limitMs) {
  const begun = performance.now();
  const child = spawn('npm', ['start'], {
    cwd: root,
    env: { ...env, PORT: String(port), DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  current = { child, output: '', exited: once(child, 'exit') };
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (current.output += text));
  while ((await statusOf('/readyz')) !== 200) {
    if (child.exitCode !== null) throw new Error(`${what}: the program ended with code ${child.exitCode}`);
    if (performance.now() - begun > patienceMs) throw new Error(`${what}: not ready after ${patienceMs} ms`);
    await sleep(25);
  }
  within(what, performance.now() - begun, limitMs);
}

async function stop(what) {
  const begun = performance.now();
  current.child.kill('SIGTERM');
  const forced = setTimeout(killGroup, promised.stopMs * 2);
  const [code, signal] = await current.exited;
  clearTimeout(forced);
  within(what, performance.now() - begun, promised.stopMs);
  check(code === 0, `${what}: ended with ${signal ?? `code ${code}`} in place of code 0`);
  check(serverPid() === undefined, `${what}: the database is still there`);
  check((await statusOf('/healthz')) === undefined, `${what}: something still listens on port ${port}`);
}

/** Kills like the kernel when memory runs out: npm, its shell and the program die at once, the database's server lives on. */
async function kill() {
  killGroup();
  await current.exited;
}

function killGroup() {
  try {
    process.kill(-current.child.pid, 'SIGKILL');
  } catch {
    // All of it has already exited.
  }
}

/** Runs the curl line of the welcome message in a shell, exactly as printed. */
async function tryWelcome(what) {
  const line = await eventually(
    () => /^\s*(curl .*)$/m.exec(current.output)?.[1],
    `${what}: the welcome prints no curl line`,
  );
  const answer = execFileSync('bash', ['-c', line], {
    cwd: root,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const body = JSON.parse(answer);
  check(body.statusCode === undefined && body.errors === undefined, `${what}: ${line} answers ${answer.slice(0, 300)}`);
  check(body.cards === undefined || body.cards.length > 0, `${what}: ${line} shows no operation`);
}

async function tryProbes() {
  check((await statusOf('/healthz')) === 200, '/healthz does not answer 200');
  const metrics = await (await fetch(`${base}/metrics`)).text();
  check(/^# TYPE \S*request\S* histogram$/m.test(metrics), '/metrics has no histogram of requests');
  const credentials = join(dataDir, 'demo-credentials.json');
  check((statSync(credentials).mode & 0o777) === 0o600, `${credentials} is not of mode 0600`);
}

/** Prints the memory and the processor time of the program, without PostgreSQL, when it is ready and at rest. */
async function tryRest() {
  const pid = programOf(current.child.pid);
  const started = costOf(pid);
  await sleep(settleMs);
  const before = costOf(pid);
  const cold = await costAfterPauses(restMs);
  const after = costOf(pid);
  const percent = ((after.seconds - before.seconds) / (restMs / 1_000)) * 100;
  process.stdout.write(
    `second start: ${started.seconds.toFixed(1)} s of processor time, ${started.mb} MB\nat rest: ${percent.toFixed(1)} % of a processor, ${after.mb} MB; work after a pause costs ${cold.toFixed(1)} times as much here\n`,
  );
  check(after.mb <= limits.restMb, `at rest: ${after.mb} MB, at most ${limits.restMb}`);
  // A resting program works only after pauses. A processor that other machines use meanwhile has lost its caches by then.
  const most = limits.restPercent * Math.max(1, cold / 2);
  check(percent <= most, `at rest: ${percent.toFixed(1)} % of a processor, at most ${most.toFixed(1)}`);
}

/** Returns how many times as much processor time a piece of work costs after pauses as without them, which takes a time. */
async function costAfterPauses(ms) {
  const text = JSON.stringify(Array.from({ length: 400 }, (_none, id) => ({ id, name: `n${id}` })));
  const cost = async (count, pauseMs) => {
    const begun = process.cpuUsage();
    for (let done = 0; done < count; done++) {
      if (pauseMs > 0) await sleep(pauseMs);
      JSON.parse(text).sort((one, other) => one.name.localeCompare(other.name));
    }
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / count;
  };
  await cost(300, 0);
  const inRow = await cost(300, 0);
  return (await cost(ms / 50, 50)) / inRow;
}

/** Returns the process that runs the program, in the group of `npm start`. */
function programOf(group) {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.find((pid) => {
    try {
      return statOf(pid)[2] === String(group) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('dist/main.js');
    } catch {
      // It has ended meanwhile.
      return false;
    }
  });
}

/** Returns the fields of a process's state, from the third on: the name before may have spaces. */
function statOf(pid) {
  return readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
}

/** Returns the processor time (utime, stime; a hundred ticks a second) and the resident memory (rss; pages of 4,096 bytes) of a process: proc(5). */
function costOf(pid) {
  const fields = statOf(pid);
  return {
    seconds: (Number(fields[11]) + Number(fields[12])) / 100,
    mb: Math.round((Number(fields[21]) * 4_096) / 1e6),
  };
}

async function statusOf(path) {
  const answer = await fetch(`${base}${path}`, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
  await answer?.arrayBuffer();
  return answer?.status;
}

function serverPid() {
  try {
    return Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
  } catch {
    return undefined;
  }
}

function within(what, ms, limitMs) {
  process.stdout.write(`${what}: ${Math.round(ms)} ms\n`);
  if (ms > limitMs) late.push(`${what}: took ${Math.round(ms)} ms, promised are ${limitMs} ms`);
}

function check(holds, error) {
  if (!holds) throw new Error(error);
}

async function eventually(find, error) {
  for (let attempt = 0; attempt < 100; attempt++) {
    const found = find();
    if (found !== undefined) return found;
    await sleep(50);
  }
  throw new Error(error);
}

async function freePort() {
  const probe = createServer().listen(0);
  await once(probe, 'listening');
  const free = probe.address().port;
  probe.close();
  await once(probe, 'close');
  return free;
}

try {
  await start('first start', promised.firstStartMs);
  await tryWelcome('first start');
  await tryProbes();
  await stop('stop');
  await start('second start', promised.laterStartMs);
  await tryWelcome('second start');
  if (process.platform === 'linux') await tryRest();
  await kill();
  await start('start after a kill', promised.laterStartMs);
  await tryWelcome('start after a kill');
  await stop('last stop');
  for (const promise of late) process.stdout.write(`Slower than promised: ${promise}\n`);
  process.stdout.write('The smoke test passed.\n');
} catch (error) {
  process.stderr.write(`The smoke test failed: ${error.message}\n${current?.output.slice(-4_000) ?? ''}\n`);
  process.exitCode = 1;
  killGroup();
  const server = serverPid();
  if (server !== undefined) process.kill(server, 'SIGINT');
} finally {
  await sleep(process.exitCode === 1 ? 2_000 : 0);
  rmSync(join(dataDir, '..'), { recursive: true, force: true });
}
