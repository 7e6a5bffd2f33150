import { useSyncExternalStore } from 'react';
import { noteChange } from '../frame/session.js';

/** The wallet that the screens act on: of the company or of a profile, with real funds or simulated ones. */
export interface Wallet {
  readonly synthetic: boolean;
  /** Null for the company's own. */
  readonly profileId: string | null;
}

const key = 'lastro-wallet';
const listeners = new Set<() => void>();
let current = stored();

/** The choice lasts as long as the tab: each tab may show another wallet. */
function stored(): Wallet {
  const [world, profileId = ''] = (sessionStorage.getItem(key) ?? '').split(' ');
  return { synthetic: world === 'synthetic', profileId: profileId === '' ? null : profileId };
}

export const currentWallet = (): Wallet => current;

export function chooseWallet(wallet: Wallet): void {
  current = wallet;
  noteChange();
  sessionStorage.setItem(key, `${wallet.synthetic ? 'synthetic' : 'real'} ${wallet.profileId ?? ''}`);
  for (const listener of listeners) listener();
}

export function useWallet(): Wallet {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, currentWallet);
}
