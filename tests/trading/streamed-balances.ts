import type { Manager } from '../../shared/database/manager.js';

/** What readers of a wallet were told that it holds: of each currency what they were told last. */
export async function streamedBalances(manager: Manager, walletId: string): Promise<Record<string, object>> {
  const events: { wallets: { currency: string; available: string; locked: string }[] }[] = (
    await manager.query<{ data: never }[]>(
      `SELECT data FROM trading.stream_events WHERE wallet_id = $1 AND channel = 'balance' ORDER BY event_id`,
      [walletId],
    )
  ).map(({ data }) => data);
  return Object.fromEntries(
    events
      .flatMap(({ wallets }) => wallets)
      .map(({ currency, available, locked }) => [currency, { available, locked }] as const),
  );
}
