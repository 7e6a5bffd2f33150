import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { openPlatform } from '../../bootstrap/platform.js';
import { quietLog } from '../kit/context.js';
import { openTestPlatform } from '../kit/platform.js';
import { newCpf, plenty, tradingCallerOf } from './kit.js';

test('another start of the demo neither funds nor trades in the wallet of a profile that a user opened since', async () => {
  const platform = await openTestPlatform({ ...plenty, DEMO: 'true' }, { background: false });
  try {
    const caller = tradingCallerOf(platform);
    const file = await readFile(join(platform.dataDir, 'demo-credentials.json'), 'utf8');
    const { trading } = JSON.parse(file) as { trading: { apiKey: string; secretKey: string } };
    const { accessToken } = (await caller.post('/v1/auth/login', trading)).body as { accessToken: string };
    const headers = { authorization: `Bearer ${accessToken}` };
    const person = { name: 'Ana', document: newCpf(), documentType: 'CPF', email: 'ana@cliente.example' };
    const { id } = (await caller.post('/v1/account/createProfile', person, headers)).body as { id: string };
    const read = async (path: string, profileId?: string) => {
      const sent = { ...headers, ...(profileId === undefined ? {} : { 'x-profile-id': profileId }) };
      return (await caller.send('GET', path, undefined, sent)).body;
    };
    const statement = '/v1/wallet/fetchStatement?currency=BRL&from=2020-01-01T00:00:00Z';
    const own = await read(statement);
    expect(own).toMatchObject({
      movements: expect.arrayContaining([expect.objectContaining({ cause: 'demo.funds' })]),
    });
    await (await openPlatform(platform.infrastructure.config, quietLog, { background: false })).close();
    expect(await read(statement, id)).toMatchObject({ movements: [] });
    expect(await read('/v1/orders/fetchOrders', id)).toEqual({ orders: [] });
  } finally {
    await platform.close();
  }
}, 300_000);
