/** What every connection to PostgreSQL has in common, whichever pool it is of. */
export const connectionSettings = {
  /** How long a request waits for a connection, be it that one is made or that all are taken. */
  connectionTimeoutMillis: 5_000,
  // An idle connection whose server is gone without a word is found out in some 20 seconds.
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  options: '-c timezone=UTC',
} as const;
