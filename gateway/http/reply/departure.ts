import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Connections } from '../limits/connections.js';

/** The time between the signal to stop and the end of a process that others stand beside, so that these take over little by little. */
export interface Departure {
  readonly hasBegun: () => boolean;
  readonly isClosing: () => boolean;
  /** Registers what lets go of callers over the given time, in milliseconds. */
  during(act: (ms: number) => void): void;
  /** Turns readiness red and goes on serving; responses close their connections, sockets close one by one. Resolves after the given time. */
  begin(ms: number): Promise<void>;
}

export function createDeparture(app: FastifyInstance, connections: Pick<Connections, 'drain'>): Departure {
  const acts: ((ms: number) => void)[] = [];
  let begun = false;
  let closing = false;
  app.addHook('preClose', (done) => {
    closing = true;
    connections.drain();
    done();
  });
  return {
    hasBegun: () => begun || closing,
    isClosing: () => closing,
    during: (act) => {
      acts.push(act);
    },
    begin: async (ms) => {
      begun = true;
      for (const act of acts) act(ms);
      await sleep(ms);
    },
  };
}
