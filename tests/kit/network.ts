import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { until } from './until.js';

/** Machines in network namespaces of their own, on one switch, whose connections to each other can be cut. */
export type Network = ReturnType<typeof openNetwork>;

/** The name of the machine that hosts the others, in `cut`. */
export const host = 'host';

const ip = (...args: readonly string[]) =>
  execFileSync('ip', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

const pidsOf = (space: string) =>
  ip('netns', 'pids', space)
    .split('\n')
    .map(Number)
    .filter((pid) => pid > 0);

function killIn(space: string): void {
  for (const pid of pidsOf(space)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended by itself.
    }
  }
}

function remove(space: string): void {
  if (!existsSync(`/run/netns/${space}`)) return;
  killIn(space);
  ip('netns', 'del', space);
}

/** Removes what runs left that were ended from outside. */
function removeAbandoned(): void {
  for (const [space, pid] of ip('netns', 'list').matchAll(/^lf(\d+)-\w+/gm)) {
    if (!existsSync(`/proc/${pid ?? ''}`)) remove(space);
  }
}

/**
 * Opens the machines. Their addresses are of the range for measurements (198.18.0.0/15), which nothing else uses. The switch has a namespace too, so that
 * this machine gets one interface and one route, and its own rules for packets do not apply.
 */
export function openNetwork(names: readonly string[]) {
  const id = process.pid;
  removeAbandoned();
  const subnet = `198.18.${id % 250}`;
  const [atHost, toHost] = [`lf${id}h`, `lf${id}s`];
  const addresses = new Map(names.map((name, index) => [name, `${subnet}.${11 + index}`]));
  const addressOf = (name: string) => (name === host ? `${subnet}.1` : (addresses.get(name) ?? ''));
  const spaceOf = (name: string) => `lf${id}-${name}`;
  const switchSpace = spaceOf('switch');
  const inSpace = (space: string, command: readonly string[]) => ['nsenter', `--net=/run/netns/${space}`, ...command];
  const rule = (name: string, ...args: readonly string[]) => {
    const [program = '', ...rest] = inSpace(spaceOf(name), ['iptables', '-w', ...args]);
    execFileSync(program, rest, { stdio: 'ignore' });
  };
  const close = () => {
    process.off('exit', close);
    // Before its other end goes with the namespace.
    if (existsSync(`/sys/class/net/${atHost}`)) ip('link', 'del', atHost);
    for (const space of [...names.map(spaceOf), switchSpace]) remove(space);
  };
  // Also when the run is given up.
  process.on('exit', close);
  try {
    ip('netns', 'add', switchSpace);
    ip('-n', switchSpace, 'link', 'add', 'switch', 'type', 'bridge');
    ip('-n', switchSpace, 'link', 'set', 'switch', 'up');
    const plug = (end: string) => {
      ip('-n', switchSpace, 'link', 'set', end, 'master', 'switch');
      ip('-n', switchSpace, 'link', 'set', end, 'up');
    };
    ip('link', 'add', atHost, 'type', 'veth', 'peer', 'name', toHost, 'netns', switchSpace);
    ip('address', 'add', `${addressOf(host)}/24`, 'dev', atHost);
    ip('link', 'set', atHost, 'up');
    plug(toHost);
    for (const [index, name] of names.entries()) {
      const space = spaceOf(name);
      ip('netns', 'add', space);
      ip('-n', space, 'link', 'add', 'eth0', 'type', 'veth', 'peer', 'name', `port${index}`, 'netns', switchSpace);
      ip('-n', space, 'address', 'add', `${addressOf(name)}/24`, 'dev', 'eth0');
      ip('-n', space, 'link', 'set', 'lo', 'up');
      ip('-n', space, 'link', 'set', 'eth0', 'up');
      plug(`port${index}`);
    }
  } catch (error) {
    close();
    throw error;
  }
  return {
    addressOf,
    /** Puts a command into the machine's namespace. */
    within: (name: string, command: readonly string[]) => inSpace(spaceOf(name), command),
    cut: (one: string, other: string) => {
      for (const [from, to] of [
        [one, other],
        [other, one],
      ] as const) {
        if (from === host) continue;
        rule(from, '-A', 'INPUT', '-s', addressOf(to), '-j', 'DROP');
        // The rules of this machine are left alone, so the other one drops both directions.
        if (to === host) rule(from, '-A', 'OUTPUT', '-d', addressOf(to), '-j', 'DROP');
      }
    },
    heal: () => {
      for (const name of names) rule(name, '-F');
    },
    /** Ends every process of a machine by SIGKILL, and resolves when none is left. */
    kill: async (name: string) => {
      await until(`the processes of ${name} to end`, () => {
        killIn(spaceOf(name));
        return pidsOf(spaceOf(name)).length === 0;
      });
    },
    /** Ends everything in them and removes them; can be called again. */
    close,
  };
}
