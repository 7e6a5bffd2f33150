import { Args, Ctx, FieldResolver, Resolver, Root, Arg, ID, Mutation, InputType } from 'type-graphql';
import type { Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { connectionPage } from '../../../shared/graphql/list-page.js';
import { connectionType } from '../../../shared/graphql/connection-type.js';
import { toConnection, type Connection } from '../../../shared/graphql/connection.js';
import { batchListResolver, batchResolver } from '../batches/batch.resolver.js';
import { LinePageArgs } from '../batches/batch.type.js';
import { paymentsAt, type PaymentRow } from './settlement.store.js';
import { settlementBatchGraph, type SettlementBatchShape, toSettlementBatch } from './settlement-batch.graph.js';
import { Settlement, SettlementBatch, SettlementKindEnum, surplusText } from './settlement-batch.type.js';
import { identifyingText } from '../../../shared/kernel/identifying-text.js';
import { Access, StepUp } from '../../../shared/graphql/access.js';
import { AtMost } from '../../../shared/graphql/constraint.js';
import { FormMutation } from '../../../shared/graphql/forms.js';
import { maxLines, readLines } from '../batches/check-lines.js';
import { submitBatch, cancelBatch, actOnBatch } from '../batches/batches.acts.js';
import { createSettlementBatch } from './create-settlement-batch.js';
import { settlementBatches } from './settlement-batch.kind.js';
import { day, decimal, id, inputs, nullable } from '../../../shared/graphql/fields.js';

export const SettlementBatchListResolver = batchListResolver(settlementBatchGraph);
export const SettlementBatchResolver = batchResolver(settlementBatchGraph);

const SettlementConnection = connectionType(Settlement, { name: 'Settlement', nodes: 'payments' });

@Resolver(() => SettlementBatch)
export class SettlementBatchPaymentsResolver {
  constructor(private readonly codec: CursorCodec) {}

  @FieldResolver(() => SettlementConnection, {
    description:
      'Its payments, in the order in which they were submitted. Errors: 400 for arguments that are out of bounds and for a cursor of another batch.',
  })
  async settlements(
    @Ctx() context: Context,
    @Root() { id, settlementCount }: SettlementBatchShape,
    @Args(() => LinePageArgs) wanted: LinePageArgs,
  ): Promise<Connection<PaymentRow>> {
    const page = await readLines(context, this.codec, paymentsAt, id, connectionPage(wanted));
    return toConnection(
      page,
      (row) => row,
      () => settlementCount,
    );
  }
}

const idText = 'Id of the settlement batch (UUID).';

@Resolver()
export class SettlementBatchMutationsResolver {
  /** @param graceMs how long a submitted batch can still be cancelled */
  constructor(private readonly graceMs: number) {}

  @Access('client')
  @FormMutation()
  @Mutation(() => SettlementBatch, {
    description:
      'Registers payments that were received for assigned contracts. REST: POST /tidc/v1/settlement-batches. Errors: 400; 404 code 2001 for the credit batch; 409 code 2002 when the credit batch is not PROCESSED; 422 for invalid payments, with code 3002 when one of them is for a receivable that is already settled.',
  })
  async createSettlementBatch(
    @Ctx() context: Context,
    @Arg('creditBatchId', () => ID, { description: 'Id of the credit batch that assigned the contracts (UUID).' })
    creditBatchId: string,
    @AtMost({ maxItems: maxLines })
    @Arg('settlements', () => [SettlementInput], {
      description: 'The payments, 1 to 50,000. Several payments of one contract are applied in their order.',
    })
    settlements: SettlementInput[],
    @Arg('draft', () => Boolean, {
      nullable: true,
      description: 'Whether the batch stays in DRAFT until it is submitted; by default it is SUBMITTED at once.',
    })
    draft: boolean | null,
  ): Promise<SettlementBatchShape> {
    const payments = settlements.map(({ paymentReference, ...payment }) => ({
      ...payment,
      paymentReference: paymentReference == null ? null : identifyingText(paymentReference),
    }));
    const made = { creditBatchId, settlements: payments, draft: draft ?? false };
    return toSettlementBatch(await createSettlementBatch(context, this.graceMs, made));
  }

  @Access('sender')
  @StepUp()
  @Mutation(() => SettlementBatch, {
    description:
      'Submits a settlement batch that is in DRAFT. Also for a person of the client’s account who may send for it. REST: POST /tidc/v1/settlement-batches/{id}/submit. Errors: 403 for a person who may not; 404 code 3001; 409 code 2002.',
  })
  async submitSettlementBatch(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: idText }) id: string,
  ): Promise<SettlementBatchShape> {
    const named = { action: 'submitSettlementBatch', type: 'settlementBatch' } as const;
    const act = (client: Context) => submitBatch(client, settlementBatches, this.graceMs, id);
    return toSettlementBatch(await actOnBatch(context, settlementBatches, id, named, act));
  }

  @Access('sender')
  @StepUp()
  @Mutation(() => SettlementBatch, {
    description:
      'Cancels a settlement batch that is in DRAFT or SUBMITTED. This cannot be undone. Also for a person of the client’s account who may send for it. REST: POST /tidc/v1/settlement-batches/{id}/cancel. Errors: 403 for a person who may not; 404 code 3001; 409 code 2002.',
  })
  async cancelSettlementBatch(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: idText }) id: string,
  ): Promise<SettlementBatchShape> {
    const named = { action: 'cancelSettlementBatch', type: 'settlementBatch' } as const;
    const act = (client: Context) => cancelBatch(client, settlementBatches, id);
    return toSettlementBatch(await actOnBatch(context, settlementBatches, id, named, act));
  }
}

@InputType({ description: 'A payment that was received for a receivable.' })
class SettlementInput extends inputs({
  contractId: id('Id of the receivable, which is that of the contract in its credit batch'),
  kind: nullable.of(() => SettlementKindEnum, 'What it is; PAYMENT when it is omitted'),
  settledAmount: decimal(
    'Amount by which the balance falls, in BRL with at most 2 decimals; at most the open balance. A smaller amount is a partial payment; 0 only with a PAYMENT that has a surplus',
  ),
  surplus: nullable.decimal(`${surplusText}, at most 2 decimals; only with a PAYMENT or REPURCHASE`),
  settledDate: day(
    'Day on which it was received, in São Paulo: from the base date of the contract, or else the day of the assignment, to today',
  ),
  paymentReference: nullable.text(
    'Reference of the originator for this payment of the receivable: 1 to 100 letters, digits and any of `.-_:/`. A payment with a reference that was recorded before, with the same kind, amounts and day, counts only once; with others, or when the recorded payment was reversed, it is rejected',
  ),
  reason: nullable.text('Reason, 1 to 200 characters; required with DISCOUNT, REPURCHASE and SUBSTITUTION'),
  substituteId: nullable.id(
    'With SUBSTITUTION only, and required there: id of an open receivable of the same client and estate that owes at least as much; it is not in the batch and takes no other place',
  ),
}) {}
