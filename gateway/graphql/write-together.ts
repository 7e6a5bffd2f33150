import type { Duplex } from 'node:stream';

const held = new Set<Duplex>();

/** Combines all writes to a connection in this turn of the event loop into one system call. */
export function writeTogether(connection: Duplex): void {
  if (held.has(connection)) return;
  if (held.size === 0) setImmediate(release);
  held.add(connection);
  connection.cork();
}

function release(): void {
  for (const connection of held) connection.uncork();
  held.clear();
}
