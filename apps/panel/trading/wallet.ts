import { useSyncExternalStore } from 'react';
import { noteChange, onSessionChange, sessionOwner } from '../frame/session.js';

/** The wallet that the screens act on: of the company or of a profile, with real funds or simulated ones. */
export interface Wallet {
  readonly synthetic: boolean;
  /** Null for the company's own. */
  readonly profileId: string | null;
}

const key = 'lastro-wallet';
const listeners = new Set<() => void>();
const own: Wallet = { synthetic: false, profileId: null };
let chosen = stored();

interface Chosen {
  readonly wallet: Wallet;
  readonly owner: string | undefined;
}

/** The choice lasts as long as the tab: each tab may show another wallet. */
function stored(): Chosen {
  const [world, profileId = '', owner] = (sessionStorage.getItem(key) ?? '').split(' ');
  return { wallet: { synthetic: world === 'synthetic', profileId: profileId === '' ? null : profileId }, owner };
}

/** Nobody else who logs in here has the profiles of who chose. */
export function currentWallet(): Wallet {
  const owner = sessionOwner();
  return owner === undefined || owner === chosen.owner ? chosen.wallet : own;
}

export function chooseWallet(wallet: Wallet): void {
  chosen = { wallet, owner: sessionOwner() };
  noteChange();
  sessionStorage.setItem(
    key,
    `${wallet.synthetic ? 'synthetic' : 'real'} ${wallet.profileId ?? ''} ${chosen.owner ?? ''}`,
  );
  for (const listener of listeners) listener();
}

export function useWallet(): Wallet {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    const stop = onSessionChange(listener);
    return () => {
      listeners.delete(listener);
      stop();
    };
  }, currentWallet);
}
