import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HoldRefusal } from './refusals.js';

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
export function createPipelines(hold: HoldRefusal): (response: ServerResponse, request: PipelinedRequest) => void {
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
