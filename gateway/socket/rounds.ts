/** A connection that needs regular checks. */
export interface Kept {
  /** Sends the heartbeat, and disconnects a peer that has not responded to the last one. */
  beat(): void;
  /** Checks the connection's credentials again. */
  recheck(): void;
}

/** Checks connections regularly, with one timer for all. */
export interface Rounds {
  /** Checks a connection until the returned function is called. */
  add(connection: Kept): () => void;
}

/** Number of turns in a round; each connection belongs to one, so that the work of all is spread over the round. */
const turns = 30;
/** Number of credential checks in a round. */
const rechecks = 3;

/** Creates the rounds. @param roundMs interval of a connection's heartbeats, in milliseconds; its credentials are checked three times as often */
export function createRounds(roundMs: number): Rounds {
  const slots = Array.from({ length: turns }, () => new Set<Kept>());
  let count = 0;
  let turn = 0;
  let timer: NodeJS.Timeout | undefined;

  const slotAt = (at: number) => slots[at % turns] ?? new Set<Kept>();
  const take = () => {
    turn = (turn + 1) % turns;
    for (const connection of slotAt(turn)) connection.beat();
    for (let step = 0; step < rechecks; step += 1) {
      for (const connection of slotAt(turn + (step * turns) / rechecks)) connection.recheck();
    }
  };
  return {
    add: (connection) => {
      const slot = slotAt(turn);
      slot.add(connection);
      count += 1;
      timer ??= setInterval(take, roundMs / turns);
      return () => {
        if (!slot.delete(connection)) return;
        count -= 1;
        if (count > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}
