import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createBacklog } from './trail.js';
import type { AuditEntry } from './entry.js';
import { auditEntry } from '../../../tests/kit/audit-entry.js';

const entry = (id: number, length: number) => auditEntry({ id: String(id), after: 'x'.repeat(length) });
const bytesOf = (entries: readonly AuditEntry[]) =>
  entries.reduce((sum, one) => sum + Buffer.byteLength(JSON.stringify(one)), 0);

describe('what waits to be written', () => {
  test('is within its bounds in entries and bytes, loses none unsaid, and comes out in chunks within theirs', () => {
    const lengths = fc.array(fc.integer({ min: 0, max: 3_000 }), { maxLength: 60 });
    const bounds = { maxEntries: 20, maxBytes: 20_000 };
    fc.assert(
      fc.property(lengths, fc.integer({ min: 1, max: 8 }), (all, count) => {
        const backlog = createBacklog(bounds);
        const lost = backlog.add(all.map((length, id) => entry(id, length)));
        expect(backlog.size).toBeLessThanOrEqual(bounds.maxEntries);
        expect(backlog.bytes).toBeLessThanOrEqual(bounds.maxBytes);
        const out: AuditEntry[] = [];
        while (backlog.size > 0) {
          const chunk = backlog.first(count, 2_000);
          expect(chunk.length).toBeGreaterThan(0);
          expect(chunk.length).toBeLessThanOrEqual(count);
          if (chunk.length > 1) expect(bytesOf(chunk)).toBeLessThanOrEqual(2_000);
          backlog.drop(chunk.length);
          out.push(...chunk);
        }
        expect(backlog.bytes).toBe(0);
        expect(out.length + lost).toBe(all.length);
        expect(out.map(({ id }) => Number(id))).toEqual(out.map(({ id }) => Number(id)).sort((a, b) => a - b));
      }),
      { numRuns: 100 },
    );
  });

  test('goes on with the next when the first is moved to the end', () => {
    const backlog = createBacklog({ maxEntries: 3, maxBytes: 10_000 });
    backlog.add([1, 2, 3].map((id) => entry(id, 0)));
    backlog.rotate();
    expect(backlog.first(3, 10_000).map(({ id }) => id)).toEqual(['2', '3', '1']);
  });
});
