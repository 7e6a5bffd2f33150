import { ApiError } from '../../../shared/kernel/errors.js';

export interface AdmissionBounds {
  readonly maxInFlight: number;
  readonly maxWaiting: number;
  readonly maxWaitMs: number;
}

/** Gives the place of a request back; further calls do nothing. */
export type Leave = () => void;

export interface Admission {
  /** Calls `go` when the request of this network gets a place, immediately or after a wait; else calls `shed`. Calls exactly one of them, once. */
  enter(network: string, go: (leave: Leave) => void, shed: () => void): void;
  /** Resolves when the request has a place. @throws {ApiError} UNAVAILABLE when it is shed. */
  readonly place: (network: string) => Promise<Leave>;
  /** Does work in a place of its own. @throws {ApiError} UNAVAILABLE when it is shed. */
  placed<T>(network: string, work: () => T | Promise<T>): Promise<T>;
  /** Number of requests now, and number of requests shed since the start. */
  readonly count: Readonly<Record<'inFlight' | 'waiting' | 'shed', number>>;
}

interface Waiting {
  readonly since: number;
  readonly go: (leave: Leave) => void;
  readonly shed: () => void;
}

interface Lane {
  readonly network: string;
  inFlight: number;
  readonly queue: Waiting[];
}

const shedRetrySeconds = 1;
/** Share of the places that one network may hold, so that another one always finds a place. */
const shareOfOneNetwork = 0.75;
/** Milliseconds between two checks for requests that have waited too long. */
const sweepMs = 20;
/** Maximum number of requests that begin in one turn of the event loop, so that others are read soon. */
const turnSize = 8;
/** Maximum number of requests that are shed in one turn: shedding takes a small fraction of the work of a request. */
const shedInOneTurn = 32;

/**
 * Limits requests in flight and their wait; networks take turns, so that one that sends too much delays only itself. At most `turnSize` begin in a
 * turn of the event loop: with 1,024 busy connections libuv polls up to 48 times in one round, and timers wait meanwhile.
 */
export function createAdmission({ maxInFlight, maxWaiting, maxWaitMs }: AdmissionBounds): Admission {
  const lanes = createLanes(Math.max(1, Math.floor(maxInFlight * shareOfOneNetwork)));
  const count = { inFlight: 0, waiting: 0, shed: 0 };
  let begun = 0;
  let scheduled = false;

  const schedule = () => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(turn);
  };
  const start = (lane: Lane, go: Waiting['go']) => {
    count.inFlight += 1;
    lane.inFlight += 1;
    begun += 1;
    schedule();
    let left = false;
    go(() => {
      if (left) return;
      left = true;
      count.inFlight -= 1;
      lane.inFlight -= 1;
      lanes.forgetEmpty(lane);
      if (count.waiting > 0) schedule();
    });
  };
  const drop = (lane: Lane, request: Waiting | undefined) => {
    lanes.forgetEmpty(lane);
    if (request === undefined) return;
    count.waiting -= 1;
    count.shed += 1;
    request.shed();
  };
  const dropNewest = () => {
    const lane = lanes.longest();
    drop(lane, lane.queue.pop());
  };
  const turn = () => {
    scheduled = false;
    begun = 0;
    while (begun < turnSize && count.inFlight < maxInFlight) {
      const lane = lanes.next();
      const request = lane?.queue.shift();
      if (lane === undefined || request === undefined) break;
      lanes.toTheEnd(lane);
      count.waiting -= 1;
      start(lane, request.go);
    }
    for (let dropped = 0; dropped < shedInOneTurn && count.waiting > maxWaiting; dropped += 1) dropNewest();
    if (count.waiting > maxWaiting) schedule();
  };
  const sweep = sweeper(lanes, maxWaitMs, drop);
  const enter: Admission['enter'] = (network, go, shed) => {
    const lane = lanes.of(network);
    // Waiting requests go first: otherwise a network that has just arrived would overtake them again and again.
    if (begun < turnSize && count.inFlight < maxInFlight && lanes.mayGo(lane) && lanes.next() === undefined) {
      start(lane, go);
      return;
    }
    lane.queue.push({ since: performance.now(), go, shed });
    lanes.wait(lane);
    count.waiting += 1;
    sweep();
    if (count.waiting > 2 * maxWaiting) dropNewest();
    if (count.inFlight < maxInFlight || count.waiting > maxWaiting) schedule();
  };
  return { count, enter, ...promised(enter) };
}

/** Sheds requests that have waited too long. @returns the function that starts the checks, which run as long as any request waits */
function sweeper(
  lanes: ReturnType<typeof createLanes>,
  maxWaitMs: number,
  drop: (lane: Lane, request: Waiting | undefined) => void,
): () => void {
  let sweeping: NodeJS.Timeout | undefined;
  const sweep = () => {
    const oldest = performance.now() - maxWaitMs;
    let dropped = 0;
    for (const lane of lanes.waiting()) {
      while ((lane.queue[0]?.since ?? Infinity) < oldest) {
        if (dropped === shedInOneTurn) {
          setImmediate(sweep);
          return;
        }
        dropped += 1;
        drop(lane, lane.queue.shift());
      }
    }
    sweeping = lanes.waiting().length > 0 ? setTimeout(sweep, sweepMs).unref() : undefined;
  };
  return () => {
    sweeping ??= setTimeout(sweep, sweepMs).unref();
  };
}

function promised(enter: Admission['enter']): Pick<Admission, 'place' | 'placed'> {
  const place: Admission['place'] = (network) =>
    new Promise((resolve, reject) => {
      enter(network, resolve, () => reject(overloaded()));
    });
  return {
    place,
    placed: async (network, work) => {
      const leave = await place(network);
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}

function createLanes(bound: number) {
  const lanes = new Map<string, Lane>();
  // Lanes with waiting requests, in the order of their turns.
  const turns = new Set<Lane>();
  return {
    of: (network: string): Lane => {
      const known = lanes.get(network);
      if (known !== undefined) return known;
      const made: Lane = { network, inFlight: 0, queue: [] };
      lanes.set(network, made);
      return made;
    },
    mayGo: ({ inFlight, queue }: Lane): boolean => inFlight < bound && queue.length === 0,
    /** Returns the lane whose turn it is, among those below their share of requests in flight. */
    next: (): Lane | undefined => {
      for (const lane of turns) if (lane.inFlight < bound) return lane;
      return undefined;
    },
    waiting: (): Lane[] => [...turns],
    longest: (): Lane => [...turns].reduce((most, one) => (one.queue.length > most.queue.length ? one : most)),
    wait: (lane: Lane): void => {
      turns.add(lane);
    },
    toTheEnd: (lane: Lane): void => {
      turns.delete(lane);
      if (lane.queue.length > 0) turns.add(lane);
    },
    forgetEmpty: (lane: Lane): void => {
      if (lane.queue.length > 0) return;
      turns.delete(lane);
      if (lane.inFlight === 0) lanes.delete(lane.network);
    },
  };
}

export function overloaded(): ApiError {
  const message = `The service is at its limit: send the request again in ${shedRetrySeconds} second`;
  return new ApiError('UNAVAILABLE', { message, retryAfterSeconds: shedRetrySeconds });
}
