import type { Shape } from '../../../../shared/graphql/shape.js';
import type { ConfiguredVenue } from './venue.type.js';
import type { Context } from '../../../../shared/kernel/context.js';
import { valuesOf } from '../../../../shared/kernel/group-by.js';
import { isUnsettled } from '../../orders/execution.store.js';
import { z } from 'zod';
import type { KeyRing } from '../../../../shared/security/crypto.js';
import type { Sealed } from '../../../../shared/security/sealed.js';

export interface ConfiguredVenueRow extends Omit<Shape<ConfiguredVenue>, 'settings'> {
  readonly id: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

export interface SealedVenueRow extends ConfiguredVenueRow {
  /** The key ring encrypts them. */
  readonly credentials: Buffer;
}

const columns = `id, name, exchange, symbols, sandbox, trim_scale(maker_fee)::text AS "makerFee",
  trim_scale(taker_fee)::text AS "takerFee", settings, created_at AS "createdAt", retired_at AS "retiredAt"`;

export function listConfiguredVenues({ manager }: Context, limit: number): Promise<ConfiguredVenueRow[]> {
  return manager.rows(`SELECT ${columns} FROM trading.venues ORDER BY name LIMIT $1`, [limit]);
}

/** Lists the venues to connect: those in use, and retired ones that have, or may have, open orders of the house. */
export function listVenuesToOpen({ manager }: Context): Promise<SealedVenueRow[]> {
  return manager.rows(
    `SELECT ${columns}, credentials FROM trading.venues AS venue WHERE retired_at IS NULL
       OR EXISTS (SELECT FROM trading.executions AS sent WHERE sent.venue = venue.name AND ${isUnsettled})
       OR EXISTS (SELECT FROM trading.hedge_orders AS sent WHERE sent.venue = venue.name AND ${isUnsettled})
     ORDER BY name`,
  );
}

/** Inserts a venue; returns false if the name was used before. */
export async function insertVenue({ manager }: Context, row: SealedVenueRow): Promise<boolean> {
  return manager.changes(
    `INSERT INTO trading.venues (id, name, exchange, symbols, credentials, sandbox, maker_fee, taker_fee, settings, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb, $10) ON CONFLICT (name) DO NOTHING`,
    [
      ...valuesOf(row, 'id', 'name', 'exchange', 'symbols', 'credentials', 'sandbox', 'makerFee', 'takerFee'),
      JSON.stringify(row.settings),
      row.createdAt,
    ],
  );
}

export function markRetired({ manager, clock }: Context, name: string): Promise<ConfiguredVenueRow | undefined> {
  return manager.row(
    `UPDATE trading.venues SET retired_at = $2 WHERE name = $1 AND retired_at IS NULL RETURNING ${columns}`,
    [name, clock.now()],
  );
}

export async function isInUse({ manager }: Context, id: string): Promise<boolean> {
  const rows = await manager.rows<unknown>('SELECT FROM trading.venues WHERE id = $1 AND retired_at IS NULL', [id]);
  return rows.length > 0;
}

/** Records, once, that the capital at a venue is in the books; returns false if it was recorded before. Locks the venue until the transaction ends. */
export async function markCapitalBooked({ manager, clock }: Context, id: string): Promise<boolean> {
  return manager.changes(
    'UPDATE trading.venues SET capital_booked_at = $2 WHERE id = $1 AND capital_booked_at IS NULL',
    [id, clock.now()],
  );
}

export const sealedVenueCredentials: Sealed = {
  purpose: 'trading/venue-credentials',
  table: 'trading.venues',
  key: { id: 'uuid' },
  columns: ['credentials'],
  name: 'credentials of exchanges',
  whenLost:
    'These exchanges are not connected: create new keys at the exchanges, retire the venues, and add them again under other names.',
};

const credentialsForm = z.object({ apiKey: z.string(), secret: z.string(), password: z.string().optional() });

/** The keys of the house's account on an exchange, under ccxt's names. */
type VenueCredentials = z.infer<typeof credentialsForm>;

export function sealCredentials(keyRing: KeyRing, credentials: VenueCredentials): Buffer {
  return keyRing.seal(sealedVenueCredentials, JSON.stringify(credentials));
}

/** @throws {SealError} if no key of this process decrypts them */
export function openCredentials(keyRing: KeyRing, sealed: Buffer): VenueCredentials {
  return credentialsForm.parse(JSON.parse(keyRing.open(sealedVenueCredentials, sealed)));
}
