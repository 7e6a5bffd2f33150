import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, expect, test } from '@jest/globals';
import { testKeyRing } from '../../../tests/kit/context.js';
import { startDemoPortal } from './demo.js';

const portal = await startDemoPortal(testKeyRing);
afterAll(() => portal.close());

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

test('the portal of the demo listens on one address of the loopback, and on no network', async () => {
  expect([await isTaken('127.0.0.1'), await isTaken('127.0.0.2')]).toEqual([true, false]);
});
