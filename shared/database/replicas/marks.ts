/** Position in the write-ahead log in bytes. On one timeline a standby that has replayed a commit's position shows it and all before. */
export type Lsn = bigint;

/** The history that a server's positions belong to: positions of different ones say nothing about each other. */
export interface History {
  /** Identifies the installation that all its standbys were copied from. */
  readonly system: string;
  /** Grows with each promotion. */
  readonly timeline: number;
}

/** What the primary had durably written at a moment. */
export interface Mark extends History {
  readonly lsn: Lsn;
  /** The moment before it was asked for, by this process' monotonic clock, in milliseconds. */
  readonly askedAt: number;
}

export interface Marks {
  add(mark: Mark): void;
  /** The last mark; undefined before the first. */
  latest(): Mark | undefined;
  /** The latest moment up to which a standby at `lsn` has every acknowledged commit; undefined when no mark proves one. */
  provedAt(lsn: Lsn): number | undefined;
}

/** Marks compare positions that this process asked both servers for, so no other clock matters. @param keptMs how long a mark is of use */
export function createMarks(keptMs: number): Marks {
  let marks: Mark[] = [];
  return {
    add: (mark) => {
      const [last] = marks.slice(-1);
      const continues = last?.system === mark.system && last.timeline === mark.timeline;
      marks = continues ? marks.filter(({ askedAt }) => askedAt >= mark.askedAt - keptMs) : [];
      marks.push(mark);
    },
    latest: () => marks.at(-1),
    provedAt: (lsn) => marks.findLast((mark) => mark.lsn <= lsn)?.askedAt,
  };
}
