import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Logger } from '../../../shared/kernel/log.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import type { Admission, Leave } from './admission.js';
import { hasBody } from '../body/discard.js';
import { networkOf, type Trust } from '../../../shared/kernel/network.js';
import { createRefusals, type HoldRefusal } from './refusals.js';

export interface GateParts {
  readonly admission: Admission;
  readonly trusted: Trust;
  readonly registry: Registry;
  readonly log: Logger;
  /** Responds to a request that is shed. */
  readonly refuse: (request: IncomingMessage, response: ServerResponse, ip: string) => void;
}

/** Controls which requests get a place, before anything else reads them. */
export interface Gate {
  /** Passes a request on to `handle` when it has a place; else it gets 503. */
  readonly pass: (request: IncomingMessage, response: ServerResponse, handle: () => void) => void;
  /** Adds hooks that release the place of a request while its body is read, and once its response is being sent. */
  readonly guard: (app: FastifyInstance) => void;
  /** Releases the place of a request whose response is a stream or an upgrade to another protocol. */
  readonly leave: (request: IncomingMessage) => void;
}

/** Paths for monitoring. They need no place up to `probesPerSecond` for each network; beyond that they take turns like other requests. */
const probePaths: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);
const probesPerSecond = 50;
const secondMs = 1_000;

interface Passage {
  network: string;
  /** Undefined while the request waits, and for a probe. */
  leave: Leave | undefined;
  /** Whether the place was given back while the body is read. */
  left: boolean;
  /** Whether the request was passed on to its handler. */
  handled: boolean;
  /** Timer that finally gives the place back when the caller has disconnected and the work continues. */
  abandoned: NodeJS.Timeout | undefined;
  /** Whether the response or the connection has ended: a place that is granted afterwards is given back immediately. */
  ended: boolean;
  /** Drops the refusal that is held for the request. */
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

function newPassage(): Passage {
  return {
    network: '',
    leave: undefined,
    left: false,
    handled: false,
    abandoned: undefined,
    ended: false,
    dropRefusal: undefined,
  };
}

function release(passage: Passage): void {
  clearTimeout(passage.abandoned);
  passage.leave?.();
  passage.leave = undefined;
}

/** Ends a passage. A request that is being worked on keeps its place until the work is done, even if its caller has disconnected. */
function end(passage: Passage, responded: boolean): void {
  if (passage.leave !== undefined && passage.handled && !responded && !passage.ended) {
    passage.abandoned = setTimeout(release, abandonedMs, passage).unref();
  } else if (!passage.handled || responded) release(passage);
  passage.dropRefusal?.();
  passage.ended = true;
}

export function createGate({ admission, trusted, registry, log, refuse }: GateParts): Gate {
  const sourceOf = sources(trusted);
  const isProbe = probeCounter();
  measure(admission, registry);
  const reportShed = shedReporter(admission, log);
  const hold = createRefusals();
  const inTurn = createPipelines(hold);

  const pass: Gate['pass'] = (request, response, handle) => {
    const passage = newPassage();
    const enter = () => {
      const { ip, network } = sourceOf(request);
      passage.network = network;
      request[passageOf] = passage;
      if (isProbe(request.url ?? '', passage.network)) {
        handle();
        return;
      }
      admission.enter(
        passage.network,
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
          if (passage.ended) return;
          passage.dropRefusal = hold(() => refuse(request, response, ip));
        },
      );
    };
    inTurn(response, {
      start: enter,
      end: (responded) => end(passage, responded),
    });
  };

  const leave: Gate['leave'] = (request) => {
    const passage = request[passageOf];
    if (passage !== undefined) release(passage);
  };
  const guard: Gate['guard'] = (app) => guardPlaces(app, admission);
  return { pass, guard, leave };
}

/** Returns the function that finds the address and the network of a request. */
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

