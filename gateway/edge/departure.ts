import { setTimeout as sleep } from 'node:timers/promises';

/** The time between the signal to stop and the end of a process that others stand beside, so that these take over little by little. */
export interface Departure {
  hasBegun(): boolean;
  /** Registers what lets go of callers over the given time, in milliseconds. */
  during(act: (ms: number) => void): void;
  /**
   * Turns readiness red, so that load balancers send no more callers, and goes on serving those who come. Responses close their connections, and sockets
   * are closed one after the other. Resolves after the given time.
   */
  begin(ms: number): Promise<void>;
}

export function createDeparture(): Departure {
  const acts: ((ms: number) => void)[] = [];
  let begun = false;
  return {
    hasBegun: () => begun,
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
