import { afterAll, describe, expect, test } from '@jest/globals';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { openTestDatabase } from '../../../tests/kit/database.js';
import { newId } from '../../kernel/ids.js';
import { createLog } from '../../kernel/log.js';
import type { AuditEntry } from './entry.js';
import { auditEntry } from '../../../tests/kit/audit-entry.js';
import { openAuditTrail } from './trail.js';

const entry = (over: Partial<AuditEntry> = {}) =>
  auditEntry({ id: newId(Date.now()), actorId: newId(Date.now()), ...over });

/** A server that accepts connections and never speaks PostgreSQL's protocol. */
async function openMuteServer(onConnection: (socket: Socket) => void): Promise<{ url: string; server: Server }> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `postgres://u:p@127.0.0.1:${port}/d`, server };
}

describe('the notes of a database that is away', () => {
  test('are tried again at times, not with each note, and warn once', async () => {
    const lines: string[] = [];
    let connections = 0;
    const { url, server } = await openMuteServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    const trail = openAuditTrail(url, createLog('info', { write: (line) => lines.push(line) }));
    for (let n = 0; n < 200; n += 1) {
      trail.note(entry());
      await sleep(2);
    }
    // One for the first note, and one more if the machine is so slow that the next interval has passed.
    expect(connections).toBeLessThanOrEqual(2);
    await trail.flush();
    expect(lines.filter((line) => line.includes('could not be written'))).toHaveLength(1);
    await trail.close();
    expect(lines.filter((line) => line.includes('"lost":200'))).toHaveLength(1);
    server.close();
  });

  test('do not keep a program from ending while the database is frozen', async () => {
    const lines: string[] = [];
    const sockets: Socket[] = [];
    const { url, server } = await openMuteServer((socket) => sockets.push(socket));
    const trail = openAuditTrail(url, createLog('info', { write: (line) => lines.push(line) }));
    for (let n = 0; n < 100; n += 1) trail.note(entry());
    const closed = trail.close().then(() => 'closed');
    expect(await Promise.race([closed, sleep(4_500, 'still waiting', { ref: false })])).toBe('closed');
    expect(lines.filter((line) => line.includes('"lost":100'))).toHaveLength(1);
    for (const socket of sockets) socket.destroy();
    server.close();
  });
});

const database = await openTestDatabase();
afterAll(() => database.close());

describe('notes', () => {
  const written = async (requestId: string) => {
    const [row] = await database.dataSource.query<[{ count: number }]>(
      'SELECT count(*)::integer FROM shared.audit_log WHERE request_id = $1',
      [requestId],
    );
    return row.count;
  };

  test('that the table does not take are lost alone', async () => {
    const lines: string[] = [];
    const trail = openAuditTrail(database.url, createLog('info', { write: (line) => lines.push(line) }));
    const requestId = 'bad';
    for (let n = 0; n < 100; n += 1) trail.note(entry(n % 25 === 7 ? { id: 'no uuid' } : { requestId }));
    await trail.flush();
    expect(await written(requestId)).toBe(96);
    expect(lines.filter((line) => line.includes('An entry of the audit log was lost'))).toHaveLength(4);
    await trail.close();
  });

  test('that fail for other reasons are tried again, and do not keep the later ones out', async () => {
    await database.asOwner(`
      CREATE FUNCTION shared.refuse_slow() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW.action = 'slow' THEN RAISE EXCEPTION 'canceling statement' USING ERRCODE = '57014'; END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER refuse_slow BEFORE INSERT ON shared.audit_log FOR EACH ROW EXECUTE FUNCTION shared.refuse_slow();
    `);
    const trail = openAuditTrail(database.url, createLog('silent'));
    const requestId = 'slow';
    trail.note(entry({ requestId, action: 'slow' }));
    for (let n = 0; n < 50; n += 1) trail.note(entry({ requestId }));
    for (let n = 0; n < 20 && (await written(requestId)) < 50; n += 1) await trail.flush();
    expect(await written(requestId)).toBe(50);
    await database.asOwner('DROP TRIGGER refuse_slow ON shared.audit_log');
    await trail.flush();
    expect(await written(requestId)).toBe(51);
    await trail.close();
  });
});
