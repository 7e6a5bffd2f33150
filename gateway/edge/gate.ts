import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Logger } from '../../shared/log.js';
import { ApiError } from '../../shared/errors.js';
import type { Admission, Leave } from './admission.js';
import { hasBody } from './discard.js';
import { createRefusals } from './refusals.js';
import { networkOf, type Trust } from './network.js';

export interface GateParts {
  readonly admission: Admission;
  readonly trusted: Trust;
  readonly registry: Registry;
  readonly log: Logger;
  /** Answers a request that is shed. */
  readonly refuse: (request: IncomingMessage, response: ServerResponse, ip: string) => void;
}

/** Stands before everything that looks at a request. */
export interface Gate {
  /** Lets a request through to `handle` when it has a place; else it is answered 503. */
  readonly pass: (request: IncomingMessage, response: ServerResponse, handle: () => void) => void;
  /** Adds hooks that release the place of a request while its body is read, and once its response is being sent. */
  readonly guard: (app: FastifyInstance) => void;
  /** Releases the place of a request whose response is a stream or an upgrade to another protocol. */
  readonly leave: (request: IncomingMessage) => void;
}

/** Paths for monitoring. They need no place up to `probesPerSecond` for each network; beyond that they take turns like other requests. */
const probePaths: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);
const probesPerSecond = 50;
/** Requests that one connection may send without waiting for responses (RFC 9112 §9.3.2). They are worked on one after the other. */
const maxPipelined = 16;
const secondMs = 1_000;

interface Passage {
  network: string;
  /** Undefined while it waits, and for a probe. */
  leave: Leave | undefined;
  /** Whether it gave its place back while its body is read. */
  left: boolean;
  /** Whether it was handed on to be worked on. */
  handled: boolean;
  /** Gives the place back in the end, when the caller is gone and the work goes on. */
  abandoned: NodeJS.Timeout | undefined;
  /** Whether its response or its connection has ended: a place that it gets from then on goes back at once. */
  ended: boolean;
}

/** What a request may still take of which nobody waits for the response: as long as a statement. */
const abandonedMs = 30_000;

/** The requests of one connection, in their order. */
interface Line {
  readonly passages: Set<Passage>;
  /** Those that wait for the one before them. */
  readonly next: (() => void)[];
}

function newPassage(): Passage {
  return { network: '', leave: undefined, left: false, handled: false, abandoned: undefined, ended: false };
}

function release(passage: Passage): void {
  clearTimeout(passage.abandoned);
  passage.leave?.();
  passage.leave = undefined;
}

/** Ends a passage. A request that is being worked on keeps its place until the work is done, though its caller is gone. */
function end(passage: Passage, responded: boolean): void {
  if (passage.leave !== undefined && passage.handled && !responded && !passage.ended) {
    passage.abandoned = setTimeout(release, abandonedMs, passage).unref();
  } else if (!passage.handled || responded) release(passage);
  passage.ended = true;
}

export function createGate({ admission, trusted, registry, log, refuse }: GateParts): Gate {
  const passages = new WeakMap<IncomingMessage, Passage>();
  const sourceOf = sources(trusted);
  const lineOf = lineKeeper();
  const isProbe = probeCounter();
  measure(admission, registry);
  const reportShed = shedReporter(admission, log);
  const hold = createRefusals();

  const pass: Gate['pass'] = (request, response, handle) => {
    const { socket } = request;
    // What came in one piece with the request that closed the connection.
    if (socket.destroyed) return;
    const { passages: own, next } = lineOf(socket);
    if (own.size >= maxPipelined) {
      stopParsing(socket);
      socket.destroy();
      return;
    }
    const passage = newPassage();
    own.add(passage);
    response.once('close', () => {
      own.delete(passage);
      end(passage, response.writableFinished);
      next.shift()?.();
    });
    const enter = () => {
      if (socket.destroyed) return;
      const { ip, network } = sourceOf(request);
      passage.network = network;
      passages.set(request, passage);
      if (isProbe(request.url ?? '', passage.network)) {
        handle();
        return;
      }
      admission.enter(
        passage.network,
        (leave) => {
          // The caller left while it waited.
          if (passage.ended || socket.destroyed) {
            leave();
            return;
          }
          passage.leave = leave;
          passage.handled = true;
          handle();
        },
        () => {
          reportShed();
          hold(() => {
            if (!socket.destroyed) refuse(request, response, ip);
          });
        },
      );
    };
    // After all that came in one piece was parsed: a connection that sends too many is closed before anything is done for its first one.
    if (own.size === 1) process.nextTick(enter);
    else next.push(enter);
  };

  const leave: Gate['leave'] = (request) => {
    const passage = passages.get(request);
    if (passage !== undefined) release(passage);
  };
  const guard: Gate['guard'] = (app) => {
    guardPlaces(app, admission, passages);
  };
  return { pass, guard, leave };
}

