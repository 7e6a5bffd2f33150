import { createSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { nameServers, NoAddress } from './resolve.js';

test.each(['localhost', 'LOCALHOST.', 'hooks.localhost', 'a.b.localhost.'])(
  'a name of this machine has its addresses without anyone being asked: %s',
  async (name) => {
    expect(await nameServers()(name)).toEqual(['127.0.0.1', '::1']);
  },
);

// `.invalid` is never assigned (RFC 6761 §6.4); the other names only begin or end like a name of this machine.
test.each(['receiver.invalid', 'localhost.invalid', 'notlocalhost.invalid'])(
  'a name without an address is refused, whether name servers say so or cannot be reached: %s',
  async (name) => {
    const asked = nameServers()(name);
    await expect(asked).rejects.toBeInstanceOf(NoAddress);
    await expect(asked).rejects.toMatchObject({ code: 'ENOTFOUND', message: `${name} has no address` });
  },
);

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

/** Record types (RFC 1035 §3.2.2, RFC 3596). */
const types = { a: 1, aaaa: 28 } as const;

/** Opens a name server on loopback: `records` contains the data of the one record of each type. Without it the server never responds. */
async function openNameServer(records?: Readonly<Partial<Record<number, Buffer>>>) {
  const asked: number[] = [];
  const server = createSocket('udp4');
  server.on('message', (query, { port, address }) => {
    // The question ends with the type and the class, and may be followed by an OPT record.
    const end = query.indexOf(0, 12) + 5;
    const type = query.readUInt16BE(end - 4);
    asked.push(type);
    if (records === undefined) return;
    const data = records[type];
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(0x8180, 2);
    header.writeUInt16BE(data === undefined ? 0 : 1, 6);
    header.writeUInt16BE(0, 10);
    const record = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data?.length ?? 0, ...(data ?? [])]);
    server.send([header, query.subarray(12, end), data === undefined ? Buffer.alloc(0) : record], port, address);
  });
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
  cleanups.push(() => server.close());
  const { port }: AddressInfo = server.address();
  return { resolve: nameServers([`127.0.0.1:${port}`]), asked };
}

test('a name has its addresses of both families, and those of one when it has no other', async () => {
  const [four, six] = [Buffer.from([203, 0, 113, 7]), Buffer.from('20010db8000000000000000000000007', 'hex')];
  const both = await openNameServer({ [types.a]: four, [types.aaaa]: six });
  expect(await both.resolve('both.example')).toEqual(['203.0.113.7', '2001:db8::7']);
  const newer = await openNameServer({ [types.aaaa]: six });
  expect(await newer.resolve('newer.example')).toEqual(['2001:db8::7']);
  const neither = await openNameServer({});
  await expect(neither.resolve('neither.example')).rejects.toBeInstanceOf(NoAddress);
});

test('a name server that is silent is asked twice, and then the name has no address', async () => {
  const { resolve, asked } = await openNameServer();
  await expect(resolve('silent.example')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  expect(asked.sort((one, other) => one - other)).toEqual([types.a, types.a, types.aaaa, types.aaaa]);
});
