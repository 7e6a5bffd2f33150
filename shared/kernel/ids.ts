import { randomFillSync } from 'node:crypto';

/** Random bytes for the next ids: drawing them for one id at a time costs more than all the rest of an id. */
const pool = Buffer.alloc(4096);
let drawn = pool.length;

let lastMs = 0;
let sequence = 0;

/** UUID version 7 (RFC 9562 §5.7): 48 bits of milliseconds, a 12-bit counter for the order within one, 62 random bits. */
export function newId(nowMs: number = Date.now()): string {
  if (nowMs > lastMs) {
    lastMs = nowMs;
    sequence = 0;
  } else if (++sequence > 0xfff) {
    lastMs += 1;
    sequence = 0;
  }
  if (drawn === pool.length) {
    randomFillSync(pool);
    drawn = 0;
  }
  const bytes = Buffer.alloc(16);
  pool.copy(bytes, 8, drawn, drawn + 8);
  drawn += 8;
  bytes.writeUIntBE(lastMs, 0, 6);
  bytes.writeUInt16BE(0x7000 | sequence, 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text has the form of a UUID, so that PostgreSQL accepts it as one. */
export function isUuid(text: string): boolean {
  return uuidForm.test(text);
}

/** Returns SQL of the lowest id that a row created at an instant can have: ids of a process never lag behind its clock, though they may run ahead of it. */
export const lowestIdAt = (instant: string): string =>
  `(lpad(to_hex((extract(epoch FROM ${instant}) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid`;