/** Tells from which address and network a request comes. */
function sources(trusted: Trust): (request: IncomingMessage) => { readonly ip: string; readonly network: string } {
  const networks = new WeakMap<Socket, string>();
  return (request) => {
    const { socket } = request;
    const address = socket.remoteAddress ?? '';
    if (request.headers['x-forwarded-for'] !== undefined && trusted(address)) {
      const ip = forwardedFor(request, trusted);
      return { ip, network: networkOf(ip) };
    }
    const network = networks.get(socket) ?? networkOf(address);
    networks.set(socket, network);
    return { ip: address, network };
  };
}

/** Finds the requests of a connection. Node emits no `close` on a pipelined response whose turn never came: with the connection all of its requests end. */
function lineKeeper(): (socket: Socket) => Line {
  const lines = new WeakMap<Socket, Line>();
  return (socket) => {
    const known = lines.get(socket);
    if (known !== undefined) return known;
    const line: Line = { passages: new Set(), next: [] };
    lines.set(socket, line);
    socket.once('close', () => {
      line.next.length = 0;
      for (const passage of line.passages) end(passage, false);
      line.passages.clear();
    });
    return line;
  };
}

/** Releases the places of requests while they do not need them. */
function guardPlaces(app: FastifyInstance, admission: Admission, passages: WeakMap<IncomingMessage, Passage>): void {
  // A body may be long in coming: it must not hold a place meanwhile.
  app.addHook('preParsing', ({ raw }, _reply, _payload, done) => {
    const passage = hasBody(raw) ? passages.get(raw) : undefined;
    if (passage?.leave !== undefined) {
      release(passage);
      passage.left = true;
    }
    done();
  });
  app.addHook('preValidation', ({ raw }, _reply, done) => {
    const passage = passages.get(raw);
    if (passage?.left !== true) {
      done();
      return;
    }
    admission.place(passage.network).then((again) => {
      if (passage.ended || raw.socket.destroyed) {
        again();
        done(new ApiError('REQUEST_TIMEOUT'));
        return;
      }
      passage.leave = again;
      done();
    }, done);
  });
  app.addHook('onSend', ({ raw }, _reply, payload, done) => {
    const passage = passages.get(raw);
    if (passage !== undefined) release(passage);
    done(null, payload);
  });
}

/**
 * Makes Node's parser leave the requests that came in the same piece. 64 kB hold more than a thousand, each would become objects
 * of some kilobytes, and these live until the connection's end is dealt with, after everything else that was ready. The parser
 * stops at a request for which its `onIncoming` returns 2: that is how Node leaves the bytes after an upgrade alone. One that asks
 * for an upgrade, Node still reports, on a connection that is closed.
 */
function stopParsing(socket: Socket): void {
  const { parser } = socket as Socket & { parser?: { onIncoming?: () => number } };
  if (parser?.onIncoming !== undefined) parser.onIncoming = () => 2;
}

/** The last address in `X-Forwarded-For` that is not a trusted proxy's own. */
function forwardedFor(request: IncomingMessage, trusted: Trust): string {
  const header = request.headers['x-forwarded-for'];
  const addresses = (typeof header === 'string' ? header : '').split(',').map((part) => part.trim());
  return addresses.findLast((address) => !trusted(address)) ?? addresses[0] ?? '';
}

/** Says whether a request is a probe, and one of those that need no place. */
function probeCounter(): (url: string, network: string) => boolean {
  const counts = new Map<string, number>();
  let until = 0;
  return (url, network) => {
    const path = url.length > 100 ? '' : (url.split('?', 1)[0] ?? '');
    if (!probePaths.has(path)) return false;
    const now = performance.now();
    if (now > until) {
      counts.clear();
      until = now + secondMs;
    }
    const count = (counts.get(network) ?? 0) + 1;
    counts.set(network, count);
    return count <= probesPerSecond;
  };
}

function measure(admission: Admission, registry: Registry): void {
  const { count } = admission;
  const registers = [registry];
  new Gauge({
    name: 'http_requests_in_flight',
    help: 'Requests and GraphQL operations that are being worked on.',
    registers,
    collect() {
      this.set(count.inFlight);
    },
  });
  new Gauge({
    name: 'http_requests_waiting',
    help: 'Requests and GraphQL operations that wait for their turn.',
    registers,
    collect() {
      this.set(count.waiting);
    },
  });
  let counted = 0;
  new Counter({
    name: 'http_requests_shed_total',
    help: 'Requests and GraphQL operations that were refused with 503 because the process was at its limit.',
    registers,
    collect() {
      this.inc(count.shed - counted);
      counted = count.shed;
    },
  });
}

/** One line a second at most: a line for each would cost as much as the request. */
function shedReporter({ count }: Admission, log: Logger): () => void {
  let reported = 0;
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    setTimeout(() => {
      waiting = false;
      log.warn({ shed: count.shed - reported, inFlight: count.inFlight, waiting: count.waiting }, 'Requests were shed');
      reported = count.shed;
    }, secondMs).unref();
  };
}
