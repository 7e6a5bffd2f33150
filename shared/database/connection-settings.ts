/** Settings of every connection to PostgreSQL, in any pool. What PostgreSQL itself must know belongs to the role: see role-settings.ts. */
export const connectionSettings = {
  /** How long a request waits for a connection, whether a new one is opened or all are in use. */
  connectionTimeoutMillis: 5_000,
  // Detects within some 20 seconds that the server of an idle connection has vanished without closing it.
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} as const;
