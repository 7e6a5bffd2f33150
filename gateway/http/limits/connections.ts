import type { Server as HttpServer } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Config } from '../../../shared/kernel/config.js';
import { networkOf, type Trust } from '../../../shared/kernel/network.js';
import { responseOfSocket } from '../reply/response-of-socket.js';
import { Tally } from './tally.js';

export interface Connections {
  /** Counts and limits the connections of a server. With TLS, connections count from before their handshake is complete. */
  watch(server: HttpServer | HttpsServer): void;
  /**
   * Closes connections without a request under way: immediately where one was served before, after a moment where none was ever complete
   * (a silent connection, half a head, half a handshake). Connections that are left after the grace period are closed too.
   */
  drain(): void;
}

/** Time for requests under way, and WebSockets, to finish once the server closes. */
const graceMs = 6_000;
/** Time for which a connection may be silent while the server closes, so that a request in transit still gets its 503. */
const silentGraceMs = 1_000;
const drainLookMs = 100;
/** Share of all connections above which idle ones are closed to make room. */
const crowded = 0.9;
const makeRoomMs = 1_000;
/** The limits that a connection can exceed. */
const bounds = ['process', 'network'] as const;
type Bound = (typeof bounds)[number];

/** Limits the connections of a process: in total, and per network. Trusted proxies carry many callers, and have no limit of their own. */
export function boundConnections(
  { max, maxPerNetwork }: Config['connections'],
  trusted: Trust,
  registry: Registry,
): Connections {
  const open = new Map<Socket, number>();
  const perNetwork = new Tally();
  // The sockets that carry HTTP: with TLS these are the TLS sockets, not the TCP sockets below them.
  const spoken = new Set<Socket>();
  const upgraded = new WeakSet<Socket>();
  const servers: (HttpServer | HttpsServer)[] = [];
  const refused = measure(registry, () => open.size);
  let madeRoomAt = 0;

  const makeRoom = () => {
    if (open.size < max * crowded || performance.now() - madeRoomAt < makeRoomMs) return;
    madeRoomAt = performance.now();
    for (const server of servers) server.closeIdleConnections();
  };
  const take = (socket: Socket) => {
    // Node reports a connection twice when its Upgrade header is ignored.
    if (open.has(socket)) return;
    const address = socket.remoteAddress ?? '';
    const network = networkOf(address);
    makeRoom();
    if (open.size >= max || (perNetwork.of(network) >= maxPerNetwork && !trusted(address))) {
      refused(open.size >= max ? 'process' : 'network');
      socket.destroy();
      return;
    }
    open.set(socket, performance.now());
    const leave = perNetwork.add(network);
    socket.once('close', () => {
      open.delete(socket);
      leave();
    });
  };
  const speak = (socket: Socket) => {
    upgraded.delete(socket);
    if (spoken.has(socket)) return;
    spoken.add(socket);
    socket.once('close', () => spoken.delete(socket));
  };
  const closeSilent = () => {
    const busy = new Set(
      [...spoken].filter((socket) => upgraded.has(socket) || responseOfSocket(socket) !== undefined).map(endOf),
    );
    const since = performance.now() - silentGraceMs;
    for (const [socket, openedAt] of open) if (openedAt < since && !busy.has(endOf(socket))) socket.destroy();
  };

  return {
    watch: (server) => {
      servers.push(server);
      server.on('connection', take);
      server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', speak);
      server.on('upgrade', (_request, socket: Socket) => upgraded.add(socket));
    },
    drain: () => {
      for (const server of servers) server.closeIdleConnections();
      setTimeout(closeSilent, silentGraceMs).unref();
      const looks = setInterval(closeSilent, drainLookMs).unref();
      setTimeout(() => {
        clearInterval(looks);
        for (const socket of open.keys()) socket.destroy();
      }, graceMs).unref();
    },
  };
}

/** Returns the remote address and port of a connection, by which a TLS socket is matched with its TCP socket. */
function endOf({ remoteAddress = '', remotePort = 0 }: Socket): string {
  return `${remoteAddress}|${remotePort}`;
}

function measure(registry: Registry, open: () => number): (bound: Bound) => void {
  const registers = [registry];
  new Gauge({
    name: 'connections_open',
    help: 'TCP connections that are open.',
    registers,
    collect() {
      this.set(open());
    },
  });
  const refused = new Counter({
    name: 'connections_refused_total',
    help: 'TCP connections that were closed on arrival, by the limit that they exceeded: the one of the process or of their network.',
    labelNames: ['bound'],
    registers,
  });
  // A counter that appears with its first value has no increase that Prometheus could see.
  for (const bound of bounds) refused.inc({ bound }, 0);
  return (bound) => refused.inc({ bound });
}
