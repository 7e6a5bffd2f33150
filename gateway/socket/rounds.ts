/** A connection that is looked after. */
export interface Kept {
  /** Sends the heartbeat, and lets go of a peer that has not answered the last one. */
  beat(): void;
  /** Looks again at its credentials. */
  recheck(): void;
}

/** Looks after connections by one timer. */
export interface Rounds {
  /** Looks after a connection until the returned function is called. */
  add(connection: Kept): () => void;
}

/** A round has so many turns, and each connection one of them: the work of all is spread over the round. */
const turns = 30;
/** Credentials are looked at so often in a round. */
const rechecks = 3;

/** @param roundMs how often a connection beats, in milliseconds; its credentials are looked at three times as often */
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
