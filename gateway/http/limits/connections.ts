import type { Server as HttpServer, ServerResponse } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Server as TlsServer } from 'node:tls';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Config } from '../../../shared/kernel/config.js';
import { networkOf, type Trust } from '../../../shared/kernel/network.js';

export interface Connections {
  /** Counts and limits the connections of a server. With TLS, connections count from before their handshake is complete. */
  watch(server: HttpServer | HttpsServer): void;
  /** Closes connections without a request: at once where one was served, after a moment where none was complete, the rest after the grace period. */
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
    if (spoken.has(socket)) return;
    spoken.add(socket);
    socket.once('close', () => spoken.delete(socket));
  };
  const closeSilent = () => {
    const busy = new Set([...spoken].filter(isBusy).map(endOf));
    const since = performance.now() - silentGraceMs;
    for (const [socket, openedAt] of open) if (openedAt < since && !busy.has(endOf(socket))) socket.destroy();
  };

  return {
    watch: (server) => {
      servers.push(server);
      server.on('connection', take);
      server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', speak);
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

/** Maximum number of requests that one connection may send without waiting for responses (RFC 9112 §9.3.2). */
const maxUnderWay = 16;

interface UnderWay {
  readonly end: (responded: boolean) => void;
  /** Begins the request; undefined once it has begun. */
  begin: (() => void) | undefined;
}

/** The responses that a connection waits for, oldest first. */
const underWay = new WeakMap<Duplex, Map<ServerResponse, UnderWay>>();

const answered = new WeakSet<Duplex>();

/** Time after which the connection of a client that sends more is closed: at once, it would connect again at once, which costs more than the requests. */
const floodMs = 2_000;
const flooding = new WeakSet<Socket>();

/**
 * Counts a response as under way and begins its request: at once where all before it are safe, else when they have ended (RFC 9112 §9.3.2); never
 * where the connection is closed or has too many. @param begin called once, after the whole packet @param end called once, with whether it was sent
 */
export function beginResponse(
  response: ServerResponse,
  { begin, end }: { readonly begin: () => void; readonly end: (responded: boolean) => void },
): void {
  const { socket } = response.req;
  if (isOver(socket)) return;
  const responses = underWay.get(socket) ?? new Map<ServerResponse, UnderWay>();
  if (responses.size === maxUnderWay) {
    endFlood(socket);
    return;
  }
  if (!underWay.has(socket)) {
    underWay.set(socket, responses);
    // Node emits no `close` for a response whose turn never came, so all end with their connection.
    socket.once('close', () => {
      for (const one of responses.values()) one.end(false);
      responses.clear();
    });
  }
  responses.set(response, { begin, end });
  // Emitted once. `once` would remove the listener, and V8 then keeps the response until its next full collection.
  response.on('close', () => {
    if (!responses.delete(response)) return;
    end(response.writableFinished);
    noteAnswered(response);
    beginNext(responses);
  });
  process.nextTick(beginNext, responses);
}

function beginNext(responses: ReadonlyMap<ServerResponse, UnderWay>): void {
  let areSafe = true;
  for (const [{ req }, one] of responses) {
    const isFirst = areSafe && one === responses.values().next().value;
    areSafe &&= req.method === 'GET' || req.method === 'HEAD';
    if (!areSafe && !isFirst) return;
    const { begin } = one;
    one.begin = undefined;
    if (!isOver(req.socket)) begin?.();
  }
}

/** Remembers a connection whose request was answered before its body came, until it has come. */
function noteAnswered({ req, writableFinished }: ServerResponse): void {
  if (!writableFinished || req.complete) return;
  answered.add(req.socket);
  req.once('end', () => answered.delete(req.socket));
}

/** Whether all that a connection still receives is the body of a request that has its response. */
export function isAnswered(connection: Duplex): boolean {
  return answered.has(connection);
}

/** Whether a connection must not begin another request. */
export function isOver(socket: Socket): boolean {
  // Node ends it after a response with `Connection: close`.
  return socket.destroyed || !socket.writable || flooding.has(socket);
}

/**
 * Skips the rest of the packet and closes: 64 kB hold a thousand requests, 600 such connections a gigabyte. Node cannot stop its parser within a packet
 * publicly, so this sets the result of its private `onIncoming`: 2 ends the parsing, as after an upgrade.
 */
function endFlood(socket: Socket): void {
  flooding.add(socket);
  const { parser } = socket as Socket & { parser?: { onIncoming?: () => number } };
  if (parser?.onIncoming !== undefined) parser.onIncoming = () => 2;
  // Once the packet was parsed: until then, Node resumes the socket after each request.
  setImmediate(() => socket.pause());
  setTimeout(() => socket.destroy(), floodMs).unref();
}

export function isBusy(connection: Duplex): boolean {
  return [...(underWay.get(connection)?.keys() ?? [])].some(({ writableFinished }) => !writableFinished);
}

/** Whether a connection has been sent a part of a response, and not its end. */
export function isResponding(connection: Duplex): boolean {
  return [...(underWay.get(connection)?.keys() ?? [])].some((one) => one.headersSent && !one.writableFinished);
}

/** Counts what each key holds. A key that holds nothing takes no memory. */
export class Tally {
  readonly #counts = new Map<string, number>();

  of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  /** Adds one to the count of a key. Returns a function that subtracts it again; call it once. */
  add(key: string): () => void {
    this.#counts.set(key, this.of(key) + 1);
    return () => {
      const left = this.of(key) - 1;
      if (left === 0) this.#counts.delete(key);
      else this.#counts.set(key, left);
    };
  }
}
