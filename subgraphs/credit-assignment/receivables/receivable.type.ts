import { ObjectType } from 'type-graphql';
import type { Principal } from '../../../shared/context.js';
import { maskDocument } from '../../../shared/tax-id.js';
import { connectionType } from '../../../shared/subgraph/connection-type.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { ReceivableItem } from './documented-receivable.type.js';
import type { ReceivableRow } from './receivable.store.js';

// The resolver of relations adds its asset.
@ObjectType({
  simpleResolvers: true,
  description: 'A contract of a credit batch, with the amount that is still to be paid.',
})
export class Receivable extends ReceivableItem {}

export const ReceivableConnection = connectionType(Receivable, {
  name: 'Receivable',
  nodes: 'receivables',
  counted: true,
});

/** A receivable as resolvers pass it on: the shown fields, and whether there is an asset. */
export type ReceivableShape = Shape<Receivable> & { readonly hasAsset: boolean };

/**
 * Converts a receivable for a caller. Clients and people see debtors' tax ids whole, since the debtors are their own; a key, which
 * is given to programs and agents, sees the last digits.
 */
export function toReceivable(row: ReceivableRow, { kind }: Principal): ReceivableShape {
  const { id, batchId, externalId, debtorDocument, faceValue, dueDate, status, openBalance, settledAt } = row;
  const whole = kind === 'CLIENT' || kind === 'SESSION';
  return {
    id,
    batchId,
    externalId,
    debtorDocument: whole ? debtorDocument : maskDocument(debtorDocument),
    faceValue,
    dueDate,
    status,
    openBalance,
    settledAt,
    hasAsset: row.batchStatus === 'PROCESSED',
  };
}
