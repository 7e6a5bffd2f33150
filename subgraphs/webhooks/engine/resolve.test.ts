import { expect, test } from '@jest/globals';
import { nameServers, NoAddress } from './resolve.js';

test.each(['localhost', 'LOCALHOST.', 'hooks.localhost', 'a.b.localhost.'])(
  'a name of this machine has its addresses without anyone being asked: %s',
  async (name) => {
    expect(await nameServers()(name)).toEqual(['127.0.0.1', '::1']);
  },
);

// `.invalid` is never given to anyone (RFC 6761 §6.4), and neither is what only ends or begins like a name of this machine.
test.each(['receiver.invalid', 'localhost.invalid', 'notlocalhost.invalid'])(
  'a name without an address is refused, whether name servers say so or cannot be reached: %s',
  async (name) => {
    const asked = nameServers()(name);
    await expect(asked).rejects.toBeInstanceOf(NoAddress);
    await expect(asked).rejects.toMatchObject({ code: 'ENOTFOUND', message: `${name} has no address` });
  },
  30_000,
);
