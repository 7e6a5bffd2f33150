import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/kernel/context.js';
import { Access } from '../../../shared/graphql/access.js';
import { AtMost, maxFileLength } from '../../../shared/graphql/constraint.js';
import { toCreditBatch, type CreditBatchShape } from '../credit-batches/credit-batch.graph.js';
import { CreditBatch } from '../credit-batches/credit-batch.type.js';
import { toSettlementBatch, type SettlementBatchShape } from '../settlement-batches/settlement-batch.graph.js';
import { SettlementBatch } from '../settlement-batches/settlement-batch.type.js';
import { createCreditBatchFromFile, createSettlementBatchFromFile } from '../files/create-from-file.js';

@Resolver()
export class Cnab444Resolver {
  @Access('client')
  @Mutation(() => CreditBatch, {
    description:
      'Creates a credit batch in DRAFT from an assignment file. REST: POST /tidc/v1/credit-batches as text/plain; profile=cnab444. Errors: those of `createCreditBatch`, by line and column of the file.',
  })
  async createCreditBatchFromCnab(
    @Ctx() context: Context,
    @Arg('patrimonyId', () => ID, { description: 'Id of the estate that receives the credits (UUID)' })
    patrimonyId: string,
    @AtMost({ maxLength: maxFileLength })
    @Arg('file', () => String, {
      description: 'CNAB 444 file: a header, 1 to 50,000 details of occurrence 01, and a trailer',
    })
    file: string,
  ): Promise<CreditBatchShape> {
    return toCreditBatch(await createCreditBatchFromFile(context, patrimonyId, { format: 'CNAB444', text: file }));
  }

  @Access('client')
  @Mutation(() => SettlementBatch, {
    description:
      'Creates a settlement batch in DRAFT from a settlement file, which identifies contracts by their external ids. REST: POST /tidc/v1/settlement-batches as text/plain; profile=cnab444. Errors: those of `createSettlementBatch`, by line and column of the file; 422 for a contract that is not in the credit batch.',
  })
  async createSettlementBatchFromCnab(
    @Ctx() context: Context,
    @Arg('creditBatchId', () => ID, { description: 'Id of the credit batch that assigned the contracts (UUID)' })
    creditBatchId: string,
    @AtMost({ maxLength: maxFileLength })
    @Arg('file', () => String, {
      description: 'CNAB 444 file: a header, 1 to 50,000 details of the occurrences 04, 14, 75 and 77, and a trailer',
    })
    file: string,
  ): Promise<SettlementBatchShape> {
    return toSettlementBatch(
      await createSettlementBatchFromFile(context, creditBatchId, { format: 'CNAB444', text: file }),
    );
  }
}
