import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Logger } from '../../../shared/kernel/log.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { networkOf, type Trust } from '../../../shared/kernel/network.js';
import type { Admission, Leave } from './admission.js';
import { beginResponse, isOver } from './connections.js';
import { createRefusals } from './refusals.js';

export interface GateParts {
  readonly admission: Admission;
  readonly trusted: Trust;
  readonly registry: Registry;
  readonly log: Logger;
  readonly refuse: (request: IncomingMessage, response: ServerResponse, ip: string) => void;
}

export interface Gate {
  /** Passes a request on to `handle` when it has a place; else it gets 503. */
  readonly pass: (request: IncomingMessage, response: ServerResponse, handle: () => void) => void;
  /** Releases the place of a request whose response is being sent, is a stream, or is an upgrade to another protocol. */
  readonly leave: (request: IncomingMessage) => void;
  /** Gives the place back while a body arrives. @throws {ApiError} UNAVAILABLE without a place, REQUEST_TIMEOUT for a caller who has left */
  readonly outside: <T>(request: IncomingMessage, wait: () => Promise<T>) => Promise<T>;
}

/** Paths for monitoring. They need no place up to `probesPerSecond` for each network; beyond that they take turns like other requests. */
const probePaths: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);
const probesPerSecond = 50;
const secondMs = 1_000;

interface Passage {
  network: string;
  /** Undefined while the request waits, and for a probe. */
  leave: Leave | undefined;
  handled: boolean;
  abandoned: NodeJS.Timeout | undefined;
  /** Whether the response or the connection has ended: a place that is granted afterwards is given back immediately. */
  ended: boolean;
  dropRefusal: (() => void) | undefined;
}

/** Time for which a request keeps its place after its caller has disconnected: as long as a database statement may take. */
const abandonedMs = 30_000;

/** Key of a request's passage. A property costs the garbage collector less than an entry of a weak map for each request. */
const passageOf = Symbol('passage');

declare module 'node:http' {
  interface IncomingMessage {
    [passageOf]?: Passage;
  }
}

function release(passage: Passage): void {
  clearTimeout(passage.abandoned);
  passage.leave?.();
  passage.leave = undefined;
}

/** Ends a passage. A request that is being worked on keeps its place until the work is done, even if its caller has disconnected. */
function end(passage: Passage, responded: boolean): void {
  if (passage.leave !== undefined && passage.handled && !responded) {
    passage.abandoned = setTimeout(release, abandonedMs, passage).unref();
  } else release(passage);
  passage.dropRefusal?.();
  passage.ended = true;
}

export function createGate({ admission, trusted, registry, log, refuse }: GateParts): Gate {
  const sourceOf = sources(trusted);
  const isProbe = probeCounter();
  measure(admission, registry);
  const reportShed = shedReporter(admission, log);
  const hold = createRefusals();

  const enter = (request: IncomingMessage, response: ServerResponse, passage: Passage, handle: () => void) => {
    if (passage.ended || isOver(request.socket)) return;
    const { ip, network } = sourceOf(request);
    passage.network = network;
    request[passageOf] = passage;
    if (isProbe(request.url ?? '', network)) {
      handle();
      return;
    }
    admission.enter(
      network,
      (leave) => {
        // The caller disconnected while the request waited.
        if (passage.ended || request.socket.destroyed) {
          leave();
          return;
        }
        passage.leave = leave;
        passage.handled = true;
        handle();
      },
      () => {
        reportShed();
        if (!passage.ended) passage.dropRefusal = hold(() => refuse(request, response, ip));
      },
    );
  };

  return {
    pass: (request, response, handle) => {
      const passage: Passage = {
        network: '',
        leave: undefined,
        handled: false,
        abandoned: undefined,
        ended: false,
        dropRefusal: undefined,
      };
      beginResponse(response, {
        begin: () => enter(request, response, passage, handle),
        end: (responded) => end(passage, responded),
      });
    },
    leave: (request) => {
      const passage = request[passageOf];
      if (passage !== undefined) release(passage);
    },
    outside: async (request, wait) => {
      const passage = request[passageOf];
      if (passage?.leave === undefined) return wait();
      release(passage);
      const result = await wait();
      const leave = await admission.place(passage.network);
      if (passage.ended || request.socket.destroyed) {
        leave();
        throw new ApiError('REQUEST_TIMEOUT');
      }
      passage.leave = leave;
      return result;
    },
  };
}

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

/** Returns the last address in `X-Forwarded-For` that is not a trusted proxy's own. */
function forwardedFor(request: IncomingMessage, trusted: Trust): string {
  const header = request.headers['x-forwarded-for'];
  const addresses = (typeof header === 'string' ? header : '').split(',').map((part) => part.trim());
  return addresses.findLast((address) => !trusted(address)) ?? addresses[0] ?? '';
}

/** Returns the check whether a request is a probe that needs no place; it counts the probes of each network. */
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
    help: 'Requests and GraphQL operations in progress.',
    registers,
    collect() {
      this.set(count.inFlight);
    },
  });
  new Gauge({
    name: 'http_requests_waiting',
    help: 'Requests and GraphQL operations in the queue.',
    registers,
    collect() {
      this.set(count.waiting);
    },
  });
  let counted = 0;
  new Counter({
    name: 'http_requests_shed_total',
    help: 'Requests and GraphQL operations that were rejected with 503 because the process was at its limit.',
    registers,
    collect() {
      this.inc(count.shed - counted);
      counted = count.shed;
    },
  });
}

/** Logs shed requests at most once a second: a line for each would cost as much as the request. */
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
