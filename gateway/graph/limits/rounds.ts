import type { WebSocket } from 'ws';

export interface Kept {
  readonly socket: WebSocket;
  readonly recheck: () => void;
  readonly onPing?: () => void;
}

/** Checks sockets regularly, with one timer for all: their pings, and the credentials of their peers. */
export interface Rounds {
  /** Checks a socket until it closes. A peer that has not responded to a ping by the next one is disconnected. */
  keep(kept: Kept): void;
}

/** Interval of a socket's pings; its credentials are checked three times as often. */
const usualRoundMs = 30_000;
/** Number of turns in a round; each socket belongs to one, so that the work of all is spread over the round. */
const turns = 30;
const rechecks = 3;

interface Member {
  readonly ping: () => void;
  readonly recheck: () => void;
}

export function createRounds(roundMs = usualRoundMs): Rounds {
  const slots = Array.from({ length: turns }, () => new Set<Member>());
  let count = 0;
  let turn = 0;
  let timer: NodeJS.Timeout | undefined;

  const slotAt = (at: number) => slots[at % turns] ?? new Set<Member>();
  const take = () => {
    turn = (turn + 1) % turns;
    for (const member of slotAt(turn)) member.ping();
    for (let step = 0; step < rechecks; step += 1) {
      for (const member of slotAt(turn + (step * turns) / rechecks)) member.recheck();
    }
  };
  return {
    keep: (kept) => {
      const slot = slotAt(turn);
      const member: Member = { ping: pinging(kept), recheck: kept.recheck };
      slot.add(member);
      count += 1;
      timer ??= setInterval(take, roundMs / turns);
      kept.socket.once('close', () => {
        slot.delete(member);
        count -= 1;
        if (count > 0) return;
        clearInterval(timer);
        timer = undefined;
      });
    },
  };
}

function pinging({ socket, onPing }: Kept): () => void {
  let alive = true;
  socket.on('pong', () => {
    alive = true;
  });
  return () => {
    // Nothing is read from a slow peer, not even its pong; the duration of that is limited elsewhere.
    if (socket.isPaused) return;
    if (!alive) {
      socket.terminate();
      return;
    }
    alive = false;
    socket.ping();
    onPing?.();
  };
}
