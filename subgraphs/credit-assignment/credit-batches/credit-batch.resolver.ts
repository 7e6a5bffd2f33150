import { Args, Ctx, FieldResolver, Resolver, Root, Arg, ID, Mutation, InputType } from 'type-graphql';
import type { Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { connectionPage } from '../../../shared/graphql/list-page.js';
import { toConnection, type Connection } from '../../../shared/graphql/connection.js';
import { batchListResolver, batchResolver } from '../batches/batch.resolver.js';
import { LinePageArgs } from '../batches/batch.type.js';
import { receivablesAt } from '../receivables/receivable.store.js';
import { ReceivableConnection, toReceivable, type ReceivableShape } from '../receivables/receivable.type.js';
import { creditBatchGraph, type CreditBatchShape, toCreditBatch } from './credit-batch.graph.js';
import { BatchModeEnum, CreditBatch, modeText } from './credit-batch.type.js';
import { requireVisible } from '../../../shared/kernel/identifying-text.js';
import { Access, StepUp } from '../../../shared/graphql/access.js';
import { AtMost } from '../../../shared/graphql/constraint.js';
import { FormMutation } from '../../../shared/graphql/forms.js';
import { maxLines, readLines } from '../batches/check-lines.js';
import { submitBatch, cancelBatch, actOnBatch } from '../batches/batches.acts.js';
import { AssetTypeEnum } from '../../securities/asset-type.js';
import { DayCountEnum } from '../../securities/day-count.js';
import { identified, mostInstallments, type BatchMode } from './check-contracts.js';
import { createCreditBatch } from './create-credit-batch.js';
import { creditBatches } from './credit-batch.kind.js';
import { addContracts, remakeCreditBatch, removeContract, replaceContracts } from './credit-batches.acts.js';
import { day, decimal, inputs, int, nullable, text } from '../../../shared/graphql/fields.js';

export const CreditBatchListResolver = batchListResolver(creditBatchGraph);
export const CreditBatchResolver = batchResolver(creditBatchGraph);

@Resolver(() => CreditBatch)
export class CreditBatchReceivablesResolver {
  constructor(private readonly codec: CursorCodec) {}

  @FieldResolver(() => ReceivableConnection, {
    description:
      'Its receivables, in the order in which they were submitted. Errors: 400 for arguments that are out of bounds and for a cursor of another batch.',
  })
  async receivables(
    @Ctx() context: Context,
    @Root() { id, receivableCount }: CreditBatchShape,
    @Args(() => LinePageArgs) wanted: LinePageArgs,
  ): Promise<Connection<ReceivableShape>> {
    const page = await readLines(context, this.codec, receivablesAt, id, connectionPage(wanted));
    return toConnection(
      page,
      (row) => toReceivable(row, context.principal),
      () => receivableCount,
    );
  }
}

const priceText = 'Price that the estate pays for the contract, in BRL with at most 2 decimals, greater than 0';
const idText = 'Id of the batch (UUID)';

@Resolver()
export class CreditBatchMutationsResolver {
  /** @param graceMs how long a submitted batch can still be cancelled */
  constructor(private readonly graceMs: number) {}

  @Access('client')
  @FormMutation()
  @Mutation(() => CreditBatch, {
    description:
      'Creates a credit batch in DRAFT. REST: POST /tidc/v1/credit-batches. Errors: 400; 409 code 2003 for an external id that occurs twice; 403 when no operator has permitted the client to assign credits to the estate; 422 for wrong check digits, face values that are not positive and due dates that are not in the future (by ELIGIBLE_ONLY they refuse only their contract, when the batch is processed), and for an estate that does not exist, is CLOSED or has no eligibility criteria.',
  })
  async createCreditBatch(
    @Ctx() context: Context,
    @Arg('patrimonyId', () => ID, { description: 'Id of the estate that receives the credits (UUID)' })
    patrimonyId: string,
    @AtMost({ maxItems: maxLines })
    @Arg('contracts', () => [ContractInput], { description: 'The contracts, 1 to 50,000' })
    contracts: ContractInput[],
    @Arg('mode', () => BatchModeEnum, { defaultValue: 'ALL_OR_NOTHING', description: modeText }) mode: BatchMode,
  ): Promise<CreditBatchShape> {
    const wish = { patrimonyId, contracts: contracts.map(identified), mode, format: 'JSON' } as const;
    return toCreditBatch(await createCreditBatch(context, wish));
  }

  @Access('client')
  @FormMutation()
  @Mutation(() => CreditBatch, {
    description:
      'Adds contracts to a credit batch in DRAFT. REST: POST /tidc/v1/credit-batches/{id}/contracts. Errors: 400; 404 code 2001; 409 code 2002 for a batch that is not in DRAFT, code 2003 for an external id that occurs twice or is already in the batch; 403 and 422 as for a new batch, and 422 for more than 50,000 contracts in total.',
  })
  async addContracts(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: idText }) id: string,
    @AtMost({ maxItems: maxLines })
    @Arg('contracts', () => [ContractInput], { description: 'The contracts to add, 1 to 50,000' })
    contracts: ContractInput[],
  ): Promise<CreditBatchShape> {
    return toCreditBatch(await addContracts(context, id, contracts.map(identified)));
  }

  @Access('client')
  @FormMutation()
  @Mutation(() => CreditBatch, {
    description:
      'Replaces all contracts of a credit batch in DRAFT. REST: PUT /tidc/v1/credit-batches/{id}/contracts. Errors: 400; 404 code 2001; 409 code 2002 for a batch that is not in DRAFT, code 2003 for an external id that occurs twice; 403 and 422 as for a new batch.',
  })
  async replaceContracts(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: idText }) id: string,
    @AtMost({ maxItems: maxLines })
    @Arg('contracts', () => [ContractInput], { description: 'The new contracts of the batch, 1 to 50,000' })
    contracts: ContractInput[],
  ): Promise<CreditBatchShape> {
    return toCreditBatch(await replaceContracts(context, id, contracts.map(identified)));
  }

  @Access('client')
  @Mutation(() => CreditBatch, {
    description:
      'Removes a contract from a credit batch in DRAFT. REST: DELETE /tidc/v1/credit-batches/{id}/contracts/{externalId}. Errors: 404 code 2001 for the batch, 404 for the contract; 409 code 2002 for a batch that is not in DRAFT; 422 for the only contract of the batch.',
  })
  async removeContract(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: idText }) id: string,
    @Arg('externalId', () => String, { description: "Identifier of the contract in the originator's system" })
    externalId: string,
  ): Promise<CreditBatchShape> {
    return toCreditBatch(await removeContract(context, id, requireVisible('externalId', externalId)));
  }

  @Access('sender')
  @StepUp()
  @Mutation(() => CreditBatch, {
    description:
      'Submits a credit batch that is in DRAFT. Also for a person of the client’s account who may send for it. REST: POST /tidc/v1/credit-batches/{id}/submit. Errors: 403 and 422 when the estate no longer accepts credits from the client; 404 code 2001; 409 code 2002 for a batch that is not in DRAFT.',
  })
  async submitCreditBatch(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: idText }) id: string,
  ): Promise<CreditBatchShape> {
    const named = { action: 'submitCreditBatch', type: 'creditBatch' } as const;
    const act = (client: Context) => submitBatch(client, creditBatches, this.graceMs, id);
    return toCreditBatch(await actOnBatch(context, creditBatches, id, named, act));
  }

  @Access('sender')
  @StepUp()
  @Mutation(() => CreditBatch, {
    description:
      'Cancels a credit batch that is in DRAFT or SUBMITTED. This cannot be undone. Also for a person of the client’s account who may send for it. REST: POST /tidc/v1/credit-batches/{id}/cancel. Errors: 403 for a person who may not; 404 code 2001; 409 code 2002 for a batch in any other status, including CANCELLED.',
  })
  async cancelCreditBatch(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: idText }) id: string,
  ): Promise<CreditBatchShape> {
    const named = { action: 'cancelCreditBatch', type: 'creditBatch' } as const;
    const act = (client: Context) => cancelBatch(client, creditBatches, id);
    return toCreditBatch(await actOnBatch(context, creditBatches, id, named, act));
  }
}