/** Releases the places of requests while they do not need them. */
function guardPlaces(app: FastifyInstance, admission: Admission): void {
  // A body may take long to arrive: the request must not hold a place meanwhile.
  app.addHook('preParsing', ({ raw }, _reply, _payload, done) => {
    const passage = hasBody(raw) ? raw[passageOf] : undefined;
    if (passage?.leave !== undefined) {
      release(passage);
      passage.left = true;
    }
    done();
  });
  app.addHook('preValidation', ({ raw }, _reply, done) => {
    const passage = raw[passageOf];
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
    const passage = raw[passageOf];
    if (passage !== undefined) release(passage);
    done(null, payload);
  });
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

/** Number of requests that one connection may send without waiting for responses (RFC 9112 §9.3.2). They are handled one after the other. */
const maxPipelined = 16;

export interface PipelinedRequest {
  /** Called in the request's turn, unless its connection is closed by then. */
  readonly start: () => void;
  /** Called when the response or the connection has ended, at least once. @param responded whether the response was sent */
  readonly end: (responded: boolean) => void;
}

/** The requests of one connection, in their order. */
interface Pipeline {
  readonly requests: Set<PipelinedRequest>;
  /** Starts of the requests that wait for the one before them. */
  readonly next: (() => void)[];
  /** Whether too many requests were sent: none of them is started any more, and the connection closes. */
  refused: boolean;
}

/** Returns the function that starts the requests of each connection in turn, and closes a connection that sends too many. */
function createPipelines(hold: HoldRefusal): (response: ServerResponse, request: PipelinedRequest) => void {
  const pipelines = new WeakMap<Socket, Pipeline>();
  const pipelineOf = (socket: Socket): Pipeline => {
    const known = pipelines.get(socket);
    if (known !== undefined) return known;
    const pipeline: Pipeline = { requests: new Set(), next: [], refused: false };
    pipelines.set(socket, pipeline);
    // Node emits no `close` for a pipelined response whose turn never came, so all requests of a connection end with it.
    socket.once('close', () => {
      pipeline.next.length = 0;
      for (const request of pipeline.requests) request.end(false);
      pipeline.requests.clear();
    });
    return pipeline;
  };
  return (response, request) => {
    const { socket } = response.req;
    const pipeline = pipelineOf(socket);
    const isOver = () => socket.destroyed || pipeline.refused;
    // This request arrived in the same packet as the one that closed the connection.
    if (isOver()) return;
    if (pipeline.requests.size >= maxPipelined) {
      pipeline.refused = true;
      closeLate(socket, hold);
      return;
    }
    pipeline.requests.add(request);
    // Emitted once. `once` would remove the listener, and V8 then keeps the response until its next full collection.
    response.on('close', () => {
      pipeline.requests.delete(request);
      request.end(response.writableFinished);
      pipeline.next.shift()?.();
    });
    const start = () => {
      if (!isOver()) request.start();
    };
    // Runs after everything in the packet was parsed: a connection that sends too many requests is closed before its first one is handled.
    if (pipeline.requests.size === 1) process.nextTick(start);
    else pipeline.next.push(start);
  };
}

/**
 * Closes the connection of a client that sends too many requests, as late as a refusal is sent: a client that is disconnected immediately connects again
 * immediately, and opening and closing a connection costs more than the requests on it.
 */
function closeLate(socket: Socket, hold: HoldRefusal): void {
  stopParsing(socket);
  // Once the packet was parsed: until then, Node resumes the socket after each request.
  setImmediate(() => socket.pause());
  socket.once(
    'close',
    hold(() => socket.destroy()),
  );
}

/**
 * Makes Node's parser skip the remaining requests of a packet. 64 kB hold more than a thousand; each would become objects
 * of some kilobytes that live until the connection is closed. The parser
 * stops at a request for which its `onIncoming` returns 2, as it does for the bytes after an upgrade. Node still reports
 * a request that asks for an upgrade, on a connection that is closed.
 */
function stopParsing(socket: Socket): void {
  const { parser } = socket as Socket & { parser?: { onIncoming?: () => number } };
  if (parser?.onIncoming !== undefined) parser.onIncoming = () => 2;
}
