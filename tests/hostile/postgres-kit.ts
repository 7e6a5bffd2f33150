import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { startEmbedded, type Embedded } from '../../shared/database/embedded.js';
import { newDataFolder, serverPid } from '../start/program.js';

export interface OwnPostgresOptions {
  /** Whether what is committed survives the end of the server: for tests that kill it. */
  readonly durable?: boolean;
}

/**
 * Starts a PostgreSQL, on a new data folder or on `dataDir`, behind an address that stays the same while the server comes and goes.
 */
export async function openOwnPostgres(dataDir?: string, { durable = false }: OwnPostgresOptions = {}) {
  const folder = dataDir === undefined ? await newDataFolder() : { dataDir, remove: () => Promise.resolve() };
  const run = () => startEmbedded({ dataDir: folder.dataDir, durable });
  let server: Embedded | undefined = await run();
  let direct = new URL(server.url);
  const proxy = await openProxy(() => Number(direct.port));
  const url = new URL(server.url);
  url.port = String(proxy.port);
  // Through the proxy, and not over the server's own socket.
  url.searchParams.delete('host');
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
    const postmaster = Number(readFileSync(join(folder.dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
    const listed = execFileSync('ps', ['-o', 'pid=', '--ppid', String(postmaster)], { encoding: 'utf8' });
    const children = listed
      .split('\n')
      .map(Number)
      .filter((pid) => pid > 0);
    for (const pid of [postmaster, ...children]) process.kill(pid, name);
  };
  let frozen = false;
  const stop = async () => {
    await server?.stop();
    server = undefined;
  };
  const thaw = () => {
    if (frozen) signal('SIGCONT');
    frozen = false;
  };
  return {
    /** Where programs connect: the proxy. */
    url: url.href,
    /** The server itself, past the proxy. */
    directUrl: () => direct.href,
    proxy,
    /** Stops it as an operator would, fast. */
    stop,
    /** Ends it by SIGKILL, with all of its connections; what was committed is there after `start`, where it is durable. */
    kill: async () => {
      const pid = await serverPid(folder.dataDir);
      if (pid !== undefined) process.kill(pid, 'SIGKILL');
      await stop();
    },
    start: async () => {
      server ??= await run();
      direct = new URL(server.url);
    },
    /** Every process of the server stands still, and its sockets stay open. */
    freeze: () => {
      signal('SIGSTOP');
      frozen = true;
    },
    thaw,
    close: async () => {
      thaw();
      await stop();
      await proxy.close();
      if ((await serverPid(folder.dataDir)) !== undefined) throw new Error('The server of the test is still there');
      await folder.remove();
    },
  };
}

export interface Connection {
  /** Ends both sides at once. */
  cut(): void;
}

/** Which side of a connection a piece came from, and what becomes of it. */
export type Watch = (from: 'client' | 'server', bytes: Buffer, connection: Connection) => 'pass' | 'drop';

/** A TCP proxy on loopback. */

async function openProxy(target: () => number) {
  const pairs = new Set<{ readonly client: Socket; readonly server: Socket; silent: boolean }>();
  let watch: Watch | undefined;
  let silentNew = false;
  const listener = createServer((client) => {
    const server = connect(target(), '127.0.0.1');
    const pair = { client, server, silent: silentNew };
    pairs.add(pair);
    const cut = () => {
      client.destroy();
      server.destroy();
      pairs.delete(pair);
    };
    const connection: Connection = { cut };
    for (const [from, to, name] of [
      [client, server, 'client'],
      [server, client, 'server'],
    ] as const) {
      from.on('data', (bytes: Buffer) => {
        if (!pair.silent && watch?.(name, bytes, connection) !== 'drop') to.write(bytes);
      });
      from.on('error', () => undefined);
      from.on('close', () => {
        if (!pair.silent) cut();
      });
    }
  });
  listener.listen(0, '127.0.0.1');
  await new Promise((resolve) => listener.once('listening', resolve));
  return {
    port: (listener.address() as AddressInfo).port,
    /** Looks at every piece from now on; undefined lets all pass. */
    watch: (given: Watch | undefined) => {
      watch = given;
    },
    /** Nothing is passed on any more on the connections that there are, and nobody is told: as when a network goes. */
    silence: () => {
      for (const pair of pairs) pair.silent = true;
    },
    /** New connections are taken and hear nothing, or work again. */
    silenceNew: (silent: boolean) => {
      silentNew = silent;
    },
    close: async () => {
      for (const { client, server } of pairs) {
        client.destroy();
        server.destroy();
      }
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}
