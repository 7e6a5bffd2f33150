import { rm } from 'node:fs/promises';
import { running } from './global-setup.mjs';

/** Runs when tests have failed, too. */
export default async function teardown() {
  await running.pooler?.close();
  await running.database?.stop();
  if (running.folder !== undefined) await rm(running.folder, { recursive: true, force: true });
}
