import type { Context } from '../../../shared/kernel/context.js';
import { originOf } from '../sessions/session-origin.js';
import { hasProvedFrom, isKnownNetwork } from '../sessions/session.store.js';
import type { Client } from './login-guard.js';

/** Returns the caller of a log-in by its network, which is known if a session of the e-mail's account was opened from it. */
export async function networkClient(context: Context, email: string): Promise<Client> {
  const { network } = originOf(context);
  return { id: `network ${network}`, isKnown: await isKnownNetwork(context, email, network) };
}

/** Returns the caller of a proof of a second factor by its network, which is known if a second factor was proved from it: a password is enough to open a session. */
export async function factorClient(context: Context, ownerId: string): Promise<Client> {
  const { network } = originOf(context);
  return { id: `network ${network}`, isKnown: await hasProvedFrom(context, ownerId, network) };
}

/** Returns the caller whose session is that of a browser by the session, which somebody has logged in to before, and a program by its network. */
export async function sessionClient(context: Context, email: string): Promise<Client> {
  const { browser } = context.principal;
  return browser === undefined ? networkClient(context, email) : { id: `session ${browser.id}`, isKnown: true };
}