@Resolver()
export class RemakeCreditBatchResolver {
  @Access('sender')
  @Mutation(() => CreditBatch, {
    description:
      'Creates a DRAFT with the contracts of a REJECTED credit batch that had no errors. Called again it returns the same batch, unless that was cancelled. Also for a person of the client’s account who may send for it. REST: POST /tidc/v1/credit-batches/{id}/remake. Errors: 403 and 422 when the estate no longer accepts credits from the client; 422 when every contract had an error; 404 code 2001; 409 code 2002 for a batch that is not REJECTED.',
  })
  async remakeCreditBatch(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: idText }) id: string,
  ): Promise<CreditBatchShape> {
    const named = { action: 'remakeCreditBatch', type: 'creditBatch' } as const;
    const act = (client: Context) => remakeCreditBatch(client, id);
    return toCreditBatch(await actOnBatch(context, creditBatches, id, named, act));
  }
}

@InputType({ description: 'An instalment of a contract.' })
class InstallmentInput extends inputs({
  number: int('Its place, from 1'),
  dueDate: day(
    'Due date, after that of the instalment before it; of the first, after the base date, or else after today in São Paulo',
  ),
  principal: decimal('Principal, in BRL with at most 2 decimals'),
  interest: decimal('Interest, in BRL with at most 2 decimals'),
}) {}

@InputType({ description: 'A contract to be assigned.' })
class ContractInput extends inputs({
  externalId: text(
    "Identifier of the contract in the originator's system: 1 to 100 characters that can be seen, in the form NFC and without the blanks at its ends; unique in a batch",
  ),
  debtorDocument: text('CPF (11 digits) or CNPJ (14 characters) of the debtor, without punctuation'),
  faceValue: decimal('Face value, in BRL with at most 2 decimals'),
  dueDate: day('Due date, which must be in the future in São Paulo; of the last instalment, where there are several'),
  debtorName: nullable.text('Name of the debtor, 1 to 200 characters that can be seen'),
  debtorUf: nullable.text('State (UF) of the debtor, two letters such as SP'),
  purchasePrice: nullable.decimal(priceText),
  baseDate: nullable.day(
    'Day of which the price is: not in the future in São Paulo, and before the due date. When omitted, it is the day on which the batch was created',
  ),
  interestRate: nullable.decimal('Interest rate in percent a year, with at most 8 decimals; needs `dayCount`'),
  dayCount: nullable.of(
    () => DayCountEnum,
    'Day count of the rate and of the yield, which counts by CIVIL_365 when omitted',
  ),
  installments: nullable.list(
    () => InstallmentInput,
    'Instalments by number, 1 to 480. Their principal is the face value in all, and the last due date is that of the contract. When omitted, the contract is one instalment of the face value',
    { maxItems: mostInstallments },
  ),
  coobligation: nullable.flag('Whether the assignor answers for the debtor'),
  assignorDocument: nullable.text(
    'CPF or CNPJ of the assignor, without punctuation, where it is not the originator itself',
  ),
  invoiceKey: nullable.text(
    'Access key of the invoice (NF-e): 44 digits, with its check digit; those of the CNPJ may be letters. With one `dueDate` it is assigned once',
  ),
  type: nullable.of(() => AssetTypeEnum, 'Type of the asset that it becomes; CCB when omitted'),
}) {}
