import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openAccounts } from '../../../tests/accounts/kit.js';
import { testKeyRing } from '../../../tests/kit/context.js';
import { createDemo, startDemoPortal, type DemoPortal } from './demo.js';

let portal: DemoPortal;
beforeAll(async () => {
  portal = await startDemoPortal(testKeyRing);
});
afterAll(() => portal.close());

/** Whether the portal's port on an address of this machine is in use. */
async function isTaken(host: string): Promise<boolean> {
  const socket = connect({ host, port: Number(new URL(portal.url).port) });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

describe('the portal of the demo', () => {
  test('knows its user by the right password alone', async () => {
    const kit = await openAccounts();
    const demo = await createDemo(kit.context, testKeyRing);
    await kit.close();
    const { email = '', password = '' } = demo?.portalAccount ?? {};
    const ask = async (given: string) =>
      (await fetch(portal.url, { method: 'POST', body: JSON.stringify({ email, password: given }) })).status;
    expect([await ask(password), await ask(`${password}x`)]).toEqual([200, 401]);
  });

  test('listens on one address of the loopback, and on no network', async () => {
    expect([await isTaken('127.0.0.1'), await isTaken('127.0.0.2')]).toEqual([true, false]);
  });
});
